// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "launching/for_each_stream.hpp"
#include "machine/out_of_memory.hpp"

namespace rivulet {

/// A buffer of words between the generator and a consumer, with `length` words for each of
/// `streams` streams or segments. Each tile of tile_streams streams is contiguous. Word k of stream
/// i is at offset k * tile_streams + i % tile_streams within the stream's tile, so vectors and
/// warps access whole cache lines.
class WordBuffer {
 public:
  WordBuffer(std::uint64_t streams, std::uint64_t length)
      : words_(Kokkos::view_alloc("rivulet::words", Kokkos::WithoutInitializing),
               padded_streams(streams) * length),
        streams_(streams),
        length_(length) {}

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* at(std::uint64_t i, std::uint64_t k) const {
    constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
    return words_.data() + (i / tile * length_ + k) * tile + i % tile;
  }
  std::uint64_t streams() const { return streams_; }
  std::uint64_t length() const { return length_; }

  /// Splits `work` into pieces that fit in the buffer, and calls use(piece) for each piece.
  /// `words`: words per item.
  template <class Use>
  void each_piece(const Work& work, int words, const Use& use) const {
    const std::uint64_t items = length_ / static_cast<std::uint64_t>(words);
    for (std::uint64_t i = 0; i < work.size; i += streams_) {
      Work piece = work.part(i, std::min(streams_, work.size - i));
      for (std::uint64_t from = work.first_item; from < work.end_item; from += items) {
        piece.first_item = from;
        piece.end_item = std::min(from + items, work.end_item);
        use(piece);
      }
    }
  }

  static std::uint64_t bytes(std::uint64_t streams, std::uint64_t length) {
    return padded_streams(streams) * length * sizeof(std::uint32_t);
  }

 private:
  Kokkos::View<std::uint32_t*, Space> words_;
  std::uint64_t streams_;
  std::uint64_t length_;
};

/// Allocates a buffer of at most `max_bytes` bytes, or of fewer if memory is short. The buffer
/// holds at least one period of `period` words for each of up to `max_tiles` tiles of streams, as
/// many as fit. The remaining memory holds further periods of these streams. `max_bytes` must
/// suffice for one period of a tile. `what` is for the error message.
inline std::unique_ptr<WordBuffer> make_word_buffer(const std::string& what,
                                                    std::uint64_t max_tiles, std::uint64_t period,
                                                    std::uint64_t max_bytes) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  const std::uint64_t smallest = WordBuffer::bytes(tile, period);
  std::unique_ptr<WordBuffer> buffer;
  with_available_memory(max_bytes, smallest, [&](std::uint64_t bytes) {
    const std::uint64_t fit = bytes / smallest;  // in units of one period of a tile
    const std::uint64_t tiles = std::min(max_tiles, fit);
    const std::uint64_t length = fit / tiles * period;
    buffer.reset();
    require_memory_for(what, WordBuffer::bytes(tiles * tile, length),
                       "Lower streams.count, or start more ranks on more nodes.",
                       [&] { buffer = std::make_unique<WordBuffer>(tiles * tile, length); });
  });
  return buffer;
}

/// A consumer that stores words in a WordBuffer. `words`: words per item.
template <int words>
struct StoreWords {
  using Integer = std::uint32_t;
  static constexpr const char* label = "rivulet::generate";
  static constexpr ItemShape shape{words};

  WordBuffer buffer;

  void by_lanes(HostDraw<Integer>& draw) const {
    std::uint64_t done = 0;
    DrawnItems<Integer> drawn;
    while (draw.next(drawn)) {
      const auto count = static_cast<std::uint64_t>(drawn.items * words);
      std::copy_n(drawn.numbers, count * lanes<Word>, buffer.at(draw.first, done));
      done += count;
    }
  }
  void by_stream(HostDraw<Integer>& draw) const {
    std::uint64_t done = 0;
    DrawnItems<Integer> drawn;
    while (draw.next(drawn)) {
      std::uint32_t* const to = buffer.at(draw.first, done);
      for (int k = 0; k < drawn.items * words; ++k) to[k * tile_streams] = drawn.numbers[k];
      done += static_cast<std::uint64_t>(drawn.items * words);
    }
  }

  using Local = std::uint32_t*;
  KOKKOS_FORCEINLINE_FUNCTION Local begin(std::uint64_t i) const { return buffer.at(i, 0); }
  KOKKOS_FORCEINLINE_FUNCTION void item(Local to, std::uint64_t k, const Integer* numbers) const {
    for (int w = 0; w < words; ++w) {
      to[(k * words + static_cast<std::uint64_t>(w)) * tile_streams] = numbers[w];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void end(Local, std::uint64_t) const {}
};

}  // namespace rivulet
