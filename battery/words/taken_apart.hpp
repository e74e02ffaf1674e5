// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/words/word_tiles.hpp"

namespace rivulet {

/// Returns the first `length` words after a position of `streams` streams, stream after stream. The
/// streams are evenly chosen from all interleaved streams. The function reads words_apart() words
/// of the sequence.
WordSupply taken_apart(WordTiles& from, std::uint64_t position, std::uint64_t streams,
                       std::uint64_t length);

/// Words read by taken_apart(): `length` words of all streams, preceded by the remainder of a round
/// that has begun.
inline std::uint64_t words_apart(const Interleaving& turns, std::uint64_t length) {
  return turns.streams * length + (turns.run == 1 ? 0 : turns.streams * turns.run);
}

}  // namespace rivulet
