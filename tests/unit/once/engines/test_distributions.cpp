// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "distribution_engines.hpp"
#include "jobs/alias/chi_square.hpp"
#include "rivulet/distributions.hpp"

namespace rivulet {
namespace {

// Chi-squares and moments, with fixed seeds. A p-value below least_p, or above 1 - least_p, fails:
// of all that are looked at here, about 60, one in 80 choices of seeds would.
constexpr double least_p = 1e-4;
constexpr int draws = 400000;

void expect_plausible(double p, const std::string& what) {
  EXPECT_GT(p, least_p) << what;
  EXPECT_LT(p, 1 - least_p) << what;
}

/// Counts against what probabilities expect; cells below 5 are pooled.
void expect_counts(const std::vector<std::uint64_t>& counts, const std::vector<double>& expected,
                   const std::string& what) {
  double chi_square = 0;
  double pooled = 0;
  double pooled_expected = 0;
  int cells = 0;
  const auto add = [&](double count, double mean) {
    chi_square += (count - mean) * (count - mean) / mean;
    ++cells;
  };
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (expected[i] >= 5) {
      add(static_cast<double>(counts[i]), expected[i]);
    } else {
      pooled += static_cast<double>(counts[i]);
      pooled_expected += expected[i];
    }
  }
  if (pooled_expected >= 5) add(pooled, pooled_expected);
  EXPECT_TRUE(pooled_expected > 0 || pooled == 0) << what;
  expect_plausible(chi_square_p_value(chi_square, cells - 1), what);
}

/// Numbers mapped to [0, 1) by their distribution's function: 1000 cells, mean and variance.
class UniformCheck {
 public:
  void add(double u) {
    ++counts_[static_cast<std::size_t>(std::clamp(u * 1000, 0.0, 999.0))];
    sum_ += u - 0.5;
    squares_ += (u - 0.5) * (u - 0.5);
    ++n_;
  }
  void expect(const std::string& what) const {
    expect_counts(counts_, std::vector<double>(1000, n_ / 1000), what);
    expect_moment(sum_ / n_, std::sqrt(1 / 12.0 / n_), what + ", mean");
    expect_moment(squares_ / n_ - 1 / 12.0, std::sqrt(1 / 180.0 / n_), what + ", variance");
  }
  static void expect_moment(double off, double sigma, const std::string& what) {
    expect_plausible(std::erfc(off / sigma * std::sqrt(0.5)) / 2, what);
  }

