// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "battery/laws/distributions.hpp"
#include "battery/laws/uniform_laws.hpp"
#include "battery/test_class.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "test_data.hpp"

namespace rivulet::detail {
namespace {

void expect_relative(double value, double expected, double tolerance = 1e-9) {
  EXPECT_NEAR(value, expected, tolerance * std::abs(expected)) << value - expected;
}

/// Compares p-values with those of TestU01 (tests/data/battery_laws.json). TestU01's values are
/// exact where the tolerance is 10^-9. This tolerance allows for TestU01's sums, which stop at
/// terms of 10^-10.
TEST(BatteryDistributions, AreThoseOfTestU01) {
  std::size_t checked = 0;
  for (const YAML::Node& one : test_data("battery_laws.json")["laws"]) {
    const auto law = one["test"].as<std::string>();
    const auto x = one["parameters"].as<std::vector<double>>();
    SCOPED_TRACE(law + " " + std::to_string(checked++));
    const auto expect = [&one](const char* key, double value, double tolerance = 1e-9) {
      expect_relative(value, one[key].as<double>(), tolerance);
    };
    const auto n = static_cast<std::uint64_t>(std::abs(x[0]));
    if (law == "chi_square") {
      expect("p", chi_square_p(x[1], x[0]));
    } else if (law == "normal") {
      expect("p", normal_p(x[0]));
    } else if (law == "poisson") {
      const Tails tails = poisson_tails(static_cast<std::uint64_t>(x[1]), x[0]);
      expect("left", tails.left);
      expect("right", tails.right);
      expect("p", discrete_p(tails));
    } else if (law == "binomial") {
      const Tails tails = binomial_tails(static_cast<std::uint64_t>(x[2]), n, x[1]);
      expect("left", tails.left);
      expect("right", tails.right);
    } else {
      ASSERT_EQ(law, "ad");
      const bool is_same = n == 1 || x[1] > 10;
      expect("p", anderson_darling_p(n, x[1]), is_same ? 1e-9 : x[1] > 5 ? 0.03 : 0.004);
      if (x[1] < 5)
        expect("marsaglia", anderson_darling_p(n, x[1]), n == 10 && x[1] > 3 ? 0.01 : 1e-3);
    }
  }
  EXPECT_GT(checked, 30U);
}

TEST(BatteryDistributions, SumsOfNormalValuesAreNormal) {
  expect_relative(normal_sum_p(std::array{1.0, 2.0, 0.5, -0.5}), normal_p(1.5));
}

// mpmath computed the reference values with 40 digits.
TEST(BatteryDistributions, ChiSquaresAreThoseOfReferenceValues) {
  struct Case {
    double a;
    double x;
    double upper;
  };
  for (const Case& one : {
           Case{0.5, 3.2000000000000002, 0.011412036386001653},
           {4.5, 1.25, 0.98088349140281343},
           {28, 19.143213983999999, 0.96618042385992774},
           {49.5, 61.700000000000003, 0.048902311511807317},
           {49.5, 30.100000000000001, 0.99927134877317728},
           {50, 50, 0.48119168452795672},
           {50.5, 80, 0.00016827733297129306},
           {500, 455.5, 0.97919437214810919},
           {500, 620, 2.8152332289542097e-7},
           {12345.5, 12345.5, 0.49880316394322033},
           {12345.5, 12000, 0.99914367157884313},
           {1000000, 1002000, 0.022804095898769863},
           {1000000, 998500, 0.93324682716839013},
           {100000000, 100020000, 0.022755530774855203},
       }) {
    EXPECT_NEAR(chi_square_p(2 * one.x, 2 * one.a) / one.upper, 1, 1e-10) << one.a;
  }
}

/// Above 10^10 degrees of freedom, an approximation replaces Boost's function. The two must agree
/// at this limit.
TEST(BatteryDistributions, ChiSquaresOfManyDegreesOfFreedom) {
  for (const double z : {-5.0, -1.0, 0.0, 0.5, 3.0, 6.0}) {
    const auto at = [=](double k) { return chi_square_p(k + z * std::sqrt(2 * k), k); };
    expect_relative(at(1e10 * (1 + 1e-9)), at(1e10), 1e-8);
    EXPECT_NEAR(at(1e14), normal_p(z), 1e-7);
  }
}

TEST(BatteryDistributions, TailsAreWholeAtTheEnds) {
  EXPECT_EQ(chi_square_p(0, 5), 1);
  EXPECT_EQ(chi_square_p(0, 0), 1);
  EXPECT_EQ(chi_square_p(1e30, 1e8), 0);
  EXPECT_EQ(poisson_tails(0, 0).right, 1);
  EXPECT_EQ(poisson_tails(1, 0).right, 0);
  EXPECT_EQ(binomial_tails(7, 7, 0.25).left, 1);
  EXPECT_EQ(binomial_tails(8, 7, 0.25).right, 0);
  expect_relative(binomial_tails(7, 7, 0.25).right, std::pow(0.25, 7));
  EXPECT_EQ(discrete_p({0.7, 0.6}), 0.6);
  EXPECT_EQ(discrete_p({0.6, 0.7}), 0.5);
  EXPECT_EQ(discrete_p({0.4375, 0.9}), 0.5625);
  EXPECT_EQ(anderson_darling_p(1, 2 * std::numbers::ln2 - 1), 1);
}

// `sorted` is the statistic by its definition, for sorted values. The statistic must be finite for
// the values 0 and 1.
TEST(BatteryDistributions, AndersonAndDarlingsStatisticSortsValues) {
  const double expected =
      -2 - (std::log(0.2) + 3 * std::log(0.1) + 3 * std::log(0.8) + std::log(0.9)) / 2;
  const double sorted =
      -2 - (std::log(0.2) + 3 * std::log(0.9) + 3 * std::log(0.8) + std::log(0.1)) / 2;
  EXPECT_NE(expected, sorted);
  const AndersonDarling test = anderson_darling({0.9, 0.2});
  expect_relative(test.statistic, sorted);
  EXPECT_EQ(test.p, anderson_darling_p(2, test.statistic));
  EXPECT_TRUE(std::isfinite(anderson_darling({0, 1, 0.5}).statistic));
  EXPECT_EQ(second_level_p({0.25}), 0.75);
  EXPECT_EQ(second_level_p({0.9, 0.2}), test.p);
}

// The expected probabilities are exact fractions, rounded to doubles.
TEST(BatteryDistributions, SumsOfUniformNumbersAreExact) {
  struct Case {
    int n;
    double x;
    double p;
  };
  for (const Case& one : {Case{1, 0.25, 0.25},
                          {2, 1.5, 0.875},
                          {20, 4.75, 1.1613885805305597e-05},
                          {20, 10.5, 0.64970514516000633},
                          {30, 3.5, 7.9039206875199119e-17},
                          {30, 7.03125, 6.9720568660664603e-08},
                          {30, 14.875, 0.46865094530549972},
                          {30, 15.5, 0.62350319129194753},
                          {30, 22.25, 0.99999895762321667}}) {
    expect_relative(sum_of_uniforms(one.n, one.x), one.p, 1e-13);
    const std::vector<double> series = sum_of_uniforms_series(one.n);
    expect_relative(SumOfUniforms{one.n, series.data()}.at(one.x), one.p, 1e-11);
  }
  const std::vector<double> series = sum_of_uniforms_series(30);
  const SumOfUniforms sum{30, series.data()};
  for (double x = -0.5; x < 31; x += 0.37) {
    EXPECT_NEAR(sum.at(x), sum_of_uniforms(30, x), 1e-15) << x;
  }
}

TEST(BatteryDistributions, ProductsAndMaximaOfUniformNumbers) {
  expect_relative(ProductOfUniforms{1}.at(0.3), 0.3);
  expect_relative(ProductOfUniforms{3}.at(0.3),
                  0.3 * (1 - std::log(0.3) + std::pow(std::log(0.3), 2) / 2));
  EXPECT_EQ(ProductOfUniforms{3}.at(0), 0);
  EXPECT_EQ(ProductOfUniforms{3}.at(1), 1);
  expect_relative(LargestOfUniforms{6}.at(0.9), 0.531441);
  EXPECT_EQ(LargestOfUniforms{6}.at(1.5), 1);
  EXPECT_EQ(LargestOfUniforms{6}.at(-1), 0);
}

// Checks tests whose laws in TestU01 are inaccurate. With Rivulet's laws, the p-values of good
// numbers are uniform (each check fails for one seed in 100). With TestU01's laws, the p-values of
// the same numbers are not uniform.
class OffLaws : public testing::Test {
 protected:
  std::uint32_t word() {
    return static_cast<std::uint32_t>(splitmix64_mix(++state_ * 0x9E3779B97F4A7C15) >> 32);
  }

