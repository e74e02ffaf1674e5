// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/distributions/poisson.hpp"

namespace rivulet {
namespace detail {

/// Hoermann's transformed rejection with squeeze (BTRS). His symbols are b, a, alpha (`factor`) and
/// v_r (`squeeze`).
struct TransformedRejection {
  double b = 0;
  double a = 0;
  double factor = 0;  ///< multiplies v
  double squeeze = 0;

  /// Draws a count k, at most `most`, with a probability proportional to exp(-exponent(k)).
  template <class Rng, class Exponent>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(Rng& rng, double mean, double most,
                                                       const Exponent& exponent) const {
    for (;;) {
      const double u = draw_number<double, Interval::open>(rng) - 0.5;
      const double v = draw_number<double, Interval::open>(rng);
      const double end = 0.5 - (u < 0 ? -u : u);
      const double slope = quotient(2 * a, end) + b;
      const double k = ::floor(product(slope, u) + mean + 0.5);
      if (end >= 0.07 && v <= squeeze) return static_cast<std::uint64_t>(k);
      if (k < 0 || k > most) continue;
      const double hat = quotient(a, product(end, end)) + b;
      if (minus_log(quotient(product(v, factor), hat)) >= exponent(k)) {
        return static_cast<std::uint64_t>(k);
      }
    }
  }
};

}  // namespace detail

/// The number of successes in n trials with probability p: `Binomial(100, 0.3)(rng)`. Let q =
/// min(p, 1 - p). If n q < 10, a draw uses inversion: one uniform double and a search from 0. For
/// larger n q, it uses Hoermann's transformed rejection with squeeze (BTRS; J. Statist. Comput.
/// Simul. 46 (1993) 101), with on average 1.5 (n q = 10) to 1.15 (large n q) trials of two doubles.
class Binomial {
 public:
  using result_type = std::uint64_t;

  /// Requires n <= 2^50 and 0 <= probability <= 1. With other parameters, draws return 0.
  KOKKOS_FUNCTION Binomial(std::uint64_t n, double probability)
      : n_(static_cast<double>(n)), is_mirrored_(probability > 0.5) {
    double p = detail::sealed(probability);
    const bool is_valid = n <= std::uint64_t{1} << 50 && p >= 0 && p <= 1;
    RIVULET_ASSERT(is_valid, "Binomial(n, p) needs n <= 2^50 and p from 0 to 1.");
    if (!is_valid) {
      n_ = 0;
      p = 0;
    }
    const double q = is_mirrored_ ? 1 - p : p;
    mean_ = detail::product(n_, q);
    if (mean_ < least_for_rejection) {
      none_ = detail::exp_of(-detail::product(n_, detail::minus_log1m(q)));
      odds_ = detail::quotient(q, 1 - q);
      return;
    }
    const double spread = detail::square_root(detail::product(mean_, 1 - q));
    const double b = 1.15 + detail::product(2.53, spread);
    rejection_ = {b, -0.0873 + detail::product(0.0248, b) + detail::product(0.01, q),
                  detail::product(2.83 + detail::quotient(5.1, b), spread),
                  0.92 - detail::quotient(4.2, b)};
    top_ = exponent(::floor(mean_ + q));
  }

  template <class Rng>
  KOKKOS_FUNCTION std::uint64_t operator()(Rng& rng) const {
    const std::uint64_t k = mean_ < least_for_rejection ? by_search(rng) : by_rejection(rng);
    return is_mirrored_ ? static_cast<std::uint64_t>(n_) - k : k;
  }

 private:
  static constexpr double least_for_rejection = 10;  // BTRS' constants are for n q >= 10

  template <class Rng>
  KOKKOS_FUNCTION std::uint64_t by_search(Rng& rng) const {
    const double above = n_ + 1;
    const double odds = odds_;
    const int most = n_ < 64 ? static_cast<int>(n_) : 64;
    return detail::search_from_0(detail::draw_number<double>(rng), none_, most, [=](double k) {
      return detail::quotient(detail::product(odds, above - k), k);
    });
  }
  template <class Rng>
  KOKKOS_FUNCTION std::uint64_t by_rejection(Rng& rng) const {
    return rejection_(rng, mean_, n_, [this](double k) { return exponent(k) - top_; });
  }

