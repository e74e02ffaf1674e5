// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/generators/mt19937.hpp"
#include "kernels/numbers/number_drawer.hpp"
#include "kernels/pi/pi_fused.hpp"
#include "kernels/pi/pi_point.hpp"
#include "mt19937_requests.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "state_words.hpp"

namespace rivulet {
namespace {

constexpr int n = Mt19937Recurrence::n;
using Numbers = std::vector<std::uint32_t>;

YAML::Node reference() { return YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/mt19937.json"); }

/// Streams of a range at their starts.
struct Streams {
  Mt19937Plan plan;
  Mt19937Streams streams;
  Mt19937Starter starter;

  Streams(const StreamRequest& request, StreamRange range)
      : plan(request), streams(plan, range), starter(plan, range) {
    starter.seed(Space(), streams);
  }
  explicit Streams(const StreamRequest& request) : Streams(request, {0, request.streams}) {}

  Numbers state(std::uint64_t stream) const { return state_words<std::uint32_t>(streams, stream); }
  std::vector<Numbers> states() const {
    std::vector<Numbers> all;
    for (std::uint64_t s = 0; s < streams.count(); ++s) all.push_back(state(s));
    return all;
  }
  void jump(const Gf2Polynomial& polynomial) const {
    detail::apply_mt19937_jump(Space(), streams, polynomial, {0, 1, streams.count(), 0});
    Space().fence();
  }
};

/// The generator as its authors wrote it, one word at a time.
class Stepped {
 public:
  explicit Stepped(Numbers state) : x_(std::move(state)) {}

  std::uint32_t operator()() {
    const auto at = [this](int k) -> std::uint32_t& {
      return x_[(next_ + static_cast<std::size_t>(k)) % n];
    };
    const std::uint32_t y = (at(0) & 0x80000000u) | (at(1) & 0x7fffffffu);
    const std::uint32_t word = at(397) ^ (y >> 1) ^ ((y & 1u) != 0 ? 0x9908b0dfu : 0u);
    at(0) = word;
    ++next_;
    std::uint32_t z = word;
    z ^= z >> 11;
    z ^= (z << 7) & 0x9d2c5680u;
    z ^= (z << 15) & 0xefc60000u;
    return z ^ z >> 18;
  }
  Numbers next(std::uint64_t count) {
    Numbers numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back((*this)());
    return numbers;
  }
  /// The oldest word first, without the bits that do not count.
  Numbers state() const {
    Numbers words;
    for (std::size_t k = 0; k < n; ++k) words.push_back(x_[(next_ + k) % n]);
    words[0] &= 0x80000000u;
    return words;
  }

 private:
  Numbers x_;
  std::size_t next_ = 0;
};

Numbers std_numbers(std::uint32_t seed, std::uint64_t count) {
  std::mt19937 engine(seed);
  Numbers numbers(count);
  for (auto& number : numbers) number = static_cast<std::uint32_t>(engine());
  return numbers;
}

std::vector<StreamMapping> mappings() { return generator_of<Mt19937Generator>().mappings; }

template <class Out>
constexpr NumberType number_type() {
  if (std::is_same_v<Out, std::uint32_t>) return NumberType::uint32;
  if (std::is_same_v<Out, std::uint64_t>) return NumberType::uint64;
  return std::is_same_v<Out, float> ? NumberType::float32 : NumberType::float64;
}

/// A piece of all streams, drawn into a row per stream.
template <class Out, class S>
std::vector<std::vector<Out>> draw(const S& streams, StreamMapping mapping, std::uint64_t begin,
                                   std::uint64_t count) {
  const Kokkos::View<Out*, Space> to("rivulet::test", streams.count() * count);
  const NumberRequest request{number_type<Out>(), Interval::closed_open, mapping, 2};
  detail::NumberDrawer<S>(request).draw(
      Space(), streams, request, {{0, streams.count(), begin, count}, {}}, {{count, 1}}, to.data());
  Space().fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  std::vector<std::vector<Out>> rows;
  for (std::uint64_t s = 0; s < streams.count(); ++s) {
    rows.emplace_back(host.data() + s * count, host.data() + (s + 1) * count);
  }
  return rows;
}

TEST(Mt19937, PublishedStreamZeroIsTheStandardLibrarys) {
  for (const StreamMapping mapping : mappings()) {
    for (const std::uint32_t seed : {5489u, 0u, 1u, 4357u, 4294967295u}) {
      const Streams one(published_mt19937(seed));
      const auto numbers = draw<std::uint32_t>(one.streams, mapping, 0, 10000)[0];
      EXPECT_EQ(numbers, std_numbers(seed, 10000));
    }
  }
}

TEST(Mt19937, ReferenceNumbersOfBothInitialisers) {
  const auto data = reference();
  const auto expect = [](const YAML::Node& run, const Numbers& numbers) {
    EXPECT_EQ(Numbers(numbers.begin(), numbers.begin() + 10), run["first10"].as<Numbers>());
    EXPECT_EQ(numbers[999], run["at1000"].as<std::uint32_t>());
    EXPECT_EQ(numbers[9999], run["at10000"].as<std::uint32_t>(numbers[9999]));
  };
  int runs = 0;
  for (const auto& run : data["init_genrand"]) {
    const Streams one(published_mt19937(run["seed"].as<std::uint64_t>()));
    expect(run, draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 10000)[0]);
    ++runs;
  }
  EXPECT_EQ(runs, 5);
  EXPECT_EQ(data["init_genrand"][0]["at10000"].as<std::uint32_t>(), 4123659995u);
  Numbers state(n);
  const std::uint32_t key[] = {0x123, 0x234, 0x345, 0x456};
  init_by_array(state, n, key, 4);
  expect(data["init_by_array_0x123_0x234_0x345_0x456"], Stepped(state).next(10000));
}

TEST(Mt19937, NativeSeedingIsInitByArrayOfTheSeedAndTheGenerator) {
  const Streams one(native_mt19937());
  Numbers state(n);
  const std::uint32_t key[] = {0x89abcdef, 0x01234567, 19937, 0x9908b0df};
  init_by_array(state, n, key, 4);
  EXPECT_EQ(one.state(0), state);
  EXPECT_EQ(draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 2000)[0],
            Stepped(state).next(2000));
}

TEST(Mt19937, MinimalPolynomialInClosedForm) {
  const auto data = reference()["minpoly"];
  const Gf2Polynomial& phi = detail::mt19937_polynomial();
  EXPECT_EQ(phi.degree(), data["degree"].as<int>());
  std::vector<int> exponents;
  for (int i = 0; i <= phi.degree(); ++i) {
    if (phi.coefficient(i)) exponents.push_back(i);
  }
  EXPECT_EQ(exponents.size(), 135U);
  EXPECT_EQ(exponents, data["exponents"].as<std::vector<int>>());
}

TEST(Mt19937, JumpsReachTheReference) {
  const auto jump_of = [](const std::string& steps) {
    const Gf2Polynomial& phi = detail::mt19937_polynomial();
    if (!steps.starts_with("2^")) return power_of_t(Uint128{std::stoull(steps)}, phi);
    return power_of_t(1, static_cast<unsigned>(std::stoul(steps.substr(2))), phi);
  };
  int jumps = 0;
  for (const auto& run : reference()["jumps_from_init_genrand_5489"]) {
    const Streams one(published_mt19937(5489));
    const Gf2Polynomial jump = jump_of(run["n"].as<std::string>());
    int weight = 0;
    for (const std::uint64_t word : jump.words()) weight += std::popcount(word);
    EXPECT_EQ(weight, run["poly_weight"].as<int>());
    one.jump(jump);
    EXPECT_EQ(draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 5)[0],
              run["next5"].as<Numbers>());
    ++jumps;
  }
  EXPECT_EQ(jumps, 6);
}

