// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/families/family.hpp"
#include "battery/laws/uniform_laws.hpp"

// The sequence is divided into segments; each segment begins where the previous segment ended. If a
// segment begins later than another segment, it ends no earlier, so chains of segments from
// different starts soon merge. Each lane first assumes that a segment begins at its first word. If
// the previous lane's last segment ends elsewhere, the lane follows both chains until they merge.
// The lanes repeat this until all agree, so the counts are exact.

namespace rivulet::detail {
namespace {

struct Coupons {
  /// Limit on the words per segment. TestU01 also cuts segments here, and counts them in class 62.
  static constexpr std::uint64_t max_words = 61;
  static constexpr std::uint64_t classes = 63;  ///< lengths 0 .. 61, and cut segments
  /// Minimum number of words per lane. For comparison, chains with d = 16 merge after some 350
  /// words.
  static constexpr std::uint64_t min_words_per_lane = 4096;

  int r;
  std::uint32_t d;  ///< number of values, at most 64

  /// Returns the number of words in the segment that begins at `word`, and sets `counted` to the
  /// segment's class.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(const std::uint32_t* word,
                                                       std::uint64_t& counted) const {
    std::uint64_t seen = 0;
    std::uint32_t remaining = d;
    for (counted = 1; counted <= max_words; ++counted) {
      const std::uint64_t value_bit = std::uint64_t{1} << strip_number(word[counted - 1], r, d);
      remaining -= (seen & value_bit) == 0 ? 1 : 0;
      seen |= value_bit;
      if (remaining == 0) return counted;
    }
    return max_words;
  }
};

/// A segment ends with the number that lifts its sum above g.
struct Summands {
  static constexpr std::uint64_t max_words = 1024;  ///< TestU01 has no limit
  static constexpr std::uint64_t classes = 51;
  /// Minimum number of words per lane. For comparison, chains with g = 10 merge after some 6700
  /// words.
  static constexpr std::uint64_t min_words_per_lane = 32768;

  int r;
  std::uint64_t limit;  ///< g, times 2^32

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(const std::uint32_t* word,
                                                       std::uint64_t& counted) const {
    std::uint64_t sum = 0;
    std::uint64_t draws = 0;
    while (sum <= limit && draws < max_words) sum += word[draws++] << r;
    counted = draws < classes ? draws - 1 : classes - 1;
    return draws;
  }
};

/// The segments of a chain that begin in a lane's range.
struct LaneSegments {
  std::uint64_t entry = 0;  ///< start of the first segment
  std::uint64_t exit = 0;   ///< end of the last segment
  std::uint64_t segments = 0;
  std::uint64_t before = 0;  ///< number of segments in earlier lanes
};

/// Follows the chains of segments in a tile. Each lane has a contiguous range of words.
template <class Segment>
struct Chains {
  const std::uint32_t* words;
  LaneItems share;
  Segment segment;

