// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/distributions.hpp"

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

/// The limiting distribution of Anderson and Darling's statistic, P(A2 < z): the series of
/// Marsaglia & Marsaglia, section 2. Its terms are integrals, each a power series in z / 8 whose
/// coefficients obey a recursion over two of them.
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
  if (z < 0.01) return 0;  // 5e-53
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

/// What is to be added to the limit, of which x is the value, for n values: the same paper's fit.
/// It leaves -0.0006 / n at x = 1, many times the tail's probability; a straight line takes that
/// away.
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

/// Smirnov's expansion for many values.
double plus_expansion(double n, double distance) {
  const double t = 6 * n * distance + 1;
  const double z = t * t / (18 * n);
  const double correction = 1 - (2 * z * z - 4 * z - 1) / (18 * n);
  return std::clamp(correction * std::exp(-z), 0.0, 1.0);
}

using Matrix = std::vector<double>;

Matrix product(const Matrix& a, const Matrix& b, std::size_t m) {
  Matrix c(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t j = 0; j < m; ++j) c[i * m + j] += a[i * m + k] * b[k * m + j];
    }
  }
  return c;
}

/// P(D < distance) is n! / n^n times the middle element of the n-th power of Durbin's matrix:
/// Marsaglia, Tsang & Wang, J. Stat. Softw. 8 (2003), issue 18. Powers are scaled by those of two.
double durbin(std::uint64_t n, double distance) {
  const double reach = static_cast<double>(n) * distance;
  const auto k = static_cast<std::size_t>(reach) + 1;
  const std::size_t m = 2 * k - 1;
  const double h = static_cast<double>(k) - reach;
  Matrix step(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < std::min(m, i + 2); ++j) step[i * m + j] = 1;
  }
  for (std::size_t i = 0; i < m; ++i) {
    step[i * m] -= std::pow(h, static_cast<double>(i + 1));
    step[(m - 1) * m + i] -= std::pow(h, static_cast<double>(m - i));
  }
  if (2 * h > 1) step[(m - 1) * m] += std::pow(2 * h - 1, static_cast<double>(m));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      step[i * m + j] /= std::tgamma(static_cast<double>(i - j + 2));
  }
  Matrix power(m * m, 0.0);
  for (std::size_t i = 0; i < m; ++i) power[i * m + i] = 1;
  int power_exponent = 0;
  int step_exponent = 0;
  const std::size_t middle = (k - 1) * m + k - 1;
  const auto rescale = [middle](Matrix& matrix, int& exponent) {
    int shift = 0;
    std::frexp(matrix[middle], &shift);
    for (double& x : matrix) x = std::ldexp(x, -shift);
    exponent += shift;
  };
  for (std::uint64_t left = n; left != 0; left /= 2) {
    if (left % 2 != 0) {
      power = product(power, step, m);
      power_exponent += step_exponent;
      rescale(power, power_exponent);
    }
    step = product(step, step, m);
    step_exponent *= 2;
    rescale(step, step_exponent);
  }
  double probability = power[middle];
  for (std::uint64_t i = 1; i <= n; ++i) {
    probability *= static_cast<double>(i) / static_cast<double>(n);
    if (i % 64 != 0) continue;
    int shift = 0;
    probability = std::frexp(probability, &shift);
    power_exponent += shift;
  }
  return std::ldexp(probability, power_exponent);
}