 private:
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(1000);
  double sum_ = 0;
  double squares_ = 0;
  double n_ = 0;
};

template <class Engine, class Distribution, class Cdf>
void expect_distribution(Engine engine, const Distribution& distribution, const Cdf& cdf,
                         const std::string& what) {
  UniformCheck check;
  for (int i = 0; i < draws; ++i) check.add(cdf(static_cast<double>(distribution(engine))));
  check.expect(what);
}

/// Draws by engines of 24, 32, 48 and 64 bits.
template <class Distribution, class Cdf>
void expect_for_all_engines(const Distribution& distribution, const Cdf& cdf,
                            const std::string& what) {
  expect_distribution(std::ranlux24(1), distribution, cdf, what + " of 24 bits");
  expect_distribution(std::mt19937(2), distribution, cdf, what + " of 32 bits");
  expect_distribution(TestEngine<48>(3), distribution, cdf, what + " of 48 bits");
  expect_distribution(std::mt19937_64(4), distribution, cdf, what + " of 64 bits");
}

TEST(Distributions, UniformNumbers) {
  expect_for_all_engines(
      Uniform<double>(), [](double x) { return x; }, "double");
  expect_for_all_engines(
      Uniform<float, Interval::open>(), [](double x) { return x; }, "float");
  expect_for_all_engines(
      Uniform<double>(-3, 5), [](double x) { return (x + 3) / 8; }, "between bounds");
}

TEST(Distributions, ExponentialNumbers) {
  const auto cdf = [](double x) { return -std::expm1(-x / 2.5); };
  expect_for_all_engines(Exponential<double>(2.5), cdf, "exponential");
  expect_distribution(std::mt19937(5), Exponential<float>(2.5F), cdf, "exponential, float");
}

TEST(Distributions, NormalNumbers) {
  const auto cdf = [](double x) { return std::erfc(-(x - 10) / 3 * std::sqrt(0.5)) / 2; };
  expect_for_all_engines(Normal<double>(10, 3), cdf, "normal");
  expect_distribution(std::mt19937(5), Normal<float>(10, 3), cdf, "normal, float");
}

template <class Real>
void expect_directions(const std::string& what) {
  std::mt19937 engine(6);
  UniformCheck heights;
  UniformCheck azimuths;
  double products[3] = {};
  for (int i = 0; i < draws; ++i) {
    const auto [x, y, z] = UnitVector<Real>()(engine);
    ASSERT_NEAR(x * x + y * y + z * z, 1, sizeof(Real) == 4 ? 1e-6 : 2e-15);
    heights.add((z + 1.0) / 2);
    azimuths.add(std::atan2(1.0 * y, 1.0 * x) / (2 * std::acos(-1.0)) + 0.5);
    products[0] += 1.0 * x * y;
    products[1] += 1.0 * y * z;
    products[2] += 1.0 * z * x;
  }
  heights.expect(what + ", height");
  azimuths.expect(what + ", azimuth");
  for (const double sum : products) {  // E[x^2 y^2] = 1/15
    UniformCheck::expect_moment(sum, std::sqrt(draws / 15.0), what + ", products");
  }
}

TEST(Distributions, Directions) {
  expect_directions<double>("directions");
  expect_directions<float>("directions, float");
}

TEST(Distributions, DirectionsTakeFourOverPiTrials) {
  TestEngine<32> engine(8);
  for (int i = 0; i < draws; ++i) UnitVector<double>()(engine);
  // Trials are geometric: of variance (1 - p) / p^2.
  const double p = std::acos(-1.0) / 4;
  UniformCheck::expect_moment(engine.drawn() / 4.0 / draws - 1 / p, std::sqrt((1 - p) / draws) / p,
                              "trials");
}

TEST(Distributions, IntegersBelow) {
  std::mt19937 engine(7);
  std::mt19937_64 wide(7);
  for (const std::uint64_t n : {2ULL, 7ULL, 1000ULL, 3ULL << 30, 5ULL << 40, (7ULL << 61) + 1}) {
    // Of a large n the part of n that a number lies in.
    const std::uint64_t cells = std::min<std::uint64_t>(n, 1000);
    std::vector<std::uint64_t> counts(cells);
    std::vector<std::uint64_t> wide_counts(cells);
    const auto cell = [&](std::uint64_t k) {
      return n == cells ? k : static_cast<std::uint64_t>(1.0L * k / n * cells);
    };
    for (int i = 0; i < draws; ++i) {
      ++counts[cell(Below(n)(engine))];
      ++wide_counts[cell(Below(n)(wide))];
    }
    const std::vector<double> expected(cells, draws / static_cast<double>(cells));
    expect_counts(counts, expected, "below " + std::to_string(n));
    expect_counts(wide_counts, expected, "below " + std::to_string(n) + ", 64 bits");
  }
}

TEST(Distributions, TrueWithItsProbability) {
  std::mt19937 engine(9);
  for (const double p : {0.0, 1e-3, 0.25, 0.5, 0.9, 1.0}) {
    std::vector<std::uint64_t> counts(2);
    for (int i = 0; i < draws; ++i) ++counts[Bernoulli(p)(engine) ? 1 : 0];
    if (p == 0 || p == 1) {
      EXPECT_EQ(counts[p == 1 ? 0 : 1], 0U);
      continue;
    }
    expect_counts(counts, {(1 - p) * draws, p * draws}, "Bernoulli " + std::to_string(p));
  }
}

/// log of the probability of k.
double log_poisson(double k, double mean) {
  const long double m = mean;
  return static_cast<double>(k * std::log(m) - m - std::lgamma(k + 1.0L));
}

template <class Engine>
void expect_poisson(Engine engine, double mean) {
  const Poisson distribution(mean);
  // Of large means, several neighbours in a cell.
  const double sigma = std::sqrt(mean);
  const auto per_cell = static_cast<std::uint64_t>(1 + sigma / 20);
  const auto first = static_cast<std::uint64_t>(std::max(0.0, mean - 8 * sigma));
  const auto cells = static_cast<std::size_t>(16 * sigma + 40) / per_cell + 1;
  std::vector<std::uint64_t> counts(cells);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t k = distribution(engine);
    const std::size_t cell = (k - first) / per_cell;
    ASSERT_LT(cell, cells) << k << ' ' << mean;
    ++counts[cell];
    const double off = static_cast<double>(k) - mean;
    sum += off;
    squares += off * off;
  }
  std::vector<double> expected(cells);
  for (std::size_t i = 0; i < cells * per_cell; ++i) {
    expected[i / per_cell] += draws * std::exp(log_poisson(static_cast<double>(first + i), mean));
  }
  const std::string what = "Poisson " + std::to_string(mean);
  expect_counts(counts, expected, what);
  UniformCheck::expect_moment(sum / draws, sigma / std::sqrt(draws), what + ", mean");
  // The fourth central moment is mean (1 + 3 mean).
  UniformCheck::expect_moment(squares / draws - mean, std::sqrt((mean + 2 * mean * mean) / draws),
                              what + ", variance");
}

