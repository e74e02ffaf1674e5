// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "battery/counting/counting.hpp"
#include "battery/counting/histogram.hpp"

// Segments that begin where the last one ended. Where a segment ends does not decrease with where
// it begins, so that chains of segments from different places soon run together. Lanes first assume
// that a segment begins at their first word; then lanes whose assumption differs from where the
// lane before ended walk both chains until they meet, again and again until all agree, which is
// exact whatever was assumed; then they count.

namespace rivulet {
namespace {

using detail::Histogram;
using detail::LaneRange;

struct Coupons {
  /// Words that a segment may take, and classes.
  static constexpr std::uint64_t most = coupon_draws - 1;
  static constexpr std::uint64_t classes = coupon_draws + 1;
  /// Fewer words are not worth a lane: chains of sixteen coupons run together after some 350.
  static constexpr std::uint64_t words_worth_a_lane = 4096;

  int r;
  std::uint32_t d;

  /// Returns the words of a segment. `counted`: its class.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(const std::uint32_t* word,
                                                       int& counted) const {
    std::uint64_t seen = 0;
    std::uint32_t left = d;
    for (int draw = 1; draw < coupon_draws; ++draw) {
      const std::uint64_t one = std::uint64_t{1} << detail::strip_number(word[draw - 1], r, d);
      left -= (seen & one) == 0 ? 1 : 0;
      seen |= one;
      if (left > 0) continue;
      counted = draw;
      return static_cast<std::uint64_t>(draw);
    }
    counted = coupon_draws;
    return most;
  }
};

/// Numbers whose sum is above g.
struct Summands {
  static constexpr std::uint64_t most = sum_draws;
  static constexpr std::uint64_t classes = 51;
  /// Chains of g = 10 run together after some 6700 words.
  static constexpr std::uint64_t words_worth_a_lane = 32768;

  int r;
  std::uint64_t limit;  ///< g, times 2^32

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(const std::uint32_t* word,
                                                       int& counted) const {
    std::uint64_t sum = 0;
    std::uint64_t draws = 0;
    while (sum <= limit && draws < most) sum += word[draws++] << r;
    counted = static_cast<int>(draws < classes ? draws - 1 : classes - 1);
    return draws;
  }
};

struct LaneSegments {
  std::uint64_t entry = 0;  ///< where the first begins
  std::uint64_t exit = 0;   ///< where the last ends
  std::uint64_t segments = 0;
  std::uint64_t before = 0;  ///< of all lanes before, set by the host
};

template <class Segment>
struct Chains {
  const std::uint32_t* words;
  detail::LaneItems share;
  LaneSegments* lanes;
  std::uint64_t* exits;  ///< of the lanes, while entries are corrected
  Segment segment;

  KOKKOS_FORCEINLINE_FUNCTION void step(std::uint64_t& at, std::uint64_t& segments) const {
    int counted = 0;
    at += segment(words + at, counted);
    ++segments;
  }

  struct Assume {};
  KOKKOS_FUNCTION void operator()(Assume, std::uint64_t lane) const {
    LaneSegments own;
    own.entry = own.exit = share.range_begin(lane);
    const std::uint64_t end = share.range_begin(lane + 1);
    while (own.exit < end) step(own.exit, own.segments);
    lanes[lane] = own;
  }

  struct Exits {};
  KOKKOS_FUNCTION void operator()(Exits, std::uint64_t lane) const {
    exits[lane] = lanes[lane].exit;
  }

