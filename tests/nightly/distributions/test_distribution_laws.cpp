// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "distribution_checks.hpp"
#include "rivulet/distributions.hpp"

namespace rivulet {
namespace {

// These tests check the laws of gamma and the distributions made from it, of angles, of truncated
// normal variables and of counts of trials. The densities are integrated numerically, over a
// variable that makes them smooth. Chi-squares and moments are checked as in
// test_distributions.cpp.

const auto logarithm = [](double x) { return std::log(x); };
const double pi = std::acos(-1.0);

template <class Distribution>
void expect_moments(const Distribution& distribution, const Moments& law, const std::string& what) {
  std::mt19937_64 engine(25);
  MomentsCheck moments(law);
  for (int i = 0; i < draws; ++i) moments.add(static_cast<double>(distribution(engine)));
  moments.expect(what);
}

/// The law of the logarithm of a gamma variable.
DensityLaw log_gamma_law(double shape) {
  // The lower bound is far enough down for shape 0.05.
  const double spread = 14 / std::sqrt(shape) + (shape < 1 ? 40 / shape : 0);
  const double high = std::log(shape + 12 * std::sqrt(shape) + 40);
  return {std::log(shape) - spread, high, [shape](double t) { return shape * t - std::exp(t); }};
}

TEST(DistributionLaws, GammaNumbers) {
  for (const double shape : {0.05, 0.5, 0.999, 1.0, 1.5, 4.0, 1000.0}) {
    const DensityLaw law = log_gamma_law(shape);
    const std::string what = "gamma " + std::to_string(shape);
    // In single precision, numbers of shape 0.05 would underflow at 1e-45.
    const auto single = static_cast<float>(std::max(shape, 0.5));
    const auto log_of_part = [](double x) { return std::log(x / 3); };
    if (shape >= 0.5) {
      expect_law_of_all(Gamma<double>(shape, 3), Gamma<float>(single, 3), log_of_part, law, what);
    } else {
      expect_law(std::mt19937(20), Gamma<double>(shape, 3), log_of_part, law, what);
    }
    expect_moments(Gamma<double>(shape, 3), {3 * shape, 9 * shape, 6 / shape}, what);
  }
}

TEST(DistributionLaws, GammaTrials) {
  TestEngine<64> engine(26);
  const Gamma<double> gamma(1);
  for (int i = 0; i < draws; ++i) gamma(engine);
  EXPECT_NEAR(engine.drawn() / 2.0 / draws, 1.0511,
              0.002);  // from a table of the paper that gamma.hpp cites
  TestEngine<64> large(27);
  for (int i = 0; i < draws; ++i) Gamma<double>(1e6)(large);
  EXPECT_NEAR(large.drawn() / 2.0 / draws, 1, 1e-4);
}

TEST(DistributionLaws, GammaOfLargeShapesIsNormal) {
  const double shape = 0x1p50;
  const Gamma<double> gamma(shape);
  expect_law(
      std::mt19937_64(28), gamma, [=](double x) { return (x - shape) * 0x1p-25; },
      DensityLaw(-9, 9, [](double t) { return -t * t / 2; }), "gamma of shape 2^50");
}

TEST(DistributionLaws, ChiSquareNumbers) {
  for (const double degrees : {1.0, 3.0, 50.0}) {
    expect_law_of_all(
        ChiSquare<double>(degrees), ChiSquare<float>(static_cast<float>(degrees)),
        [](double x) { return std::log(x / 2); }, log_gamma_law(degrees / 2),
        "chi-square " + std::to_string(degrees));
  }
  expect_moments(ChiSquare<double>(7), {7, 14, 12.0 / 7}, "chi-square");
  expect_moments(ChiSquare<float>(0.5F), {0.5, 1, 24}, "chi-square, float");
}

TEST(DistributionLaws, StudentNumbers) {
  for (const double n : {0.25, 1.0, 2.0, 3.0, 10.0, 1e6}) {
    // The law of asinh x has exponential tails.
    const double end = n < 5 ? 30 / n : 8;
    const DensityLaw law(-end, end, [n](double t) {
      const double x = std::sinh(t);
      return -(n + 1) / 2 * std::log1p(x * x / n) + std::log(std::cosh(t));
    });
    expect_law_of_all(
        Student<double>(n), Student<float>(static_cast<float>(n)),
        [](double x) { return std::asinh(x); }, law, "Student " + std::to_string(n));
  }
}

TEST(DistributionLaws, BetaNumbers) {
  const double pairs[][2] = {{0.25, 0.25}, {0.5, 3}, {1, 1}, {2, 0.75}, {3, 5}, {200, 40}};
  for (const auto& [a, b] : pairs) {
    const double least = std::min(a, b);
    const double end = least < 5 ? 36 / least : 8;
    // The law of log(x / (1 - x)). Near 1, x has few bits, so the last cell has all larger values.
    const DensityLaw law(-end, end, [a = a, b = b](double t) {
      return -a * std::log1p(std::exp(-t)) - b * std::log1p(std::exp(t));
    });
    const std::string what = "beta " + std::to_string(a) + ' ' + std::to_string(b);
    const double sum = a + b;
    const double variance = a * b / (sum * sum * (sum + 1));
    const double kurtosis =
        6 * ((a - b) * (a - b) * (sum + 1) - a * b * (sum + 2)) / (a * b * (sum + 2) * (sum + 3));
    expect_moments(Beta<double>(a, b), {a / sum, variance, kurtosis}, what);
    expect_moments(Beta<float>(static_cast<float>(a), static_cast<float>(b)),
                   {a / sum, variance, kurtosis}, what + ", float");
    if (b < 1) continue;
    expect_law(
        std::mt19937(29), Beta<double>(a, b), [](double x) { return std::log(x / (1 - x)); }, law,
        what);
  }
}

/// For shapes far below 1, x / (x + y) would be NaN if both numbers were rounded to 0. The beta law
/// of a and b is then the Bernoulli law with probability a / (a + b).
TEST(DistributionLaws, BetaOfTinyShapes) {
  std::mt19937_64 engine(30);
  const Beta<double> beta(1e-6, 3e-6);
  std::vector<std::uint64_t> counts(3);
  for (int i = 0; i < draws; ++i) {
    const double x = beta(engine);
    ++counts[x < 1e-9 ? 0 : x > 1 - 1e-9 ? 2 : 1];
  }
  EXPECT_LT(counts[1], static_cast<unsigned>(draws / 10000));
  expect_counts({counts[0], counts[2]},
                {0.75 * static_cast<double>(counts[0] + counts[2]),
                 0.25 * static_cast<double>(counts[0] + counts[2])},
                "beta of tiny shapes");
}

TEST(DistributionLaws, LogNormalNumbers) {
  const DensityLaw law(-10, 12, [](double t) { return -(t - 1) * (t - 1) / 2 / 1.44; });
  expect_law_of_all(LogNormal<double>(1, 1.2), LogNormal<float>(1, 1.2F), logarithm, law,
                    "log-normal");
}

TEST(DistributionLaws, CauchyNumbers) {
  const DensityLaw law(-pi / 2, pi / 2, [](double) { return 0; });
  expect_law_of_all(
      Cauchy<double>(3, 2), Cauchy<float>(3, 2), [](double x) { return std::atan((x - 3) / 2); },
      law, "Cauchy");
}

TEST(DistributionLaws, VonMisesAngles) {
  for (const double k : {0.0, 1e-9, 0.3, 1.0, 7.0, 1000.0}) {
    const double end = std::min(pi, 10 / std::sqrt(k));
    const DensityLaw law(-end, end, [k](double t) { return k * std::cos(t); });
    expect_law_of_all(
        VonMises<double>(1, k), VonMises<float>(1, static_cast<float>(k)),
        [](double x) { return x - 1; }, law, "von Mises " + std::to_string(k));
  }
  // The sharpest von Mises law is normal.
  expect_law(
      std::mt19937_64(31), VonMises<double>(0, 0x1p100), [](double x) { return x * 0x1p50; },
      DensityLaw(-9, 9, [](double t) { return -t * t / 2; }), "von Mises 2^100");
  TestEngine<64> engine(32);
  for (int i = 0; i < draws; ++i) VonMises<double>(0, 1e6)(engine);
  EXPECT_NEAR(engine.drawn() / 2.0 / draws, std::sqrt(2 * pi / std::exp(1)), 0.005);
}

TEST(DistributionLaws, TruncatedNormalNumbers) {
  // Bounds on both sides of the mean, far and near; bounds in one tail, far and near; and bounds of
  // short pieces of a tail.
  const double bounds[][2] = {{-1, 2},         {-0.5, 0.75},   {-INFINITY, INFINITY},
                              {-2, 30},        {0, INFINITY},  {0.5, 1},
                              {3, INFINITY},   {3, 3.1},       {3, 3.4},
                              {100, INFINITY}, {100, 100.003}, {1e6, INFINITY}};
  for (const auto& [a, b] : bounds) {
    const double from = std::max(a, -9.0);
    // Far in the tail, the density falls as exp(-a (x - a)).
    const double upto = std::min(b, a > 0 ? std::min(a + 40 / a, a + 9) : 9);
    const auto offset = [from](double x) { return x - from; };
    const DensityLaw law(0, upto - from, [from](double t) { return -t * (t + 2 * from) / 2; });
    const std::string what = "normal from " + std::to_string(a) + " to " + std::to_string(b);
    // From 10^6 on, a cell contains only a few hundred doubles; between 5.5 and 5.55, it contains
    // about a hundred floats. With more draws, the test would detect that a cell's bounds lie
    // between two numbers.
    constexpr int few = 1000000;
    const int most = a > 1e5 ? few : draws;
    expect_law(std::mt19937(33), TruncatedNormal<double>(0, 1, a, b), offset, law, what, most);
    expect_law(
        std::mt19937(34), TruncatedNormal<double>(0, 1, -b, -a),
        [from](double x) { return -x - from; }, law, what + ", mirrored", most);
    if (a > 50) continue;
    const auto single = TruncatedNormal<float>(4, 0.5F, static_cast<float>(4 + a / 2),
                                               static_cast<float>(4 + b / 2));
    expect_law(
        std::mt19937(35), single, [from](double x) { return 2 * (x - 4) - from; }, law,
        what + ", float", b - a < 0.2 ? few : draws);
    TestEngine<64> engine(36);
    for (int i = 0; i < draws; ++i) {
      const double x = TruncatedNormal<double>(0, 1, a, b)(engine);
      ASSERT_TRUE(x >= a && x <= b);
    }
    EXPECT_LT(engine.drawn() / 1.0 / draws, 4.2) << what;
  }
}

TEST(DistributionLaws, PointsOnADisk) {
  std::mt19937 engine(37);
  UniformCheck squares;
  UniformCheck azimuths;
  for (int i = 0; i < draws; ++i) {
    const auto [x, y] = OnDisk<double>()(engine);
    squares.add(x * x + y * y);
    azimuths.add(std::atan2(y, x) / (2 * pi) + 0.5);
  }
  squares.expect("disk, square of the distance");
  azimuths.expect("disk, azimuth");
}

template <class Real>
void expect_simplex(int n, const std::string& what) {
  std::mt19937 engine(38);
  const Simplex<Real> simplex(n);
  std::vector<Real> numbers(static_cast<std::size_t>(n));
  std::vector<UniformCheck> checks(numbers.size());
  for (int i = 0; i < draws; ++i) {
    simplex(engine, numbers.data());
    double sum = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      const double x = numbers[k];
      checks[k].add(1 - std::pow(1 - x, n - 1));
      sum += x;
    }
    ASSERT_NEAR(sum, 1, sizeof(Real) == 4 ? 1e-6 : 1e-15);
  }
  for (const UniformCheck& check : checks) check.expect(what);
}

TEST(DistributionLaws, PointsOfASimplex) {
  expect_simplex<double>(2, "simplex 2");
  expect_simplex<double>(5, "simplex 5");
  expect_simplex<float>(3, "simplex 3, float");
  double one = 0;
  std::mt19937 engine(39);
  Simplex<double>(1)(engine, &one);
  EXPECT_EQ(one, 1);
}

template <class Real>
void expect_normals(const std::string& what) {
  constexpr Real unread = 1000;
  const Real mean[] = {1, -2, 3};
  const Real factor[] = {2, unread, unread, -1, Real(0.5), unread, 3, Real(0.25), 4};
  const MultivariateNormal<Real> normal(3, mean, factor);
  std::mt19937 engine(40);
  UniformCheck checks[3];
  double products[3] = {};
  for (int i = 0; i < draws; ++i) {
    Real x[3];
    normal(engine, x);
    const double z0 = (x[0] - 1.0) / 2;
    const double z1 = (x[1] + 2.0 + z0) / 0.5;
    const double z2 = (x[2] - 3.0 - 3 * z0 - 0.25 * z1) / 4;
    const double z[] = {z0, z1, z2};
    for (int k = 0; k < 3; ++k) {
      checks[k].add(std::erfc(-z[k] * std::sqrt(0.5)) / 2);
      products[k] += z[k] * z[(k + 1) % 3];
    }
  }
  for (int k = 0; k < 3; ++k) {
    checks[k].expect(what);
    UniformCheck::expect_moment(products[k], std::sqrt(draws), what + ", products");
  }
}

TEST(DistributionLaws, NormalNumbersWithACovariance) {
  expect_normals<double>("normal vectors");
  expect_normals<float>("normal vectors, float");
}

/// Returns the probability of k successes in n trials with success probability p.
double binomial(double k, double n, double p) {
  if (k > n) return 0;
  const long double ways =
      std::lgamma(n + 1.0L) - std::lgamma(k + 1.0L) - std::lgamma(n - k + 1.0L);
  return static_cast<double>(
      std::exp(ways + k * std::log(1.0L * p) + (n - k) * std::log1p(-1.0L * p)));
}

TEST(DistributionLaws, BinomialCounts) {
  const double cases[][2] = {{1, 0.3},    {7, 0.9},     {19, 0.5},     {20, 0.5},   {33, 0.3},
                             {40, 0.75},  {100, 0.099}, {1000, 0.011}, {1000, 0.6}, {100000, 0.999},
                             {1e6, 1e-6}, {1e6, 0.5},   {1e9, 0.0001}};
  for (const auto& [n, p] : cases) {
    const double variance = n * p * (1 - p);
    const Binomial distribution(static_cast<std::uint64_t>(n), p);
    const auto probability = [n = n, p = p](double k) { return binomial(k, n, p); };
    const Moments law{n * p, variance, (1 - 6 * p * (1 - p)) / variance};
    const std::string what = "binomial " + std::to_string(n) + ' ' + std::to_string(p);
    expect_integers(std::mt19937(41), distribution, probability, law, what);
    expect_integers(std::mt19937_64(42), distribution, probability, law, what + ", 64 bits");
  }
}

TEST(DistributionLaws, BinomialCountsAtTheEnds) {
  std::mt19937_64 engine(43);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Binomial(0, 0.5)(engine), 0U);
    EXPECT_EQ(Binomial(1000, 0)(engine), 0U);
    EXPECT_EQ(Binomial(1000, 1)(engine), 1000U);
    EXPECT_LE(Binomial(20, 0.5)(engine), 20U);
    EXPECT_EQ(Binomial(std::uint64_t{1} << 50, 0x1p-1000)(engine), 0U);
  }
  const Binomial most(std::uint64_t{1} << 50, 0.5);
  expect_law(
      engine, most, [](double k) { return (k - 0x1p49) * 0x1p-24; },
      DensityLaw(-9, 9, [](double t) { return -t * t / 2; }), "binomial 2^50");
  TestEngine<64> drawn(44);
  for (int i = 0; i < draws; ++i) Binomial(20, 0.5)(drawn);
  EXPECT_LT(drawn.drawn() / 2.0 / draws, 1.5);
  TestEngine<64> drawn_of_large(45);
  for (int i = 0; i < draws; ++i) most(drawn_of_large);
  EXPECT_LT(drawn_of_large.drawn() / 2.0 / draws, 1.16);
}

