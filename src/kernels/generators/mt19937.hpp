// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/generators/doublings.hpp"
#include "kernels/generators/mt19937_engines.hpp"
#include "kernels/generators/mt19937_jump.hpp"
#include "kernels/generators/scatter_streams.hpp"
#include "kernels/generators/stream_memory.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/streams/kept_jumps.hpp"
#include "rivulet/error.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// Where each stream starts: all on the one cycle of all states but zero, stream s as many steps as
/// starts() says after the state made of the run's seed. Native: by init_by_array.
/// Published: by init_genrand, so that stream 0 is std::mt19937(seed) and, but for seed 0, ROOT's
/// TRandom3(seed). The constructor throws Error where the published seeding has no such seed.
class Mt19937Plan final : public StreamPlan {
 public:
  using Recurrence = Mt19937Recurrence;

  explicit Mt19937Plan(const StreamRequest& request) : StreamPlan(request) {
    if (is_native() || request.seed <= 0xffffffffu) return;
    throw Error(fmt::format("streams.seed={} does not fit", request.seed),
                "the published seeding of mt19937, init_genrand, takes 32 bits",
                "Choose from 0 to 4294967295, or set streams.seeding=native.");
  }

  static constexpr IrregularStarts starts() { return detail::mt19937_starts; }

  /// The state that stream 0 starts from, x_0 .. x_{n-1}.
  std::array<std::uint32_t, Recurrence::n> first_state() const {
    if (is_native()) return native_mt19937_start(request().seed);
    std::array<std::uint32_t, Recurrence::n> x{};
    init_genrand(x.data(), Recurrence::n, static_cast<std::uint32_t>(request().seed));
    return x;
  }

  std::vector<std::pair<std::string, std::string>> certificate() const override {
    return {{"method", "jump-ahead on the one cycle of all states but zero"},
            {"period",
             "2^19937 - 1, a prime: the minimal polynomial of that degree is irreducible, and so "
             "primitive"},
            {"distance", fmt::format("irregular, at least 2^{} steps between the starts of any two",
                                     starts().log2_distance())},
            {"proved",
             fmt::format("{} * 2^{} is less than the period, and no stream draws more than {} "
                         "numbers, which is less than 2^{}: no two meet",
                         streams(), starts().log2_room(), request().numbers_per_stream,
                         starts().log2_distance())}};
  }
  std::vector<StreamFact> facts() const override {
    return {{"run_seed", request().seed},
            {"log2_jump", std::uint64_t{starts().log2_distance()}, "log2 of steps"}};
  }
  /// The id says it all.
  std::vector<StreamColumn> columns(StreamRange) const override { return {}; }

 private:
  bool is_native() const { return request().seeding == Seeding::native; }
};

namespace detail {

/// Streams by lane are for CPUs: 624 words per thread are too many for a GPU's registers.
struct Mt19937ByLane {
  using Engine = Mt19937Lanes<Word>;
};
struct Mt19937NotByLane {};

}  // namespace detail

