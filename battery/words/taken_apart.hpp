// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/words/word_tiles.hpp"

namespace rivulet {

/// The first `length` words from a position on of some streams, stream after stream. The `streams`
/// streams are evenly chosen among all that take turns. The function reads words_apart() words of
/// the sequence.
WordSupply taken_apart(WordTiles& from, std::uint64_t position, std::uint64_t streams,
                       std::uint64_t length);

/// Whole rounds of the streams, and before them what is left of a round that has begun.
inline std::uint64_t words_apart(const Interleaving& turns, std::uint64_t length) {
  return turns.streams * length + (turns.run == 1 ? 0 : turns.streams * turns.run);
}

}  // namespace rivulet
