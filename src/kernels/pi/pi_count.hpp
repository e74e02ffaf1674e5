// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/pi/pi_choice.hpp"
#include "kernels/pi/stream_hits.hpp"
#include "kernels/pi/word_buffer.hpp"

namespace rivulet {

/// Adds 1 to each lane's count where point i is inside and one of the first `limit`.
template <class Point>
KOKKOS_FORCEINLINE_FUNCTION void count_one_of(int i, const Word& u, const Word& v,
                                              const Word& limit, Word& count) {
  Word one(0u);
  Point::count(u, v, one);
  count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), limit));
}

/// What counts points of a kind on a CPU, whatever generator their words are of.
struct PointCounts {
  int words;  ///< of a point: 1 or 2

  /// Adds each lane's hits among `points` points; a lane's words are consecutive, all lanes' side
  /// by side.
  void (*count)(const std::uint32_t* words, int points, Word& hits);
  /// The same among the first `limit` of them.
  void (*count_some)(const std::uint32_t* words, int points, const Word& limit, Word& hits);
  /// Hits among `points` points of one stream.
  std::uint64_t (*count_one)(const std::uint32_t* words, int points);
};
PointCounts point_counts(const PiChoice& choice);

/// No hits.
void clear_hits(const Space& space, const HitView& hits);
/// Of all streams. Waits.
std::uint64_t sum_of(const HitView& hits);

/// Adds the hits of segments, which it sets to 0, to those of their streams and of the batches.
struct SegmentHits {
  HitSlots from;
  Segments cut;
  const std::uint64_t* batch = nullptr;  ///< for each number of a segment that of its first slot
  HitView streams;                       ///< of each local stream
  HitView batches;
};
void add_segment_hits(const Space& space, const SegmentHits& what);

/// A piece's words, whatever generator they are of.
struct StoredWords {
  WordBuffer buffer;
  std::uint64_t period;  ///< words of each stream that were drawn at a time
};

/// Adds the hits among the piece's points. Asynchronous.
void count_pi_stored(const Space& space, const PiChoice& choice, const StoredPiece& piece,
                     const StoredWords& words, const HitSlots& hits);

}  // namespace rivulet