/// The MT19937 streams of one rank in device memory: 624 words each, the oldest first, of whose
/// first one only the highest bit counts; the others are 0.
class Mt19937Streams
    : public StreamsInMemory<std::uint32_t>,
      public std::conditional_t<device_build, detail::Mt19937NotByLane, detail::Mt19937ByLane> {
 public:
  using Plan = Mt19937Plan;
  using Integer = std::uint32_t;
  /// Words of state per stream.
  static constexpr int words = Mt19937Recurrence::n;
  /// Numbers are uniform in 0 .. 2^bits - 1.
  static constexpr int bits = 32;
  /// Numbers, and 32-bit words made of them, that an engine draws of each stream in a round.
  static constexpr int round_numbers = detail::Mt19937Lanes<Word>::round;
  static constexpr int round_words = round_numbers;
  static constexpr int numbers_per_word = 1;
  /// Rounds that a stream draws in the time of a jump, some 10000 sums of states. Measured on a
  /// CPU, estimated for a device.
  static constexpr std::uint64_t jump_rounds = device_build ? 1u << 15 : 1u << 14;
  using Bounds = Kokkos::LaunchBounds<>;

  /// Allocates; the states are for Mt19937Starter to fill.
  Mt19937Streams(const Mt19937Plan&, StreamRange range)
      : StreamsInMemory("rivulet::mt19937_states", words, range) {}

  /// Sets it, whatever is in the bits that do not count.
  KOKKOS_FORCEINLINE_FUNCTION void put_word(int k, std::uint64_t stream,
                                            std::uint32_t value) const {
    word(k, stream) = k == 0 ? value & Mt19937Recurrence::shape.upper_mask : value;
  }
  KOKKOS_FUNCTION void put(std::uint64_t stream, const std::uint32_t* state) const {
    for (int k = 0; k < words; ++k) put_word(k, stream, state[k]);
  }

  KOKKOS_FUNCTION static detail::Mt19937Words recurrence(std::uint64_t) { return {}; }

  /// An engine of one stream.
  KOKKOS_FUNCTION detail::Mt19937Scalar scalar(std::uint64_t stream) const {
    return detail::Mt19937Scalar(*this, stream);
  }

  /// The engine of streams first .. first + lanes<W> - 1.
  template <class W = Word>
  KOKKOS_FUNCTION detail::Mt19937Lanes<W> load(std::uint64_t first) const {
    return detail::Mt19937Lanes<W>(*this, first);
  }
  /// Puts back what load() gave, after whole rounds.
  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const detail::Mt19937Lanes<W>& engine) const {
    engine.store(*this, first);
    for (int l = 0; l < lanes<W>; ++l) {
      const std::uint64_t stream = first + static_cast<std::uint64_t>(l);
      put_word(0, stream, word(0, stream));
    }
  }

  using TeamEngine = detail::Mt19937Team;
  using BlockEngine = detail::Mt19937Team;
  /// Of a block: a thread for each number of a draw.
  static constexpr int block_warps = Mt19937Recurrence::team_numbers / team_lanes;
#if RIVULET_LANES_HAND_ON
  using WarpEngine = detail::Mt19937Warp;
#endif

  /// The 32-bit word j of numbers that a team drew.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t word_of(const Integer* numbers, int j) {
    return numbers[j];
  }
};

namespace detail {

/// Gives some streams the same state.
struct SeedMt19937 {
  using Words = Kokkos::View<const std::uint32_t*, Space>;
  using Ids = Kokkos::View<const std::uint64_t*, Space>;

  Mt19937Streams streams;
  Words state;
  Ids heads;  ///< local indices

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    constexpr auto n = static_cast<std::uint64_t>(Mt19937Streams::words);
    streams.put_word(static_cast<int>(i % n), heads(i / n), state(i % n));
  }
};

template <class T, class Source>
Kokkos::View<const T*, Space> uploaded(const std::string& label, const Source& values) {
  const Kokkos::View<T*, Space> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                     values.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}

}  // namespace detail

/// Puts the streams of a rank where they belong. `plan` must outlive it.
class Mt19937Starter {
 public:
  Mt19937Starter(const Mt19937Plan& plan, StreamRange range) : plan_(plan), range_(range) {}

  /// Every stream to its start: from the stream whose id lacks its lowest set bit, by the jump of
  /// that bit, where the range has that stream; else from the first state. In the end by the hashed
  /// steps.
  void seed(const Space& space, const Mt19937Streams& streams) const {
    if (range_.count == 0) return;
    const std::uint64_t last = range_.first + range_.count - 1;
    const auto jumps = detail::mt19937_jumps(last);
    seed_heads(space, streams, *jumps);
    // Streams are made from those of fewer bits: the id's higher ones.
    for (auto r = static_cast<unsigned>(std::bit_width(last)); r-- > 0;) {
      const detail::Mt19937Targets targets = targets_of_bit(r);
      if (targets.count > 0) {
        detail::apply_mt19937_jump(space, streams, jumps->bit(r), targets);
      }
    }
    const detail::StreamIndices indices{range_.first, 1};
    if (indices.any(range_.count)) {
      for_each_stream(space, "rivulet::scatter_streams", range_.count,
                      detail::ScatterByThread<Mt19937Streams>{streams, indices});
    }
    space.fence();
  }

