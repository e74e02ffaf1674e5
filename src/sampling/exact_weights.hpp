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

/// Mass of a bucket in units: a coin is one word of 32 bits.
inline constexpr std::uint64_t bucket_units = detail::units_of_bucket<detail::AliasEntry>;

using MassView = Kokkos::View<std::uint64_t*, Space>;
using SumView = Kokkos::View<Uint128*, Space>;

/// `tables` tables of `cells` cells each, one after another.
struct TableSizes {
  std::uint64_t tables = 1;
  std::uint64_t cells = 1;
};

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
/// (finite, not negative) in units of 2^exponent, or sums of these (Uint128).
template <class Weight, class Memory = Space>
class ExactWeights {
 public:
  using View = Kokkos::View<const Weight*, Memory>;

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
  ExactWeights<Weight, Kokkos::HostSpace> on_host() const {
    return {Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), weights_), exponent_};
  }

  /// The weight as a double if that is exact; else, and whenever a fast test cannot tell, infinity
  /// or NaN.
  KOKKOS_FORCEINLINE_FUNCTION double in_double(std::uint64_t cell) const {
    if constexpr (std::is_same_v<Weight, double>) {
      return floor(weights_(cell) * per_unit_);
    } else {
      return infinite;
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
    for (std::uint64_t i = 0; i < cells; ++i) sum += (*this)(first + i);
    return sum;
  }

  KOKKOS_FORCEINLINE_FUNCTION Uint128 operator()(std::uint64_t cell) const {
    if constexpr (std::is_same_v<Weight, double>) {
      return detail::in_units(weights_(cell), exponent_);
    } else {
      return weights_(cell);
    }
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  View weights_;
  int exponent_;
  double per_unit_;  ///< doubles: of one unit, inverse; or infinite
};

}  // namespace rivulet
