// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "battery/laws/distributions.hpp"
#include "distribution_engines.hpp"

namespace rivulet {

// Chi-square and moment checks with fixed seeds. A p-value below least_p or above 1 - least_p
// fails. With about 60 p-values, one in 80 choices of seeds would fail.
inline constexpr double least_p = 1e-4;
/// Draws per check. Nightly runs set RIVULET_TEST_DRAWS to 10^8.
inline const int draws = [] {
  const char* wanted = std::getenv("RIVULET_TEST_DRAWS");
  return wanted == nullptr ? 400000 : std::stoi(wanted);
}();

inline void expect_plausible(double p, const std::string& what) {
  EXPECT_GT(p, least_p) << what;
  EXPECT_LT(p, 1 - least_p) << what;
}

/// Compares counts with expected counts; pools cells whose expected count is below 5.
inline void expect_counts(const std::vector<std::uint64_t>& counts,
                          const std::vector<double>& expected, const std::string& what) {
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
  expect_plausible(detail::chi_square_p(chi_square, cells - 1), what);
}

/// Checks that numbers are uniform in [0, 1) after their distribution function was applied. Checks
/// the counts in 1000 cells, the mean and the variance.
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

/// Mean, variance and excess kurtosis of a law.
struct Moments {
  double mean;
  double variance;
  double kurtosis;
};

/// Checks the mean and the variance of numbers.
class MomentsCheck {
 public:
  explicit MomentsCheck(const Moments& law) : law_(law) {}
  void add(double x) {
    const double off = x - law_.mean;
    sum_ += off;
    squares_ += off * off;
    ++n_;
  }
  void expect(const std::string& what) const {
    const double variance = law_.variance;
    UniformCheck::expect_moment(sum_ / n_, std::sqrt(variance / n_), what + ", mean");
    UniformCheck::expect_moment(squares_ / n_ - variance,
                                variance * std::sqrt((law_.kurtosis + 2) / n_),
                                what + ", variance");
  }

 private:
  Moments law_;
  double sum_ = 0;
  double squares_ = 0;
  double n_ = 0;
};

/// Compares counts with the probability of each integer.
template <class Engine, class Distribution, class Probability>
void expect_integers(Engine engine, const Distribution& distribution,
                     const Probability& probability, const Moments& law, const std::string& what) {
  // For wide laws, a cell has several neighbouring integers. The last cell has all larger ones.
  const double sigma = std::sqrt(law.variance);
  const auto per_cell = static_cast<std::uint64_t>(1 + sigma / 20);
  const auto first = static_cast<std::uint64_t>(std::max(0.0, law.mean - 8 * sigma));
  const auto cells = static_cast<std::size_t>(16 * sigma + 40) / per_cell + 1;
  std::vector<std::uint64_t> counts(cells);
  MomentsCheck moments(law);
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t k = distribution(engine);
    ASSERT_GE(k, first) << what;
    ++counts[std::min<std::size_t>((k - first) / per_cell, cells - 1)];
    moments.add(static_cast<double>(k));
  }
  std::vector<double> expected(cells);
  double remaining = draws;
  for (std::size_t i = 0; i < (cells - 1) * per_cell; ++i) {
    const double mean = draws * probability(static_cast<double>(first + i));
    expected[i / per_cell] += mean;
    remaining -= mean;
  }
  expected[cells - 1] = std::max(remaining, 1e-9 * draws);
  expect_counts(counts, expected, what);
  moments.expect(what);
}

/// A law given by the logarithm of its density as a function of t, up to an additive constant. The
/// bounds must contain practically all of its mass. Simpson's rule integrates 1000 cells of equal
/// width.
class DensityLaw {
 public:
  template <class LogDensity>
  DensityLaw(double low, double high, const LogDensity& log_density)
      : from_(low), width_((high - low) / cells), masses_(cells) {
    double sums[3] = {};
    double at_mode = -HUGE_VAL;
    for (int i = 0; i <= cells; ++i)
      at_mode = std::max<double>(at_mode, log_density(low + i * width_));
    for (std::size_t cell = 0; cell < cells; ++cell) {
      for (int i = 0; i <= parts; ++i) {
        const double t = low + width_ * (static_cast<double>(cell) + 1.0 * i / parts);
        const double mass = std::exp(log_density(t) - at_mode) * (i == 0 || i == parts ? 1
                                                                  : i % 2 == 0         ? 2
                                                                                       : 4);
        masses_[cell] += mass;
        for (int k = 0; k < 3; ++k) sums[k] += mass * std::pow(t, k);
      }
    }
    for (double& mass : masses_) mass /= sums[0];
    const double mean = sums[1] / sums[0];
    double fourth = 0;  // central moment
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double off = low + width_ * (static_cast<double>(cell) + 0.5) - mean;
      fourth += masses_[cell] * std::pow(off, 4);
    }
    const double variance = sums[2] / sums[0] - mean * mean;
    moments_ = {mean, variance, fourth / (variance * variance) - 3};
  }
  std::vector<double> expected(double n) const {
    std::vector<double> all = masses_;
    for (double& mass : all) mass *= n;
    return all;
  }
  std::size_t cell(double t) const {
    return static_cast<std::size_t>(std::clamp((t - from_) / width_, 0.0, cells - 1.0));
  }
  const Moments& moments() const { return moments_; }

 private:
  static constexpr int cells = 1000;
  static constexpr int parts = 8;
  double from_;
  double width_;
  std::vector<double> masses_;
  Moments moments_{};
};

/// Draws at most `most` numbers x, and checks that t(x) follows the law.
template <class Engine, class Distribution, class Transform>
void expect_law(Engine engine, const Distribution& distribution, const Transform& t,
                const DensityLaw& law, const std::string& what, int most = draws) {
  const int number = std::min(most, draws);
  std::vector<std::uint64_t> counts(1000);
  MomentsCheck moments(law.moments());
  for (int i = 0; i < number; ++i) {
    const double x = t(static_cast<double>(distribution(engine)));
    ASSERT_EQ(x, x) << what;
    ++counts[law.cell(x)];
    moments.add(x);
  }
  expect_counts(counts, law.expected(number), what);
  moments.expect(what);
}

/// Checks a law with engines of 32, 48 and 64 bits, and with a distribution in single precision.
template <class Double, class Float, class Transform>
void expect_law_of_all(const Double& distribution, const Float& single, const Transform& t,
                       const DensityLaw& law, const std::string& what) {
  expect_law(std::mt19937(21), distribution, t, law, what);
  expect_law(TestEngine<48>(22), distribution, t, law, what + " of 48 bits");
  expect_law(std::mt19937_64(23), distribution, t, law, what + " of 64 bits");
  expect_law(std::mt19937(24), single, t, law, what + ", float");
}

}  // namespace rivulet