  /// Counts the lanes that had assumed another entry.
  struct Correct {};
  KOKKOS_FUNCTION void operator()(Correct, std::uint64_t lane, std::uint64_t& wrong) const {
    LaneSegments& own = lanes[lane];
    const std::uint64_t entry = exits[lane - 1];
    if (own.entry == entry) return;
    ++wrong;
    const std::uint64_t end = share.range_begin(lane + 1);
    std::uint64_t assumed = own.entry, off = 0, real = entry, on = 0;
    own.entry = entry;
    while (assumed != real && assumed < end && real < end) {
      assumed < real ? step(assumed, off) : step(real, on);
    }
    if (assumed == real) {
      own.segments += on - off;
    } else {
      while (real < end) step(real, on);
      own.segments = on;
      own.exit = real;
    }
  }
};

/// Counts the segments of index below `upto`. Puts where the last of them ends.
template <class Segment>
struct CountSegments {
  Chains<Segment> chains;
  std::uint64_t upto;
  Histogram histogram;
  std::uint64_t* end;

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    const LaneSegments& own = chains.lanes[lane];
    std::uint64_t at = own.entry;
    for (std::uint64_t i = own.before; i < own.before + own.segments && i < upto; ++i) {
      int counted = 0;
      at += chains.segment(chains.words + at, counted);
      histogram.add(lane, static_cast<std::uint64_t>(counted));
      if (i + 1 == upto) *end = at;
    }
  }
};

/// Lets every lane begin where the one before it ended.
template <class Segment>
void chain(const Space& space, const Chains<Segment>& chains) {
  using Chain = Chains<Segment>;
  const std::uint64_t lanes = chains.share.lanes;
  Kokkos::parallel_for("rivulet::battery_assume",
                       detail::TaggedRange<typename Chain::Assume>(space, 0, lanes), chains);
  for (std::uint64_t wrong = 1; wrong > 0;) {
    Kokkos::parallel_for("rivulet::battery_exits",
                         detail::TaggedRange<typename Chain::Exits>(space, 0, lanes), chains);
    Kokkos::parallel_reduce("rivulet::battery_correct",
                            detail::TaggedRange<typename Chain::Correct>(space, 1, lanes), chains,
                            wrong);
  }
}

template <class Segment>
TestCounts count_segments(const Sample& of, const Segment& segment) {
  constexpr std::uint64_t words_worth_a_lane = Segment::words_worth_a_lane;
  const Space& space = of.space();
  const Histogram histogram(space, Segment::classes);
  // The last segment of a tile may end behind it.
  const std::uint64_t at_once = of.tiles.most() - Segment::most;
  const std::uint64_t most_lanes = detail::battery_lanes(space, at_once / words_worth_a_lane);
  const Kokkos::View<LaneSegments*, Space> lanes("rivulet::battery_lanes", most_lanes);
  const Kokkos::View<std::uint64_t*, Space> exits("rivulet::battery_exits", most_lanes);
  const Kokkos::View<std::uint64_t, Space> end("rivulet::battery_end");
  TestCounts found;
  for (std::uint64_t done = 0; done < of.n;) {
    const std::uint64_t words = std::min(at_once, (of.n - done) * Segment::most);
    const Chains<Segment> chains{of.read(found.words, words + Segment::most),
                                 {detail::battery_lanes(space, words / words_worth_a_lane), words},
                                 lanes.data(),
                                 exits.data(),
                                 segment};
    chain(space, chains);
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lanes);
    std::uint64_t before = done;
    for (std::uint64_t lane = 0; lane < chains.share.lanes; ++lane) {
      on_host(lane).before = before;
      before += on_host(lane).segments;
    }
    Kokkos::deep_copy(lanes, on_host);
    std::uint64_t last = on_host(chains.share.lanes - 1).exit;
    Kokkos::deep_copy(end, last);
    Kokkos::parallel_for("rivulet::battery_segments", LaneRange(space, 0, chains.share.lanes),
                         CountSegments<Segment>{chains, of.n, histogram, end.data()});
    space.fence();
    Kokkos::deep_copy(last, end);
    found.words += last;
    done = before;
  }
  found.counts = histogram.sums(space);
  return found;
}

}  // namespace

TestCounts count_coupon_segments(const Sample& of, std::uint32_t d) {
  return count_segments(of, Coupons{of.r, d});
}

TestCounts count_sum_segments(const Sample& of, int g) {
  return count_segments(of, Summands{of.r, static_cast<std::uint64_t>(g) << 32});
}

}  // namespace rivulet
