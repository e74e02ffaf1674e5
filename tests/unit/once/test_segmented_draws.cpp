// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks for every consumer that streams that are cut into segments yield the same numbers as uncut
// streams.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "alias_samplers.hpp"
#include "kernels/numbers/number_checksum.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/this_thread.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t segment_counts[] = {1, 2, 7, 1000};

/// A plan and its streams from stream 3 on, which stand for a second rank's streams.
struct RankStreams {
  std::unique_ptr<StreamPlan> plan;
  StreamRange range;
};
RankStreams second_rank_streams(const std::string& generator, std::uint64_t streams) {
  return {plan_of(built_generator(generator), streams + 3, 20261122), {3, streams}};
}

class SegmentedDraws : public testing::TestWithParam<std::string> {
 public:
  const Generator& generator() const { return built_generator(GetParam()); }
  /// Returns the stream counts to test. Generators with states of kilobytes get only two counts,
  /// because their jumps to segments take most of the time. The two counts are one stream, and more
  /// streams than a vector has lanes.
  std::vector<std::uint64_t> numbers_of_streams(const std::vector<std::uint64_t>& usual) const {
    const bool is_long = GetParam() == "mt19937" || GetParam() == "mtgp11213";
    return is_long ? std::vector<std::uint64_t>{1, 17} : usual;
  }
};

/// Counts the hits of each stream. Range i ends after rounds[i] rounds, and is drawn in slices of
/// `slice` rounds.
std::vector<std::uint64_t> count(const RankStreams& some, StreamMapping mapping,
                                 const PiChoice& choice, const std::vector<std::uint64_t>& rounds,
                                 std::uint64_t slice) {
  const auto counter = make_pi_counter(Space(), *some.plan, some.range, mapping, choice);
  const std::uint64_t round = counter->round_points();
  const std::uint64_t most = rounds.back() * round - 3;
  const StreamShare share{most * some.plan->streams() - 2, some.plan->streams()};
  counter->restart();
  std::uint64_t begin = 0;
  for (const std::uint64_t one : rounds) {
    Work work = counter->cut_streams(share, begin, std::min(one * round, most));
    for (std::uint64_t from = 0; from < work.length; from += slice * round) {
      work.first_item = from;
      work.end_item = std::min(from + slice * round, work.length);
      counter->count_part(work);
    }
    begin = std::min(one * round, most);
  }
  return counter->hits_of_streams();
}

const std::vector<std::vector<std::uint64_t>> range_ends{{2, 5, 7, 10, 13}, {3, 13}, {11}};

TEST_P(SegmentedDraws, PointsAreCountedAlike) {
  std::size_t next = 0;
  for (const std::uint64_t streams : numbers_of_streams({1, 3, 17, 40})) {
    const std::vector<std::uint64_t>& ends = range_ends[next++ % range_ends.size()];
    const RankStreams some = second_rank_streams(GetParam(), streams);
    for (const StreamMapping mapping : generator().mappings) {
      for (const PiKernel kernel : {PiKernel::fused, PiKernel::stored}) {
        PiChoice choice{.kernel = kernel, .segments = 1};
        const auto expected = count(some, mapping, choice, ends, 100);
        for (const std::uint64_t segments : segment_counts) {
          choice.segments = segments;
          for (const std::uint64_t slice : {1U, 3U, 100U}) {
            EXPECT_EQ(count(some, mapping, choice, ends, slice), expected)
                << streams << " streams, " << segments << " segments, slices of " << slice;
          }
        }
      }
    }
  }
}

/// The numbers of all streams, and the final states of the streams.
struct Drawn {
  std::vector<std::uint64_t> numbers;
  std::vector<std::byte> states;
  bool operator==(const Drawn&) const = default;
};
Drawn draw(const RankStreams& some, const NumberRequest& request, bool side_by_side,
           const std::vector<std::uint64_t>& lengths) {
  const Space space;
  const auto source = make_number_source(space, *some.plan, some.range, request);
  source->restart();
  Drawn drawn;
  std::uint64_t begin = 0;
  for (const std::uint64_t length : lengths) {
    const std::uint64_t streams = some.range.count;
    const Kokkos::View<std::byte*, Space> to("rivulet::test",
                                             streams * length * source->number_bytes());
    source->draw({0, streams, begin, length},
                 side_by_side ? NumberLayout{1, streams} : NumberLayout{length, 1}, to.data());
    space.fence();
    const auto host = host_copy(to);
    for (std::uint64_t s = 0; s < streams; ++s) {
      for (std::uint64_t i = 0; i < length; ++i) {
        std::uint64_t number = 0;
        const std::uint64_t at = side_by_side ? i * streams + s : s * length + i;
        std::memcpy(&number, host.data() + at * source->number_bytes(), source->number_bytes());
        drawn.numbers.push_back(number);
      }
    }
    begin += length;
  }
  drawn.states = source->save();
  return drawn;
}

