// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "draw/work.hpp"
#include "launching/for_each_stream.hpp"
#include "launching/segments.hpp"
#include "rivulet/detail/streams/stream_request.hpp"

namespace rivulet {

/// Points begin .. end-1 of every stream, as far as it has them. begin is a multiple of the
/// counter's round_points(), so that streams are at a round boundary; a stream that has fewer
/// points than end is not drawn from again.
struct StreamBatch {
  StreamShare share;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  /// Points that a stream (global id) adds in this batch.
  KOKKOS_FUNCTION std::uint64_t points(std::uint64_t stream) const {
    const std::uint64_t has = share.of(stream);
    const std::uint64_t upto = has < end ? has : end;
    return upto > begin ? upto - begin : 0;
  }
};

/// Points from .. upto-1 of every segment of one rank's streams, as far as it has them. `from` is a
/// multiple of a round's points.
struct SegmentBatch {
  StreamShare share;
  std::uint64_t first_id = 0;  ///< global id of the rank's first stream
  Segments cut;
  std::uint64_t begin = 0;   ///< where the first segments begin, in points of their streams
  std::uint64_t end = 0;     ///< where the last segments end, at the latest
  std::uint64_t length = 0;  ///< points of a segment
  std::uint64_t from = 0;
  std::uint64_t upto = 0;

  /// Points that a segment has from its start on.
  KOKKOS_FUNCTION std::uint64_t has(std::uint64_t index) const {
    const std::uint64_t start = begin + cut.number(index) * length;
    const std::uint64_t share_of = share.of(first_id + cut.stream(index));
    const std::uint64_t last = share_of < end ? share_of : end;
    const std::uint64_t left = last > start ? last - start : 0;
    return left < length ? left : length;
  }
  /// Where the batch ends in segments that have the most.
  KOKKOS_FUNCTION std::uint64_t last() const {
    const std::uint64_t most = has(0);
    return most < upto ? most : upto;
  }
  /// Points that a segment adds in this batch.
  KOKKOS_FUNCTION std::uint64_t points(std::uint64_t index) const {
    const std::uint64_t all = has(index);
    const std::uint64_t last = all < upto ? all : upto;
    return last > from ? last - from : 0;
  }
};

/// A batch of streams that are not cut.
inline SegmentBatch uncut(const StreamBatch& batch, StreamRange range) {
  const std::uint64_t length = batch.end - batch.begin;
  return {batch.share, range.first, {0, range.count, 1, 0}, batch.begin, batch.end, length,
          0,           length};
}

/// Points of each lane of a group in a batch.
class LanePoints {
 public:
  /// `live` lanes of the group are streams or segments; the first has the index `first`.
  KOKKOS_FUNCTION LanePoints(const SegmentBatch& batch, std::uint64_t first, int live,
                             std::uint64_t period)
      : period_(period) {
    least_ = ~std::uint64_t{0};
    for (int l = 0; l < lanes<Word>; ++l) {
      points_[l] = l < live ? batch.points(first + static_cast<std::uint64_t>(l)) : 0;
      if (l >= live) continue;
      if (points_[l] < least_) least_ = points_[l];
      if (points_[l] > most_) most_ = points_[l];
    }
  }

  /// Whole periods that all lanes have.
  KOKKOS_FUNCTION std::uint64_t whole_periods() const { return least_ / period_; }
  /// Whole periods of the lane with the most, after which the streams rest: those that have fewer
  /// are at their end and not drawn from again.
  KOKKOS_FUNCTION std::uint64_t resting() const { return most_ / period_; }
  /// Whether any lane has points beyond these.
  KOKKOS_FUNCTION bool any_rest() const { return most_ > resting() * period_; }
  /// Whole periods of a lane.
  KOKKOS_FUNCTION std::uint64_t whole_of(int l) const { return points_[l] / period_; }
  /// Points of a lane in period k, 0 .. period.
  KOKKOS_FUNCTION std::uint32_t in_period(int l, std::uint64_t k) const {
    const std::uint64_t before = k * period_;
    const std::uint64_t left = points_[l] > before ? points_[l] - before : 0;
    return static_cast<std::uint32_t>(left < period_ ? left : period_);
  }
  KOKKOS_FUNCTION Word in_period(std::uint64_t k) const {
    return WordTraits<Word>::generate([&](int l) { return in_period(l, k); });
  }
  KOKKOS_FUNCTION std::uint64_t period() const { return period_; }

 private:
  std::uint64_t period_;
  std::uint64_t points_[lanes<Word>];
  std::uint64_t least_ = 0;
  std::uint64_t most_ = 0;
};

/// 1 in every lane where index < limit, 0 elsewhere.
KOKKOS_FORCEINLINE_FUNCTION Word one_where_below(std::uint32_t index, Word limit) {
  Word one(0u);
  WordTraits<Word>::count_if_not_less(limit, Word(index + 1), one);
  return one;
}

}  // namespace rivulet
