// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/laws/laws.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

namespace rivulet::detail {
namespace {

/// Spline values M_n(x + i), i = 0 .. n - 1, 0 <= x < 1: densities of a sum of n uniform numbers,
/// by the recursion, whose terms are positive.
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

/// Pearson's statistic of equally likely cells, from the sum of their squared counts.
double pearson(std::uint64_t n, std::uint64_t cells, std::uint64_t squares) {
  const auto numbers = static_cast<long double>(n);
  return static_cast<double>(
      static_cast<long double>(squares) * static_cast<long double>(cells) / numbers - numbers);
}

/// Corrected for its mean and variance at n points: Read & Cressie, Goodness-of-Fit Statistics for
/// Discrete Multivariate Data (1988), as TestU01 does.
ChiSquare corrected(double pearson, std::uint64_t n, std::uint64_t cells) {
  const double sigma = std::sqrt(1 - 1 / static_cast<double>(n));
  const auto degrees = static_cast<double>(cells - 1);
  return {(pearson - degrees * (1 - sigma)) / sigma, cells - 1};
}

/// Spacings of sorted values in [0, 1], made uniform order statistics again.
std::vector<double> after_spacings(const std::vector<double>& sorted) {
  std::vector<double> spacings;
  double last = 0;
  for (const double value : sorted) {
    spacings.push_back(value - last);
    last = value;
  }
  spacings.push_back(1 - last);
  std::sort(spacings.begin(), spacings.end());
  std::vector<double> values;
  double sum = 0;
  double smaller = 0;
  for (std::size_t i = 0; i + 1 < spacings.size(); ++i) {
    sum += static_cast<double>(spacings.size() - i) * (spacings[i] - smaller);
    smaller = spacings[i];
    values.push_back(sum);
  }
  return values;
}

/// The expected number of pairs of n points within a distance is distance^t / this.
double mean_square(double n, int t) { return std::ldexp(2 / (n * (n - 1)), -t); }

}  // namespace

double birthday_mean(double n, double cells) { return n * n / cells * (n / 4); }

double collision_mean(double n, double cells) {
  const double density = n / cells;
  if (density > 0.1) {
    const long double k = cells;
    return static_cast<double>(n + k * std::expm1(n * std::log1p(-1 / k)));
  }
  // n - k + k (1 - 1/k)^n without cancellation
  double term = n * (n - 1) / (2 * cells);
  double mean = term;
  for (int j = 3; std::abs(term) > 1e-18 * mean; ++j) {
    term *= -(n - j + 1) / (cells * j);
    mean += term;
  }
  return mean;
}

double collision_over_mean(double n, double cells, int t) {
  const double density = (n - t + 1) / cells;
  if (density > 0.1) return cells * (density + std::expm1(-density));
  double term = density * density / 2;
  double mean = term;
  for (int j = 3; std::abs(term) > 1e-18 * mean; ++j) {
    term *= -density / j;
    mean += term;
  }
  return cells * mean;
}

ChiSquare serial_over(std::uint64_t n, std::uint64_t cells, std::uint64_t squares,
                      std::uint64_t fewer, std::uint64_t fewer_squares) {
  // TestU01 corrects as for cells - fewer cells, which are as many degrees of freedom and one more.
  ChiSquare test =
      corrected(pearson(n, cells, squares) - pearson(n, fewer, fewer_squares), n, cells - fewer);
  ++test.degrees;
  return test;
}

ChiSquare multinomial(std::uint64_t n, std::uint64_t cells, std::uint64_t squares) {
  return corrected(pearson(n, cells, squares), n, cells);
}

ChiSquare number_runs(std::uint64_t n, std::span<const std::uint64_t, 6> counts) {
  constexpr std::array<std::array<double, 6>, 6> a = {{
      {4529.35365, 9044.90208, 13567.9452, 18091.2672, 22614.7139, 27892.1588},
      {9044.90208, 18097.0254, 27139.4552, 36186.6493, 45233.8198, 55788.8311},
      {13567.9452, 27139.4552, 40721.3320, 54281.2656, 67852.0446, 83684.5705},
      {18091.2672, 36186.6493, 54281.2656, 72413.6082, 90470.0789, 111580.110},
      {22614.7139, 45233.8198, 67852.0446, 90470.0789, 113261.815, 139475.555},
      {27892.1588, 55788.8311, 83684.5705, 111580.110, 139475.555, 172860.170},
  }};
  constexpr std::array<double, 6> b = {1. / 6, 5. / 24, 11. / 120, 19. / 720, 29. / 5040, 1. / 840};
  const auto numbers = static_cast<double>(n);
  double form = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    const double row = static_cast<double>(counts[i]) - numbers * b[i];
    for (std::size_t j = 0; j < 6; ++j) {
      form += a[i][j] * row * (static_cast<double>(counts[j]) - numbers * b[j]);
    }
  }
  return {form / (numbers - 6), 6};
}

