// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>

#include "battery/counting/counting.hpp"
#include "battery/counting/histogram.hpp"

// Gaps are between marks, and a mark depends on one word alone. Lanes first find the marks of their
// words; with these the host knows how many marks, and how many words without one, come before each
// lane; then lanes count the gaps that end in theirs.

namespace rivulet {
namespace {

using detail::Histogram;
using detail::LaneRange;

constexpr std::uint64_t none = ~std::uint64_t{0};

/// Lanes that share so many words: few enough for the host to pass over them in less time than the
/// device needs for the words.
std::uint64_t gap_lanes(const Space& space, std::uint64_t words) {
  return std::min(detail::battery_lanes(space, words), std::uint64_t{1} << 15);
}

struct LaneMarks {
  std::uint64_t marks = 0;
  std::uint64_t head = 0;         ///< words before the first, or all
  std::uint64_t tail = 0;         ///< words after the last, or all
  std::uint64_t too_long = none;  ///< marks before the first gap of n or more between two of them
  // Of all lanes before, set by the host:
  std::uint64_t before = 0;  ///< marks
  std::uint64_t open = 0;    ///< words since the last one
};

struct Gaps {
  const std::uint32_t* words;
  detail::LaneItems share;
  LaneMarks* lanes;
  int r;
  std::uint64_t limit;
  std::uint64_t n;

  /// Calls found(length) at each mark of a lane; the gap before the first begins `open` words
  /// before the lane. Returns the words after the last one.
  template <class Found>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t walk(std::uint64_t lane, std::uint64_t open,
                                                 const Found& found) const {
    const std::uint64_t begin = share.range_begin(lane);
    const std::uint64_t end = share.range_begin(lane + 1);
    std::uint64_t from = begin - open;  // where the gap begins; modulo 2^64
    for (std::uint64_t i = begin; i < end; i += 64) {
      std::uint64_t marks = i + 64 <= end ? marks_of(i, 64) : marks_of(i, end - i);
      for (; marks != 0; marks &= marks - 1) {
        const std::uint64_t mark =
            i + static_cast<std::uint64_t>(detail::ones_of((marks & (0 - marks)) - 1));
        found(mark - from, mark);
        from = mark + 1;
      }
    }
    return end - from;
  }
  /// Which ones of at most 64 words are marks, the first one lowest.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t marks_of(std::uint64_t first,
                                                     std::uint64_t count) const {
    const auto most = static_cast<std::uint32_t>(limit - 1);
    std::uint64_t marks = 0;
    for (std::uint64_t j = 0; j < count; ++j) {
      marks |= std::uint64_t{words[first + j] << r <= most ? 1U : 0U} << j;
    }
    return marks;
  }

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    LaneMarks own;
    own.tail = walk(lane, 0, [&](std::uint64_t length, std::uint64_t) {
      if (own.marks == 0) own.head = length;
      if (own.marks > 0 && length >= n && own.too_long == none) own.too_long = own.marks;
      ++own.marks;
    });
    if (own.marks == 0) own.head = own.tail;
    lanes[lane] = own;
  }
};

/// Counts the gaps that end at the marks before the one of index `upto`. Puts where the last of
/// them ends.
struct CountGaps {
  Gaps gaps;
  std::uint64_t upto;
  std::uint64_t longest;
  Histogram histogram;
  std::uint64_t* end;

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    std::uint64_t index = gaps.lanes[lane].before;
    if (index >= upto) return;
    gaps.walk(lane, gaps.lanes[lane].open, [&](std::uint64_t length, std::uint64_t i) {
      if (index >= upto) return;
      histogram.add(lane, length < longest ? length : longest);
      if (++index == upto) *end = i + 1;
    });
  }
};

/// What comes before a tile, and where the test ends.
struct Progress {
  std::uint64_t marks = 0;
  std::uint64_t open = 0;
  std::uint64_t upto;           ///< gaps to be counted
  bool ended = false;           ///< by a gap of n or more
  std::uint64_t gap_begin = 0;  ///< where that one begins, if not between marks of a lane

  /// Goes on over a lane that begins at a position.
  void pass(LaneMarks& lane, std::uint64_t position, std::uint64_t n) {
    lane.before = marks;
    lane.open = open;
    if (ended || marks >= upto) return;
    const std::uint64_t first_gap = open + lane.head;
    if (first_gap >= n) {
      upto = marks;
      ended = true;
      gap_begin = position - open;
      return;
    }
    if (lane.marks == 0) {
      open = first_gap;
      return;
    }
    if (lane.too_long != none && marks + lane.too_long < upto) {
      upto = marks + lane.too_long;
      ended = true;
    }
    marks += lane.marks;
    open = lane.tail;
  }
};

}  // namespace

TestCounts count_gaps(const Sample& of, std::uint64_t limit, std::uint64_t longest) {
  const Space& space = of.space();
  const Histogram histogram(space, longest + 1);
  const std::uint64_t most_lanes = gap_lanes(space, of.tiles.most());
  const Kokkos::View<LaneMarks*, Space> lanes("rivulet::battery_lanes", most_lanes);
  const Kokkos::View<std::uint64_t, Space> end("rivulet::battery_end");
  const double words_per_gap = std::ldexp(1.0, 32) / static_cast<double>(limit);
  Progress all{.upto = of.n};
  TestCounts found;
  for (std::uint64_t at = 0; all.marks < all.upto && !all.ended;) {
    const double left = static_cast<double>(of.n - all.marks) * words_per_gap;
    const auto words = static_cast<std::uint64_t>(
        std::min(1.02 * left + 1e5, static_cast<double>(of.tiles.most())));
    const Gaps gaps{
        of.read(at, words), {gap_lanes(space, words), words}, lanes.data(), of.r, limit, of.n};
    const LaneRange range(space, 0, gaps.share.lanes);
    Kokkos::parallel_for("rivulet::battery_marks", range, gaps);
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lanes);
    for (std::uint64_t lane = 0; lane < gaps.share.lanes; ++lane) {
      all.pass(on_host(lane), at + gaps.share.range_begin(lane), of.n);
    }
    Kokkos::deep_copy(lanes, on_host);
    std::uint64_t last = 0;
    Kokkos::deep_copy(end, last);
    Kokkos::parallel_for("rivulet::battery_gaps", range,
                         CountGaps{gaps, all.upto, longest, histogram, end.data()});
    space.fence();
    Kokkos::deep_copy(last, end);
    if (last > 0) {
      found.words = at + last;
    } else if (all.ended) {
      found.words = all.gap_begin;
    }
    at += words;
  }
  found.counts = histogram.sums(space);
  found.ended = all.ended;
  // TestU01 has looked at n + 1 numbers of the gap that is too long.
  if (all.ended) found.words += of.n + 1;
  return found;
}

}  // namespace rivulet
