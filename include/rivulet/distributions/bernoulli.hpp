// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"

namespace rivulet {

/// True with probability p, rounded down to a multiple of 2^-64: never for p = 0, always for p = 1.
/// Compares 32 random bits with the first 32 bits of p and, if both are equal, draws 32 more.
/// Example: `Bernoulli(0.3)(rng)`.
class Bernoulli {
 public:
  using result_type = bool;

  /// Requires 0 <= p <= 1. For other p, results are unspecified.
  KOKKOS_FORCEINLINE_FUNCTION explicit Bernoulli(double p = 0.5)
      : high_(static_cast<std::uint64_t>(p * 0x1p32)),
        low_(static_cast<std::uint64_t>((p * 0x1p32 - static_cast<double>(high_)) * 0x1p32)) {
    RIVULET_ASSERT(p >= 0 && p <= 1, "Bernoulli(p) needs p from 0 to 1.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(Rng& rng) const {
    const std::uint64_t high = detail::draw_number<std::uint32_t>(rng);
    if (high != high_) return high < high_;
    return detail::draw_number<std::uint32_t>(rng) < low_;
  }

 private:
  std::uint64_t high_;  ///< bits 32 and up of the integer p 2^64: 2^32 if p is 1
  std::uint64_t low_;   ///< lower 32 bits of p 2^64
};

}  // namespace rivulet