TEST(Mt19937, AJumpIsStepping) {
  for (const std::uint64_t steps : {0u, 1u, 31u, 223u, 623u, 624u, 19936u, 19937u, 100003u}) {
    const Streams few(native_mt19937(3));
    std::vector<Numbers> expected;
    for (const Numbers& state : few.states()) {
      Stepped stepped(state);
      stepped.next(steps);
      expected.push_back(stepped.state());
    }
    few.jump(power_of_t(Uint128{steps}, detail::mt19937_polynomial()));
    EXPECT_EQ(few.states(), expected) << steps;
  }
}

TEST(Mt19937, BitsThatDoNotCountStayOut) {
  const Gf2Polynomial jump = power_of_t(Uint128{1000003}, detail::mt19937_polynomial());
  const Streams clean(published_mt19937(5489));
  const Streams dirty(published_mt19937(5489));
  EXPECT_EQ(clean.state(0)[0] & 0x7fffffffu, 0U);  // though init_genrand sets them
  dirty.streams.states().change_on_host(
      [](const auto& words, std::uint64_t stream) { words(0, stream) |= 0x12345678u; });
  EXPECT_NE(dirty.states(), clean.states());
  clean.jump(jump);
  dirty.jump(jump);
  EXPECT_EQ(dirty.states(), clean.states());
  for (const StreamMapping mapping : mappings()) {
    draw<std::uint32_t>(clean.streams, mapping, 0, 320);
    EXPECT_EQ(clean.state(0)[0] & 0x7fffffffu, 0U);
  }
}

