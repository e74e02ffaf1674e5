// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rivulet {

/// The dimensions of a dynamically created Mersenne Twister with 32-bit words: Matsumoto &
/// Nishimura, "Dynamic Creation of Pseudorandom Number Generators", in Monte Carlo and Quasi-Monte
/// Carlo Methods 1998, Springer 2000.
struct DcmtShape {
  int p;                     ///< Mersenne exponent
  int n;                     ///< words of state
  int m;                     ///< index of the middle word
  int r;                     ///< number of bits of the first word outside the state, 32 n - p
  std::uint32_t upper_mask;  ///< bits of the first word that are part of the state
  std::uint32_t lower_mask;  ///< the r other bits of the first word
};

/// Returns the shape for exponent p, with the Dynamic Creator's choices n = p/32 + 1 and m = n/2.
constexpr DcmtShape dcmt_shape(int p) {
  const int n = p / 32 + 1;
  const int r = 32 * n - p;
  const std::uint32_t lower = (std::uint32_t{1} << r) - 1;
  return {p, n, n / 2, r, ~lower, lower};
}

/// The supported exponents. 2^p - 1 is prime for each, so irreducible polynomials are primitive.
inline constexpr std::array<int, 4> dcmt_exponents{521, 607, 1279, 2203};

/// Tempering shifts for 32-bit words, from the Dynamic Creator's eqdeg.c (S00, SSS, TTT, S01):
/// x ^= x >> 12; x ^= (x << 7) & b; x ^= (x << 15) & c; x ^= x >> 18.
inline constexpr int dcmt_shift_0 = 12;
inline constexpr int dcmt_shift_b = 7;
inline constexpr int dcmt_shift_c = 15;
inline constexpr int dcmt_shift_1 = 18;

/// The parameters of one dynamically created twister of exponent p.
struct DcmtSet {
  std::uint32_t id = 0;  ///< 16-bit identifier carried in the low half of the twist coefficient
  std::uint32_t a = 0;   ///< twist coefficient
  std::uint32_t b = 0;   ///< tempering mask of the shift by 7
  std::uint32_t c = 0;   ///< tempering mask of the shift by 15

  friend bool operator==(const DcmtSet&, const DcmtSet&) = default;
};

/// Dimensions of equidistribution. Element v - 1 is k(v), the dimension for the v leading bits, v
/// = 1..32.
using Equidistribution = std::array<std::uint32_t, 32>;

/// Parameter sets of one exponent, for StreamsOptions::sets.
struct DcmtSets {
  int p = 0;                  ///< the exponent
  std::string source;         ///< origin, for the record: "shipped", "published" or a file name
  std::vector<DcmtSet> sets;  ///< stream s uses set s % sets.size()
};

}  // namespace rivulet
