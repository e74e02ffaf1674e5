// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/streams/stream_request.hpp"
#include "rng/word.hpp"

// Which items of which streams a launch draws. An item is what a consumer makes of some numbers of
// a stream: a point, a sample, a floating-point number.

namespace rivulet {

/// How many items each stream has: a total split evenly, of which the first total % streams streams
/// have one more. A function of the global stream id alone.
struct StreamShare {
  std::uint64_t total = 0;
  std::uint64_t streams = 1;

  /// `items` items of every stream.
  static StreamShare each(std::uint64_t items) { return {items, 1}; }

  KOKKOS_FUNCTION std::uint64_t of(std::uint64_t stream) const {
    return total / streams + (stream < total % streams ? 1 : 0);
  }
  /// The most that any stream has.
  KOKKOS_FUNCTION std::uint64_t most() const { return of(0); }
};

/// Items begin .. end - 1 of the local streams `streams`, as far as the streams have them.
struct ItemRange {
  StreamShare share;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  StreamRange streams;
};

/// The items of a launch: items from .. upto - 1 of `size` streams, or segments, from the one with
/// index `first` in memory on. Index i below counts from `first`.
struct Work {
  /// Most items of a stream in a launch, so that a consumer may count them in 32 bits.
  static constexpr std::uint64_t most_items = std::uint64_t{1} << 31;

  StreamShare share;
  std::uint64_t first_id = 0;  ///< global id of the rank's first stream
  Segments cut;
  std::uint64_t begin = 0;   ///< the item of its stream at which a first segment begins
  std::uint64_t end = 0;     ///< the item at which a last segment ends, at the latest
  std::uint64_t length = 0;  ///< items of a segment
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::uint64_t from = 0;  ///< counted from the start of the stream's part, or of the segment
  std::uint64_t upto = 0;

  KOKKOS_FUNCTION bool is_cut() const { return cut.count > 1; }
  /// Of streams that are not cut.
  static Work uncut(const ItemRange& range, std::uint64_t first_id) {
    const std::uint64_t most = range.share.most();
    const std::uint64_t end = most < range.end ? most : range.end;
    const std::uint64_t length = end > range.begin ? end - range.begin : 0;
    const StreamRange& streams = range.streams;
    return {range.share,
            first_id,
            {streams.first, streams.count, 1, 0},
            range.begin,
            range.begin + length,
            length,
            streams.first,
            streams.count,
            0,
            length};
  }
  /// The same items of `some` indices from index i on.
  Work part(std::uint64_t i, std::uint64_t some) const {
    Work part = *this;
    part.first += i;
    part.size = some;
    if (!is_cut()) part.cut.first += i;
    return part;
  }

  /// The local stream that an index is, or is a segment of.
  KOKKOS_FUNCTION std::uint64_t stream(std::uint64_t i) const { return cut.stream(place(i)); }
  /// The item of its stream that is item `from` of an index.
  KOKKOS_FUNCTION std::uint64_t start(std::uint64_t i) const {
    return begin + cut.number(place(i)) * length + from;
  }
  /// Items of an index in this launch. Of the indices of a segment's number, none has more than the
  /// first.
  KOKKOS_FUNCTION std::uint64_t count(std::uint64_t i) const {
    const std::uint64_t start_of = begin + cut.number(place(i)) * length;
    const std::uint64_t has = share.of(first_id + stream(i));
    const std::uint64_t last = has < end ? has : end;
    const std::uint64_t left = last > start_of ? last - start_of : 0;
    const std::uint64_t own = left < length ? left : length;
    const std::uint64_t stop = own < upto ? own : upto;
    return stop > from ? stop - from : 0;
  }

 private:
  /// Of an index among all segments, or among the streams that are not cut.
  KOKKOS_FUNCTION std::uint64_t place(std::uint64_t i) const { return is_cut() ? first + i : i; }
};

/// How many lanes of the group at index `first` are streams.
KOKKOS_INLINE_FUNCTION int live_lanes(std::uint64_t first, std::uint64_t streams) {
  const std::uint64_t left = streams - first;
  constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
  return static_cast<int>(left < width ? left : width);
}

}  // namespace rivulet
