// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/pi/pi_choice.hpp"
#include "kernels/pi/stream_hits.hpp"
#include "kernels/pi/word_buffer.hpp"

namespace rivulet {

/// A piece's words, whatever generator they are of.
struct StoredWords {
  WordBuffer buffer;
  std::uint64_t first_id;  ///< global id of the piece's first stream
  std::uint64_t period;    ///< words of each stream that were drawn at a time
};

/// Adds the hits among the piece's points to hits(local stream). Asynchronous.
void count_pi_stored(const Space& space, const PiChoice& choice, const StoredPiece& piece,
                     const StoredWords& words, const HitView& hits);

}  // namespace rivulet
