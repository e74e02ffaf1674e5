// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "rivulet/distributions/normal.hpp"

namespace rivulet {
namespace detail {

/// Computes exp(mu + sigma z).
struct ExpOfNormal {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double z, double mu, double sigma) const {
    return Exp{}(fused(sigma, z, mu));
  }
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float z, float mu, float sigma) const {
    const float high = fused(sigma, z, mu);
    return Exp{}(high, fused(sigma, z, mu - high));
  }
};

struct LogNormalOf {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real unit, Real mu, Real sigma) const {
    return ExpOfNormal{}(StandardNormal{}(unit), mu, sigma);
  }
};

}  // namespace detail

/// exp of a normal variable with mean mu and standard deviation sigma: `LogNormal(0.0, 0.5)(rng)`.
/// The variable is within 8.2 sigma of mu (float 5.3). Always draws one number of type Real. If exp
/// underflows or overflows, the result is 0 or infinite.
template <class Real = double>
class LogNormal {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires sigma >= 0. Other values give NaN.
  KOKKOS_FUNCTION explicit LogNormal(Real mu = 0, Real sigma = 1)
      : mu_(mu), sigma_(sigma >= 0 ? sigma : NAN) {
    RIVULET_ASSERT(sigma >= 0, "LogNormal(mu, sigma) needs sigma >= 0.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Rng& rng) const {
    const Real unit = detail::draw_number<Real, Interval::open>(rng);
    return detail::sealed(detail::with_fma<detail::LogNormalOf>(unit, mu_, sigma_));
  }

 private:
  Real mu_;
  Real sigma_;
};

/// Normal variables between two bounds, which may be arbitrarily far from the mean:
/// `TruncatedNormal(0.0, 1.0, 4.0, 5.0)(rng)`. Uses rejection (C. P. Robert, Statist. Comput. 5
/// (1995) 121). If the bounds are on both sides of the mean and at least 2.5 sigma apart, a trial
/// draws one number for a normal variable. Otherwise a trial draws two numbers, for an exponential
/// or a uniform variable. On average there are at most 2.1 trials.
template <class Real = double>
class TruncatedNormal {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires sigma > 0 and low < high. Either bound may be infinite. If both bounds are on one
  /// side of the mean, the nearer one must be less than 2^500 sigma away. Other parameters give
  /// NaN. Results are in [low, high].
  KOKKOS_FUNCTION TruncatedNormal(Real mean, Real sigma, Real low, Real high)
      : mean_(mean), sigma_(sigma), low_(low), high_(high) {
    const double from = detail::quotient(detail::sum(double(low), -double(mean)), double(sigma));
    const double upto = detail::quotient(detail::sum(double(high), -double(mean)), double(sigma));
    is_mirrored_ = upto <= 0;
    first_ = is_mirrored_ ? -upto : from;
    last_ = is_mirrored_ ? -from : upto;
    const bool is_valid = sigma > 0 && low < high && first_ < 0x1p500 && last_ >= first_;
    RIVULET_ASSERT(is_valid,
                   "TruncatedNormal(mean, sigma, low, high) needs low < high, sigma > 0.");
    if (!is_valid) mean_ = first_ = last_ = NAN;       // NaN also ends the trials
    range_ = detail::sum(double(high), -double(low));  // last_ - first_ may be 0
    width_ = detail::quotient(range_, sigma_);
    is_far_ = first_ >= 8 || (first_ >= 0 && width_ < 0x1p-10);
    if (!is_far_) width_ = last_ - first_;
    choose();
  }

  template <class Rng>
  KOKKOS_FUNCTION Real operator()(Rng& rng) const {
    const double offset = method_ == Method::normal        ? by_normal(rng)
                          : method_ == Method::exponential ? by_exponential(rng)
                                                           : by_uniform(rng);
    // If the bounds are far from the mean, offsets are relative to a bound: sums with the mean
    // would lose digits.
    const double origin = !is_far_ ? mean_ : is_mirrored_ ? double(high_) : double(low_);
    const auto value = static_cast<Real>(detail::sum(origin, is_mirrored_ ? -offset : offset));
    const Real not_below = value < low_ ? low_ : value;
    return not_below > high_ ? high_ : not_below;
  }

 private:
  enum class Method { normal, exponential, uniform };

