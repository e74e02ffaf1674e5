// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

/// The order of several streams' words in one sequence: `run` words of each stream in turn.
struct Interleaving {
  std::uint64_t streams = 1;
  std::uint64_t run = 1;

  KOKKOS_FUNCTION std::uint64_t stream_of(std::uint64_t position) const {
    return position / run % streams;
  }
  /// Returns the index of a word within its stream.
  KOKKOS_FUNCTION std::uint64_t number_of(std::uint64_t position) const {
    return position / run / streams * run + position % run;
  }
  /// Returns the distance in the sequence from the word at `position` to the word that is j numbers
  /// later in the same stream.
  KOKKOS_FUNCTION std::uint64_t distance(std::uint64_t position, std::uint64_t j) const {
    if (run == 1) return j * streams;  // avoids a division
    return j + (streams - 1) * run * ((position % run + j) / run);
  }
};

}  // namespace rivulet