  /// Every stream so many rounds on, in a time that grows with the number's logarithm.
  void advance(const Space& space, const Mt19937Streams& streams, Uint128 rounds) {
    advance(space, streams, rounds, {0, range_.count});
  }
  /// The same of some streams, given by local indices.
  void advance(const Space& space, const Mt19937Streams& streams, Uint128 rounds,
               StreamRange some) {
    if (some.count == 0 || rounds == 0) return;
    const Gf2Polynomial& jump = last_jump_.of(rounds, [&] {
      return power_of_t(rounds * Mt19937Streams::round_numbers, detail::mt19937_polynomial());
    });
    detail::apply_mt19937_jump(space, streams, jump, {some.first, 1, some.count, 0});
    space.fence();
  }

  /// The segments of streams to their starts, from where the streams are.
  void place(const Space& space, const Mt19937Streams& from, const Mt19937Streams& to,
             const Segments& cut) {
    to.copy_first(space, from);
    const auto& jumps = doublings_.of(cut, [&](unsigned count) {
      return doubling_powers_of_t(Uint128{cut.rounds} * Mt19937Streams::round_numbers, count,
                                  detail::mt19937_polynomial());
    });
    for_each_doubling(cut, [&](unsigned r, std::uint64_t first, std::uint64_t last) {
      detail::apply_mt19937_jump(space, to, jumps[r], {first, 1, last - first, first});
    });
    space.fence();
  }

 private:
  /// The streams that have none in the range to start from: the first one, and what follows by
  /// adding the lowest set bit.
  void seed_heads(const Space& space, const Mt19937Streams& streams,
                  const JumpPolynomials& jumps) const {
    std::vector<std::uint64_t> heads;
    for (std::uint64_t id = range_.first; id - range_.first < range_.count; id += id & (~id + 1)) {
      heads.push_back(id - range_.first);
      if (id == 0) break;
    }
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
    Kokkos::parallel_for(
        "rivulet::seed_mt19937", Policy(space, 0, heads.size() * Mt19937Streams::words),
        detail::SeedMt19937{
            streams, detail::uploaded<std::uint32_t>("rivulet::mt19937_state", plan_.first_state()),
            detail::uploaded<std::uint64_t>("rivulet::mt19937_heads", heads)});
    for (const std::uint64_t head : heads) {
      if (range_.first + head == 0) continue;
      detail::apply_mt19937_jump(space, streams, jumps.of(range_.first + head), {head, 1, 1, 0});
    }
  }

  /// The streams whose id has r as its lowest set bit and that have in the range the stream whose
  /// id lacks it.
  detail::Mt19937Targets targets_of_bit(unsigned r) const {
    const std::uint64_t distance = std::uint64_t{1} << r;
    if (range_.count <= distance) return {};
    // From the first odd multiple of the distance that is at least so far behind the first id.
    const std::uint64_t behind = (distance - range_.first % distance) % distance;
    const std::uint64_t multiple = (range_.first + behind) / distance;
    const std::uint64_t first = behind + (multiple % 2 == 0 ? distance : 2 * distance);
    if (first >= range_.count) return {};
    const std::uint64_t stride = 2 * distance;
    return {first, stride, (range_.count - first - 1) / stride + 1, distance};
  }

  const Mt19937Plan& plan_;
  StreamRange range_;
  Doublings<std::vector<Gf2Polynomial>> doublings_;
  LastJump<Gf2Polynomial> last_jump_;
};

/// The Mersenne Twister that everybody compares with.
struct Mt19937Generator {
  using Plan = Mt19937Plan;
  using Streams = Mt19937Streams;
  using Starter = Mt19937Starter;
  using Library = Mt19937;

  static Generator facts() {
    Generator facts;
    facts.name = "mt19937";
    facts.doc = "the Mersenne Twister, 624 words of state";
    facts.period = "2^19937 - 1";
    facts.disjoint = "jump-ahead on one cycle, at least 2^128 steps apart";
    facts.published =
        "mt19937 init_genrand(seed), as std::mt19937 and, of seeds but 0, ROOT's TRandom3";
    facts.state_bytes = Streams::words * sizeof(std::uint32_t);
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return Plan::starts().log2_distance();
    };
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(request);
  }
};

}  // namespace rivulet