TEST(DistributionLaws, GeometricCounts) {
  for (const double p : {1e-6, 0.01, 0.3, 0.5, 0.9}) {
    const double q = 1 - p;
    const auto probability = [p](double k) { return p * std::exp(k * std::log1p(-p)); };
    expect_integers(std::mt19937(46), Geometric(p), probability,
                    {q / p, q / (p * p), 6 + p * p / q}, "geometric " + std::to_string(p));
  }
}

/// Checks all 21 outcomes of 5 trials in 3 cells.
TEST(DistributionLaws, MultinomialCountsOfFewTrials) {
  const double weights[] = {1, 5, 2};
  std::mt19937 engine(47);
  std::vector<std::uint64_t> counts(36);
  std::vector<double> expected(36);
  for (int i = 0; i < draws; ++i) {
    std::uint64_t n[3];
    Multinomial(5, 3, weights)(engine, n);
    ASSERT_EQ(n[0] + n[1] + n[2], 5U);
    ++counts[6 * n[0] + n[1]];
  }
  for (int a = 0; a <= 5; ++a) {
    for (int b = 0; a + b <= 5; ++b) {
      const double ways =
          120 / (std::tgamma(a + 1.0) * std::tgamma(b + 1.0) * std::tgamma(6.0 - a - b));
      expected[static_cast<std::size_t>(6 * a + b)] =
          draws * ways * std::pow(0.125, a) * std::pow(0.625, b) * std::pow(0.25, 5 - a - b);
    }
  }
  expect_counts(counts, expected, "multinomial");
}

