// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "rng/word.hpp"

// Types that select the streams and items of a launch. An item is a result that a consumer computes
// from a few consecutive numbers of a stream: a point, a sample, a floating-point number.

namespace rivulet {

/// Splits a total number of items evenly over the streams. If there is a remainder of r items, each
/// of the first r streams gets one more item. A stream's share depends on its global id alone.
struct StreamShare {
  std::uint64_t total = 0;
  std::uint64_t streams = 1;

  /// Assigns `items` items to every stream.
  static StreamShare each(std::uint64_t items) { return {items, 1}; }

  KOKKOS_FUNCTION std::uint64_t items(std::uint64_t stream) const {
    return total / streams + (stream < total % streams ? 1 : 0);
  }
  /// Returns the largest number of items of any stream.
  KOKKOS_FUNCTION std::uint64_t max_items() const { return items(0); }
};

/// Items begin .. end - 1 of the local streams `streams`, limited to the items that each stream
/// has.
struct ItemRange {
  StreamShare share;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  StreamRange streams;
};

/// The items of a launch: items `first_item` to `end_item` - 1 of `size` streams or segments. The
/// first of these streams or segments has index `first` in memory. Below, index i counts from
/// `first`.
struct Work {
  /// Maximum items per stream and launch: consumers may count items in 32 bits.
  static constexpr std::uint64_t max_items = std::uint64_t{1} << 31;

  StreamShare share;
  std::uint64_t first_id = 0;  ///< global id of the rank's first stream
  Segments cut;
  std::uint64_t begin = 0;   ///< first item of each stream's first segment
  std::uint64_t end = 0;     ///< end of the items of each stream's last segment
  std::uint64_t length = 0;  ///< items per segment
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::uint64_t first_item = 0;  ///< counted from `begin` or, if cut, from the segment's start
  std::uint64_t end_item = 0;

  KOKKOS_FUNCTION bool is_cut() const { return cut.count > 1; }
  /// Returns the work for a range of uncut streams.
  static Work uncut(const ItemRange& range, std::uint64_t first_id) {
    const std::uint64_t stream_items = range.share.max_items();
    const std::uint64_t end = stream_items < range.end ? stream_items : range.end;
    const std::uint64_t length = end > range.begin ? end - range.begin : 0;
    const StreamRange& streams = range.streams;
    const Segments whole{streams.first, streams.count, 1, 0};
    Work work{range.share, first_id, whole, range.begin, range.begin + length, length};
    work.first = streams.first;
    work.size = streams.count;
    work.end_item = length;
    return work;
  }
  /// Returns the part of this work with indices i to i + part_size - 1.
  Work part(std::uint64_t i, std::uint64_t part_size) const {
    Work part = *this;
    part.first += i;
    part.size = part_size;
    if (!is_cut()) part.cut.first += i;
    return part;
  }

  /// Returns the local stream to which index i belongs.
  KOKKOS_FUNCTION std::uint64_t stream(std::uint64_t i) const {
    return cut.stream(segment_index(i));
  }
  /// Returns the position in its stream of the first item to draw for index i in this launch.
  /// Positions count items.
  KOKKOS_FUNCTION std::uint64_t start(std::uint64_t i) const {
    return begin + cut.number(segment_index(i)) * length + first_item;
  }
  /// Returns the number of items that index i has in this launch. Among indices with the same
  /// segment number, the first has the most items.
  KOKKOS_FUNCTION std::uint64_t count(std::uint64_t i) const {
    const std::uint64_t segment_begin = begin + cut.number(segment_index(i)) * length;
    const std::uint64_t stream_end = share.items(first_id + stream(i));
    const std::uint64_t item_end = stream_end < end ? stream_end : end;
    const std::uint64_t remaining = item_end > segment_begin ? item_end - segment_begin : 0;
    const std::uint64_t segment_items = remaining < length ? remaining : length;
    const std::uint64_t launch_end = segment_items < end_item ? segment_items : end_item;
    return launch_end > first_item ? launch_end - first_item : 0;
  }

 private:
  /// Returns the position of index i among all segments, or among the uncut streams.
  KOKKOS_FUNCTION std::uint64_t segment_index(std::uint64_t i) const {
    return is_cut() ? first + i : i;
  }
};

/// Returns how many lanes of a group are in use if the group's lane 0 draws stream `first`.
KOKKOS_INLINE_FUNCTION int live_lanes(std::uint64_t first, std::uint64_t streams) {
  const std::uint64_t remaining = streams - first;
  constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
  return static_cast<int>(remaining < width ? remaining : width);
}

}  // namespace rivulet