TEST_P(SegmentedDraws, NumbersAndStatesAreTheSame) {
  for (const NumberType type : {NumberType::uint32, NumberType::float64}) {
    for (const std::uint64_t streams : numbers_of_streams({1, 3, 32, 40})) {
      const RankStreams some = second_rank_streams(GetParam(), streams);
      for (const StreamMapping mapping : generator().mappings) {
        const NumberRequest request{type, Interval::closed_open, mapping, 1, 1};
        for (const bool side_by_side : {true, false}) {
          // Pieces end within segments and at their boundaries. Some pieces have fewer numbers than
          // there are segments, and some have many.
          const std::vector<std::uint64_t> lengths{1, 700, 3, 2688 * 2, 4001};
          const Drawn expected = draw(some, request, side_by_side, lengths);
          for (const std::uint64_t segments : segment_counts) {
            for (const std::size_t stream_from : {min_streamed_bytes, std::size_t{64}}) {
              NumberRequest cut = request;
              cut.segments = segments;
              cut.stream_from = stream_from;
              EXPECT_EQ(draw(some, cut, side_by_side, lengths), expected)
                  << streams << " streams, " << segments << " segments, " << stream_from;
            }
          }
        }
      }
    }
  }
}

TEST_P(SegmentedDraws, SomeStreamsAreCutAndTheOthersStay) {
  const Space space;
  const RankStreams some = second_rank_streams(GetParam(), 2 * tile_streams);
  const auto first = static_cast<std::uint64_t>(tile_streams);
  const auto drawn = [&](std::uint64_t segments) {
    const NumberRequest request{NumberType::uint32, Interval::closed_open,
                                generator().mappings.front(), 1, segments};
    const auto source = make_number_source(space, *some.plan, some.range, request);
    source->restart();
    constexpr std::uint64_t length = 5000;
    const Kokkos::View<std::uint32_t*, Space> to("rivulet::test", 3 * first * length);
    source->draw({first, first, 0, length}, {length, 1}, to.data());
    source->draw({0, first, 0, length}, {length, 1}, to.data() + first * length);
    source->draw({first, first, length, length}, {length, 1}, to.data() + 2 * first * length);
    space.fence();
    return host_copy(to);
  };
  EXPECT_EQ(drawn(7), drawn(1));
}

/// Returns the checksums of a piece. Each call draws at most `part` periods of at most
/// `side_by_side` segments, which share a row. Rows are padded to a multiple of the tile size.
std::vector<NumberChecksum::Sums> sums(const RankStreams& some, std::uint64_t segments,
                                       const NumberPiece& piece, std::uint64_t part,
                                       std::uint64_t side_by_side) {
  const Space space;
  const NumberRequest request{NumberType::float32, Interval::closed_open,
                              some.plan->generator().mappings.front(), 1, segments};
  const auto source = make_number_source(space, *some.plan, some.range, request);
  source->restart();
  if (piece.begin > 0) source->advance(piece.begin / source->period());
  NumberPiece here = piece;
  here.begin %= source->period();
  const Work cut = source->cut(here);
  EXPECT_GE(cut.cut.count * cut.length, piece.count);
  NumberChecksum checksum(some.range.count);
  checksum.reset(space);
  const std::uint64_t most = part * source->period();
  const NumberLayout layout{1, padded_streams(std::min(cut.size, side_by_side))};
  const Kokkos::View<float*, Space> to("rivulet::test", layout.number_stride * most);
  for (std::uint64_t begin = 0; begin < cut.length; begin += most) {
    for (std::uint64_t first = 0; first < cut.size; first += side_by_side) {
      const NumberPiece some_of_each{first, std::min(side_by_side, cut.size - first), begin,
                                     std::min(most, cut.length - begin)};
      source->draw_segments(some_of_each, layout, to.data());
      checksum.add(space, NumberType::float32, source->part_of(some_of_each), layout, to.data());
    }
  }
  return checksum.values(space);
}

