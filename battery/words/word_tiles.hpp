// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "battery/words/word_supply.hpp"

namespace rivulet {

/// Thrown by a read after the end of a sequence.
struct SequenceEnded {};

/// Usual number of words per tile. On a CPU, such a tile fits into a core's cache. On a device,
/// such a tile hides the launch latency.
inline constexpr std::uint64_t usual_words = std::uint64_t{1} << (device_build ? 28 : 21);

/// Reads words of a sequence by position, with one tile in memory at a time.
class WordTiles {
 public:
  WordTiles(const Space& space, WordSupply supply)
      : space_(space), supply_(std::move(supply)), unit_(supply_.unit) {}

  /// Allocates memory for a tile of `words` words. Call before the first read. Throws Error if
  /// memory is insufficient.
  void allocate(std::uint64_t words);
  /// Returns the number of bytes of a tile of `words` words.
  std::uint64_t bytes_of(std::uint64_t words) const {
    return (words + 2 * unit_) * sizeof(std::uint32_t);
  }
  /// Returns the number of words that fit into a tile of `bytes` bytes.
  std::uint64_t words_in(std::uint64_t bytes) const {
    const std::uint64_t all = bytes / sizeof(std::uint32_t);
    return all > 2 * unit_ ? all - 2 * unit_ : 0;
  }

  /// Returns words `position` .. position + count - 1 of the sequence, in memory that the space can
  /// access. The words are valid until the next call. `count` is at most capacity(). Words after
  /// the end are arbitrary. A call is fast if it begins near the end of the previous call's words.
  /// If the supply goes only forward, earlier words cannot be read again. A pipe then throws Error;
  /// other supplies do not detect the attempt. Throws SequenceEnded if `position` is at or after
  /// the end. Asynchronous.
  const std::uint32_t* read(std::uint64_t position, std::uint64_t count);

  const Space& space() const { return space_; }
  std::uint64_t capacity() const { return capacity_; }
  /// Returns the length of the sequence in words, or no_end if unknown.
  std::uint64_t end() const { return supply_.end; }
  const Interleaving& turns() const { return supply_.turns; }
  std::uint64_t state_bytes() const { return supply_.state_bytes; }
  std::uint64_t tile_bytes() const { return words_.extent(0) * sizeof(std::uint32_t); }

 private:
  bool keep_from(std::uint64_t position);

  Space space_;
  WordSupply supply_;
  std::uint64_t unit_;  ///< words drawn together
  std::uint64_t capacity_ = 0;
  Owned<std::uint32_t> words_;
  std::uint64_t begin_ = 0;  ///< the words in memory: begin_ .. end_-1
  std::uint64_t end_ = 0;
};

/// The part of a sequence that a replication reads: n items that begin at `position`.
struct Sample {
  WordTiles& tiles;
  std::uint64_t position;
  std::uint64_t n;

  const Space& space() const { return tiles.space(); }
  Sample with(std::uint64_t items) const { return {tiles, position, items}; }
  /// Returns the sample's words from index `at`, like WordTiles::read().
  const std::uint32_t* read(std::uint64_t at, std::uint64_t count) const {
    return tiles.read(position + at, count);
  }
};

/// Fills a view with the words that begin at `position`. Blocking.
template <class View>
void copy_words(WordTiles& tiles, std::uint64_t position, const View& to) {
  for (std::uint64_t done = 0; done < to.extent(0); done += tiles.capacity()) {
    const auto count = std::min<std::uint64_t>(tiles.capacity(), to.extent(0) - done);
    Kokkos::deep_copy(tiles.space(), Kokkos::subview(to, Kokkos::make_pair(done, done + count)),
                      Borrowed<const std::uint32_t>(tiles.read(position + done, count), count));
  }
  tiles.space().fence();
}

}  // namespace rivulet
