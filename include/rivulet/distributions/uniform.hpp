// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {

/// Floating-point numbers (float or double), uniform between a and b, or between 0 and 1 if no
/// bounds are given: `Uniform(-1.0, 1.0)(rng)`. Between 0 and 1, a float has 24 random bits and a
/// double has 53 (24 or 48 from engines with 24 or 48 bits). With bounds the result is a + (b - a)
/// u, rounded twice. If rounding leaves the interval, the result is the nearest number of the
/// interval.
template <class Real = double, Interval interval = Interval::closed_open>
class Uniform {
 public:
  static_assert(std::is_floating_point_v<Real> && sizeof(Real) <= sizeof(double),
                "rivulet::Uniform draws float or double. For integers use rivulet::Below");
  using result_type = Real;

  /// Creates a distribution from 0 to 1.
  Uniform() = default;
  /// Requires a < b and a finite b - a. An open interval must contain a number. For other bounds,
  /// results are unspecified.
  KOKKOS_FUNCTION Uniform(Real a, Real b)
      : first_(has_first ? a : next_up(a)),
        last_(has_last ? b : -next_up(-b)),
        low_(a),
        width_(detail::sum(b, -a)),
        is_unit_(false) {
    RIVULET_ASSERT(a < b && width_ * 0 == 0 && first_ <= last_,
                   "Uniform(a, b) needs a < b and a finite b - a.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Rng& rng) const {
    const Real unit = detail::draw_number<Real, interval>(rng);
    if (is_unit_) return unit;
    const Real value = detail::sum(low_, detail::product(width_, unit));
    const Real not_below = value < first_ ? first_ : value;
    return not_below > last_ ? last_ : not_below;
  }

 private:
  static constexpr bool has_first =
      interval == Interval::closed_open || interval == Interval::closed;
  static constexpr bool has_last =
      interval == Interval::open_closed || interval == Interval::closed;

  /// Returns the next number above a finite x.
  KOKKOS_FUNCTION static Real next_up(Real x) {
    using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
    if (x == 0) return detail::bits_as<Real>(Bits{1});
    const Bits bits = detail::bits_as<Bits>(x);
    return detail::bits_as<Real>(x > 0 ? bits + 1 : bits - 1);
  }

  Real first_ = 0;  ///< the smallest number of the interval
  Real last_ = 1;   ///< the largest number of the interval
  Real low_ = 0;
  Real width_ = 1;
  bool is_unit_ = true;
};

}  // namespace rivulet