TEST_P(SegmentedDraws, ChecksumsOfPartsAreThoseOfTheWhole) {
  for (const std::uint64_t streams : numbers_of_streams({1, 5, 40})) {
    const RankStreams some = second_rank_streams(GetParam(), streams);
    const NumberPiece piece{0, streams, 0, 6001};
    constexpr std::uint64_t tile = tile_streams;
    constexpr std::uint64_t all = 1000 * tile;
    const auto expected = sums(some, 1, piece, 1000, all);
    for (const std::uint64_t segments : segment_counts) {
      EXPECT_EQ(sums(some, segments, piece, 1, all), expected) << segments;
      EXPECT_EQ(sums(some, segments, piece, 3, tile), expected) << segments;
      EXPECT_EQ(sums(some, segments, piece, 1000, all), expected) << segments;
    }
  }
}

TEST_P(SegmentedDraws, ShortSegmentsAreDrawnAsFarAsTheOthers) {
  if (GetParam() == "sfc64") GTEST_SKIP() << "its streams have no segments, because it has no jump";
  const Space space;
  const RankStreams some = second_rank_streams(GetParam(), 1);
  const auto drawn = [&](std::uint64_t segments, std::uint64_t count) {
    const NumberRequest request{NumberType::uint32, Interval::closed_open,
                                generator().mappings.front(), 1, segments};
    const auto source = make_number_source(space, *some.plan, some.range, request);
    source->restart();
    const Work cut = source->cut({0, 1, 0, count * source->period()});
    EXPECT_EQ(cut.cut.count, segments);
    EXPECT_EQ(cut.size * cut.length, 6 * source->period());
    const Kokkos::View<std::uint32_t*, Space> to("rivulet::test", cut.size * cut.length);
    source->draw_segments({0, cut.size, 0, cut.length}, {cut.length, 1}, to.data());
    space.fence();
    return host_copy(to);
  };
  EXPECT_EQ(drawn(3, 5), drawn(1, 6));
}

INSTANTIATE_TEST_SUITE_P(Generators, SegmentedDraws, testing::ValuesIn(ready_representatives()),
                         [](const auto& one) { return one.param; });

/// Checks that a stream with cheap jumps is cut for a call of 1000 doubles, but that a stream of
/// dcmt521 is cut only for millions.
TEST(Segments, OfOneStreamDependOnTheCostOfItsJump) {
  if (device_build || lanes<Word> == 1) GTEST_SKIP() << "a CPU's vectors";
  const ThisThreadOnly alone;
  const auto is_cut = [](const std::string& name, std::uint64_t count) {
    const RankStreams some = second_rank_streams(name, 1);
    const auto source = make_number_source(
        Space(), *some.plan, some.range,
        {.mapping = built_generator(name).mappings.back(), .segments_by_lanes = true});
    return source->segments_of({0, 1, 0, count}).is_cut();
  };
  EXPECT_TRUE(is_cut("philox4x32", 1000));
  EXPECT_TRUE(is_cut("xoshiro256pp", 100000));
  EXPECT_FALSE(is_cut("xoshiro256pp", 1000));
  EXPECT_TRUE(is_cut("hybrid_tausworthe", 100000));
  EXPECT_TRUE(is_cut("dcmt521", 20000000));
  EXPECT_FALSE(is_cut("dcmt521", 100000));
  EXPECT_FALSE(is_cut("sfc64", 20000000));
}

TEST(Segments, AreAsManyAsPayAndTheMachineWants) {
  const Space space;
  SegmentWork work{StreamMapping::lane, 1, 1, 1000000, 10};
  const std::uint64_t busy = busy_streams(space, work);
  EXPECT_EQ(best_segments(space, work), std::min<std::uint64_t>(busy, 100000));
  work.rounds = 55;
  EXPECT_EQ(best_segments(space, work), 5U);
  work.rounds = 9;
  EXPECT_EQ(best_segments(space, work), 1U);
  work.rounds = 1000000;
  work.streams = busy / 3;
  EXPECT_EQ(best_segments(space, work), 3U);
  work.streams = busy;
  EXPECT_EQ(best_segments(space, work), 1U);
  work.streams = 0;
  EXPECT_EQ(best_segments(space, work), 1U);
}

