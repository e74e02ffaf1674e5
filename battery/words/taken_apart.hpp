// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/words/word_tiles.hpp"

namespace rivulet {

/// Separates interleaved streams: returns the next `length` words after `position` of each of
/// `streams` streams, stream after stream. The streams are chosen evenly among all streams. Reads
/// words_apart() words of the sequence.
WordSupply taken_apart(WordTiles& from, std::uint64_t position, std::uint64_t streams,
                       std::uint64_t length);

/// Returns the maximum number of words that taken_apart() reads. The function reads `length` words
/// of every stream, after the remaining words of a round that has begun. A round is one run of each
/// stream.
inline std::uint64_t words_apart(const Interleaving& turns, std::uint64_t length) {
  return turns.streams * length + (turns.run == 1 ? 0 : turns.streams * turns.run);
}

}  // namespace rivulet