  /// Returns -log of the probability of k successes, up to a constant. This is the probability that
  /// independent Poisson counts with means n q and n (1 - q) are k and n - k, given that they sum
  /// to n.
  KOKKOS_FUNCTION double exponent(double k) const {
    return detail::poisson_exponent(k, mean_) + detail::poisson_exponent(n_ - k, n_ - mean_);
  }

  double n_;
  double mean_ = 0;  ///< n q
  double none_ = 1;  ///< for inversion: the probability of 0
  double odds_ = 0;  ///< for inversion: q / (1 - q)
  double top_ = 0;   ///< for rejection: exponent() of the mode
  detail::TransformedRejection rejection_;
  bool is_mirrored_;
};

/// The multinomial distribution: the counts of n trials in cells with given weights. Draws a
/// binomial count for each cell, from the last to the second, while trials are left:
/// `Multinomial(n, cells, weights)(rng, counts)`.
class Multinomial {
 public:
  /// Requires n <= 2^50 and cells > 0. The weights, weights[0 .. cells - 1], must be finite, not
  /// negative, and not all 0; their scale is arbitrary. For other arguments, the counts are 0 or do
  /// not sum to n. The weights must outlive this object.
  KOKKOS_FUNCTION Multinomial(std::uint64_t n, int cells, const double* weights)
      : n_(n), cells_(cells), weights_(weights) {
    RIVULET_ASSERT(cells > 0, "Multinomial(n, cells, weights) needs cells > 0.");
  }

  /// Writes counts[0 .. cells - 1].
  template <class Rng>
  KOKKOS_FUNCTION void operator()(Rng& rng, std::uint64_t* counts) const {
    // Until counts[i] holds the cell's count, it holds the bits of the prefix sum of the weights up
    // to cell i. Sums of positive weights have no cancellation. If a sum overflows, the weights are
    // scaled down and summed again.
    double scale = 0x1p32;
    double sum = 0;
    do {
      scale *= 0x1p-32;
      sum = 0;
      for (int i = 0; i < cells_; ++i) {
        RIVULET_ASSERT(weights_[i] >= 0, "Multinomial needs weights >= 0.");
        sum = detail::sum(sum, detail::product(scale, weights_[i]));
        counts[i] = detail::bits_as<std::uint64_t>(sum);
      }
    } while (sum == HUGE_VAL && scale == 1);
    RIVULET_ASSERT(sum > 0 && sum < HUGE_VAL,
                   "Multinomial needs weights with a positive, finite sum.");
    std::uint64_t left = n_;
    for (int i = cells_ - 1; i >= 0; --i) {
      const double weight = detail::product(scale, weights_[i]);
      const double before = i == 0 ? 0 : detail::bits_as<double>(counts[i - 1]);
      const double less = weight > before ? before : weight;  // p or, if it is large, 1 - p
      const double p = detail::quotient(less, detail::bits_as<double>(counts[i]));
      const std::uint64_t k = left == 0 || before == 0 ? 0 : Binomial(left, p)(rng);
      counts[i] = weight > before ? left - k : k;
      left -= counts[i];
    }
  }

 private:
  std::uint64_t n_;
  int cells_;
  const double* weights_;
};

/// The number of failures before the first success with probability p: `Geometric(0.1)(rng)`. The
/// result, floor(log u / log(1 - p)) for one uniform double u, is at most 36.8 / p.
class Geometric {
 public:
  using result_type = std::uint64_t;

  /// Requires 2^-58 <= p <= 1. With other p, draws return 0.
  KOKKOS_FUNCTION explicit Geometric(double p)
      : rate_(p >= 0x1p-58 && p < 1 ? detail::minus_log1m(p) : HUGE_VAL) {
    RIVULET_ASSERT(p >= 0x1p-58 && p <= 1, "Geometric(p) needs p from 2^-58 to 1.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()(Rng& rng) const {
    const double unit = detail::draw_number<double, Interval::open_closed>(rng);
    return static_cast<std::uint64_t>(detail::quotient(detail::minus_log(unit), rate_));
  }

 private:
  double rate_;
};

}  // namespace rivulet