  KOKKOS_FUNCTION void choose() {
    constexpr double sqrt_2pi = 2.50662827463100050242;
    constexpr double sqrt_e = 1.64872127070012814685;
    const double square = detail::product(first_, first_);
    if (first_ < 0) {
      method_ = width_ < sqrt_2pi ? Method::uniform : Method::normal;
      above_ = square;
      return;
    }
    rate_ = 0.5 * (first_ + detail::square_root(square + 4));
    // Robert's bound (2.2), whose exponent is -first / (2 rate).
    const double bound = detail::exp_of(-0.5 * detail::quotient(first_, rate_));
    const bool is_short = width_ < detail::product(detail::quotient(sqrt_e, rate_), bound);
    method_ = is_short ? Method::uniform : Method::exponential;
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION static double draw(Rng& rng) {
    return detail::draw_number<Real, Interval::open>(rng);
  }
  // The by_ functions return the distance from the mean or, if is_far_, from the nearer bound.
  template <class Rng>
  KOKKOS_FUNCTION double by_normal(Rng& rng) const {
    double z = 0;
    do {
      z = detail::standard_normal(detail::draw_number<Real, Interval::open>(rng));
    } while (z < first_ || z > last_);
    return detail::product(sigma_, z);
  }
  template <class Rng>
  KOKKOS_FUNCTION double by_exponential(Rng& rng) const {
    double step = 0;
    bool is_rejected = false;
    do {
      const double steps = detail::minus_log(draw(rng));
      const double v = draw(rng);
      step = detail::quotient(steps, rate_);
      const double off = detail::quotient(steps - 1, rate_);  // z - rate, without cancellation
      is_rejected = step > width_ || 2 * detail::minus_log(v) < detail::product(off, off);
    } while (is_rejected);
    return detail::product(sigma_, is_far_ ? step : first_ + step);
  }
  template <class Rng>
  KOKKOS_FUNCTION double by_uniform(Rng& rng) const {
    double u = 0;
    double step = 0;
    double squares = 0;  // z^2, minus first_^2 if first_ >= 0
    double v = 0;
    do {
      u = draw(rng);
      step = detail::product(width_, u);
      v = draw(rng);
      squares = detail::product(step, step + 2 * first_) + above_;
    } while (2 * detail::minus_log(v) < squares);
    return is_far_ ? detail::product(range_, u) : detail::product(sigma_, first_ + step);
  }

  double mean_;
  double sigma_;
  Real low_;
  Real high_;
  double first_;  ///< lower bound in units of sigma from the mean, after mirroring
  double last_;   ///< upper bound, likewise
  double width_;  ///< distance between the bounds in units of sigma
  double range_;  ///< distance between the bounds
  double rate_ = 1;
  double above_ = 0;
  Method method_ = Method::uniform;
  bool is_mirrored_;
  bool is_far_;
};

/// n normal variables with a covariance L L^T: `MultivariateNormal(n, mean, factor)(rng, numbers)`.
template <class Real = double>
class MultivariateNormal {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");

  /// Requires n > 0. `mean` has n elements, and `factor` has the n * n elements of the covariance's
  /// lower Cholesky factor L. Row i of L is factor[n i .. n i + i] and determines number i;
  /// elements above the diagonal are not read. Both arrays must outlive this object. For n <= 0,
  /// draws are no-ops.
  KOKKOS_FUNCTION MultivariateNormal(int n, const Real* mean, const Real* factor)
      : n_(n), mean_(mean), factor_(factor) {
    RIVULET_ASSERT(n > 0, "MultivariateNormal(n, mean, factor) needs n > 0.");
  }

  /// Writes numbers[0 .. n - 1]. Always draws n uniform numbers.
  template <class Rng>
  KOKKOS_FUNCTION void operator()(Rng& rng, Real* numbers) const {
    for (int i = 0; i < n_; ++i) {
      numbers[i] = detail::standard_normal(detail::draw_number<Real, Interval::open>(rng));
    }
    for (int i = n_ - 1; i >= 0; --i) {  // in place: row i needs numbers 0 .. i
      Real sum = 0;
      for (int j = 0; j <= i; ++j) {
        sum += detail::product(factor_[static_cast<std::ptrdiff_t>(n_) * i + j], numbers[j]);
      }
      numbers[i] = detail::sum(mean_[i], sum);
    }
  }

 private:
  int n_;
  const Real* mean_;
  const Real* factor_;
};

}  // namespace rivulet
