// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/words/word_tiles.hpp"

namespace rivulet {

/// Separates interleaved streams: returns the next `length` words after `position` of each of
/// `streams` streams, stream after stream. The streams are chosen evenly among all streams. Reads
/// separation_words() words of the sequence.
WordSupply separated_streams(WordTiles& from, std::uint64_t position, std::uint64_t streams,
                             std::uint64_t length);

/// Returns the maximum number of words that separated_streams() reads. The function reads `length`
/// words of every stream, after the remaining words of a round that has begun. A round is one run
/// of each stream.
inline std::uint64_t separation_words(const Interleaving& turns, std::uint64_t length) {
  return turns.streams * length + (turns.run == 1 ? 0 : turns.streams * turns.run);
}

}  // namespace rivulet
