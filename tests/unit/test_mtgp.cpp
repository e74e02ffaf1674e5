// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams of mtgp11213: starts, jumps, mappings.

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/generators/mtgp.hpp"
#include "kernels/numbers/number_drawer.hpp"
#include "kernels/pi/pi_fused.hpp"
#include "kernels/pi/pi_point.hpp"
#include "mtgp_requests.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "state_words.hpp"

namespace rivulet {
namespace {

constexpr int n = Mtgp11213Recurrence::n;
constexpr std::uint64_t sets = detail::mtgp_set_count;
using Numbers = std::vector<std::uint32_t>;

/// Streams of a range at their starts.
struct Streams {
  MtgpPlan plan;
  MtgpStreams streams;
  MtgpStarter starter;

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
  const MtgpSet& set(std::uint64_t stream) const {
    return plan.set(plan.set_of(streams.range().first + stream));
  }
  /// Moves all streams so many steps.
  void jump(Uint128 steps) const {
    detail::apply_mtgp_jump(Space(), streams, common_jump(plan, streams.range(), steps),
                            detail::JumpRange::all_of(0, streams.count()));
    Space().fence();
  }
};

/// The generator as the paper has it, one word at a time.
class Stepped {
 public:
  Stepped(const MtgpSet& set, Numbers state) : set_(set), x_(std::move(state)) {}

  std::uint32_t operator()() {
    const std::size_t k = x_.size() - n;
    const auto pos = static_cast<std::size_t>(set_.pos);
    std::uint32_t x = (x_[k] & 0xfff80000u) ^ x_[k + 1];
    x ^= x << set_.sh1;
    const std::uint32_t y = x ^ (x_[k + pos] >> set_.sh2);
    std::uint32_t t = x_[k + pos - 1];
    t ^= t >> 16;
    t ^= t >> 8;
    x_.push_back(y ^ entry(set_.table, y));
    return x_.back() ^ entry(set_.temper, t);
  }
  Numbers next(std::uint64_t count) {
    Numbers numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back((*this)());
    return numbers;
  }
  /// The oldest word first, without the bits that do not count.
  Numbers state() const {
    Numbers words(x_.end() - n, x_.end());
    words[0] &= 0xfff80000u;
    return words;
  }
  const Numbers& words() const { return x_; }

 private:
  static std::uint32_t entry(const std::uint32_t (&of_bit)[4], std::uint32_t index) {
    std::uint32_t sum = 0;
    for (int bit = 0; bit < 4; ++bit) sum ^= (index >> bit & 1) != 0 ? of_bit[bit] : 0;
    return sum;
  }

  MtgpSet set_;
  Numbers x_;
};

Stepped stepped(const Streams& streams, std::uint64_t stream) {
  return {streams.set(stream), streams.state(stream)};
}

std::vector<StreamMapping> mappings() { return generator_of<MtgpGenerator>().mappings; }

template <class Out>
constexpr NumberType number_type() {
  if (std::is_same_v<Out, std::uint32_t>) return NumberType::uint32;
  if (std::is_same_v<Out, std::uint64_t>) return NumberType::uint64;
  return std::is_same_v<Out, float> ? NumberType::float32 : NumberType::float64;
}

/// A piece of all streams, drawn into a row per stream; rows begin `apart` numbers behind lines.
template <class Out>
std::vector<std::vector<Out>> draw(const MtgpStreams& streams, StreamMapping mapping,
                                   std::uint64_t begin, std::uint64_t count,
                                   std::uint64_t apart = 0) {
  const Kokkos::View<Out*, Space> to("rivulet::test", streams.count() * count + apart);
  const NumberRequest request{number_type<Out>(), Interval::closed_open, mapping, 2};
  detail::NumberDrawer<MtgpStreams>(request).draw(Space(), streams, request,
                                                  {{0, streams.count(), begin, count}, {}},
                                                  {{count, 1}}, to.data() + apart);
  Space().fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  std::vector<std::vector<Out>> rows;
  for (std::uint64_t s = 0; s < streams.count(); ++s) {
    rows.emplace_back(host.data() + apart + s * count, host.data() + apart + (s + 1) * count);
  }
  return rows;
}

TEST(Mtgp, HasTeamsAlone) {
  EXPECT_EQ(mappings(), (std::vector<StreamMapping>{StreamMapping::team, StreamMapping::block}));
}

TEST(Mtgp, PublishedStreamsAreTheAuthorsAndCurands) {
  const YAML::Node data = YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/mtgp11213.json");
  for (const StreamMapping mapping : mappings()) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{42}}) {
      const Streams all(published_mtgp(seed, sets));
      const auto rows = draw<std::uint32_t>(all.streams, mapping, 0, 100000 / 25);
      int compared = 0;
      for (const auto& row : data["rows"]) {
        if (row[1].as<std::uint64_t>() != seed) continue;
        const auto expected = row[3].as<Numbers>();
        const Numbers& drawn = rows[row[0].as<std::size_t>()];
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), drawn.begin())) << row[0];
        ++compared;
      }
      EXPECT_EQ(compared, 14);
    }
  }
}