/// As the plan says, without the polynomials that the starter keeps.
TEST(Mt19937, StreamsStartWhereThePlanSays) {
  const Gf2Polynomial& phi = detail::mt19937_polynomial();
  const Streams all(native_mt19937(22));
  for (const std::uint64_t s : {1u, 2u, 5u, 7u, 16u, 21u}) {
    const Streams one(native_mt19937());
    for (unsigned r = 0; s >> r != 0; ++r) {
      if ((s >> r & 1) == 0) continue;
      // J_r = 2^r (2^129 + d) + o_r
      one.jump(power_of_t(1, 129 + r, phi));
      one.jump(power_of_t(
          (Uint128{IrregularStarts::distance_low} << r) + IrregularStarts::offset(r), phi));
    }
    one.jump(power_of_t(Uint128{IrregularStarts::hashed_steps(s)}, phi));
    EXPECT_EQ(all.state(s), one.state(0)) << s;
  }
}

TEST(Mt19937, ARangeHasTheStreamsOfTheWhole) {
  const auto whole = Streams(native_mt19937(70)).states();
  for (const auto& [first, count] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {5, 9}, {1, 1}, {32, 38}, {63, 7}, {47, 2}, {0, 33}, {64, 0}}) {
    const auto part = Streams(native_mt19937(70), {first, count}).states();
    ASSERT_EQ(part.size(), count);
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_EQ(part[i], whole[first + i]) << first << " + " << i << " of " << count;
    }
  }
}

TEST(Mt19937, FarStreamsStartWherePolynomialsSay) {
  constexpr std::uint64_t far = (std::uint64_t{1} << 40) + 3;
  const Streams last(native_mt19937(far + 2), {far, 2});
  const Streams one(native_mt19937());
  const JumpPolynomials jumps(detail::mt19937_polynomial(), Mt19937Plan::starts(), far + 1);
  one.jump(jumps.of(far + 1));
  one.jump(
      power_of_t(Uint128{IrregularStarts::hashed_steps(far + 1)}, detail::mt19937_polynomial()));
  EXPECT_EQ(last.state(1), one.state(0));
}

TEST(Mt19937, AdvancingIsDrawing) {
  for (const StreamMapping mapping : mappings()) {
    const Streams drawn(native_mt19937(3));
    Streams advanced(native_mt19937(3));
    draw<std::uint32_t>(drawn.streams, mapping, 0, 96 * Mt19937Streams::round_numbers);
    advanced.starter.advance(Space(), advanced.streams, 90);
    advanced.starter.advance(Space(), advanced.streams, 0);
    advanced.starter.advance(Space(), advanced.streams, 6);
    EXPECT_EQ(advanced.states(), drawn.states());
  }
}

TEST(Mt19937, SeedingAgainStartsAgain) {
  const Streams few(native_mt19937(5));
  const auto start = few.states();
  draw<std::uint32_t>(few.streams, StreamMapping::team, 0, 1000);
  EXPECT_NE(few.states(), start);
  few.starter.seed(Space(), few.streams);
  EXPECT_EQ(few.states(), start);
}