/// Checks the limits that were measured on an H200, which has 132 multiprocessors with 2048 threads
/// each.
TEST(Segments, AreNotCutWhereStreamsWriteAtFullSpeed) {
  const MachineSize h200{true, 132 * 2048};
  const MachineSize host{false, 64};
  const auto writes = [](const MachineSize& machine, StreamMapping mapping, std::uint64_t streams) {
    return write_at_full_speed(machine, {mapping, 8, streams, 1000000, 10});
  };
  EXPECT_EQ(busy_streams(h200, {StreamMapping::lane}), 540672U);
  EXPECT_EQ(busy_streams(h200, {StreamMapping::team, 8}), 67584U);
  EXPECT_TRUE(writes(h200, StreamMapping::lane, 67584));
  EXPECT_FALSE(writes(h200, StreamMapping::lane, 67583));
  EXPECT_TRUE(writes(h200, StreamMapping::team, 16896));
  EXPECT_TRUE(writes(h200, StreamMapping::team, 8448));
  EXPECT_FALSE(writes(h200, StreamMapping::team, 8447));
  EXPECT_FALSE(writes(h200, StreamMapping::lane, 0));
  EXPECT_TRUE(writes({true, 64}, StreamMapping::team, 2)) << "a small device";
  EXPECT_FALSE(writes({true, 64}, StreamMapping::team, 1));
  EXPECT_FALSE(writes(host, StreamMapping::lane, 1U << 20)) << "a CPU's memory is not in the way";
  EXPECT_EQ(busy_streams(host, {StreamMapping::team}), 256U);
  EXPECT_EQ(busy_streams({false, 1}, {StreamMapping::team}), 1U);
}

/// Checks that draws to memory use fewer segments, because fewer suffice to saturate memory than to
/// compute at the best rate. Streams are cut only if a jump costs little compared with the draw.
TEST(Segments, OfNumbersThatGoToMemoryAreFewer) {
  const MachineSize h200{true, 132 * 2048};
  SegmentWork work{StreamMapping::lane, 8, 1, 1U << 28, 1};
  EXPECT_EQ(best_segments(h200, work), 540672U);
  work.written = 4000000000;
  EXPECT_EQ(best_segments(h200, work), 135168U);
  work.streams = 50000;
  EXPECT_EQ(best_segments(h200, work), 3U);
  work.streams = 67584;
  EXPECT_EQ(best_segments(h200, work), 2U);
  EXPECT_FALSE(write_at_full_speed(h200, work)) << "jumps cost nothing";
  work.min_numbers_to_cut = 10000;
  EXPECT_FALSE(write_at_full_speed(h200, work));
  work.written = 100000000;
  EXPECT_TRUE(write_at_full_speed(h200, work)) << "a short draw";
  work = {StreamMapping::lane, 8, 67584, 1U << 28, 31, min_numbers_for_polynomial_jumps,
          1ULL << 60};
  EXPECT_TRUE(write_at_full_speed(h200, work));
  work = {StreamMapping::team, 32, 1, 1U << 27, 1U << 15, min_numbers_for_polynomial_jumps,
          1ULL << 32};
  EXPECT_EQ(best_segments(h200, work), 4224U);
  work = {StreamMapping::team, 8, 1, 1U << 28, 1, 0, 1ULL << 32};
  EXPECT_EQ(best_segments(h200, work), 67584U) << "some lanes of a warp";
  EXPECT_EQ(best_segments({false, 64}, work), 256U) << "a CPU";
}

TEST(Segments, AreOfEqualLengthAndNoneIsEmpty) {
  for (const std::uint64_t rounds : {1U, 2U, 7U, 100U, 101U}) {
    for (const std::uint64_t count : {1U, 2U, 7U, 60U, 1000U}) {
      const Segments cut = cut_evenly(5, rounds, count);
      EXPECT_LE(cut.count, count);
      EXPECT_GE(cut.count * cut.rounds, rounds);
      EXPECT_LT((cut.count - 1) * cut.rounds, rounds);
    }
  }
}

}  // namespace
}  // namespace rivulet
