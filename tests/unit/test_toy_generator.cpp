// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A generator from outside: all that one takes. The kernels are templates over such a type; a line
// in src/kernels/generators/list.hpp would give it to decks, the library, tests and benchmarks too.
// - Plan: who draws what, and why streams are disjoint;
// - Streams: what kernels draw from. These have no state, so at() says where they are;
// - Starter: what puts streams to their starts, and on;
// - facts() and plan().

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "kernels/generators/generator_type.hpp"
#include "kernels/numbers/number_source_of.hpp"
#include "kernels/pi/pi_counter_of.hpp"
#include "rivulet/detail/rng/lane_rounds.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"

namespace rivulet {
namespace {

class ToyPlan final : public StreamPlan {
 public:
  explicit ToyPlan(const StreamRequest& request) : StreamPlan(request) {}
  std::vector<std::pair<std::string, std::string>> certificate() const override {
    return {{"method", "upper half of a counter of 64 bits"}};
  }
  std::vector<StreamFact> facts() const override { return {}; }
  std::vector<StreamColumn> columns(StreamRange) const override { return {}; }
};

/// Number i of stream s: SplitMix64's mixer of the counter s 2^32 + i.
KOKKOS_FUNCTION std::uint32_t toy_number(std::uint64_t stream, std::uint64_t i) {
  return static_cast<std::uint32_t>(splitmix64_mix(stream << 32 | i) >> 32);
}

class ToyStreams {
 public:
  using Integer = std::uint32_t;
  static constexpr int bits = 32;
  static constexpr int round_numbers = 8;
  static constexpr int round_words = 8;
  static constexpr int numbers_per_word = 1;
  using Bounds = Kokkos::LaunchBounds<>;
  static constexpr int most_side_by_side = 1;
  using SideBySideBounds = Bounds;

  ToyStreams(const ToyPlan&, StreamRange range) : range_(range) {}
  KOKKOS_FUNCTION std::uint64_t count() const { return range_.count; }
  KOKKOS_FUNCTION StreamRange range() const { return range_; }
  std::uint64_t state_bytes() const { return 0; }
  std::vector<std::byte> save() const { return {}; }
  void restore(std::span<const std::byte>) {}
  ToyStreams at(Uint128 rounds) const {
    ToyStreams moved = *this;
    moved.next_ += static_cast<std::uint64_t>(rounds) * round_numbers;
    return moved;
  }

  struct Scalar {
    std::uint64_t stream;
    std::uint64_t next;
    KOKKOS_FUNCTION std::uint32_t operator()() { return toy_number(stream, next++); }
  };
  KOKKOS_FUNCTION Scalar scalar(std::uint64_t stream) const {
    return {range_.first + stream, next_};
  }

  template <class W>
  struct EngineOf : detail::LaneRounds<EngineOf<W>, W> {
    std::uint64_t first;
    std::uint64_t next;

    KOKKOS_FUNCTION EngineOf(std::uint64_t first, std::uint64_t next) : first(first), next(next) {}
    template <class Use>
    KOKKOS_FORCEINLINE_FUNCTION void round(Use&& use) {
      for (int k = 0; k < round_words; ++k, ++next) {
        use(k, WordTraits<W>::generate([this](int l) {
              return toy_number(first + static_cast<std::uint64_t>(l), next);
            }));
      }
    }
  };
  using Engine = EngineOf<Word>;
  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    return {range_.first + first, next_};
  }
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t, const EngineOf<W>&) const {}

 private:
  StreamRange range_;
  std::uint64_t next_ = 0;
};

struct ToyStarter {
  ToyStarter(const ToyPlan&, StreamRange) {}
  void seed(const Space&, ToyStreams&) const {}
  void advance(const Space&, ToyStreams& streams, Uint128 rounds) const {
    streams = streams.at(rounds);
  }
};

struct Toy {
  using Plan = ToyPlan;
  using Streams = ToyStreams;
  using Starter = ToyStarter;
  static Generator facts() {
    Generator facts;
    facts.name = "toy";
    facts.doc = "a test's own";
    facts.period = "2^32";
    facts.disjoint = "counters";
    return facts;
  }
  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};
static_assert(GeneratorType<Toy>);

TEST(ToyGenerator, KernelsDrawFromIt) {
  EXPECT_EQ(generator_of<Toy>().mappings, std::vector{StreamMapping::lane});
  constexpr std::uint64_t streams = 21;
  constexpr std::uint64_t numbers = 100;
  StreamRequest request;
  request.streams = streams;
  const ToyPlan plan(request);
  const Space space;
  const auto source =
      make_number_source_of<Toy>(space, plan, {0, streams}, {NumberType::uint32, {}, {}, 1});
  source->restart();
  const Kokkos::View<std::uint32_t*, Space> to("rivulet::test", streams * numbers);
  for (std::uint64_t begin = 0; begin < numbers; begin += 50) {
    source->draw({0, streams, begin, 50}, {numbers, 1}, to.data() + begin);
  }
  space.fence();
  const auto drawn = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  const auto counter =
      make_pi_counter_of<Toy>(space, plan, {0, streams}, StreamMapping::lane, PiChoice{});
  counter->restart();
  counter->count({{streams * numbers, streams}, 0, numbers});
  const auto hits = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counter->hits());
  for (std::uint64_t s = 0; s < streams; ++s) {
    std::uint32_t inside = 0;
    for (std::uint64_t i = 0; i < numbers; ++i) {
      EXPECT_EQ(drawn(s * numbers + i), toy_number(s, i));
      PackedCentred::count(toy_number(s, i), std::uint32_t{0}, inside);
    }
    EXPECT_EQ(hits(s), inside);
  }
}

}  // namespace
}  // namespace rivulet
