// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/streams/irregular_starts.hpp"

// Computes the parts of start(s) = E(s) + h(s) from the formulas in irregular_starts.hpp.

namespace rivulet {

/// Returns E(s), which must be below 2^128.
constexpr Uint128 jumps_to(IrregularStarts starts, std::uint64_t s) {
  Uint128 steps = 0;
  for (unsigned r = 0; r < 64; ++r) {
    if ((s >> r & 1) != 0) steps += starts.jump(r);
  }
  return steps;
}

/// Returns h(s) as a sum of powers of two.
constexpr std::uint64_t hashed_powers(std::uint64_t s) {
  std::uint64_t sum = 0;
  for (int i = 0; s != 0 && i < IrregularStarts::hashed_terms; ++i) {
    sum += std::uint64_t{1} << IrregularStarts::exponent(IrregularStarts::start_hash(s), i);
  }
  return sum;
}

}  // namespace rivulet