TEST(Mtgp, ReferenceNumbersFarOn) {
  const YAML::Node data = YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/mtgp11213.json");
  for (const auto& row : data["rows"]) {
    const auto set = row[0].as<std::uint64_t>();
    const Streams one(published_mtgp(row[1].as<std::uint64_t>(), sets), {set, 1});
    const Numbers numbers =
        draw<std::uint32_t>(one.streams, StreamMapping::team, 0, 100000).front();
    EXPECT_EQ(numbers.back(), row[4].as<std::uint32_t>());
    std::uint32_t sum = 0;
    for (const std::uint32_t number : numbers) sum ^= number;
    EXPECT_EQ(sum, row[5].as<std::uint32_t>());
  }
}

TEST(Mtgp, NativeSeedingIsInitByArrayOfSeedAndSet) {
  const Streams all(native_mtgp(sets));
  for (const std::uint32_t stream : {0u, 1u, 199u}) {
    const MtgpSet& set = all.plan.set(stream);
    Numbers state(n);
    const std::uint32_t key[] = {
        0x89abcdef,   0x01234567,   stream,       11213,       static_cast<std::uint32_t>(set.pos),
        set.table[0], set.table[1], set.table[2], set.table[3]};
    init_by_array(state, n, key, 9);
    EXPECT_EQ(all.state(stream), state);
  }
}

TEST(Mtgp, AJumpIsStepping) {
  for (const std::uint64_t steps : {0u, 1u, 31u, 255u, 351u, 11212u, 11213u, 100003u}) {
    const Streams few(native_mtgp(3));
    std::vector<Numbers> expected;
    for (std::uint64_t s = 0; s < 3; ++s) {
      Stepped one = stepped(few, s);
      one.next(steps);
      expected.push_back(one.state());
    }
    few.jump(steps);
    EXPECT_EQ(few.states(), expected) << steps;
  }
}

/// Whether every one of 11213 squarings is right, and the polynomial primitive.
TEST(Mtgp, AWholePeriodAndOneIsOneStep) {
  const MtgpPlan plan(native_mtgp(1));
  const Gf2Polynomial jump = power_of_t(1, 11213, plan.polynomial(7));
  EXPECT_EQ(jump, Gf2Polynomial({2}));
}

TEST(Mtgp, BitsThatDoNotCountStayOut) {
  const Streams clean(published_mtgp(5, 4));
  const Streams dirty(published_mtgp(5, 4));
  for (const Numbers& state : clean.states()) EXPECT_EQ(state[0] & 0x0007ffffu, 0U);
  dirty.streams.states().change_on_host(
      [](const auto& words, std::uint64_t stream) { words(0, stream) |= 0x00012345u; });
  EXPECT_NE(dirty.states(), clean.states());
  clean.jump(1000003);
  dirty.jump(1000003);
  EXPECT_EQ(dirty.states(), clean.states());
  for (const StreamMapping mapping : mappings()) {
    draw<std::uint32_t>(clean.streams, mapping, 0, 320);
    EXPECT_EQ(clean.state(0)[0] & 0x0007ffffu, 0U);
  }
}

