// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {

/// Exponentially distributed numbers with a given mean (the standard library expects a rate):
/// `Exponential(2.0)(rng)`. The result is -mean log(u), where u is uniform in (0, 1]. It ranges
/// from 0 to 36.7 times the mean for double (33.3 times with 48-bit numbers), and to 16.6 times for
/// float. Always draws one number of type Real.
template <class Real = double>
class Exponential {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires mean > 0, for example a mean free path or a lifetime. A mean of 0 gives 0, and a
  /// negative mean gives negative numbers.
  KOKKOS_FORCEINLINE_FUNCTION explicit Exponential(Real mean = 1) : mean_(mean) {
    RIVULET_ASSERT(mean > 0, "Exponential(mean) needs mean > 0.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Rng& rng) const {
    const Real unit = detail::draw_number<Real, Interval::open_closed>(rng);
    return detail::product(mean_, detail::minus_log(unit));
  }

 private:
  Real mean_;
};

}  // namespace rivulet