TwoLaws sample_correlation(double sum, std::uint64_t pairs) {
  const double z = sum * std::sqrt(12 / static_cast<double>(pairs));
  return {normal_p(z / std::sqrt(13. / 12)), normal_p(z)};
}

double appearance_z(int L, std::uint64_t K, double log_sum) {
  struct Moments {
    double mean;      // of the base-2 logarithm of a spacing
    double variance;  // of one spacing's
    double d, e;      // spacings are dependent: the factor of the mean's variance is d + e 2^L / K
  };
  // Maurer, J. Cryptol. 5 (1992) 89; Coron & Naccache. From L = 3.
  constexpr std::array<Moments, 14> table = {{
      {2.40160681, 1.90133, 0.2732725, 0.4890883},
      {3.31122472, 2.35774, 0.3045101, 0.4435381},
      {4.25342659, 2.70455, 0.3296587, 0.4137196},
      {5.21770525, 2.95403, 0.3489769, 0.3941338},
      {6.19625065, 3.12539, 0.3631815, 0.3813210},
      {7.18366555, 3.23866, 0.3732189, 0.3730195},
      {8.17642476, 3.31120, 0.3800637, 0.3677118},
      {9.17232431, 3.35646, 0.3845867, 0.3643695},
      {10.1700323, 3.38409, 0.3874942, 0.3622979},
      {11.1687649, 3.40065, 0.3893189, 0.3610336},
      {12.1680703, 3.41043, 0.3904405, 0.3602731},
      {13.1676926, 3.41614, 0.3911178, 0.3598216},
      {14.1674884, 3.41943, 0.3915202, 0.3595571},
      {15.1673788, 3.42130, 0.3917561, 0.3594040},
  }};
  const Moments limit{L - 0.832746, 3.423715, 0.3920729, 0.3592016};
  const Moments moments = L > 16 ? limit : table[static_cast<std::size_t>(L - 3)];
  const auto blocks = static_cast<double>(K);
  const double factor = moments.d + moments.e * std::ldexp(1 / blocks, L);
  const double mean = log_sum / (std::numbers::ln2 * blocks);
  return (mean - moments.mean) / std::sqrt(factor * moments.variance / blocks);
}

double jumps_mean(std::uint64_t bits) {
  const auto n = static_cast<double>(bits);
  return n / 4 + (bits % 2 == 0 ? 4 : 5) / 12. - std::exp2(-n) / 3;
}

double jumps_z(std::uint64_t jumps, std::uint64_t bits) {
  const auto n = static_cast<double>(bits);
  const double odd = bits % 2 == 0 ? 0 : 1;
  const double rare = std::exp2(-n);
  const double variance =
      n / 8 - (2 - odd) / (9 - odd) + n * rare / 6 + (6 + odd) * rare / 18 - rare * rare / 9;
  return (static_cast<double>(jumps) - jumps_mean(bits)) / std::sqrt(variance);
}

double lempel_ziv_z(int k, std::uint64_t words) {
  struct Moments {
    double mean, deviation;
  };
  constexpr std::array<Moments, 26> table = {{
      {4.44, 0.49},       {7.64, 0.51},        {12.5, 0.62},     {20.8, 0.75},
      {34.8, 0.78},       {58.9, 0.86},        {101.1, 0.94},    {176.0, 1.03},
      {310.0, 1.19},      {551.9, 1.43},       {992.3, 1.68},    {1799., 2.09},
      {3286.2, 2.46},     {6041.5, 3.36},      {11171.5, 4.2},   {20761.8, 5.4},
      {38760.4, 6.8},     {72654., 9.1},       {136677., 10.9},  {257949., 14.7},
      {488257., 19.1},    {926658., 25.2},     {1762965., 33.5}, {3361490., 44.546},
      {6422497., 58.194}, {12293930., 75.513},
  }};
  const Moments& moments = table[static_cast<std::size_t>(k - 3)];
  return (static_cast<double>(words) - moments.mean) / moments.deviation;
}

Fourier fourier(std::uint64_t N, std::uint64_t bits, std::span<const double> sums) {
  const auto mean = static_cast<double>(N);
  const auto n = static_cast<double>(bits);
  const auto frequencies = static_cast<double>(sums.size());
  const double scale = 1 - 2 / n;  // variance over mean
  const double correlation = -2 / (n - 2);
  const double common = std::accumulate(sums.begin(), sums.end(), 0.0) / frequencies - mean;
  const double common_factor = 1 / std::sqrt(1 + (frequencies - 1) * correlation);
  const double factor = 1 / std::sqrt(1 - correlation);
  std::vector<double> gamma;
  std::vector<double> normal;
  for (const double sum : sums) {
    const double apart = mean + common * common_factor + (sum - mean - common) * factor;
    gamma.push_back(apart <= 0 ? 0 : boost::math::gamma_p(mean / scale, apart / scale));
    normal.push_back(normal_p((mean - sum) / std::sqrt(mean * scale)));
  }
  return {anderson_darling(gamma), anderson_darling(normal)};
}