TEST(Mtgp, StreamsStartWhereThePlanSays) {
  const Streams all(native_mtgp(3 * sets + 7));
  for (const std::uint64_t s : {sets, sets + 5, 2 * sets - 1, 2 * sets + 1, 3 * sets + 6}) {
    const Streams one(native_mtgp(3 * sets + 7), {s % sets, 1});
    const std::uint64_t index = s / sets;
    for (unsigned r = 0; index >> r != 0; ++r) {
      if ((index >> r & 1) == 0) continue;
      // J_r = 2^r (2^129 + d) + o_r
      for (unsigned twice = 0; twice < 2u << r; ++twice) {
        one.jump(Uint128{1} << 127);
        one.jump(Uint128{1} << 127);
      }
      one.jump((Uint128{IrregularStarts::distance_low} << r) + IrregularStarts::offset(r));
    }
    one.jump(Uint128{IrregularStarts::hashed_steps(index)});
    EXPECT_EQ(all.state(s), one.state(0)) << s;
  }
}

TEST(Mtgp, ARangeHasTheStreamsOfTheWhole) {
  const auto whole = Streams(native_mtgp(900)).states();
  for (const StreamRange range :
       {StreamRange{5, 9}, {1, 1}, {199, 2}, {250, 400}, {899, 1}, {403, 390}, {64, 0}}) {
    const auto part = Streams(native_mtgp(900), range).states();
    ASSERT_EQ(part.size(), range.count);
    for (std::uint64_t i = 0; i < range.count; ++i) {
      ASSERT_EQ(part[i], whole[range.first + i]) << range.first << " + " << i;
    }
  }
}

TEST(Mtgp, AdvancingIsDrawing) {
  for (const StreamMapping mapping : mappings()) {
    const Streams drawn(native_mtgp(3));
    Streams advanced(native_mtgp(3));
    draw<std::uint32_t>(drawn.streams, mapping, 0, 96 * MtgpStreams::round_numbers);
    advanced.starter.advance(Space(), advanced.streams, 90);
    advanced.starter.advance(Space(), advanced.streams, 0);
    advanced.starter.advance(Space(), advanced.streams, 6);
    EXPECT_EQ(advanced.states(), drawn.states());
  }
}

TEST(Mtgp, AScalarEngineIsTheSequence) {
  const Streams few(native_mtgp(3));
  for (std::uint64_t s = 0; s < 3; ++s) {
    auto engine = few.streams.scalar(s);
    auto skipped = few.streams.scalar(s);
    const Numbers expected = stepped(few, s).next(2000);
    for (const std::uint32_t number : expected) ASSERT_EQ(engine(), number);
    skipped.discard(1234);
    EXPECT_EQ(skipped(), expected[1234]);
  }
}

/// Pieces of the given lengths, again and again; mappings take turns.
template <class Out>
void expect_pieces(std::uint64_t streams, const std::vector<std::uint64_t>& counts, bool in_turns,
                   StreamMapping first, std::uint64_t apart) {
  using Format = NumberFormat<32, Out, Interval::closed_open>;
  const Streams some(native_mtgp(streams));
  std::vector<Numbers> raw;
  for (std::uint64_t s = 0; s < streams; ++s) raw.push_back(stepped(some, s).next(12000));
  const auto choices = mappings();
  std::uint64_t begin = 0;
  for (std::size_t i = 0; (begin + counts[i % counts.size()]) * Format::raw <= 12000; ++i) {
    const StreamMapping mapping = in_turns ? choices[i % choices.size()] : first;
    const std::uint64_t count = counts[i % counts.size()];
    const auto rows = draw<Out>(some.streams, mapping, begin, count, apart);
    for (std::uint64_t s = 0; s < streams; ++s) {
      for (std::uint64_t j = 0; j < count; ++j) {
        ASSERT_EQ(rows[s][j], Format::make(raw[s].data() + (begin + j) * Format::raw, 1))
            << "number " << begin + j << " of stream " << s << " of " << streams;
      }
    }
    begin += count;
  }
}

