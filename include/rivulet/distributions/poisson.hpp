// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/math.hpp"
#include "rivulet/distributions/normal.hpp"

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

/// Returns -log of the probability of the count k, a whole number. For k >= 10, the function uses
/// C. Loader's saddle-point expansion ("Fast and accurate computation of binomial probabilities",
/// 2000), whose large terms do not cancel.
RIVULET_RARE_FUNCTION double poisson_exponent(double k, double mean) {
  return with_fma<PoissonExponent>(k, mean);
}

/// Inversion by a search from 0: returns the first count at which the sum of probabilities exceeds
/// u, a number in [0, 1). `probability` is the probability of 0, and ratio(k) is the
/// probability of k divided by that of k - 1. The search stops at `most`, because the rounded sum
/// may never exceed the largest u, 1 - 2^-53. (For means below 10, counts above 60 have a
/// probability below 1e-26.)
template <class Ratio>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t search_from_0(double u, double probability, int most,
                                                        const Ratio& ratio) {
  int k = 0;
  while (u >= probability && k < most) {
    u -= probability;  // what remains of the number
    ++k;
    probability = product(probability, ratio(double(k)));
  }
  return static_cast<std::uint64_t>(k);
}

/// Offsets of Poisson counts from the whole part of their mean, for means of at least 10, in single
/// precision. Let w be the normal quantile of u, and s = w / sqrt(mean). The Poisson quantile is
/// mean + sqrt(mean) w + w^2 a(s) + c0(s) + c1(s) / mean + O(1 / mean^2), and its floor is the
/// count (M. B. Giles, ACM Trans. Math. Softw. 42 (2016) 7). scripts/make_law_tables fits
/// polynomials to a, c0 and c1 for s between -1/2 and 0.9.
struct PoissonOffset {
  float root = 0;      ///< sqrt(mean)
  float inverse = 0;   ///< 1 / root
  float fraction = 0;  ///< fractional part of the mean
  float constant = 0;  ///< constant coefficient of c0 + c1 / mean
  float linear = 0;    ///< linear coefficient of c0 + c1 / mean
  float margin = 1;    ///< bound of the quantile's error

  static constexpr std::int32_t unknown = INT32_MIN;

  /// Returns the offset of the count for a uniform number u. Returns `unknown` if the polynomials
  /// do not apply, or if the quantile is within `margin` of an integer.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t operator()(double u) const {
    return from_halves(static_cast<float>(u - 0.5), static_cast<float>(0.5 - magnitude(u - 0.5)));
  }

  /// Computes the offset, given u - 1/2 and the smaller of u and 1 - u.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t from_halves(float q, float v) const {
    const float w = normal_middle(q, v < 0x1p-24F ? 0x1p-24F : v);
    const float s = w * inverse;
    const float a = polynomial(s, 0x1.55554ep-3F, -0x1.c70558p-7F, 0x1.e5753cp-9F, -0x1.665afep-10F,
                               0x1.346fdap-11F, -0x1.6a4bacp-13F);
    const float c =
        polynomial(s, constant, linear, 0x1.209d66p-7F, -0x1.ea0cdcp-9F, 0x1.349288p-10F);
    const float quantile = fraction + fused(w, fused(w, a, root), c);
    const float count = ::floorf(quantile);
    const float above = quantile - count;
    const bool is_known =
        (v >= 0x1p-24F) & (s >= -0.5F) & (s <= 0.9F) & (above >= margin) & (above <= 1 - margin);
    return is_known ? static_cast<std::int32_t>(count) : unknown;
  }
};

