// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "kokkos_compat.hpp"
#include "rivulet/detail/alias_table.hpp"

namespace rivulet {

/// To be called with the table's largest weight on all ranks, not with a rank's own.
using detail::weight_exponent;

namespace detail {

/// Converts a whole number in [0, 2^51] to an integer, in a way that vectorises everywhere.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t integer_of(double whole) {
  constexpr std::uint64_t offset_bits = std::uint64_t{0x433} << 52;  // of 2^52
  const double shifted = whole + 0x1p52;
  std::uint64_t bits = 0;
  memcpy(&bits, &shifted, sizeof bits);
  return bits - offset_bits;
}

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace detail

/// Weights as integers, so that sums do not depend on their order and quotas are exact: double
/// (finite, not negative) in units of 2^exponent, or 64-bit integers as they are, or sums of either
/// (Uint128).
template <class Weight>
class ExactWeights {
 public:
  using View = Kokkos::View<const Weight*, Space>;

  ExactWeights(View weights, int exponent)
      : weights_(std::move(weights)),
        exponent_(exponent),
        per_unit_(std::abs(exponent) <= 1022 ? std::ldexp(1.0, -exponent) : infinite) {}

  KOKKOS_FUNCTION std::uint64_t cells() const { return weights_.extent(0); }
  int exponent() const { return exponent_; }
  /// Weights first .. first + cells - 1.
  ExactWeights part(std::uint64_t first, std::uint64_t cells) const {
    return {Kokkos::subview(weights_, Kokkos::make_pair(first, first + cells)), exponent_};
  }

  /// The weight as a double if that is exact; else, and whenever a fast test cannot tell, infinity
  /// or NaN.
  KOKKOS_FORCEINLINE_FUNCTION double in_double(std::uint64_t cell) const {
    if constexpr (std::is_same_v<Weight, double>) {
      return floor(weights_(cell) * per_unit_);
    } else if constexpr (std::is_same_v<Weight, Uint128>) {
      return infinite;
    } else {
      const std::uint64_t weight = weights_(cell);
      return weight >> 53 == 0 ? static_cast<double>(weight) : infinite;
    }
  }

  /// The sum of up to 4096 weights, exactly.
  KOKKOS_FUNCTION Uint128 sum(std::uint64_t first, std::uint64_t cells) const {
    if constexpr (std::is_same_v<Weight, double>) {
      // Summed as two numbers of limb_bits, in a way that vectorises.
      constexpr int limb_bits = 51;
      const std::uint64_t limit = detail::bits_of(0x1p102);
      std::uint64_t low = 0;
      std::uint64_t high = 0;
      std::uint64_t any_large = 0;
      for (std::uint64_t i = 0; i < cells; ++i) {
        const double weight = in_double(first + i);
        const double above = floor(weight * 0x1p-51);
        any_large |= detail::bits_of(weight) >= limit ? 1 : 0;
        low += detail::integer_of(fma(above, -0x1p51, weight));
        high += detail::integer_of(above);
      }
      if (any_large == 0) return (static_cast<Uint128>(high) << limb_bits) + low;
    }
    Uint128 sum = 0;
    for (std::uint64_t i = 0; i < cells; ++i) sum += (*this)(first + i).exact;
    return sum;
  }

  struct Value {
    Uint128 exact;
    double approximate;
  };
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(std::uint64_t cell) const {
    const Weight weight = weights_(cell);
    if constexpr (std::is_same_v<Weight, double>) {
      return in_units(weight);
    } else if constexpr (std::is_same_v<Weight, Uint128>) {
      return {weight, 0x1p64 * static_cast<double>(static_cast<std::uint64_t>(weight >> 64)) +
                          static_cast<double>(static_cast<std::uint64_t>(weight))};
    } else {
      return {weight, static_cast<double>(weight)};
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Value in_units(double weight) const {
    std::uint64_t bits = 0;
    memcpy(&bits, &weight, sizeof bits);
    // IEEE 754 double: 52 bits of fraction, then 11 of exponent, 0 for numbers without a leading 1.
    constexpr std::uint64_t leading_one = std::uint64_t{1} << 52;
    const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & (leading_one - 1);
    const std::uint64_t significand = biased == 0 ? fraction : fraction | leading_one;
    const int shift = (biased == 0 ? 1 : biased) - 1075 - exponent_;
    if (shift < 0) {
      const std::uint64_t cut = shift > -64 ? significand >> -shift : 0;
      return {cut, static_cast<double>(cut)};
    }
    const auto power_bits = static_cast<std::uint64_t>(1023 + shift) << 52;
    double power = 0;
    memcpy(&power, &power_bits, sizeof power);
    return {static_cast<Uint128>(significand) << shift, static_cast<double>(significand) * power};
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();

  View weights_;
  int exponent_;
  double per_unit_;  ///< doubles: of one unit, inverse; or infinite
};

/// A weight's quota of a table's mass: units * weight / total in whole units, and the remainder.
struct Quota {
  std::uint64_t whole;
  Uint128 rest;  ///< in units / total; below total
};

/// Divides one table's mass, units = cells * 2^32, into quotas.
class QuotaOf {
 public:
  KOKKOS_FUNCTION QuotaOf(Uint128 total, std::uint64_t units)
      : total_(total),
        units_(units),
        inverse_(1.0 / (0x1p64 * static_cast<double>(static_cast<std::uint64_t>(total >> 64)) +
                        static_cast<double>(static_cast<std::uint64_t>(total)))),
        scale_(static_cast<double>(units) * inverse_) {}

  KOKKOS_FUNCTION Uint128 total() const { return total_; }
  KOKKOS_FUNCTION std::uint64_t units() const { return units_; }

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Quota operator()(const Value& weight) const {
    const double estimate = weight.approximate * scale_;
    Quota quota{estimate < 0x1p64 ? static_cast<std::uint64_t>(estimate) : ~std::uint64_t{0}, 0};
    // Modulo 2^128; the estimate is close enough that the sign bit is the sign.
    quota.rest = units_ * weight.exact - quota.whole * total_;
    while (quota.rest >= total_) correct(quota);
    return quota;
  }

 private:
  KOKKOS_FUNCTION void correct(Quota& quota) const {
    const bool negative = quota.rest >> 127 != 0;
    const Uint128 size = negative ? Uint128{0} - quota.rest : quota.rest;
    const double excess = 0x1p64 * static_cast<double>(static_cast<std::uint64_t>(size >> 64)) +
                          static_cast<double>(static_cast<std::uint64_t>(size));
    auto by = static_cast<std::uint64_t>(excess * inverse_);
    if (by == 0) by = 1;
    quota.whole = negative ? quota.whole - by : quota.whole + by;
    quota.rest = negative ? quota.rest + by * total_ : quota.rest - by * total_;
  }

  Uint128 total_;
  std::uint64_t units_;
  double inverse_;
  double scale_;
};

}  // namespace rivulet
