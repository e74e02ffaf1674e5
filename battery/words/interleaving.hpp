// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

/// How the words of some streams form a sequence: `run` words of each stream in turn.
struct Interleaving {
  std::uint64_t streams = 1;
  std::uint64_t run = 1;

  KOKKOS_FUNCTION std::uint64_t stream_of(std::uint64_t position) const {
    return position / run % streams;
  }
  /// The index of a word within its stream.
  KOKKOS_FUNCTION std::uint64_t number_of(std::uint64_t position) const {
    return position / run / streams * run + position % run;
  }
  /// The place, counted from the word at `position`, of the word that is j numbers after it in its
  /// stream.
  KOKKOS_FUNCTION std::uint64_t distance(std::uint64_t position, std::uint64_t j) const {
    if (run == 1) return j * streams;  // without a division
    return j + (streams - 1) * run * ((position % run + j) / run);
  }
};

}  // namespace rivulet
