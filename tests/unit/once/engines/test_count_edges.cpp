// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "distribution_engines.hpp"
#include "rivulet/distributions.hpp"

namespace rivulet {
namespace {

// Tests distributions of counts with scripted numbers: at the extremes of an engine, and at the
// border of the region where a trial is accepted.

using Script = std::vector<std::uint64_t>;
constexpr std::uint64_t half = 0x80000000;
constexpr std::uint64_t ones = 0xffffffff;

TEST(CountEdges, CountsOfTheLeastAndTheLargestNumbers) {
  for (const Script& script : {Script{0, 0, half}, Script{ones, ones, half}}) {
    EXPECT_LE(from_script<32>(Binomial(30, 0.3), script), 30U);
    EXPECT_LE(from_script<32>(Binomial(30, 0.7), script), 30U);
    EXPECT_LE(from_script<32>(Binomial(100, 0.5), script), 100U);
    // The rounded probabilities may sum to less than the largest uniform number.
    for (std::uint64_t n = 0; n < 24; ++n) {
      for (int p = 0; p <= 1000 && static_cast<std::uint64_t>(p) * n < 10000; ++p) {
        EXPECT_LE(from_script<32>(Binomial(n, p / 1000.0), script), n) << p / 1000.0;
      }
    }
  }
  EXPECT_EQ(from_script<32>(Binomial(30, 0.3), {0}), 0U);
  EXPECT_EQ(from_script<32>(Binomial(30, 0.7), {0}), 30U);
  EXPECT_EQ(from_script<32>(Binomial(3, 0.5), {half + 1}), 2U);
  // u = 1/2 lies in the squeeze, so the draw returns the middle at once.
  EXPECT_EQ(from_script<32>(Binomial(100, 0.5), {half, 0, 0, 0}), 50U);
  EXPECT_EQ(drawn_of_script<32>(Binomial(100, 0.5), {half, 0, 0, 0}), 4);
  EXPECT_EQ(drawn_of_script<32>(Binomial(100, 0.05), {half}), 2);
  EXPECT_EQ(from_script<32>(Geometric(0.5), {ones, ones}), 0U);
  EXPECT_EQ(from_script<32>(Geometric(0.5), {half, 0}), 0U);  // u is 2^-53 above 1/2
  EXPECT_EQ(from_script<32>(Geometric(0.5), {half - 1, ones}), 1U);
  EXPECT_EQ(from_script<32>(Geometric(0.5), {0, 0}), 53U);
  EXPECT_EQ(from_script<32>(Geometric(1), {0, 0}), 0U);
  EXPECT_EQ(from_script<32>(Geometric(0x1p-58), {0, 0}) >> 60, 9U);  // about 36.7 * 2^58
  EXPECT_EQ(drawn_of_script<32>(Geometric(0.5), {0}), 2);
}

/// Returns the 64-bit number that distributions convert to the double x.
std::uint64_t word_of(double x) { return static_cast<std::uint64_t>(std::ldexp(x, 64)); }

/// Bisects for the smallest x in (low, high) above which `condition` holds.
template <class Is>
double border(double low, double high, const Is& condition) {
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (condition(middle) ? high : low) = middle;
  }
  return high;
}

/// Returns the area of all (u, v) for which the first trial is accepted and gives the count k,
/// which is above the middle. After a rejected trial, the next numbers of the script yield the
/// middle.
template <class Counts>
double accepted_area(const Counts& counts, std::uint64_t k) {
  const auto count_from = [&](double u, double v) {
    return from_script<64>(counts, {word_of(u), word_of(v), std::uint64_t{1} << 63, 0});
  };
  const auto at_least = [&](std::uint64_t minimum) {
    return [&, minimum](double u) { return count_from(u, 1e-15) >= minimum; };
  };
  const double low = border(0.5, 1, at_least(k));
  const double high = border(0.5, 1, at_least(k + 1));
  constexpr int steps = 400;
  double area = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = low + (high - low) * (i + 0.5) / steps;
    area += border(0, 1, [&](double v) { return count_from(u, v) != k; });
  }
  return area * (high - low) / steps;
}

// The areas of two counts have the ratio of their probabilities, even where only a few of 10^9
// draws fall. (Near the ends of u's range, Hoermann's PTRS at once rejects a v above u's distance
// from the end. This would reduce the area of the count 25 by 18 %.)
TEST(CountEdges, AreasOfTrialsAreProbabilities) {
  const auto binomial = [](double n, double p, double k) {
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) +
           (n - k) * std::log1p(-p);
  };
  for (const auto& [n, p, far] : {std::tuple{1000.0, 0.01, 25.0},
                                  {100.0, 0.1, 24.0},
                                  {1e6, 1.3e-5, 30.0},
                                  {100.0, 0.5, 70.0}}) {
    const Binomial counts(static_cast<std::uint64_t>(n), p);
    for (double k = std::floor(n * p) + 2; k <= far; ++k) {
      const double first = std::floor(n * p) + 1;
      const double ratio = accepted_area(counts, static_cast<std::uint64_t>(k)) /
                           accepted_area(counts, static_cast<std::uint64_t>(first));
      const double law = std::exp(binomial(n, p, k) - binomial(n, p, first));
      EXPECT_NEAR(ratio / law, 1, 2e-3) << n << ' ' << p << ' ' << k;
    }
  }
}

