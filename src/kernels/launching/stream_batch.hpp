// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/launching/for_each_stream.hpp"

namespace rivulet {

/// How many points each stream makes: total split as evenly as it goes, the first total % streams
/// streams one more. A function of the global stream id alone.
struct StreamShare {
  std::uint64_t total = 0;
  std::uint64_t streams = 1;

  KOKKOS_FUNCTION std::uint64_t of(std::uint64_t stream) const {
    return total / streams + (stream < total % streams ? 1 : 0);
  }
  /// The most that any stream makes.
  KOKKOS_FUNCTION std::uint64_t most() const { return of(0); }
};

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

/// Points of each lane of a group in a batch. They differ by one at most, from some lane on.
struct LanePoints {
  std::uint64_t whole_periods = 0;  ///< of the lane with the fewest points
  Word rest = Word(0u);             ///< points beyond those, lane by lane; 0 .. period
  bool any_rest = false;

  /// `live` lanes of the group are streams; the first has global id `stream`.
  KOKKOS_FUNCTION LanePoints(const StreamBatch& batch, std::uint64_t stream, int live,
                             std::uint64_t period) {
    whole_periods = batch.points(stream + static_cast<std::uint64_t>(live) - 1) / period;
    rest = WordTraits<Word>::generate([&](int l) {
      if (l >= live) return std::uint32_t{0};
      const std::uint64_t points = batch.points(stream + static_cast<std::uint64_t>(l));
      return static_cast<std::uint32_t>(points - whole_periods * period);
    });
    any_rest = batch.points(stream) > whole_periods * period;
  }
};

/// How many lanes of the group at local index first are streams.
KOKKOS_INLINE_FUNCTION int live_lanes(std::uint64_t first, std::uint64_t streams) {
  const std::uint64_t left = streams - first;
  constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
  return static_cast<int>(left < width ? left : width);
}

/// 1 in every lane where index < limit, 0 elsewhere.
KOKKOS_FORCEINLINE_FUNCTION Word one_where_below(std::uint32_t index, Word limit) {
  Word one(0u);
  WordTraits<Word>::count_if_not_less(limit, Word(index + 1), one);
  return one;
}

}  // namespace rivulet