/// P(D < distance) for many values, by four terms of an expansion in 1 / sqrt(n): Pelz & Good, J.
/// R. Stat. Soc. B 38 (1976) 152.
double pelz_good(double n, double distance) {
  const double z2 = n * distance * distance;
  const double z = std::sqrt(z2);
  const double z4 = z2 * z2;
  const double z6 = z4 * z2;
  double k0 = 0;
  double k1 = 0;
  double k2 = 0;
  double k3 = 0;
  for (int k = 0; k < 20; ++k) {  // terms of k and -k - 1 are equal
    const double a = pi * pi * (k + 0.5) * (k + 0.5);
    const double e = 2 * std::exp(-a / (2 * z2));
    k0 += e;
    k1 += e * (a - z2);
    k2 += e * (6 * z6 + 2 * z4 + a * (2 * z4 - 5 * z2) + a * a * (1 - 2 * z2));
    k3 += e * (a * a * a * (5 - 30 * z2) + a * a * (-60 * z2 + 212 * z4) +
               a * (135 * z4 - 96 * z6) - 30 * z6 - 90 * z4 * z4);
  }
  double k2_whole = 0;
  double k3_whole = 0;
  for (int k = 1; k < 20; ++k) {  // those of k and -k
    const double a = pi * pi * k * k;
    const double e = 2 * std::exp(-a / (2 * z2));
    k2_whole += e * a;
    k3_whole += e * a * (3 * z2 - a);
  }
  const double root = std::sqrt(pi / 2);
  const double sqrt_n = std::sqrt(n);
  return root *
         (k0 / z + k1 / (6 * z4 * sqrt_n) + (k2 / (72 * z6 * z) - k2_whole / (36 * z2 * z)) / n +
          (k3 / (6480 * z6 * z4) + k3_whole / (108 * z6)) / (n * sqrt_n));
}

}  // namespace

double chi_square_p(double statistic, double degrees_of_freedom) {
  if (statistic <= 0) return 1;
  return boost::math::gamma_q(degrees_of_freedom / 2, statistic / 2);
}

double normal_p(double z) { return std::erfc(z / sqrt2) / 2; }

double normal_sum_p(std::span<const double> z) {
  const double sum = std::accumulate(z.begin(), z.end(), 0.0);
  return normal_p(sum / std::sqrt(static_cast<double>(z.size())));
}

Tails poisson_tails(std::uint64_t y, double mean) {
  if (mean == 0) return {1, y == 0 ? 1.0 : 0.0};
  const auto count = static_cast<double>(y);
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

double discrete_p(Tails tails) {
  if (tails.right < tails.left) return tails.right;
  return tails.left > 0.5 ? 0.5 : 1 - tails.left;
}

UniformDistances uniform_distances(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  UniformDistances distances{0, 0};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto before = static_cast<double>(i);
    distances.plus = std::max(distances.plus, (before + 1) / n - sorted[i]);
    distances.minus = std::max(distances.minus, sorted[i] - before / n);
  }
  return distances;
}

double kolmogorov_smirnov_plus_p(std::uint64_t n, double distance) {
  if (distance <= 0) return 1;
  if (distance >= 1) return 0;
  const auto count = static_cast<double>(n);
  if (n > 200'000) return plus_expansion(count, distance);
  double log_combinations = 0;  // of n and j
  double sum = std::exp(count * std::log1p(-distance));
  for (std::uint64_t j = 1; j < n; ++j) {
    const auto drawn = static_cast<double>(j);
    log_combinations += std::log((count - drawn + 1) / drawn);
    const double q = drawn / count + distance;
    if (q >= 1) break;
    sum += distance * std::exp(log_combinations + (drawn - 1) * std::log(q) +
                               (count - drawn) * std::log1p(-q));
  }
  return std::min(1.0, sum);
}

double kolmogorov_smirnov_p(std::uint64_t n, double distance) {
  const auto count = static_cast<double>(n);
  const double z2 = count * distance * distance;
  if (2 * count * distance <= 1) return 1;
  if (distance >= 1) return 0;
  const bool is_upper = z2 >= (n <= 140 ? 4.0 : 2.2);
  if (is_upper || 2 * distance >= 1) return 2 * kolmogorov_smirnov_plus_p(n, distance);
  const bool has_small_matrix =
      n <= 140 || (n <= 100'000 && count * distance * std::sqrt(distance) <= 1.4);
  return 1 - (has_small_matrix ? durbin(n, distance) : pelz_good(count, distance));
}

AndersonDarling anderson_darling(std::vector<double> values) {
  // TestU01 keeps logarithms finite by the same bound.
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

}  // namespace rivulet::detail
