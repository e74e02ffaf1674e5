// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {
namespace detail {

struct PoissonExponent {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double k, double mean) const {
    constexpr double ln_sqrt_2pi = 0.91893853320467274178;
    if (k < 10) {
      double weight = 1;  // mean^k / k!
      for (double i = 1; i <= k; ++i) weight = quotient(product(weight, mean), i);
      return mean + MinusLog{}(weight);
    }
    const double off = k - mean;
    const double v = quotient(off, k + mean);
    const double square = product(v, v);
    double deviance = 0;  // k log(k / mean) + mean - k
    if (square < 0.01) {
      // log(k / mean) = 2 artanh(v), by its series; the error is 0.01^9 / 19.
      const double series = polynomial(square, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11,
                                       1.0 / 13, 1.0 / 15, 1.0 / 17);
      deviance = product(off, v) + product(product(2 * k, v), product(square, series));
    } else {
      deviance = -product(k, MinusLog{}(quotient(k, mean))) - off;
    }
    // Stirling's series for log k!, to 7e-15 at k = 10.
    const double inverse = quotient(1.0, k);
    const double stirling =
        product(inverse, polynomial(product(inverse, inverse), 1.0 / 12, -1.0 / 360, 1.0 / 1260,
                                    -1.0 / 1680, 1.0 / 1188));
    return deviance + stirling - product(0.5, MinusLog{}(k)) + ln_sqrt_2pi;
  }
};

/// Returns -log of the probability of k = 0, 1, ... (a double). For k >= 10, the function uses C.
/// Loader's saddle-point expansion ("Fast and accurate computation of binomial probabilities",
/// 2000), whose large terms do not cancel.
RIVULET_RARE_FUNCTION double poisson_exponent(double k, double mean) {
  return with_fma<PoissonExponent>(k, mean);
}

/// Hoermann's transformed rejection with squeeze, in his notation (v_r is the squeeze): PTRS for
/// Poisson counts, and BTRS for binomial counts.
struct TransformedRejection {
  double b = 0;
  double a = 0;
  double factor = 0;  ///< factor of v: 1 / alpha of PTRS, alpha of BTRS
  double squeeze = 0;

  /// Draws a count k of at most `most`. Its probability is exp(-exponent(k)) for PTRS, and
  /// proportional to that for BTRS. If end < narrow, v > end is rejected at once; for BTRS, narrow
  /// is 0.
  template <class Rng, class Exponent>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(Rng& rng, double mean, double shift,
                                                       double most, double narrow,
                                                       const Exponent& exponent) const {
    for (;;) {
      const double u = draw_number<double, Interval::open>(rng) - 0.5;
      const double v = draw_number<double, Interval::open>(rng);
      const double end = 0.5 - (u < 0 ? -u : u);
      const double slope = quotient(2 * a, end) + b;
      const double k = ::floor(product(slope, u) + mean + shift);
      if (end >= 0.07 && v <= squeeze) return static_cast<std::uint64_t>(k);
      if (k < 0 || k > most || (end < narrow && v > end)) continue;
      const double hat = quotient(a, product(end, end)) + b;
      if (minus_log(quotient(product(v, factor), hat)) >= exponent(k)) {
        return static_cast<std::uint64_t>(k);
      }
    }
  }
};

/// Inversion for a mean below 10: returns the first count at which the sum of probabilities exceeds
/// `left`, a number in [0, 1). `probability` is the probability of 0, and ratio(k) is the
/// probability of k divided by that of k - 1. The search stops at `most`, because the rounded sum
/// may never exceed the largest `left`, 1 - 2^-53. Counts above 60 have a probability below 1e-26.
template <class Ratio>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t search_from_0(double left, double probability, int most,
                                                        const Ratio& ratio) {
  int k = 0;
  while (left >= probability && k < most) {
    left -= probability;
    ++k;
    probability = product(probability, ratio(double(k)));
  }
  return static_cast<std::uint64_t>(k);
}

}  // namespace detail

/// Poisson-distributed counts: `Poisson(3.5)(rng)`. Means below 10 use inversion: one uniform
/// double and a search from 0. Larger means use Hoermann's transformed rejection with squeeze
/// (PTRS; Insurance: Mathematics and Economics 12 (1993) 39): on average 1.33 (mean 10) to 1.12
/// (large) trials of two doubles.
class Poisson {
 public:
  using result_type = std::uint64_t;

  /// Requires 0 <= mean <= 2^40. With other means, draws return 0.
  KOKKOS_FUNCTION explicit Poisson(double mean) : mean_(detail::sealed(mean)) {
    RIVULET_ASSERT(mean >= 0 && mean <= 0x1p40, "Poisson(mean) needs a mean from 0 to 2^40.");
    if (!(mean_ >= 0 && mean_ <= 0x1p40)) mean_ = 0;
    if (mean_ < least_for_rejection) {
      none_ = detail::exp_of(-mean_);
      return;
    }
    const double b = 0.931 + detail::product(2.53, detail::square_root(mean_));
    rejection_ = {b, -0.059 + detail::product(0.02483, b),
                  1.1239 + detail::quotient(1.1328, b - 3.4),
                  0.9277 - detail::quotient(3.6224, b - 2)};
  }

  template <class Rng>
  KOKKOS_FUNCTION std::uint64_t operator()(Rng& rng) const {
    const double mean = mean_;
    if (mean < least_for_rejection) {
      return detail::search_from_0(detail::draw_number<double>(rng), none_, 64,
                                   [mean](double k) { return detail::quotient(mean, k); });
    }
    return rejection_(rng, mean, 0.43, 0x1p63, 0.013,
                      [mean](double k) { return detail::poisson_exponent(k, mean); });
  }

 private:
  static constexpr double least_for_rejection = 10;  // PTRS' constants are for means >= 10

  double mean_;
  double none_ = 1;  ///< for inversion: the probability of 0
  detail::TransformedRejection rejection_;
};

}  // namespace rivulet