double longest_run_below(int length, double bits) {
  return std::exp(-std::ldexp(bits, -length - 1));
}

Tails longest_run_tails(int longest, double bits) {
  return {longest_run_below(longest + 1, bits), -std::expm1(-std::ldexp(bits, -longest - 1))};
}

ChiSquare hamming_weight(std::uint64_t blocks, std::uint64_t L, std::uint64_t sum) {
  return {static_cast<double>(sum) / static_cast<double>(L), blocks};
}

double hamming_correlation_z(std::uint64_t n, int L, std::span<const std::uint64_t> counts) {
  const auto side = static_cast<std::size_t>(L) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      sum += static_cast<double>(counts[i * side + j]) * (static_cast<double>(i) - L / 2.) *
             (static_cast<double>(j) - L / 2.);
    }
  }
  return 4 * sum / (L * std::sqrt(static_cast<double>(n) - 1));
}

double autocorrelation_z(std::uint64_t bits, std::uint64_t ones) {
  const auto n = static_cast<double>(bits);
  return 2 * (static_cast<double>(ones) - n / 2) / std::sqrt(n);
}

std::uint64_t bit_run_classes(std::uint64_t n) {
  return 1 + static_cast<std::uint64_t>(std::log2(static_cast<double>(n) / 10));
}

BitRuns bit_runs(std::uint64_t n, std::span<const std::uint64_t> zeros,
                 std::span<const std::uint64_t> ones, std::uint64_t bits) {
  const std::uint64_t last = bit_run_classes(n);
  const auto runs = static_cast<double>(n);
  double chi_square = 0;
  double testu01 = 0;
  for (std::uint64_t length = 1; length <= last; ++length) {
    const double p = std::ldexp(1., -static_cast<int>(std::min(length, last - 1)));
    for (const std::uint64_t count : {zeros[length], ones[length]}) {
      const double difference = static_cast<double>(count) - runs * p;
      const double term = difference * difference / (runs * p);
      chi_square += term;
      testu01 += term / (1 - p);
    }
  }
  const auto degrees = static_cast<double>(2 * (last - 1));
  const double excess = static_cast<double>(bits) - 4 * runs;
  return {chi_square,
          {chi_square_p(chi_square, degrees), chi_square_p(testu01, degrees)},
          {normal_p(excess / std::sqrt(4 * runs)), normal_p(excess / std::sqrt(8 * runs))}};
}

ClosePairs close_pairs(double n, int t, int m, const std::vector<std::vector<double>>& distances) {
  const double square = mean_square(n, t);
  std::vector<double> least;
  std::vector<double> p_values;
  std::vector<double> all;
  std::vector<double> places;
  for (const std::vector<double>& replication : distances) {
    double last = 0;
    std::vector<double> spacings;
    for (const double distance : replication) {
      const double jump = std::pow(distance, t) / square;
      if (spacings.size() < static_cast<std::size_t>(m)) {
        spacings.push_back(-std::expm1(last - jump));
      }
      if (jump <= m) places.push_back(jump / m);
      last = jump;
    }
    least.push_back(spacings[0]);
    p_values.push_back(anderson_darling(spacings).p);
    all.insert(all.end(), spacings.begin(), spacings.end());
  }
  std::sort(places.begin(), places.end());
  const double mean = static_cast<double>(distances.size()) * m;
  const AndersonDarling none{0, 1};
  return {anderson_darling(least),
          anderson_darling(p_values),
          anderson_darling(all),
          places.empty() ? none : anderson_darling(places),
          places.empty() ? none : anderson_darling(after_spacings(places)),
          places.size(),
          poisson_p(mean, places.size())};
}

double close_pairs_reach(double n, int t, int m) { return std::pow(m * mean_square(n, t), 1. / t); }

TwoLaws bit_match(double N, double n, int t, int longest) {
  const double pairs = N * n * (n - 1) / 2;
  const auto exponent = [pairs, t](int agreed) {  // of P(no pair agrees in as many bits)
    return pairs * std::log1p(-std::exp2(-static_cast<double>(t) * agreed));
  };
  const double left = std::exp(exponent(longest + 1));
  return {discrete_p({left, longest == 0 ? 1 : -std::expm1(exponent(longest))}),
          discrete_p({left, -std::expm1(exponent(longest + 1))})};
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

}  // namespace rivulet::detail