/// Returns P(count < k) if k is below the mean, else P(count >= k).
long double poisson_tail(long double mean, long double k) {
  const int step = k < mean ? -1 : 1;
  long double sum = 0;
  for (long double i = k < mean ? k - 1 : k; i >= 0; i += step) {
    const long double probability = std::exp(i * std::log(mean) - mean - std::lgamma(i + 1));
    if (probability < 1e-25L * sum) break;
    sum += probability;
  }
  return sum;
}

// Poisson counts come from inversion: the count is k for u between P(count < k) and P(count <= k).
// The uniform numbers next to these borders give the counts on the two sides.
TEST(CountEdges, PoissonCountsChangeAtTheirProbabilities) {
  constexpr double ulps = 0x1p-53;
  for (const double mean : {10.0, 10.5, 13.0, 27.0, 75.25, 100.0, 281.0, 1234.5, 3e4, 1e6}) {
    const Poisson counts(mean);
    const double sigma = std::sqrt(mean);
    const double step = std::fmax(1, std::floor(sigma / 16));
    const double far = std::floor(mean + 7 * sigma);
    for (double k = std::fmax(1, std::floor(mean - 7 * sigma)); k <= far; k += step) {
      const auto tail = static_cast<double>(poisson_tail(mean, k));
      if (tail < 1e-12) continue;                    // near the resolution of u
      const double width = tail * 1e-11 + 4 * ulps;  // lgamma's error is 1e-12 for a mean of 10^6
      const double border = k < mean ? tail : 1 - tail;
      EXPECT_EQ(counts.of_uniform(border - width), k - 1) << mean;
      EXPECT_EQ(counts.of_uniform(border + width), k) << mean;
    }
  }
}

// Most counts are computed in single precision. The computation must detect when this precision
// does not suffice.
TEST(CountEdges, PoissonCountsOfSinglePrecisionAreThoseOfDoublePrecision) {
  constexpr int draws = 200000;
  for (const double mean : {10.0, 10.7, 20.0, 50.3, 100.0, 1e3, 1e4, 1.5e5, 1e6, 1e8, 1e11}) {
    const Poisson counts(mean);
    const detail::PoissonOffset offset = counts.offset();
    int wrong = 0;
    int unknown = 0;
    for (int i = 0; i < draws; ++i) {
      const double part = std::fmod((i + 0.5) * 0.6180339887498949, 1);  // fills (0, 1) evenly
      const double u = i % 4 == 0   ? std::ldexp(part, -i % 29)
                       : i % 4 == 1 ? 1 - std::ldexp(part, -i % 29)
                                    : part;
      const auto expected = static_cast<std::uint64_t>(detail::poisson_quantile(u, mean));
      if (counts.of_uniform(u) != expected) ++wrong;
      if (u == part && offset(u) == detail::PoissonOffset::unknown) ++unknown;
    }
    EXPECT_EQ(wrong, 0) << mean;
    const bool is_usual = mean > 99 && mean < 1e7;
    EXPECT_LT(unknown, is_usual ? draws / 100 : draws) << mean;
  }
}

TEST(CountEdges, PoissonCountsOfTheLeastAndTheLargestNumbers) {
  // The tails of these counts contain 2^-53, the smallest distance of u from 0 and 1.
  EXPECT_EQ(Poisson(10).of_uniform(0x1p-53), 0U);
  EXPECT_EQ(Poisson(10).of_uniform(1 - 0x1p-53), 45U);
  EXPECT_EQ(Poisson(300).of_uniform(0x1p-53), 169U);
  EXPECT_EQ(Poisson(300).of_uniform(1 - 0x1p-53), 453U);
  // For this mean, the quantile is mean + sqrt(mean) w + (w^2 + 2) / 6, with the normal quantile w.
  EXPECT_EQ(Poisson(0x1p40).of_uniform(0.5), std::uint64_t{1} << 40);
  EXPECT_EQ(Poisson(0x1p40).of_uniform(0.75), (std::uint64_t{1} << 40) + 707254);
  // Every count is computed from one double.
  for (const double mean : {0.5, 9.99, 10.0, 50.0, 1e9}) {
    EXPECT_EQ(drawn_of_script<32>(Poisson(mean), {half, 0}), 2) << mean;
    EXPECT_EQ(drawn_of_script<64>(Poisson(mean), {ones << 31}), 1) << mean;
  }
}

}  // namespace
}  // namespace rivulet