/// Pieces of the given lengths, again and again; mappings take turns.
template <class Out>
void expect_pieces(std::uint64_t streams, const std::vector<std::uint64_t>& counts, bool in_turns,
                   StreamMapping first) {
  using Format = NumberFormat<32, Out, Interval::closed_open>;
  const Streams some(native_mt19937(streams));
  std::vector<Numbers> raw;
  for (const Numbers& state : some.states()) raw.push_back(Stepped(state).next(12000));
  const auto choices = mappings();
  std::uint64_t begin = 0;
  for (std::size_t i = 0; (begin + counts[i % counts.size()]) * Format::raw <= 12000; ++i) {
    const StreamMapping mapping = in_turns ? choices[i % choices.size()] : first;
    const std::uint64_t count = counts[i % counts.size()];
    const auto rows = draw<Out>(some.streams, mapping, begin, count);
    for (std::uint64_t s = 0; s < streams; ++s) {
      for (std::uint64_t j = 0; j < count; ++j) {
        ASSERT_EQ(rows[s][j], Format::make(raw[s].data() + (begin + j) * Format::raw, 1))
            << "number " << begin + j << " of stream " << s << " of " << streams;
      }
    }
    begin += count;
  }
}

TEST(Mt19937, PiecesOfAnyLengthAreTheSequence) {
  const std::vector<std::vector<std::uint64_t>> patterns{
      {700}, {32}, {31, 97}, {224, 1, 623, 225}, {1, 7, 96, 97, 98, 1000}, {2368, 2016, 5}};
  for (const auto& counts : patterns) {
    for (const StreamMapping mapping : mappings()) {
      expect_pieces<std::uint32_t>(2, counts, false, mapping);
      expect_pieces<double>(1, counts, false, mapping);
    }
    expect_pieces<std::uint32_t>(tile_streams + 1, counts, true, StreamMapping::team);
    expect_pieces<std::uint64_t>(3, counts, true, StreamMapping::team);
  }
}

TEST(Mt19937, PointsAreCountedAlikeByLaneAndTeam) {
  constexpr std::uint64_t streams = 5;
  constexpr std::uint64_t points = 5 * 1000 + 3;
  const auto expect = [](auto point, StreamMapping mapping) {
    using Point = decltype(point);
    const Streams some(native_mt19937(streams));
    const StreamBatch batch{{points, streams}, 0, points};
    const HitView hits("rivulet::test_hits", streams);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t s = 0; s < streams; ++s) {
      Stepped words(some.state(s));
      std::uint32_t count = 0;
      for (std::uint64_t i = 0; i < batch.points(s); ++i) {
        const std::uint32_t u = words();
        Point::count(u, Point::words == 2 ? words() : 0, count);
      }
      expected.push_back(count);
    }
    PiChoice choice;
    choice.point = Point::words == 1 ? PointKind::packed : PointKind::pair;
    count_pi_fused(Space(), some.streams, mapping, choice, uncut(batch, some.streams.range()),
                   {hits});
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hits);
    EXPECT_EQ(std::vector<std::uint64_t>(host.data(), host.data() + streams), expected);
  };
  for (const StreamMapping mapping : mappings()) {
    expect(PackedCentred(), mapping);
    expect(PairCentred(), mapping);
  }
}

/// Lanes that take their turns backwards.
struct BackwardLanes {
  template <class F>
  KOKKOS_FUNCTION void each(int count, const F& f) const {
    for (int i = count; i-- > 0;) f(i);
  }
};

TEST(Mt19937, LanesMayTakeAnyTurn) {
  if (device_build) GTEST_SKIP() << "lanes of a host";
  const Streams one(native_mt19937());
  std::vector<std::uint64_t> scratch(Mt19937Streams::BlockEngine::scratch_bytes / 8 + 1);
  Mt19937Streams::BlockEngine engine(BackwardLanes(), one.streams, 0, scratch.data());
  Stepped stepped(one.state(0));
  for (const int count : {224, 32, 224, 192, 64, 224, 224, 224, 224, 224, 224, 224, 224, 160}) {
    Numbers numbers(static_cast<std::size_t>(count));
    engine.draw(BackwardLanes(), numbers.data(), count);
    EXPECT_EQ(numbers, stepped.next(numbers.size()));
  }
  engine.store(BackwardLanes(), one.streams, 0);
  EXPECT_EQ(one.state(0), stepped.state());
}

}  // namespace
}  // namespace rivulet
