// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/words/word_tiles.hpp"

namespace rivulet {

/// Separates interleaved streams: returns, stream after stream, the next `length` words that each
/// of `streams` streams has after `position`. The streams are chosen evenly among all streams. Uses
/// at most separation_words() words of the sequence.
WordSupply separated_streams(WordTiles& from, std::uint64_t position, std::uint64_t streams,
                             std::uint64_t length);

/// Returns the maximum number of words of the sequence that separated_streams() uses. The function
/// skips the remaining words of a round that has begun, and reads `length` words of every stream. A
/// round is one run of each stream.
inline std::uint64_t separation_words(const Interleaving& turns, std::uint64_t length) {
  return turns.streams * length + (turns.run == 1 ? 0 : turns.streams * turns.run);
}

}  // namespace rivulet