  /// Adds the p-values of one replication, by Rivulet's and by TestU01's laws.
  void judge(const BatteryTest& test, const std::vector<std::uint64_t>& counters,
             const std::vector<double>& reals = {}) {
    for (const PValue& found : class_of(test).judge(test, counters, reals)) {
      right_[found.statistic].push_back(found.p);
      testu01_[found.statistic].push_back(found.testu01.value());
    }
  }
  void expect_right(double off) {
    for (const auto& [statistic, p] : right_) {
      EXPECT_GT(second_level_p(p), 0.01) << statistic;
      EXPECT_LT(second_level_p(testu01_[statistic]), off) << statistic;
    }
  }

  std::map<std::string, std::vector<double>> right_, testu01_;

 private:
  std::uint64_t state_ = 1'000'000'000;
};

TEST_F(OffLaws, SampleCorrelations) {
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::uint64_t> sums(2);
    std::uint32_t last = word();
    for (int j = 0; j < 200; ++j) {
      const std::uint32_t next = word();
      const std::uint64_t product = std::uint64_t{last} * next;
      sums[0] += product & 0xffffffff;
      sums[1] += product >> 32;
      last = next;
    }
    judge({"", 0, TestKind::sample_corr, 1, 201, 0, 0, 1}, sums);
  }
  expect_right(1e-4);
}

TEST_F(OffLaws, RunsOfBits) {
  const BatteryTest test{"", 0, TestKind::bit_run, 1, 3000, 0, 0, 0, 1};
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::uint64_t> counts(class_of(test).counters(test));
    const std::uint64_t last = counts.size() / 2;
    std::uint64_t runs_of_ones = 0;
    std::uint64_t length = 0;
    std::uint32_t kind = 2;
    while (runs_of_ones < test.n) {
      const std::uint32_t bit = word() >> 31;
      ++counts.back();
      if (bit == kind) {
        ++length;
        continue;
      }
      if (kind != 2) ++counts[2 * std::min(length, last) - 2 + kind];
      if (bit == 1) ++runs_of_ones;
      kind = bit;
      length = 1;
    }
    judge(test, counts);
  }
  expect_right(1e-6);
}

