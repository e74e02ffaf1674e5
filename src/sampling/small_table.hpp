// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sampling/table_division.hpp"

namespace rivulet::detail {

KOKKOS_INLINE_FUNCTION int bit_length(Uint128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

/// Computes the masses of cells first .. first + cells - 1 by one thread: finds the last remainder
/// that gets a unit digit by digit, from counts of the candidates' next digit.
template <class Weight>
KOKKOS_FUNCTION void divide_by_digits(const Quotas<Weight>& quotas, std::uint64_t first,
                                      std::uint64_t cells, std::uint64_t* masses) {
  constexpr int digit_bits = 8;
  constexpr int digits = 1 << digit_bits;
  std::uint64_t left = quotas.units();
  for (std::uint64_t i = 0; i < cells; ++i) {
    masses[i] = quotas.total() == 0 ? bucket_units
                                    : static_cast<std::uint64_t>(quotas.exact(first + i).whole);
    left -= masses[i];
  }
  if (left == 0) return;

  // Candidates: remainders with these leading digits; the last `shift` bits are still ignored.
  // `left` of the candidates get a unit.
  int shift = bit_length(quotas.total());
  Uint128 leading = 0;
  while (shift > 0) {
    const int step = shift < digit_bits ? shift : digit_bits;
    std::uint64_t count[digits] = {};
    Uint128 any = 0;
    Uint128 all = ~Uint128{0};
    for (std::uint64_t i = 0; i < cells; ++i) {
      const Uint128 rest = quotas.exact(first + i).rest;
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
    const Uint128 rest = quotas.exact(first + i).rest >> shift;
    if (rest > leading) {
      ++masses[i];
    } else if (rest == leading && left > 0) {
      ++masses[i];
      --left;
    }
  }
}

/// The same fast, from estimates in vectors, if the last cell that gets a unit is among the few in
/// a window of remainders; else returns false.
template <class Weight>
KOKKOS_FUNCTION bool divide_by_window(const Quotas<Weight>& quotas, std::uint64_t first,
                                      std::uint64_t cells, std::uint64_t* masses) {
  constexpr std::size_t most = 1024;  // 2.9 sqrt(cells) are expected
  std::uint64_t found[most];
  const std::uint64_t end = first + cells;
  const QuotaSums sums =
      sum_quotas(quotas, first, end, RemainderDigits::around_half(cells), most, found);
  const std::uint64_t left = quotas.units() - sums.whole;
  const bool is_found = left > sums.above && left <= sums.above + sums.found && sums.found <= most;
  if (left != 0 && !is_found) return false;
  ComputedMasses<Weight> computed(quotas);
  if (left != 0) {
    Remainder order[most];
    for (std::uint64_t i = 0; i < sums.found; ++i)
      order[i] = {quotas.exact(found[i]).rest, found[i]};
    computed = {quotas, remainder_number(left - sums.above, std::span(order, sums.found))};
  }
  for (std::uint64_t at = first; at < end; at += piece_cells) {
    computed(at, piece_of(at, end), masses + (at - first));
  }
  return true;
}

/// Computes the masses of one table's cells, first .. first + cells - 1, by one thread.
template <class Weight>
KOKKOS_FUNCTION void divide_small_table(const Quotas<Weight>& quotas, std::uint64_t first,
                                        std::uint64_t cells, std::uint64_t* masses) {
  // On a GPU the thread-local memory that this takes would cost more than it saves.
  if constexpr (!device_build) {
    constexpr std::uint64_t worth_it = 32;
    if (cells >= worth_it && quotas.total() != 0 &&
        divide_by_window(quotas, first, cells, masses)) {
      return;
    }
  }
  divide_by_digits(quotas, first, cells, masses);
}

}  // namespace rivulet::detail
