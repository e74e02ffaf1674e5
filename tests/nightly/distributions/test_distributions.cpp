// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "distribution_checks.hpp"
#include "distribution_engines.hpp"
#include "rivulet/distributions.hpp"

namespace rivulet {
namespace {

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
  // The number of trials is geometric, with variance (1 - p) / p^2.
  const double p = std::acos(-1.0) / 4;
  UniformCheck::expect_moment(engine.drawn() / 4.0 / draws - 1 / p, std::sqrt((1 - p) / draws) / p,
                              "trials");
}

TEST(Distributions, IntegersBelow) {
  std::mt19937 engine(7);
  std::mt19937_64 wide(7);
  for (const std::uint64_t n : {2ULL, 7ULL, 1000ULL, 3ULL << 30, 5ULL << 40, (7ULL << 61) + 1}) {
    // For a large n, a cell is one of 1000 equal parts of n.
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

template <class Engine>
void expect_poisson(Engine engine, double mean) {
  const auto probability = [mean](double k) {
    const long double m = mean;
    return static_cast<double>(std::exp(k * std::log(m) - m - std::lgamma(k + 1.0L)));
  };
  expect_integers(engine, Poisson(mean), probability, {mean, mean, 1 / mean},
                  "Poisson " + std::to_string(mean));
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
  EXPECT_EQ(from_script<32>(Poisson(50), {0x80000000, 0}), 50U);
}

// These tests compare draws with exact probabilities, for laws whose intermediate results leave the
// range or the resolution of doubles. The thresholds are those of distribution_checks.hpp.

template <std::size_t cells>
using Counts = std::array<std::uint64_t, cells>;

template <std::size_t cells, class Engine>
Counts<cells> multinomial(Engine& engine, std::uint64_t n, const std::array<double, cells>& w) {
  Counts<cells> counts{};
  Multinomial(n, static_cast<int>(cells), w.data())(engine, counts.data());
  return counts;
}

TEST(DistributionTails, MultinomialOfATinyWeightInAnyPlace) {
  constexpr std::uint64_t n = std::uint64_t{1} << 50;
  constexpr double tiny = 3e-16;
  const double mean = 0x1p50 * tiny / (1 + tiny);
  const auto poisson = [&](double k) {
    return std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
  };
  const auto of = [&](const std::array<double, 3>& weights, std::size_t cell) {
    return [=](auto& engine) { return multinomial(engine, n, weights)[cell]; };
  };
  const Moments law{mean, mean, 1 / mean};
  expect_integers(std::mt19937_64(71), of({tiny, 1, 0}, 0), poisson, law, "first");
  expect_integers(std::mt19937_64(72), of({0.5, tiny, 0.5}, 1), poisson, law, "between");
  expect_integers(std::mt19937_64(73), of({0, 1, tiny}, 2), poisson, law, "last");
}

TEST(DistributionTails, MultinomialIsTheSameOnAnyScale) {
  for (const std::array<double, 4>& ratios :
       {std::array<double, 4>{3, 5, 0, 2}, {0, 1, 7, 0}, {1, 1, 2, 4}}) {
    std::mt19937_64 ones(74);
    const Counts<4> expected = multinomial(ones, 1000000, ratios);
    EXPECT_EQ(expected[0] + expected[1] + expected[2] + expected[3], 1000000U);
    for (const int exponent : {-1074, -1030, -500, 500, 1000, 1021}) {
      std::array<double, 4> weights = ratios;
      for (double& weight : weights) weight = std::ldexp(weight, exponent);
      std::mt19937_64 same(74);
      EXPECT_EQ(multinomial(same, 1000000, weights), expected) << exponent;
    }
  }
  std::mt19937_64 engine(75);
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(multinomial<3>(engine, 10, {5e-324, 0, most}), (Counts<3>{0, 0, 10}));
  EXPECT_EQ(multinomial<3>(engine, 10, {most, 5e-324, 0}), (Counts<3>{10, 0, 0}));
  EXPECT_EQ(multinomial<3>(engine, 10, {0, 5e-324, 0}), (Counts<3>{0, 10, 0}));
}

/// The distribution function of an exponential variable of rate 1, cut off at `most`.
double exponential_cdf(double x, double most) { return std::expm1(-x) / std::expm1(-most); }

/// Checks bounds that begin `first` sigma from the mean, in either tail. There the law is
/// exponential with rate `first`.
template <class Real>
void expect_exponential_tail(Real first, Real width, const std::string& what) {
  const Real cut = width / first;
  const auto up = [=](double x) { return exponential_cdf(x * double(first), double(width)); };
  const auto down = [=](double x) { return up(-x); };
  expect_distribution(std::mt19937_64(76), TruncatedNormal<Real>(-first, 1, 0, cut), up, what);
  expect_distribution(std::mt19937_64(77), TruncatedNormal<Real>(first, 1, -cut, 0), down,
                      what + " down");
}

TEST(DistributionTails, TruncatedNormalKeepsItsResolutionAtAnyDistance) {
  const double all = std::numeric_limits<double>::infinity();
  const auto all_singles = std::numeric_limits<float>::infinity();
  for (const double first : {1e8, 1e20, 1e100}) {
    const std::string what = "from " + std::to_string(std::log10(first));
    expect_exponential_tail<double>(first, all, what);
    expect_exponential_tail<double>(first, 3, what + ", two bounds");
    expect_exponential_tail<double>(first, 0.5, what + ", near bounds");
  }
  expect_exponential_tail<float>(1e8F, all_singles, "float");
  expect_exponential_tail<float>(1e8F, 3, "float, two bounds");
  expect_exponential_tail<float>(1e8F, 0.5F, "float, near bounds");
  // In doubles, both bounds are equally far from the mean, so the numbers between them are uniform.
  const auto between = [](double x) { return (x - 1e-20) / 1e-20; };
  expect_distribution(std::mt19937_64(78), TruncatedNormal<double>(-1, 1, 1e-20, 2e-20), between,
                      "narrow");
  expect_distribution(std::mt19937_64(79), TruncatedNormal<double>(0, 1e308, 1e-20, 2e-20), between,
                      "narrow, wide sigma");
}

/// Checks numbers whose logarithm is below t with probability exp(rate (t - zero)), for t far below
/// `zero`. The cells reach down to Real's smallest number; a cell also counts numbers that
/// underflow to 0.
template <class Real, class Distribution>
void expect_power_law(const Distribution& distribution, double rate, double zero,
                      const std::string& what) {
  using Limits = std::numeric_limits<Real>;
  const double log_minimum = std::log(double(Limits::denorm_min())) - std::log(2.0);
  const double normal = std::log(double(Limits::min()));
  const std::array<double, 5> bounds{log_minimum, (log_minimum + normal) / 2, normal, 0.95 * normal,
                                     0.7 * normal};
  std::vector<double> expected;
  double below = 0;
  for (const double bound : bounds) {
    const double cumulative = draws * std::exp(rate * (bound - zero));
    expected.push_back(cumulative - below);
    below = cumulative;
  }
  expected.push_back(draws - below);
  std::vector<std::uint64_t> counts(expected.size());
  std::mt19937_64 engine(80);
  for (int i = 0; i < draws; ++i) {
    const auto x = std::abs(double(distribution(engine)));
    const double log_x = x == 0 ? log_minimum : std::log(x) + 1e-9;
    std::size_t cell = 0;
    while (cell < bounds.size() && log_x > bounds[cell]) ++cell;
    ++counts[cell];
  }
  expect_counts(counts, expected, what);
}

TEST(DistributionTails, SmallShapesReachTheLeastNumbers) {
  const auto zero_of_beta = [](double a, double b) {
    return (std::lgamma(a + 1) + std::lgamma(b) - std::lgamma(a + b)) / a;
  };
  for (const double a : {1e-3, 4e-3}) {
    const std::string what = std::to_string(a);
    expect_power_law<double>(Beta<double>(a, 5), a, zero_of_beta(a, 5), "beta " + what);
    expect_power_law<double>(Beta<double>(a, 0.3), a, zero_of_beta(a, 0.3), "beta of both " + what);
    const double of_gamma = std::lgamma(a + 1) / a;
    expect_power_law<double>(Gamma<double>(a), a, of_gamma, "gamma " + what);
    expect_power_law<double>(Gamma<double>(a, 1e-100), a, of_gamma + std::log(1e-100),
                             "small gamma " + what);
    expect_power_law<double>(Gamma<double>(a, 1e300), a, of_gamma + std::log(1e300),
                             "large gamma " + what);
  }
  expect_power_law<float>(Beta<float>(0.0078125F, 5), 0.0078125, zero_of_beta(0.0078125, 5),
                          "beta, float");
  // For a large b, the law is that of a gamma variable divided by b. Products with exp(boost)
  // overflow before their inverse vanishes.
  const double b = 0x1p50;
  expect_power_law<double>(Beta<double>(1e-3, b), 1e-3, std::lgamma(1.001) / 1e-3 - std::log(b),
                           "beta of a large b");
}

TEST(DistributionTails, StudentsNumbersAreFiniteUpToTheLargest) {
  // P(|t| > x) = c x^-degrees, with c = 2 degrees^(degrees/2 - 1) / B(degrees/2, 1/2).
  constexpr double degrees = 4e-3;
  const double log_c = std::log(2.0) + (degrees / 2 - 1) * std::log(degrees) -
                       std::lgamma(degrees / 2) - std::lgamma(0.5) + std::lgamma((degrees + 1) / 2);
  const auto above = [&](double log_x) { return draws * std::exp(log_c - degrees * log_x); };
  const double largest = std::log(std::numeric_limits<double>::max());
  std::vector<std::uint64_t> counts(4);
  std::mt19937_64 engine(81);
  const Student<double> student(degrees);
  for (int i = 0; i < draws; ++i) {
    const double x = std::abs(student(engine));
    ++counts[x == HUGE_VAL ? 3U : std::log(x) > largest - 5 ? 2U : std::log(x) > 350 ? 1U : 0U];
  }
  expect_counts(counts,
                {draws - above(350), above(350) - above(largest - 5),
                 above(largest - 5) - above(largest), above(largest)},
                "Student");
}

}  // namespace
}  // namespace rivulet
