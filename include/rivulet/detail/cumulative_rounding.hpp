// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "rivulet/detail/ieee754.hpp"
#include "rivulet/detail/uint128.hpp"

// Converts weights to integers, and their prefix sums to masses of an alias table.

namespace rivulet::detail {

/// Largest number of bits of the sum of a table's weights.
inline constexpr int weight_sum_bits = 112;

/// Returns the exponent e of the unit 2^e for the weights of a table of `cells` cells, at most
/// 2^32. In this unit, the weights sum to less than 2^weight_sum_bits. Truncation to units drops
/// only bits below 2^-79 times the largest weight. If all weights are integers below
/// 2^80, truncation drops no bits.
inline int weight_exponent(double largest, std::uint64_t cells) {
  int above = 0;  // largest < 2^above
  std::frexp(largest, &above);
  const auto sum_bits = static_cast<int>(std::bit_width(cells - 1));
  return above + sum_bits - weight_sum_bits;
}

/// Returns a weight in units of 2^exponent, truncated.
KOKKOS_FORCEINLINE_FUNCTION Uint128 in_units(double weight, int exponent) {
  std::uint64_t bits = 0;
  memcpy(&bits, &weight, sizeof bits);
  // IEEE 754 double: 52 bits of fraction, then 11 bits of exponent. Subnormal numbers have exponent
  // 0 and no leading 1.
  constexpr std::uint64_t leading_one = std::uint64_t{1} << 52;
  const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & (leading_one - 1);
  const std::uint64_t significand = biased == 0 ? fraction : fraction | leading_one;
  const int shift = (biased == 0 ? 1 : biased) - 1075 - exponent;
  if (shift >= 0) return static_cast<Uint128>(significand) << shift;
  return shift > -64 ? significand >> -shift : 0;
}

/// Returns weights as integers: doubles in units of 2^exponent, and integers unchanged.
template <class Weight>
struct WholeWeights {
  const Weight* weights;
  int exponent = 0;

  KOKKOS_FORCEINLINE_FUNCTION Uint128 operator()(std::uint64_t cell) const {
    if constexpr (std::is_same_v<Weight, double>) {
      return in_units(weights[cell], exponent);
    } else {
      return weights[cell];
    }
  }
};

/// Returns the double nearest to a 128-bit number, or a neighbour of that double.
KOKKOS_FORCEINLINE_FUNCTION double in_double(Uint128 value) {
  return 0x1p64 * static_cast<double>(static_cast<std::uint64_t>(value >> 64)) +
         static_cast<double>(static_cast<std::uint64_t>(value));
}

/// Returns the upper half of the product, or up to 2 less.
KOKKOS_FORCEINLINE_FUNCTION Uint128 upper_product(Uint128 a, Uint128 b) {
  const Uint128 a_low = static_cast<std::uint64_t>(a);
  const Uint128 b_low = static_cast<std::uint64_t>(b);
  const Uint128 a_high = a >> 64;
  const Uint128 b_high = b >> 64;
  return a_high * b_high + (a_high * b_low >> 64) + (a_low * b_high >> 64);
}

/// Cumulative rounding for a table of fewer than 2^32 cells with 2^bits units per bucket. The call
/// operator computes the mass of the first cells from the sum of their weights, `prefix`. The mass
/// is prefix * cells * 2^bits / total, rounded to the nearest integer (halves up). A cell's mass is
/// the difference of two such masses. The cells' masses sum exactly to the table's mass. The error
/// of each mass is less than one unit, and a weight of 0 has mass 0. (Rounding down instead would
/// give the last cell at least one unit for any positive weight.)
template <int bits>
class CumulativeRounding {
 public:
  /// `total` is the sum of all weights, 1 .. 2^124 - 1.
  KOKKOS_FUNCTION CumulativeRounding(Uint128 total, std::uint64_t cells)
      : total_(total), units_(Uint128{cells} << bits) {
    for (; total >> scaled_bits == 0; total <<= 1) ++shift_;
    // Long division with 42-bit digits. Each digit is estimated in double precision, and is at most
    // 1 too small.
    const double inverse = (1 - 0x1p-48) / in_double(total);
    Uint128 remainder = units_ << fraction_bits;
    for (int digit = 0; digit < 3; ++digit) {
      const auto next = static_cast<std::uint64_t>(0x1p42 * in_double(remainder) * inverse);
      quotient_ = (quotient_ << 42) + next;
      remainder = (remainder << 42) - next * total;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Uint128 operator()(Uint128 prefix) const {
    // The product is up to 3 too small, so the mass can be 1 too small if the product's fraction is
    // close to 1. The exact remainder then decides.
    constexpr Uint128 last_fraction = (Uint128{1} << fraction_bits) - 1;
    constexpr Uint128 half = Uint128{1} << (fraction_bits - 1);
    const Uint128 product = upper_product(prefix << shift_, quotient_) + half;
    const Uint128 mass = product >> fraction_bits;
    if ((product & last_fraction) < last_fraction - 2) return mass;
    const Uint128 twice_remainder = 2 * (prefix * units_ - mass * total_);  // mod 2^128; >= -total_
    return mass + (twice_remainder + total_ >= 2 * total_ ? 1 : 0);
  }

 private:
  static constexpr int scaled_bits = 124;
  static constexpr int fraction_bits = scaled_bits - 32 - bits;

  Uint128 total_;
  Uint128 units_;
  Uint128 quotient_ = 0;  ///< units_ 2^(128 + fraction_bits - shift_) / total_, or up to 1.1 less
  int shift_ = 2;
};

}  // namespace rivulet::detail