TEST(Distributions, PoissonCounts) {
  for (const double mean : {0.01, 0.5, 3.0, 9.99, 10.0, 12.5, 30.0, 137.0, 1000.0, 3e4}) {
    expect_poisson(std::mt19937(11), mean);
  }
  expect_poisson(std::mt19937_64(15), 4.0);
  expect_poisson(std::ranlux48(12), 40.0);
}

TEST(Distributions, PoissonCountsAtTheEndsOfMeans) {
  std::mt19937 engine(13);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(Poisson(0)(engine), 0U);
  double sum = 0;
  for (int i = 0; i < draws; ++i) {
    sum += (static_cast<double>(Poisson(0x1p40)(engine)) - 0x1p40) * 0x1p-20;
  }
  UniformCheck::expect_moment(sum / draws, 1 / std::sqrt(draws), "Poisson 2^40, mean");
  // The largest number in [0, 1) ends the search.
  EXPECT_LT(from_script<32>(Poisson(9.99), {0xffffffff}), 60U);
  EXPECT_GT(from_script<32>(Poisson(9.99), {0xffffffff}), 40U);
  EXPECT_EQ(from_script<32>(Poisson(9.99), {0}), 0U);
  EXPECT_EQ(drawn_of_script<32>(Poisson(9.99), {0}), 2);
  EXPECT_EQ(drawn_of_script<64>(Poisson(9.99), {0}), 1);
  // u = 1/2 is within the squeeze: the middle of the distribution, at once.
  EXPECT_EQ(from_script<32>(Poisson(50), {0x80000000, 0, 0, 0}), 50U);
  EXPECT_EQ(drawn_of_script<32>(Poisson(50), {0x80000000, 0, 0, 0}), 4);
}

TEST(Distributions, CellsOfATable) {
  std::vector<double> weights(500);
  std::vector<double> expected(500);
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = i % 7 == 0 ? 0 : std::exp(-0.01 * static_cast<double>(i));
    total += weights[i];
  }
  for (std::size_t i = 0; i < weights.size(); ++i) expected[i] = draws * weights[i] / total;
  const auto whole = detail::whole_weights(std::span<const double>(weights));
  const auto entries =
      detail::entries_of<detail::AliasEntry>(detail::masses_of<detail::AliasEntry>(whole));
  const Discrete cell(entries.data(), 500);
  std::mt19937 engine(14);
  std::vector<std::uint64_t> counts(500);
  for (int i = 0; i < draws; ++i) ++counts[cell(engine)];
  expect_counts(counts, expected, "discrete");
}

}  // namespace
}  // namespace rivulet