/// The Poisson count for a uniform number u and a mean of at least 10, in double precision. If the
/// error of the quantile could change its floor, the count is found from sums of probabilities.
/// Means above 2^20 need no sums: the error, at most 1e-8, changes one count in 10^8.
struct PoissonQuantile {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double u, double mean) const {
    const double w = sealed(StandardNormal{}(u));
    const double root = square_root(mean);
    const double s = quotient(w, root);
    if (s < -0.5) {  // w > -8.3, so the mean is below 280
      return static_cast<double>(
          search_from_0(u, Exp{}(-mean), 280, [mean](double k) { return quotient(mean, k); }));
    }
    if (s > 0.9) return from(::floor(product(mean, 1 + s + product(0.1, product(s, s)))), u, mean);
    const double a =
        polynomial(s, 0x1.555555555557ep-3, -0x1.c71c71c6ea85ep-7, 0x1.e573ac8ec041cp-9,
                   -0x1.5ceb2498bc771p-10, 0x1.24cff029df99ep-11, -0x1.0e95e57495f31p-12,
                   0x1.0b1f89bd9dbf1p-13, -0x1.14c79f5b8be2bp-14, 0x1.29a62033c7754p-15,
                   -0x1.4883e2cb7d86dp-16, 0x1.6fe1879a13f0ep-17, -0x1.ae1035e5f11f0p-18,
                   0x1.16b1bbf55cfc4p-18, -0x1.60b6acba27f01p-19, 0x1.3a3e4cd72f8a1p-20,
                   -0x1.02ff4b704b616p-22);
    const double c0 =
        polynomial(s, 0x1.555555554f053p-2, -0x1.c71c71d18f549p-6, 0x1.1b2e25675ea47p-7,
                   -0x1.cdda69d08b24dp-9, 0x1.b16f73c9881d4p-10, -0x1.bb91effa63a6fp-11,
                   0x1.e14bc1e98cb2cp-12, -0x1.0fb9cf0a05f45p-12, 0x1.398b3a7346277p-13,
                   -0x1.76ac50f2a99d0p-14, 0x1.f179fd37b1a93p-15, -0x1.507fa929578a8p-15,
                   0x1.4a5e52a69bd47p-16, -0x1.2cde2778a8b45p-18);
    const double c1 = polynomial(s, -0x1.43a86f69bdd94p-6, 0x1.1aa7b8f026d24p-6,
                                 -0x1.9dc1fc3e9e1e5p-7, 0x1.2860d13ccf57ep-7, -0x1.cef7be5747eafp-8,
                                 0x1.4611c6e687975p-8, -0x1.cd8f02d8022b1p-10);
    const double whole = ::floor(mean);
    const double quantile = mean - whole + fused(w, fused(w, a, root), c0 + quotient(c1, mean));
    const double nearest = ::floor(quantile + 0.5);
    const double margin = 1e-11 + quotient(2e-6 + quotient(0.01, mean), mean);
    const double off = quantile - nearest;
    if (mean > 0x1p20 || magnitude(off) > margin) return whole + ::floor(quantile);
    return from(whole + nearest - 1, u, mean);
  }

  /// Returns the count for u by a search from k. The count must be at least k.
  KOKKOS_FORCEINLINE_FUNCTION static double from(double k, double u, double mean) {
    double next = k + 1;
    double probability = Exp{}(-PoissonExponent{}(next, mean));
    double term = probability;
    if (u < 0.5) {
      double below = 0;  // P(count < next)
      for (double i = next; i > 0 && term > 0x1p-60 * below; --i) {
        term = quotient(product(term, i), mean);
        below += term;
      }
      for (; u >= below; ++next) {
        below += probability;
        probability = quotient(product(probability, mean), next + 1);
      }
    } else {
      double above = 0;  // P(count >= next)
      for (double i = next + 1; term > 0x1p-60 * above; ++i) {
        above += term;
        term = quotient(product(term, mean), i);
      }
      for (; 1 - u <= above; ++next) {
        above -= probability;
        probability = quotient(product(probability, mean), next + 1);
      }
    }
    return next - 1;
  }
};
RIVULET_RARE_FUNCTION double poisson_quantile(double u, double mean) {
  return with_fma<PoissonQuantile>(u, mean);
}

}  // namespace detail

/// Poisson-distributed counts, by inversion of one uniform double each: `Poisson(3.5)(rng)`. Means
/// below 10 use a search from 0; larger means use a corrected normal quantile (see PoissonOffset).
class Poisson {
 public:
  using result_type = std::uint64_t;

  /// Requires 0 <= mean <= 2^40. With other means, draws return 0.
  KOKKOS_FUNCTION explicit Poisson(double mean) : mean_(detail::sealed(mean)) {
    RIVULET_ASSERT(mean >= 0 && mean <= 0x1p40, "Poisson(mean) needs a mean from 0 to 2^40.");
    if (!(mean_ >= 0 && mean_ <= 0x1p40)) mean_ = 0;
    if (mean_ < least_for_quantile) {
      none_ = detail::exp_of(-mean_);
      return;
    }
    whole_ = static_cast<std::uint64_t>(mean_);
    const double root = detail::square_root(mean_);
    const double inverse = detail::quotient(1.0, mean_);
    offset_ = {
        .root = static_cast<float>(root),
        .inverse = static_cast<float>(detail::quotient(1.0, root)),
        .fraction = static_cast<float>(mean_ - static_cast<double>(whole_)),
        .constant = static_cast<float>(detail::fused(inverse, -0x1.67c2e8p-6, 0x1.5553b6p-2)),
        .linear = static_cast<float>(detail::fused(inverse, 0x1.dbd19p-7, -0x1.c6f6cp-6)),
        .margin =
            static_cast<float>(detail::fused(0.006, inverse, detail::fused(3e-6, root, 2e-5)))};
  }

  template <class Rng>
  KOKKOS_FUNCTION std::uint64_t operator()(Rng& rng) const {
    return of_uniform(detail::draw_number<double, Interval::open>(rng));
  }

  /// Returns the count for a uniform number u, 0 < u < 1: the least count k for which the
  /// probability of 0 .. k exceeds u.
  KOKKOS_FUNCTION std::uint64_t of_uniform(double u) const {
    return of_offset(mean_ < least_for_quantile ? detail::PoissonOffset::unknown : offset_(u), u);
  }

  /// Returns the count of u, given offset()(u).
  KOKKOS_FUNCTION std::uint64_t of_offset(std::int32_t offset, double u) const {
    if (offset != detail::PoissonOffset::unknown) {
      return whole_ + static_cast<std::uint64_t>(std::int64_t{offset});
    }
    if (mean_ >= least_for_quantile) {
      return static_cast<std::uint64_t>(detail::poisson_quantile(u, mean_));
    }
    return detail::search_from_0(u, none_, 64,
                                 [mean = mean_](double k) { return detail::quotient(mean, k); });
  }
  const detail::PoissonOffset& offset() const { return offset_; }

 private:
  static constexpr double least_for_quantile = 10;

  double mean_;
  double none_ = 1;          ///< for the search: the probability of 0
  std::uint64_t whole_ = 0;  ///< whole part of the mean
  detail::PoissonOffset offset_;
};

}  // namespace rivulet
