// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/laws/distributions.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>

namespace rivulet::detail {
namespace {

using std::numbers::pi;
using std::numbers::sqrt2;

/// Returns term j of the limiting distribution P(A2 < z) of the Anderson-Darling statistic, in the
/// series of Marsaglia & Marsaglia, section 2. A term is an integral, expanded as a power series in
/// z / 8 whose coefficients have a three-term recursion.
double anderson_darling_term(double z, int j) {
  const double odd = 4 * j + 1;
  const double t = odd * odd * pi * pi / (8 * z);
  if (t > 150) return 0;
  double before = pi / sqrt2 * std::exp(-t) / std::sqrt(t);
  double coefficient = pi * std::sqrt(pi / 2) * std::erfc(std::sqrt(t));
  double power = z / 8;
  double sum = before + coefficient * power;
  for (int i = 1; i < 200; ++i) {
    const double next = ((i - 0.5 - t) * coefficient + t * before) / i;
    before = coefficient;
    coefficient = next;
    power *= z / (8 * (i + 1));
    const double last = sum;
    sum += coefficient * power;
    if (sum == last) break;
  }
  return sum;
}

double anderson_darling_limit(double z) {
  if (z < 0.01) return 0;  // P < 5e-53
  double factor = 1 / z;
  double sum = factor * anderson_darling_term(z, 0);
  for (int j = 1; j < 100; ++j) {
    factor *= (0.5 - j) / j;
    const double last = sum;
    sum += (4 * j + 1) * factor * anderson_darling_term(z, j);
    if (sum == last) break;
  }
  return sum;
}

/// Returns the correction of the limiting probability x for n values, from a fit in the same paper.
/// At x = 1, the fit is off by -0.0006 / n, which is many times the tail's probability. The added
/// straight line removes this error.
double anderson_darling_correction(double n, double x) {
  if (x > 0.8) {
    const double fit =
        -130.2137 +
        (745.2337 - (1705.091 - (1950.646 - (1116.360 - 255.7844 * x) * x) * x) * x) * x;
    return (fit + 0.0006 * (x - 0.8) / 0.2) / n;
  }
  const double crossing = 0.01265 + 0.1757 / n;
  if (x < crossing) {
    const double u = x / crossing;
    const double fit = std::sqrt(u) * (1 - u) * (49 * u - 102);
    return fit * (0.0037 / (n * n) + 0.00078 / n + 0.00006) / n;
  }
  const double u = (x - crossing) / (0.8 - crossing);
  const double fit =
      -0.00022633 + (6.54034 - (14.6538 - (14.458 - (8.259 - 1.91864 * u) * u) * u) * u) * u;
  return fit * (0.04213 + 0.01365 / n) / n;
}

/// Returns the B-spline values M_n(x + i) for i = 0 .. n - 1 and 0 <= x < 1. The values are
/// densities of the sum of n uniform numbers. The recursion has only positive terms.
std::vector<double> densities(int n, double x) {
  std::vector<double> values{1};
  for (int order = 2; order <= n; ++order) {
    values.push_back(0);
    for (int i = order - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      const double before = i == 0 ? 0 : values[at - 1];
      values[at] = ((x + i) * values[at] + (order - x - i) * before) / (order - 1);
    }
  }
  return values;
}

}  // namespace

double chi_square_p(double statistic, double degrees_of_freedom) {
  if (statistic <= 0) return 1;
  // Boost's series does not converge for this many degrees of freedom. Wilson & Hilferty's cube
  // root (Proc. Natl. Acad. Sci. 17 (1931) 684) is then normal to within 1 / degrees_of_freedom.
  if (degrees_of_freedom > 1e10) {
    const double variance = 2 / (9 * degrees_of_freedom);
    const double excess = (statistic - degrees_of_freedom) / degrees_of_freedom;
    return normal_p((std::expm1(std::log1p(excess) / 3) + variance) / std::sqrt(variance));
  }
  return boost::math::gamma_q(degrees_of_freedom / 2, statistic / 2);
}

double gamma_cdf(double shape, double x) { return boost::math::gamma_p(shape, x); }

double normal_p(double z) { return std::erfc(z / sqrt2) / 2; }

double normal_sum_p(std::span<const double> z) {
  const double sum = std::accumulate(z.begin(), z.end(), 0.0);
  return normal_p(sum / std::sqrt(static_cast<double>(z.size())));
}

Tails poisson_tails(std::uint64_t y, double mean) {
  if (mean == 0) return {1, y == 0 ? 1.0 : 0.0};
  const auto count = static_cast<double>(y);
  // Boost's terms overflow for such counts. By Chernoff's bound, the right tail is below
  // 10^-500.
  if (count > 2 * mean + 1000) return {1, 0};
  return {boost::math::gamma_q(count + 1, mean), y == 0 ? 1.0 : boost::math::gamma_p(count, mean)};
}

Tails binomial_tails(std::uint64_t y, std::uint64_t trials, double probability) {
  const auto k = static_cast<double>(y);
  const auto n = static_cast<double>(trials);
  return {y >= trials ? 1.0 : boost::math::ibetac(k + 1, n - k, probability),
          y == 0       ? 1.0
          : y > trials ? 0.0
                       : boost::math::ibeta(k, n - k + 1, probability)};
}

std::vector<double> binomial_masses(int trials, double probability) {
  std::vector<double> masses;
  for (int k = 0; k <= trials; ++k) {
    masses.push_back(boost::math::ibeta_derivative(k + 1.0, trials - k + 1.0, probability) /
                     (trials + 1.0));
  }
  return masses;
}

double discrete_p(Tails tails) {
  if (tails.right < tails.left) return tails.right;
  return tails.left > 0.5 ? 0.5 : 1 - tails.left;
}

AndersonDarling anderson_darling(std::vector<double> values) {
  // TestU01 uses the same bound to keep logarithms finite.
  constexpr double least = std::numeric_limits<double>::epsilon() / 2;
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double u = std::clamp(values[i], least, 1 - least);
    const double odd = 2 * static_cast<double>(i) + 1;
    sum += odd * std::log(u) + (2 * n - odd) * std::log1p(-u);
  }
  const double statistic = -n - sum / n;
  return {statistic, anderson_darling_p(values.size(), statistic)};
}