TEST(DistributionLaws, MultinomialCountsOfManyTrials) {
  const std::vector<double> weights{0, 1e-3, 0.2, 0, 7, 3e-5, 0.4, 0};
  double total = 0;
  for (const double weight : weights) total += weight;
  const std::uint64_t n = 1000000;
  std::mt19937_64 engine(48);
  std::vector<MomentsCheck> checks;
  for (const double weight : weights) {
    const double p = weight / total;
    const double variance = static_cast<double>(n) * p * (1 - p);
    checks.emplace_back(Moments{static_cast<double>(n) * p, variance, 1 / variance});
  }
  std::vector<std::uint64_t> counts(weights.size());
  for (int i = 0; i < draws / 10; ++i) {
    Multinomial(n, 8, weights.data())(engine, counts.data());
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      checks[k].add(static_cast<double>(counts[k]));
      sum += counts[k];
      if (weights[k] == 0) {
        ASSERT_EQ(counts[k], 0U);
      }
    }
    ASSERT_EQ(sum, n);
  }
  for (std::size_t k = 0; k < counts.size(); ++k) {
    std::string what = "multinomial, cell ";
    what += std::to_string(k);
    if (weights[k] > 0) checks[k].expect(what);
  }
}

}  // namespace
}  // namespace rivulet
