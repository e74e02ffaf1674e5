// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "sampling/shares.hpp"

namespace rivulet::impl {

KOKKOS_INLINE_FUNCTION int bit_length(Uint128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

/// Masses of cells first .. first + cells - 1 by one thread: the digits of the last remainder that
/// gets a unit are found one by one, from counts of the candidates' next digit.
template <class Weights>
KOKKOS_FUNCTION void divide_table(const Weights& weights, const ShareOf& share_of,
                                  std::uint64_t first, std::uint64_t cells,
                                  const UnitView& masses) {
  constexpr int digit_bits = 8;
  constexpr int digits = 1 << digit_bits;
  std::uint64_t left = share_of.units();
  for (std::uint64_t i = 0; i < cells; ++i) {
    const std::uint64_t whole =
        share_of.total() == 0 ? bucket_units : share_of(weights(first + i)).whole;
    masses(first + i) = whole;
    left -= whole;
  }
  if (left == 0) return;

  // Candidates: remainders with these leading digits, the last `shift` bits not looked at. Of them
  // `left` get a unit.
  int shift = bit_length(share_of.total());
  Uint128 leading = 0;
  while (shift > 0) {
    const int step = shift < digit_bits ? shift : digit_bits;
    std::uint64_t count[digits] = {};
    Uint128 any = 0;
    Uint128 all = ~Uint128{0};
    for (std::uint64_t i = 0; i < cells; ++i) {
      const Uint128 rest = share_of(weights(first + i)).rest;
      if (rest >> shift != leading) continue;
      any |= rest;
      all &= rest;
      ++count[static_cast<unsigned>(rest >> (shift - step)) & ((1U << step) - 1)];
    }
    if (any == all) {  // equal remainders need no more digits
      leading = any;
      shift = 0;
      break;
    }
    shift -= step;
    unsigned digit = (1U << step) - 1;
    while (count[digit] < left) left -= count[digit--];
    leading = leading << step | digit;
    if (count[digit] == left) break;
  }
  for (std::uint64_t i = 0; i < cells; ++i) {
    const Uint128 rest = share_of(weights(first + i)).rest >> shift;
    if (rest > leading) {
      ++masses(first + i);
    } else if (rest == leading && left > 0) {
      ++masses(first + i);
      --left;
    }
  }
}

}  // namespace rivulet::impl
