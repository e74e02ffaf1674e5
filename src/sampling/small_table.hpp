// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sampling/quotas.hpp"

namespace rivulet::detail {

KOKKOS_INLINE_FUNCTION int bit_length(Uint128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

/// Computes the masses of cells first .. first + cells - 1 by one thread: finds the last remainder
/// that gets a unit digit by digit, from counts of the candidates' next digit.
template <class Weight>
KOKKOS_FUNCTION void divide_by_digits(const ExactWeights<Weight>& weights, const QuotaOf& share_of,
                                      std::uint64_t first, std::uint64_t cells,
                                      const MassView& masses) {
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

  // Candidates: remainders with these leading digits; the last `shift` bits are still ignored.
  // `left` of the candidates get a unit.
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

/// The same fast, from estimates in vectors, if the last cell that gets a unit is among the few in
/// a window of remainders; else returns false.
template <class Weight>
KOKKOS_FUNCTION bool divide_by_window(const Quotas<Weight>& quotas, std::uint64_t first,
                                      std::uint64_t cells, const MassView& masses) {
  constexpr std::size_t most = 1024;  // 2.9 sqrt(cells) are expected
  Remainder found[most];
  std::size_t count = 0;
  std::uint64_t above = 0;
  std::uint64_t left = quotas.share_of().units();
  std::uint64_t digit[static_cast<std::size_t>(piece_cells)];
  const DigitRange window(cells);
  const std::uint64_t end = first + cells;
  for (std::uint64_t at = first; at < end; at += piece_cells) {
    std::uint64_t* const whole = masses.data() + at;
    const int n = piece_of(at, end);
    quotas.split(at, n, whole, digit);
    for (int i = 0; i < n; ++i) {
      left -= whole[i];
      above += window.is_above(digit[i]) ? 1 : 0;
    }
    for (int i = 0; i < n; ++i) {
      if (!window.has(digit[i])) continue;
      if (count == most) return false;
      const std::uint64_t cell = at + static_cast<std::uint64_t>(i);
      found[count++] = {quotas.exact(cell).rest, cell};
    }
  }
  if (left == 0) return true;
  if (left <= above || left > above + count) return false;
  const ComputedMasses<Weight> computed(quotas,
                                        remainder_number(left - above, std::span(found, count)));
  for (std::uint64_t at = first; at < end; at += piece_cells) {
    computed(at, piece_of(at, end), masses.data() + at);
  }
  return true;
}

/// Computes the masses of one table's cells, first .. first + cells - 1, by one thread.
template <class Weight>
KOKKOS_FUNCTION void divide_table(const ExactWeights<Weight>& weights, Uint128 total,
                                  std::uint64_t first, std::uint64_t cells,
                                  const MassView& masses) {
  // On a GPU the thread-local memory that this takes would cost more than it saves.
  if constexpr (!device_build) {
    constexpr std::uint64_t worth_it = 32;
    if (cells >= worth_it && total != 0 &&
        divide_by_window(Quotas<Weight>(weights, total, cells), first, cells, masses)) {
      return;
    }
  }
  divide_by_digits(weights, QuotaOf(total, cells * bucket_units), first, cells, masses);
}

}  // namespace rivulet::detail
