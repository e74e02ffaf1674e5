// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "rivulet/detail/algebra/berlekamp_massey.hpp"
#include "rivulet/detail/rng/mtgp_sets.hpp"

namespace rivulet::detail {

/// The characteristic polynomial of a set: the recurrence of the lowest order of the words' highest
/// bits. That divides it, and is of the same degree.
inline Gf2Polynomial mtgp_polynomial(const MtgpSet& set) {
  using Recurrence = Mtgp11213Recurrence;
  constexpr std::size_t n = Recurrence::n;
  constexpr std::size_t bits = 2 * Recurrence::p;
  const MtgpSums table(set.table);
  std::vector<std::uint32_t> x(bits + n, 0);
  x[0] = 0x80000000u;
  Gf2Words highest(bits / 64 + 1, 0);
  for (std::size_t k = 0; k < bits; ++k) {
    x[k + n] =
        Recurrence::step(set, x[k], x[k + 1], x[k + static_cast<std::size_t>(set.pos)], table);
    highest[k / 64] |= std::uint64_t{x[k] >> 31} << k % 64;
  }
  return BerlekampMassey(highest, bits).polynomial();
}

/// The same of a set's number, computed once in a process. May be called from several threads.
inline const Gf2Polynomial& mtgp_polynomial_of(std::size_t number) {
  struct Kept {
    std::once_flag once;
    Gf2Polynomial polynomial;
  };
  static auto* const all =
      new std::array<Kept, mtgp_set_count>;  // never destructed: kept_jumps.hpp
  Kept& kept = all->at(number);
  std::call_once(kept.once, [&] { kept.polynomial = mtgp_polynomial(mtgp_sets[number]); });
  return kept.polynomial;
}

}  // namespace rivulet::detail
