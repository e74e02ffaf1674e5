// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

namespace rivulet {

/// The dimensions of a dynamically created Mersenne Twister of Mersenne exponent p and 32-bit
/// words: n words of state, middle word m, and r bits of the first word that are not part of the
/// state (32 n - r = p). Matsumoto & Nishimura, "Dynamic Creation of Pseudorandom Number
/// Generators", in Monte Carlo and Quasi-Monte Carlo Methods 1998, Springer 2000.
struct DcmtShape {
  int p;
  int n;
  int m;
  int r;
  std::uint32_t upper_mask;
  std::uint32_t lower_mask;
};

/// Shape of exponent p; the choices n = p/32 + 1, m = n/2 are the Dynamic Creator's own.
constexpr DcmtShape dcmt_shape(int p) {
  const int n = p / 32 + 1;
  const int r = 32 * n - p;
  const std::uint32_t lower = (std::uint32_t{1} << r) - 1;
  return {p, n, n / 2, r, ~lower, lower};
}

/// The exponents offered. 2^p - 1 is prime for each, so irreducible means primitive.
inline constexpr std::array<int, 4> dcmt_exponents{521, 607, 1279, 2203};

/// Tempering shifts of MT19937 that the Dynamic Creator keeps for 32-bit words (its eqdeg and
/// mt19937 alike): x ^= x >> 12; x ^= (x << 7) & b; x ^= (x << 15) & c; x ^= x >> 18.
inline constexpr int dcmt_shift_0 = 12;
inline constexpr int dcmt_shift_b = 7;
inline constexpr int dcmt_shift_c = 15;
inline constexpr int dcmt_shift_1 = 18;

}  // namespace rivulet
