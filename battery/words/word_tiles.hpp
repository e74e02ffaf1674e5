// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "battery/words/word_supply.hpp"

namespace rivulet {

/// Thrown by a read behind the end of a sequence.
struct SequenceEnded {};

/// Words of a tile: what a core's cache holds, or what hides a device's launches.
inline constexpr std::uint64_t usual_words = std::uint64_t{1} << (device_build ? 28 : 21);

/// The words of a sequence by their position, a tile of them in memory at a time.
class WordTiles {
 public:
  WordTiles(const Space& space, WordSupply supply)
      : space_(space), supply_(std::move(supply)), unit_(supply_.unit) {}

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
  /// the next call; those behind its end are others. count is at most most(). Fast where each call
  /// goes on near the end of the one before. Of a sequence that goes only forward, words before the
  /// latest position are gone, and Error is thrown. Asynchronous. Throws SequenceEnded.
  const std::uint32_t* read(std::uint64_t position, std::uint64_t count);

  const Space& space() const { return space_; }
  std::uint64_t most() const { return most_; }
  /// Words of the sequence, as far as it is known.
  std::uint64_t end() const { return supply_.end; }
  const Interleaving& turns() const { return supply_.turns; }
  std::uint64_t state_bytes() const { return supply_.state_bytes; }
  std::uint64_t tile_bytes() const { return words_.extent(0) * sizeof(std::uint32_t); }

 private:
  bool keep_from(std::uint64_t position);

  Space space_;
  WordSupply supply_;
  std::uint64_t unit_;  ///< words that are drawn together
  std::uint64_t most_ = 0;
  Kokkos::View<std::uint32_t*, Space> words_;
  std::uint64_t begin_ = 0;  ///< the words in memory: begin_ .. end_-1
  std::uint64_t end_ = 0;
};

/// The part of a sequence that a replication reads: n items from a position on.
struct Sample {
  WordTiles& tiles;
  std::uint64_t position;
  std::uint64_t n;

  const Space& space() const { return tiles.space(); }
  Sample with(std::uint64_t items) const { return {tiles, position, items}; }
  /// Words from the one of index `at` on, as WordTiles::read().
  const std::uint32_t* read(std::uint64_t at, std::uint64_t count) const {
    return tiles.read(position + at, count);
  }
};

/// Fills a view with words from a position on. Waits.
template <class View>
void copy_words(WordTiles& tiles, std::uint64_t position, const View& to) {
  for (std::uint64_t done = 0; done < to.extent(0); done += tiles.most()) {
    const auto count = std::min<std::uint64_t>(tiles.most(), to.extent(0) - done);
    Kokkos::deep_copy(tiles.space(), Kokkos::subview(to, Kokkos::make_pair(done, done + count)),
                      Borrowed<const std::uint32_t>(tiles.read(position + done, count), count));
  }
  tiles.space().fence();
}

}  // namespace rivulet
