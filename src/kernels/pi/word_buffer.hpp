// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/launching/for_each_stream.hpp"
#include "kernels/launching/stream_batch.hpp"

namespace rivulet {

/// Random words in memory on their way from the generator to their use: `length` words of each of
/// `streams` streams. Word i of stream s lies in its tile at i * tile_streams + s % tile_streams,
/// so that vectors and warps read and write whole lines.
class WordBuffer {
 public:
  WordBuffer(std::uint64_t streams, std::uint64_t length)
      : words_(Kokkos::view_alloc("rivulet::words", Kokkos::WithoutInitializing),
               tiles(streams) * length * tile_streams),
        streams_(streams),
        length_(length) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* at(std::uint64_t stream, std::uint64_t i) const {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    return words_.data() + (stream / tile * length_ + i) * tile + stream % tile;
  }
  KOKKOS_FUNCTION std::uint64_t streams() const { return streams_; }
  KOKKOS_FUNCTION std::uint64_t length() const { return length_; }

  /// Bytes of a buffer of that size.
  static std::uint64_t bytes(std::uint64_t streams, std::uint64_t length) {
    return tiles(streams) * length * tile_streams * sizeof(std::uint32_t);
  }

 private:
  static std::uint64_t tiles(std::uint64_t streams) {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    return (streams + tile - 1) / tile;
  }

  Kokkos::View<std::uint32_t*, Space> words_;
  std::uint64_t streams_;
  std::uint64_t length_;
};

/// A piece of a batch: some streams or segments, some points. first is a multiple of tile_streams.
struct StoredPiece {
  std::uint64_t first = 0;    ///< index of the first
  std::uint64_t streams = 0;  ///< at most the buffer's
  std::uint64_t rounds = 0;   ///< draws of words to generate for each (words_per_draw each)
  SegmentBatch points;        ///< what to count of them
};

}  // namespace rivulet