TEST(Mtgp, PiecesOfAnyLengthAreTheSequence) {
  const std::vector<std::vector<std::uint64_t>> patterns{
      {700}, {32}, {31, 97}, {256, 1, 623, 257}, {1, 7, 96, 97, 98, 1000}, {2368, 2016, 5}};
  std::uint64_t apart = 0;  // of lines of memory, so that warps begin elsewhere
  for (const auto& counts : patterns) {
    for (const StreamMapping mapping : mappings()) {
      expect_pieces<std::uint32_t>(2, counts, false, mapping, apart);
      expect_pieces<double>(1, counts, false, mapping, apart);
      apart = (apart + 7) % 32;
    }
    expect_pieces<std::uint32_t>(tile_streams + 1, counts, true, StreamMapping::team, apart);
    expect_pieces<std::uint64_t>(3, counts, true, StreamMapping::team, apart);
  }
}

TEST(Mtgp, PointsAreCountedAlikeByAllMappings) {
  constexpr std::uint64_t streams = 5;
  constexpr std::uint64_t points = 5 * 1000 + 3;
  const auto expect = [](auto point, StreamMapping mapping) {
    using Point = decltype(point);
    const Streams some(native_mtgp(streams));
    const StreamBatch batch{{points, streams}, 0, points};
    const HitView hits("rivulet::test_hits", streams);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t s = 0; s < streams; ++s) {
      Stepped words = stepped(some, s);
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

TEST(Mtgp, LanesMayTakeAnyTurn) {
  if (device_build) GTEST_SKIP() << "lanes of a host";
  const Streams all(native_mtgp(sets));
  std::vector<std::uint64_t> scratch(MtgpStreams::BlockEngine::scratch_bytes / 8 + 1);
  for (const std::uint64_t s : {std::uint64_t{0}, std::uint64_t{16}, std::uint64_t{198}}) {
    MtgpStreams::BlockEngine engine(BackwardLanes(), all.streams, s, scratch.data());
    Stepped expected = stepped(all, s);
    for (const int count : {256, 32, 256, 192, 64, 256, 256, 256, 256, 256, 256, 256, 256, 160}) {
      Numbers numbers(static_cast<std::size_t>(count));
      engine.draw(BackwardLanes(), numbers.data(), count);
      EXPECT_EQ(numbers, expected.next(numbers.size()));
    }
    engine.store(BackwardLanes(), all.streams, s);
    EXPECT_EQ(all.state(s), expected.state());
  }
}

/// What a warp does that begins before where its stream is; of every set, as places depend on it.
TEST(Mtgp, TheSequenceCanBeFollowedBackwards) {
  const Streams all(native_mtgp(sets));
  for (std::uint64_t s = 0; s < sets; ++s) {
    Stepped forwards = stepped(all, s);
    forwards.next(500);
    for (const int back : {1, 2, 31, 62, 64}) {
      const Numbers& words = forwards.words();
      constexpr std::size_t rests = 200;  // where the state begins
      Numbers x(words.begin() + rests, words.begin() + rests + n);
      x[0] &= 0xfff80000u;
      const auto count = static_cast<std::size_t>(back);
      x.insert(x.begin(), count, 0xdeadbeefu);
      detail::MtgpBackwards(all.set(s)).fill(x.data() + back, back);
      Numbers expected(words.begin() + static_cast<std::ptrdiff_t>(rests - count),
                       words.begin() + rests + n);
      expected[0] &= 0xfff80000u;
      ASSERT_EQ(x, expected) << "set " << s << ", " << back;
    }
  }
}

}  // namespace
}  // namespace rivulet
