// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/distributions/normal.hpp"

// Distributions based on gamma variables. With Real = float, they draw float numbers, compute in
// double precision and round the result.

namespace rivulet {
namespace detail {

/// Gamma variables with scale 1, by rejection from a cubed normal variable (G. Marsaglia & W. W.
/// Tsang, ACM Trans. Math. Softw. 26 (2000) 363). A trial draws two numbers; the average number of
/// trials falls from 1.05 for shape 1 to 1 for large shapes. For a shape below 1, the call operator
/// returns a variable whose shape is larger by 1; the caller must multiply it by exp(-boost()),
/// where boost() draws one more number.
template <class Real>
class UnitGamma {
 public:
  /// Requires 2^-50 <= shape <= 2^50. Other shapes give NaN.
  KOKKOS_FUNCTION explicit UnitGamma(double shape) {
    const double sealed_shape = sealed(shape);
    const bool is_valid = shape >= 0x1p-50 && shape <= 0x1p50;
    RIVULET_ASSERT(
        is_valid,
        "Gamma and Beta need a shape, and ChiSquare and Student half the degrees of freedom, "
        "from 2^-50 to 2^50.");
    inverse_ = shape < 1 ? quotient(1.0, sealed_shape) : 0;
    d_ = is_valid ? (shape < 1 ? sealed_shape + 1 : sealed_shape) - 1.0 / 3 : NAN;
    c_ = quotient(1.0, square_root(product(9.0, d_)));
  }

  template <class Rng>
  KOKKOS_FUNCTION double operator()(Rng& rng) const {
    double cube = 0;
    bool is_rejected = false;
    do {
      const double x = draw_normal<Real>(rng);
      const double u = draw_number<Real, Interval::open>(rng);
      const double root = 1 + product(c_, x);
      cube = product(product(root, root), root);
      is_rejected = root <= 0 || is_outside(product(x, x), cube, u);
    } while (is_rejected);
    return product(d_, cube);
  }

  /// Returns -log of the factor for shapes below 1. For other shapes, returns 0 and draws no
  /// number.
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION double boost(Rng& rng) const {
    if (inverse_ == 0) return 0;
    const double log_u = minus_log(static_cast<double>(draw_number<Real, Interval::open>(rng)));
    return product(inverse_, log_u);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool is_outside(double square, double cube, double u) const {
    if (u < 1 - product(0.0331, product(square, square))) return false;
    return -minus_log(u) >= 0.5 * square + product(d_, 1 - cube - minus_log(cube));
  }

  double d_;        ///< d of the paper
  double c_;        ///< c of the paper
  double inverse_;  ///< 1 / shape for a shape below 1, else 0
};

/// Returns scale * x * exp(power), even if exp(power) alone leaves the range of normal numbers.
KOKKOS_FORCEINLINE_FUNCTION double scaled(double scale, double x, double power) {
  if (power == 0) return product(scale, x);  // shapes from 1 on
  if (power > -700 && power < 700) return product(scale, product(x, exp_of(power)));
  const double root = exp_of(0.5 * power);
  return product(product(scale, product(x, root)), root);
}

}  // namespace detail

/// Gamma-distributed numbers, whose mean is shape * scale: `Gamma(2.5, 1.0)(rng)`. Needs on average
/// 1 to 1.05 trials of two numbers each. A shape below 1 needs one more number, and its smallest
/// results may be rounded to 0.
template <class Real = double>
class Gamma {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires 2^-50 <= shape <= 2^50 and scale > 0. Other parameters give NaN.
  KOKKOS_FUNCTION explicit Gamma(Real shape, Real scale = 1)
      : gamma_(shape), scale_(scale > 0 ? scale : NAN) {
    RIVULET_ASSERT(scale > 0, "Gamma(shape, scale) needs scale > 0.");
  }

  template <class Rng>
  KOKKOS_FUNCTION Real operator()(Rng& rng) const {
    const double number = gamma_(rng);
    return static_cast<Real>(detail::scaled(scale_, number, -gamma_.boost(rng)));
  }

 private:
  detail::UnitGamma<Real> gamma_;
  double scale_;
};

/// Chi-square numbers, `ChiSquare(3.0)(rng)`: twice a Gamma whose shape is half the degrees of
/// freedom.
template <class Real = double>
class ChiSquare : public Gamma<Real> {
 public:
  /// Requires 2^-49 <= degrees <= 2^51. Other degrees give NaN.
  KOKKOS_FUNCTION explicit ChiSquare(Real degrees) : Gamma<Real>(degrees / 2, 2) {}
};

/// Student's t, `Student(5.0)(rng)`, computed from a normal variable and a Gamma whose shape is
/// half the degrees of freedom. Draws one number, then makes on average 1 to 1.05 trials of two
/// numbers each. Fewer than two degrees of freedom need one more number. Below 0.1 degrees of
/// freedom, results may overflow to infinity.
template <class Real = double>
class Student {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires 2^-49 <= degrees <= 2^51. Other degrees give NaN.
  KOKKOS_FUNCTION explicit Student(Real degrees) : gamma_(degrees / 2), half_(degrees / 2) {}

  template <class Rng>
  KOKKOS_FUNCTION Real operator()(Rng& rng) const {
    const double z = detail::draw_normal<Real>(rng);
    const double spread = detail::square_root(detail::quotient(half_, gamma_(rng)));
    return static_cast<Real>(detail::scaled(1, detail::product(z, spread), gamma_.boost(rng) / 2));
  }

 private:
  detail::UnitGamma<Real> gamma_;
  double half_;
};

/// Beta-distributed numbers in [0, 1], `Beta(2.0, 3.0)(rng)`: x / (x + y) for two gamma variables x
/// and y with the shapes a and b. The quotient of the factors for shapes below 1 is computed from
/// their logarithms, so only results below Real's least positive number are 0. Each shape needs on
/// average 1 to 1.05 trials of two numbers each, and one more number if the shape is below 1.
template <class Real = double>
class Beta {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires a and b from 2^-50 to 2^50. Other parameters give NaN.
  KOKKOS_FUNCTION Beta(Real a, Real b) : a_(a), b_(b) {}

  template <class Rng>
  KOKKOS_FUNCTION Real operator()(Rng& rng) const {
    const double x = a_(rng);
    const double boost = a_.boost(rng);
    const double y = b_(rng);
    const double power = boost - b_.boost(rng);
    if (power > 600) return static_cast<Real>(detail::scaled(1, detail::quotient(x, y), -power));
    const double other = power == 0 ? y : detail::product(y, detail::exp_of(power));
    return static_cast<Real>(detail::quotient(x, x + other));
  }

 private:
  detail::UnitGamma<Real> a_;
  detail::UnitGamma<Real> b_;
};

}  // namespace rivulet
