// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// One sequence of 32-bit words from several streams.
struct WordOrder {
  std::uint64_t run = 0;  ///< of words of each stream in turn; 0: interleaved, one word of each
  bool reversed = false;  ///< whether the bits of each word are
};

/// The words of a sequence by their position, a tile of them in memory at a time.
class WordTiles {
 public:
  /// plan must outlive the tiles. Throws Error.
  WordTiles(const Space& space, const StreamPlan& plan, StreamRange streams, StreamMapping mapping,
            std::uint64_t segments, const WordOrder& order);

  /// Makes room for tiles of so many words, before the first read. Throws Error.
  void allocate(std::uint64_t words);
  /// Bytes of a tile of so many words, and the words of a tile of so many bytes, 0 if none fit.
  std::uint64_t bytes_of(std::uint64_t words) const {
    return (words + 2 * unit_) * sizeof(std::uint32_t);
  }
  std::uint64_t words_in(std::uint64_t bytes) const {
    const std::uint64_t all = bytes / sizeof(std::uint32_t);
    return all > 2 * unit_ ? all - 2 * unit_ : 0;
  }

  /// Words position .. position+count-1 of the sequence, in memory that the space reaches, until
  /// the next call. count is at most most(). Fast where each call goes on near the end of the one
  /// before. Asynchronous.
  const std::uint32_t* read(std::uint64_t position, std::uint64_t count);

  const Space& space() const { return space_; }
  std::uint64_t most() const { return most_; }
  std::uint64_t state_bytes() const { return source_->state_bytes(); }
  std::uint64_t tile_bytes() const { return words_.extent(0) * sizeof(std::uint32_t); }

 private:
  void move_to(std::uint64_t unit);
  void draw(std::uint64_t units, std::uint64_t to);
  bool keep_from(std::uint64_t position);

  Space space_;
  WordOrder order_;
  std::unique_ptr<NumberSource> source_;
  std::uint64_t share_;  ///< words of each stream in a unit
  std::uint64_t unit_;   ///< words that are drawn together
  std::uint64_t most_ = 0;
  Kokkos::View<std::uint32_t*, Space> words_;
  std::uint64_t begin_ = 0;  ///< the words in memory: begin_ .. end_-1
  std::uint64_t end_ = 0;
  std::uint64_t base_ = 0;  ///< number of each stream that pieces count from
  std::uint64_t next_ = 0;  ///< unit to be drawn
  bool is_placed_ = false;
};

}  // namespace rivulet