double anderson_darling_p(std::uint64_t n, double statistic) {
  if (n == 1) {
    const double q = 4 * std::exp(-statistic - 1);
    return q >= 1 ? 1 : q / (1 + std::sqrt(1 - q));
  }
  if (statistic > 10) return 1.732 * std::exp(-statistic) / std::sqrt(pi * statistic);
  const double limit = anderson_darling_limit(statistic);
  return std::clamp(1 - limit - anderson_darling_correction(static_cast<double>(n), limit), 0.0,
                    1.0);
}

double second_level_p(const std::vector<double>& values) {
  return values.size() == 1 ? 1 - values[0] : anderson_darling(values).p;
}

double sum_of_uniforms(int n, double x) {
  if (x <= 0) return 0;
  if (x >= n) return 1;
  if (2 * x > n) return 1 - sum_of_uniforms(n, n - x);
  const double whole = std::floor(x);
  const std::vector<double> values = densities(n + 1, x - whole);
  double sum = 0;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(whole); ++i) sum += values[i];
  return sum;
}

std::vector<double> sum_of_uniforms_series(int n) {
  std::vector<double> series;
  for (int interval = 0; 2 * interval <= n; ++interval) {
    series.push_back(sum_of_uniforms(n, interval + 0.5));
    double factorial = 1;
    for (int order = 1; order <= n; ++order) {
      // The derivative of M_n(x) is M_(n-1)(x) - M_(n-1)(x - 1).
      std::vector<double> values = densities(n - order + 1, 0.5);
      values.resize(static_cast<std::size_t>(n) + 1, 0.0);
      for (int difference = 1; difference < order; ++difference) {
        for (std::size_t i = values.size() - 1; i > 0; --i) values[i] -= values[i - 1];
      }
      factorial *= order;
      series.push_back(values[static_cast<std::size_t>(interval)] / factorial);
    }
  }
  return series;
}

std::vector<double> times(std::uint64_t n, std::vector<double> probabilities) {
  for (double& p : probabilities) p *= static_cast<double>(n);
  return probabilities;
}

MergedClasses merged(std::span<const double> expected, std::span<const std::uint64_t> counts) {
  MergedClasses groups;
  double group_expected = 0;
  std::uint64_t group_count = 0;
  const auto close = [&] {
    groups.expected.push_back(group_expected);
    groups.counts.push_back(group_count);
    group_expected = 0;
    group_count = 0;
  };
  for (std::size_t i = 0; i < expected.size(); ++i) {
    group_expected += expected[i];
    group_count += counts[i];
    if (group_expected >= min_expected) close();
  }
  if (groups.expected.empty()) {
    close();
  } else {
    groups.expected.back() += group_expected;
    groups.counts.back() += group_count;
  }
  return groups;
}

ChiSquare chi_square(std::span<const double> expected, std::span<const std::uint64_t> counts) {
  const MergedClasses groups = merged(expected, counts);
  return chi_square_unmerged(groups.expected, groups.counts);
}

ChiSquare chi_square_unmerged(std::span<const double> expected,
                              std::span<const std::uint64_t> counts) {
  double statistic = 0;
  std::uint64_t classes = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] <= 0) continue;
    const double difference = static_cast<double>(counts[i]) - expected[i];
    statistic += difference * difference / expected[i];
    ++classes;
  }
  return {statistic, classes == 0 ? 0 : classes - 1};
}

}  // namespace rivulet::detail
