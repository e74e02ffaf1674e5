// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "rivulet/detail/algebra/power.hpp"

namespace rivulet {

/// x -> a x + c modulo 2^32: the step of a linear congruential generator, and its powers.
struct AffineMap {
  std::uint32_t a = 1;
  std::uint32_t c = 0;

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr W operator()(W x) const {
    return W(a) * x + W(c);
  }

  /// The composition: first right, then left.
  friend constexpr AffineMap operator*(AffineMap left, AffineMap right) {
    return {left.a * right.a, left(right.c)};
  }
  friend constexpr bool operator==(AffineMap, AffineMap) = default;
};

constexpr AffineMap power(AffineMap base, Uint128 exponent) {
  return power(base, exponent, AffineMap{});
}

}  // namespace rivulet