  KOKKOS_FORCEINLINE_FUNCTION void step(std::uint64_t& at, std::uint64_t& segments) const {
    std::uint64_t counted = 0;
    at += segment(words + at, counted);
    ++segments;
  }
  KOKKOS_FUNCTION LaneSegments assumed(std::uint64_t lane) const {
    LaneSegments lane_segments;
    lane_segments.entry = lane_segments.exit = share.range_begin(lane);
    while (lane_segments.exit < share.range_begin(lane + 1))
      step(lane_segments.exit, lane_segments.segments);
    return lane_segments;
  }
  /// Changes a lane's `entry`, and updates its `segments` and `exit`.
  KOKKOS_FUNCTION void correct(std::uint64_t lane, LaneSegments& lane_segments,
                               std::uint64_t entry) const {
    const std::uint64_t end = share.range_begin(lane + 1);
    std::uint64_t assumed = lane_segments.entry, assumed_segments = 0, actual = entry,
                  actual_segments = 0;
    lane_segments.entry = entry;
    while (assumed != actual && assumed < end && actual < end) {
      assumed < actual ? step(assumed, assumed_segments) : step(actual, actual_segments);
    }
    if (assumed == actual) {
      lane_segments.segments += actual_segments - assumed_segments;
    } else {
      while (actual < end) step(actual, actual_segments);
      lane_segments.segments = actual_segments;
      lane_segments.exit = actual;
    }
  }
};

using LaneViews = Owned<LaneSegments>;

/// Corrects the lanes until each begins where the previous lane ended. Returns the number of
/// segments in all lanes. Blocking.
template <class Segment>
std::uint64_t chain(const Space& space, const Chains<Segment>& chains, const LaneViews& lanes,
                    const Owned<std::uint64_t>& exits) {
  const LaneRange range(space, 0, chains.share.lanes);
  Kokkos::parallel_for(
      "rivulet::battery_assume", range,
      KOKKOS_LAMBDA(const std::uint64_t lane) { lanes(lane) = chains.assumed(lane); });
  for (std::uint64_t wrong = 1; wrong > 0;) {
    Kokkos::parallel_for(
        "rivulet::battery_exits", range,
        KOKKOS_LAMBDA(const std::uint64_t lane) { exits(lane) = lanes(lane).exit; });
    Kokkos::parallel_reduce(
        "rivulet::battery_correct", LaneRange(space, 1, chains.share.lanes),
        KOKKOS_LAMBDA(const std::uint64_t lane, std::uint64_t& corrected) {
          if (lanes(lane).entry == exits(lane - 1)) return;
          ++corrected;
          chains.correct(lane, lanes(lane), exits(lane - 1));
        },
        wrong);
  }
  std::uint64_t all = 0;
  Kokkos::parallel_scan(
      "rivulet::battery_before", range,
      KOKKOS_LAMBDA(const std::uint64_t lane, std::uint64_t& before, const bool is_last) {
        if (is_last) lanes(lane).before = before;
        before += lanes(lane).segments;
      },
      all);
  return all;
}

/// Counts the first `count` segments by class, and writes the end of the last one to end(0).
template <class Segment>
void add_segments(const Space& space, const Chains<Segment>& chains, const LaneViews& lanes,
                  std::uint64_t count, const Histogram& histogram,
                  const Owned<std::uint64_t>& end) {
  for_each(
      space, chains.share.lanes, "rivulet::battery_segments",
      KOKKOS_LAMBDA(const std::uint64_t lane) {
        const LaneSegments lane_segments = lanes(lane);
        std::uint64_t at = lane_segments.entry;
        for (std::uint64_t i = lane_segments.before;
             i < lane_segments.before + lane_segments.segments && i < count; ++i) {
          std::uint64_t counted = 0;
          at += chains.segment(chains.words + at, counted);
          histogram.add(lane, counted);
          if (i + 1 == count) end(0) = at;
        }
      });
}

template <class Segment>
Replication count_segments(const Sample& sample, const Segment& segment) {
  const Space& space = sample.space();
  const Histogram histogram(space, Segment::classes);
  // The lanes' ranges omit the last words of a tile, because the last segment may end after the
  // last lane's range.
  const std::uint64_t at_once = sample.tiles.capacity() - Segment::max_words;
  const LaneViews lanes("rivulet::battery_lanes",
                        lane_items(space, at_once, Segment::min_words_per_lane).lanes);
  const Owned<std::uint64_t> exits("rivulet::battery_exits", lanes.extent(0));
  const Owned<std::uint64_t> end("rivulet::battery_end", 1);
  Replication found;
  for (std::uint64_t done = 0; done < sample.n;) {
    const std::uint64_t words = std::min(at_once, (sample.n - done) * Segment::max_words);
    const Chains<Segment> chains{sample.read(found.words, words + Segment::max_words),
                                 lane_items(space, words, Segment::min_words_per_lane), segment};
    const std::uint64_t all = chain(space, chains, lanes, exits);
    const std::uint64_t counted = std::min(all, sample.n - done);
    add_segments(space, chains, lanes, counted, histogram, end);
    std::uint64_t last = 0;
    Kokkos::deep_copy(last, Kokkos::subview(end, 0));
    found.words += last;
    done += counted;
  }
  found.counts = histogram.sums(space);
  return found;
}

}  // namespace

/// sknuth_CouponCollector: counts segments by length. A segment ends when all d values have
/// occurred, or after 61 numbers (class 62).
TestClass families::coupon_collector() {
  const auto usual_words = [](Test test) {
    double mean = 0;
    for (std::uint64_t i = 1; i <= test.d; ++i) mean += to_double(test.d) / to_double(i);
    return static_cast<std::uint64_t>(to_double(test.n) * mean);
  };
  TestClass coupons("CouponCollector", "d = {d}");
  coupons.expected = [](Test test) {
    std::vector<double> probabilities{0};
    Occupancy values(test.d);
    while (probabilities.size() < Coupons::classes - 1) {
      values.draw();
      probabilities.push_back(values.p.back());
      values.p.back() = 0;
    }
    probabilities.push_back(std::accumulate(values.p.begin(), values.p.end(), 0.0));
    return times(test.items(), probabilities);
  };
  coupons.item_words = [](Test) { return 2 * (Coupons::max_words + 1); };
  coupons.words = usual_words;
  coupons.max_words = [](Test test) { return test.n * Coupons::max_words; };
  coupons.counted = [](const Sample& sample, Test test) {
    return count_segments(sample, Coupons{test.r, d_of(test)});
  };
  coupons.pools = true;
  coupons.min_chunk_words = [=](BatteryTest test) {
    test.n = 1;
    return 2000 * usual_words(test);
  };
  return coupons;
}

/// svaria_SumCollector: counts segments by length. A segment ends when its sum exceeds g = d. Class
/// j contains segments of j + 1 numbers; class 50 includes longer segments.
TestClass families::sum_collector() {
  TestClass sums("SumCollector", "g = {d}");
  sums.expected = [](Test test) {
    std::vector<double> probabilities;
    double not_yet = 1;  // P(sum of j - 1 numbers <= g)
    for (int j = 1; j < static_cast<int>(Summands::classes); ++j) {
      const double next = sum_of_uniforms(j, to_double(test.d));
      probabilities.push_back(not_yet - next);
      not_yet = next;
    }
    probabilities.push_back(not_yet);
    return times(test.n, probabilities);
  };
  sums.item_words = [](Test) { return 2 * Summands::max_words; };
  // On average, a sum exceeds g by 1/3 and a number adds 1/2, so a segment has 2 g + 2/3 numbers.
  sums.words = [](Test test) { return test.n * 2 * test.d + test.n * 2 / 3; };
  sums.max_words = [](Test test) { return test.n * Summands::max_words; };
  sums.counted = [](const Sample& sample, Test test) {
    return count_segments(sample, Summands{test.r, test.d << 32});
  };
  return sums;
}

}  // namespace rivulet::detail
