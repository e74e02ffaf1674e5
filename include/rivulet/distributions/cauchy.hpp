// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {

/// Cauchy-distributed (Breit-Wigner) numbers, location + scale tan(pi (u - 1/2)). Always draws one
/// number u. Results differ from the location by at most 2.9e15 times the scale (5.4e6 times for
/// float). Example: `Cauchy(91.19, 1.25)(rng)`.
template <class Real = double>
class Cauchy {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires scale > 0 (the half width at half maximum). Other scales give NaN.
  KOKKOS_FUNCTION explicit Cauchy(Real location = 0, Real scale = 1)
      : location_(location), scale_(scale > 0 ? scale : NAN) {
    RIVULET_ASSERT(scale > 0, "Cauchy(location, scale) needs scale > 0.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Rng& rng) const {
    const double unit = detail::draw_number<Real, Interval::open>(rng);
    const auto [sin, cos] = detail::sin_cos_of_turns(0.5 * unit);
    const double tangent = detail::quotient(-cos, sin);
    return static_cast<Real>(detail::sum(location_, detail::product(scale_, tangent)));
  }

 private:
  double location_;
  double scale_;
};

/// Angles, in radians, with the von Mises distribution about a mean. Apart from rounding, they
/// differ from the mean by at most pi. Their density is proportional to exp(concentration cos(angle
/// - mean)). Uses rejection from the wrapped Cauchy distribution (D. J. Best & N. I. Fisher, Appl.
/// Statist. 28 (1979) 152), with on average 1 (concentration 0) to 1.52 (large concentration)
/// trials of two numbers each. Example: `VonMises(0.0, 2.0)(rng)`.
template <class Real = double>
class VonMises {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires 0 <= concentration <= 2^100. Other values give NaN.
  KOKKOS_FUNCTION VonMises(Real mean, Real concentration) : mean_(mean) {
    const double k = detail::sealed(static_cast<double>(concentration));
    const bool is_valid = k >= 0 && k <= 0x1p100;
    RIVULET_ASSERT(is_valid,
                   "VonMises(mean, concentration) needs a concentration from 0 to 2^100.");
    // Best and Fisher's tau, rho = 2 k / (tau + sqrt(2 tau)) and r = (1 + rho^2) / (2 rho) are
    // computed without the cancellation in the paper's formulas.
    const double root = detail::square_root(1 + 4 * detail::product(k, k));
    const double tau = 1 + root;
    const double sum = tau + detail::square_root(2 * tau);
    const double rest = detail::quotient(1.0, root + 2 * k) + 1 + detail::square_root(2 * tau);
    const double gap = detail::quotient(rest, sum);  // 1 - rho
    k_ = k;
    if (!is_valid) mean_ = k_ = NAN;  // NaN also ends the trials
    least_ = 0.25 * detail::product(sum, detail::product(gap, gap));
    slope_ = detail::quotient(gap, 2 - gap);
  }

  template <class Rng>
  KOKKOS_FUNCTION Real operator()(Rng& rng) const {
    double half_angle = 0;
    double c = 0;
    double v = 0;
    bool is_left = false;
    do {
      // tan(angle / 2) of the wrapped Cauchy angle is slope_ times that of a uniform angle.
      const double unit = 2 * double(detail::draw_number<Real, Interval::open>(rng)) - 1;
      v = detail::draw_number<Real, Interval::open>(rng);
      is_left = unit < 0;
      const auto [sin, cos] = detail::sin_cos_of_turns(0.25 * (is_left ? -unit : unit));
      const double y = detail::product(slope_, sin);
      const double square = detail::product(y, y);
      const double part = detail::quotient(square, square + detail::product(cos, cos));
      c = least_ + 2 * detail::product(k_, part);  // k (r - cos(angle))
      half_angle = detail::angle_of(cos, y);
    } while (is_outside(c, v));
    const double angle = is_left ? -2 * half_angle : 2 * half_angle;
    return static_cast<Real>(detail::sum(mean_, angle));
  }

 private:
  /// Returns true if v > c exp(1 - c).
  KOKKOS_FORCEINLINE_FUNCTION static bool is_outside(double c, double v) {
    if (detail::product(c, 2 - c) > v) return false;
    return detail::minus_log(v) < c - 1 + detail::minus_log(c);
  }

  double mean_;
  double k_;      ///< the concentration
  double least_;  ///< k (r - 1)
  double slope_;  ///< (1 - rho) / (1 + rho)
};

/// n nonnegative numbers with the sum 1 (up to rounding), uniform on the simplex:
/// `Simplex<double>(3)(rng, numbers)`. Divides n exponential variables, each made from one uniform
/// number, by their sum.
template <class Real = double>
class Simplex {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");

  /// Requires n > 0.
  KOKKOS_FUNCTION explicit Simplex(int n) : n_(n) {
    RIVULET_ASSERT(n > 0, "Simplex(n) needs n > 0.");
  }

  /// Writes numbers[0 .. n - 1].
  template <class Rng>
  KOKKOS_FUNCTION void operator()(Rng& rng, Real* numbers) const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) {
      numbers[i] = detail::minus_log(detail::draw_number<Real, Interval::open>(rng));
      sum += static_cast<double>(numbers[i]);
    }
    for (int i = 0; i < n_; ++i) {
      numbers[i] = static_cast<Real>(detail::quotient(static_cast<double>(numbers[i]), sum));
    }
  }

 private:
  int n_;
};

}  // namespace rivulet
