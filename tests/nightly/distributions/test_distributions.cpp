// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "distribution_checks.hpp"
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
  // u = 1/2 is within the squeeze: the middle of the distribution, at once.
  EXPECT_EQ(from_script<32>(Poisson(50), {0x80000000, 0, 0, 0}), 50U);
  EXPECT_EQ(drawn_of_script<32>(Poisson(50), {0x80000000, 0, 0, 0}), 4);
}

}  // namespace
}  // namespace rivulet