TEST_F(OffLaws, Spectra) {
  constexpr std::size_t bits = 64;
  constexpr std::size_t frequencies = bits / 4;
  std::array<std::array<double, bits>, 2> wave;
  for (std::size_t k = 0; k < bits; ++k) {
    wave[0][k] = std::cos(2 * std::numbers::pi * static_cast<double>(k) / bits);
    wave[1][k] = std::sin(2 * std::numbers::pi * static_cast<double>(k) / bits);
  }
  for (int i = 0; i < 1500; ++i) {
    std::vector<double> sums(frequencies);
    for (int transform = 0; transform < 20; ++transform) {
      const std::uint64_t drawn = std::uint64_t{word()} << 32 | word();
      for (std::size_t f = 1; f <= frequencies; ++f) {
        for (const auto& part : wave) {
          double sum = 0;
          for (std::size_t k = 0; k < bits; ++k) {
            sum += (drawn >> k & 1) != 0 ? part[k * f % bits] : -part[k * f % bits];
          }
          sums[f - 1] += sum * sum / bits;
        }
      }
    }
    judge({"", 0, TestKind::fourier3, 1, 20, 0, 0, 6, 30}, {0}, sums);
  }
  expect_right(1e-6);
}

TEST_F(OffLaws, MatchingBits) {
  // In one dimension, the two words with the longest common prefix are neighbours in sorted order.
  constexpr int replications = 4000;
  for (int i = 0; i < replications; ++i) {
    std::vector<std::uint32_t> words(60);
    for (std::uint32_t& one : words) one = word();
    std::sort(words.begin(), words.end());
    std::uint64_t longest = 0;
    for (std::size_t j = 1; j < words.size(); ++j) {
      const int agreed = std::countl_zero(words[j] ^ words[j - 1]);
      longest = std::max(longest, static_cast<std::uint64_t>(agreed));
    }
    judge({"", 0, TestKind::bit_match, 1, 60, 0, 0, 1}, {longest});
  }
  const auto few = [](const std::vector<double>& all) {
    return static_cast<double>(std::ranges::count_if(all, [](double p) { return p <= 0.2; }));
  };
  // For a discrete law, P(p <= 0.2) is at most 0.2.
  EXPECT_LT(few(right_[""]), 0.21 * replications);
  EXPECT_GT(few(testu01_[""]), 0.23 * replications);
}

}  // namespace
}  // namespace rivulet::detail
