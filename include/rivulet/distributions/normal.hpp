// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {
namespace detail {

// The inverse of the standard normal distribution function: algorithm AS 241 (M. J. Wichura,
// Appl. Statist. 37 (1988) 477), PPND16 and, in single precision, PPND7, with their coefficients.
// q = u - 1/2, and r = sqrt(-log(u or 1 - u, the smaller)).

KOKKOS_FORCEINLINE_FUNCTION double normal_middle(double q) {
  const double r = 0.180625 - product(q, q);
  const double above =
      polynomial(r, 3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
                 1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                 3.3430575583588128105e+4, 2.5090809287301226727e+3);
  const double below =
      polynomial(r, 1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2,
                 5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
                 2.8729085735721942674e+4, 5.2264952788528545610e+3);
  return product(q, quotient(above, below));
}

KOKKOS_FORCEINLINE_FUNCTION double normal_tail(double r) {
  if (r <= 5) {
    const double x = r - 1.6;
    const double above =
        polynomial(x, 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                   3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                   2.27238449892691845833e-2, 7.74545014278341407640e-4);
    const double below =
        polynomial(x, 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
                   6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                   5.47593808499534494600e-4, 1.05075007164441684324e-9);
    return quotient(above, below);
  }
  const double x = r - 5;
  const double above =
      polynomial(x, 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                 2.71155556874348757815e-5, 2.01033439929228813265e-7);
  const double below =
      polynomial(x, 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                 1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                 1.42151175831644588870e-7, 2.04426310338993978564e-15);
  return quotient(above, below);
}

KOKKOS_FORCEINLINE_FUNCTION float normal_middle(float q) {
  const float r = 0.180625F - product(q, q);
  const float above =
      polynomial(r, 3.3871327179F, 5.0434271938E+1F, 1.5929113202E+2F, 5.9109374720E+1F);
  const float below = polynomial(r, 1.0F, 1.7895169469E+1F, 7.8757757664E+1F, 6.7187563600E+1F);
  return product(q, quotient(above, below));
}

/// For r up to 5; numbers of 24 bits reach 4.1.
KOKKOS_FORCEINLINE_FUNCTION float normal_tail(float r) {
  const float x = r - 1.6F;
  return quotient(polynomial(x, 1.4234372777F, 2.7568153900F, 1.3067284816F, 1.7023821103E-1F),
                  polynomial(x, 1.0F, 7.3700164250E-1F, 1.2021132975E-1F));
}

/// 0 < u < 1.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real standard_normal(Real u) {
  const Real q = u - Real{0.5};
  const Real distance = q < 0 ? -q : q;
  if (distance <= static_cast<Real>(0.425)) return normal_middle(q);
  const Real tail = normal_tail(square_root(minus_log(Real{0.5} - distance)));
  return q < 0 ? -tail : tail;
}

}  // namespace detail

/// Normally distributed numbers, by inversion of one uniform number in (0, 1): the number of draws
/// is constant, and the numbers are symmetric about the mean, within 8.2 sigma (double; float 5.3).
template <class Real = double>
class Normal {
 public:
  static_assert(detail::is_real<Real>, "this distribution makes float or double");
  using result_type = Real;

  /// sigma >= 0: the standard deviation.
  KOKKOS_FORCEINLINE_FUNCTION explicit Normal(Real mean = 0, Real sigma = 1)
      : mean_(mean), sigma_(sigma) {
    RIVULET_ASSERT(sigma >= 0, "Normal(mean, sigma) has a standard deviation.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Rng& rng) const {
    const Real unit = detail::draw_number<Real, Interval::open>(rng);
    return detail::sum(mean_, detail::product(sigma_, detail::standard_normal(unit)));
  }

 private:
  Real mean_;
  Real sigma_;
};

}  // namespace rivulet
