// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "battery/laws/laws.hpp"

namespace rivulet::detail {
namespace {

// What TestU01 itself computed on numbers of its tests (tests/data/battery_laws.json).
const YAML::Node& reference() {
  static const YAML::Node node =
      YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/battery_laws.json");
  return node;
}

struct Case {
  YAML::Node node;
  double number(const char* key) const { return node[key].as<double>(); }
  double parameter(std::size_t i) const { return node["parameters"][i].as<double>(); }
  int whole(std::size_t i) const { return static_cast<int>(parameter(i)); }
  std::uint64_t n() const { return static_cast<std::uint64_t>(parameter(0)); }
  std::uint64_t count(const char* key) const {
    return static_cast<std::uint64_t>(std::llround(number(key)));
  }
};

void for_each(const char* list, const std::string& name,
              const std::function<void(const Case&)>& check) {
  int found = 0;
  for (const YAML::Node& node : reference()[list]) {
    if (node["test"].as<std::string>() != name) continue;
    ++found;
    SCOPED_TRACE(name + " " + std::to_string(found));
    check({node});
  }
  EXPECT_GT(found, 0) << name;
}

void expect_relative(double value, double expected, double tolerance = 1e-9) {
  EXPECT_NEAR(value, expected, tolerance * std::abs(expected)) << value - expected;
}

using Expected = std::function<std::vector<double>(const Case&)>;

/// Counts of all classes, of those of TestU01's groups, which it keeps at one class of each.
std::vector<std::uint64_t> spread(const Case& one, std::size_t classes, std::size_t offset) {
  std::vector<std::uint64_t> counts(classes, 0);
  for (std::size_t i = 0; i < one.node["at"].size(); ++i) {
    const std::size_t at = one.node["at"][i].as<std::size_t>() - offset;
    EXPECT_LT(at, classes);
    if (at < classes) counts[at] = one.node["counts"][i].as<std::uint64_t>();
  }
  return counts;
}

/// Expected numbers of groups may differ by `tolerance` of all.
void expect_classes(const std::string& name, const Expected& expected, double tolerance = 0,
                    std::size_t offset = 0) {
  for_each("tests", name, [&](const Case& one) {
    const std::vector<double> classes = expected(one);
    const std::vector<std::uint64_t> counts = spread(one, classes.size(), offset);
    const MergedClasses groups = merged(classes, counts);
    ASSERT_EQ(groups.expected.size(), one.node["expected"].size());
    double all = 0;
    for (std::size_t i = 0; i < groups.expected.size(); ++i) {
      const double testu01 = one.node["expected"][i].as<double>();
      EXPECT_NEAR(groups.expected[i], testu01, 1e-9 * testu01 + tolerance * one.parameter(0)) << i;
      EXPECT_EQ(groups.counts[i], one.node["counts"][i].as<std::uint64_t>()) << i;
      all += groups.expected[i];
    }
    expect_relative(all, one.parameter(0));
    const ChiSquare test = chi_square(classes, counts);
    EXPECT_EQ(test.degrees, one.count("degrees"));
    const double digits = tolerance == 0 ? 1e-9 : 1e-7;
    expect_relative(test.statistic, one.number("statistic"), digits);
    expect_relative(test.p(), one.number("p"), digits);
  });
}

std::vector<std::uint64_t> cells(const Case& one, int length) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>((length + 1) * (length + 1)), 0);
  for (const YAML::Node& cell : one.node["cells"]) {
    counts[cell[0].as<std::size_t>()] = cell[1].as<std::uint64_t>();
  }
  return counts;
}

TEST(BatteryLaws, ClassesOfChiSquareTestsAreThoseOfTestU01) {
  expect_classes("gap", [](const Case& c) { return gap_expected(c.n(), c.parameter(1)); });
  expect_classes("simp_poker",
                 [](const Case& c) { return simp_poker_expected(c.n(), c.whole(1), c.whole(2)); });
  expect_classes("coupon_collector",
                 [](const Case& c) { return coupon_collector_expected(c.n(), c.whole(1)); });
  expect_classes("weight_distrib", [](const Case& c) {
    return weight_distrib_expected(c.n(), c.whole(1), c.parameter(2));
  });
  // TestU01's alternating sum has errors of 10^-13.
  expect_classes(
      "sum_collector", [](const Case& c) { return sum_collector_expected(c.n(), c.parameter(1)); },
      1e-11);
  expect_classes("matrix_rank",
                 [](const Case& c) { return matrix_rank_expected(c.n(), c.whole(1), c.whole(2)); });
  expect_classes("savir2",
                 [](const Case& c) { return savir_expected(c.n(), c.whole(1), c.whole(2)); });
  expect_classes("gcd", [](const Case& c) { return gcd_expected(c.n()); });
  expect_classes("longest_head_run",
                 [](const Case& c) { return longest_run_expected(c.n(), c.parameter(1)); });
}

TEST(BatteryLaws, WalksAreThoseOfTestU01) {
  const std::map<std::string, std::vector<double> WalkExpected::*> statistics = {
      {"walk_h", &WalkExpected::h},
      {"walk_m", &WalkExpected::m},
      {"walk_j", &WalkExpected::j},
      {"walk_r", &WalkExpected::r},
      {"walk_c", &WalkExpected::c}};
  for (const auto& [name, statistic] : statistics) {
    expect_classes(name, [statistic = statistic](const Case& c) {
      return random_walk_expected(c.n(), c.whole(1)).*statistic;
    });
  }
}

std::uint32_t string_correlation(std::uint32_t string, int s) {
  std::uint32_t correlation = 0;
  for (int k = 0; k < s; ++k) {
    const std::uint64_t kept = (std::uint64_t{1} << (s - k)) - 1;
    if ((string & kept) == string >> k) correlation |= std::uint32_t{1} << (s - 1 - k);
  }
  return correlation;
}

TEST(BatteryLaws, CorrelationsOfStringsAreThoseOfTestU01) {
  expect_classes(
      "periods", [](const Case& c) { return period_classes(c.n(), c.whole(1)).expected; }, 0, 1);
  constexpr int s = 12;
  std::map<std::uint32_t, double> strings;
  for (std::uint32_t string = 0; string < 1U << s; ++string)
    ++strings[string_correlation(string, s)];
  const PeriodClasses classes = period_classes(1U << s, s);
  ASSERT_EQ(classes.correlations.size(), strings.size());
  std::size_t i = 0;
  for (const auto& [correlation, number] : strings) {
    EXPECT_EQ(classes.correlations[i], correlation);
    EXPECT_EQ(classes.expected[i], number) << correlation;
    ++i;
  }
}

TEST(BatteryLaws, WeightsOfBlocksAreThoseOfTestU01) {
  for_each("tests", "hamming_indep", [](const Case& one) {
    const ChiSquare test = hamming_indep(one.n(), one.whole(1), cells(one, one.whole(1)));
    expect_relative(test.statistic, one.number("statistic"));
    expect_relative(test.p(), one.number("p"));
  });
  for_each("tests", "hamming_corr", [](const Case& one) {
    const double z = hamming_correlation_z(one.n(), one.whole(1), cells(one, one.whole(1)));
    expect_relative(z, one.number("statistic"));
    expect_relative(normal_p(z), one.number("p"));
  });
  for_each("tests", "hamming_weight2", [](const Case& one) {
    const ChiSquare test =
        hamming_weight(one.n(), static_cast<std::uint64_t>(one.parameter(1)), one.count("sum"));
    expect_relative(test.statistic, one.number("statistic"));
    expect_relative(test.p(), one.number("p"));
  });
}

TEST(BatteryLaws, NumbersOfCollisionsAreThoseOfTestU01) {
  const auto expect_poisson = [](const Case& one, double mean, double digits) {
    expect_relative(mean, one.number("mean"), digits);
    const double all = one.parameter(0) * mean;
    const std::uint64_t count = one.count("count");
    expect_relative(poisson_p(all, count), one.number("p"), digits);
    if (!one.node["left"]) return;
    if (one.number("left") < 0) return;  // TestU01 has none
    expect_relative(poisson_tails(count, all).left, one.number("left"), digits);
    expect_relative(poisson_tails(count, all).right, one.number("right"), digits);
  };
  for_each("tests", "birthday_spacings", [&](const Case& one) {
    expect_poisson(one, birthday_mean(one.parameter(1), one.parameter(2)), 1e-9);
  });
  for_each("tests", "collision", [&](const Case& one) {
    expect_poisson(one, collision_mean(one.parameter(1), one.parameter(2)), 1e-9);
  });
  for_each("tests", "collision_over", [&](const Case& one) {
    expect_poisson(one, collision_over_mean(one.parameter(1), one.parameter(2), one.whole(3)),
                   1e-9);
  });
}

TEST(BatteryLaws, CountsOfCellsAreThoseOfTestU01) {
  const auto expect = [](const Case& one, const ChiSquare& test) {
    expect_relative(test.statistic, one.number("statistic"));
    expect_relative(test.p(), one.number("p"));
  };
  for_each("tests", "serial_over", [&](const Case& one) {
    expect(one,
           serial_over(one.n(), static_cast<std::uint64_t>(one.parameter(1)), one.count("squares"),
                       static_cast<std::uint64_t>(one.parameter(2)), one.count("fewer_squares")));
  });
  for_each("tests", "permutation", [&](const Case& one) {
    expect(one, multinomial(one.n(), static_cast<std::uint64_t>(one.parameter(1)),
                            one.count("squares")));
  });
  for_each("tests", "run", [&](const Case& one) {
    const auto counts = one.node["counts"].as<std::vector<std::uint64_t>>();
    expect(one, number_runs(one.n(), std::span<const std::uint64_t, 6>(counts.data(), 6)));
  });
  for_each("tests", "max_of_t", [&](const Case& one) {
    const auto counts = one.node["counts"].as<std::vector<std::uint64_t>>();
    const std::vector<double> equal(counts.size(), one.parameter(0) / one.parameter(1));
    expect(one, chi_square_unmerged(equal, counts));
    EXPECT_EQ(second_level_p({one.number("ad_p1")}), one.number("p_ad"));
  });
}

TEST(BatteryLaws, NormalStatisticsAreThoseOfTestU01) {
  const auto expect = [](const Case& one, double z) {
    expect_relative(z, one.number("statistic"));
    expect_relative(normal_p(z), one.number("p"));
  };
  for_each("tests", "appearance", [&](const Case& one) {
    expect(one, appearance_z(one.whole(0), static_cast<std::uint64_t>(one.parameter(1)),
                             one.number("sum")));
  });
  for_each("tests", "lempel_ziv",
           [&](const Case& one) { expect(one, lempel_ziv_z(one.whole(0), one.count("words"))); });
  for_each("tests", "autocor",
           [&](const Case& one) { expect(one, autocorrelation_z(one.n(), one.count("ones"))); });
}

TEST(BatteryLaws, JumpsOfLinearComplexityAreThoseOfTestU01) {
  for_each("tests", "linear_comp", [](const Case& one) {
    expect_relative(jumps_z(one.count("jumps"), one.n()), one.number("z"));
    const std::vector<double> sizes = jump_size_expected(one.count("jumps"), one.n());
    ASSERT_EQ(sizes.size(), one.node["expected"].size() + 1);
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      EXPECT_EQ(sizes[i], one.node["expected"][i - 1].as<double>()) << i;
    }
    const ChiSquare test = chi_square_unmerged(sizes, spread(one, sizes.size(), 0));
    EXPECT_EQ(test.degrees, one.count("degrees"));
    expect_relative(test.statistic, one.number("statistic"));
    expect_relative(test.p(), one.number("p"));
  });
}

TEST(BatteryLaws, TailsOfTheLongestRunAreThoseOfTestU01) {
  for_each("tests", "longest_head_run", [](const Case& one) {
    const Tails tails = longest_run_tails(static_cast<int>(one.count("longest")),
                                          one.parameter(0) * one.parameter(1));
    expect_relative(tails.left, one.number("left"));
    expect_relative(tails.right, one.number("right"));
    expect_relative(discrete_p(tails), one.number("p_disc"));
  });
}

TEST(BatteryLaws, ClosePairsAreThoseOfTestU01) {
  for_each("tests", "close_pairs", [](const Case& one) {
    const auto distances = one.node["distances"].as<std::vector<std::vector<double>>>();
    ASSERT_EQ(distances.size(), one.n());
    const double n = one.parameter(1);
    const ClosePairs test = close_pairs(n, one.whole(2), one.whole(3), distances);
    expect_relative(test.np.statistic, one.number("s_np"));
    expect_relative(test.mnp1.statistic, one.number("s_mnp1"));
    expect_relative(test.mnp2.statistic, one.number("s_mnp2"));
    expect_relative(test.mnp2s.statistic, one.number("s_mnp2s"));
    EXPECT_EQ(test.jumps, one.count("s_jumps"));
    expect_relative(test.jumps_p, one.number("jumps"));
    // The p-values, of which the second level is made too, are not of TestU01's tables.
    EXPECT_NEAR(test.mnp.statistic, one.number("s_mnp"), 0.003);
    EXPECT_NEAR(test.mnp.p, one.number("mnp"), 0.005);
    EXPECT_NEAR(test.np.p, one.number("np"), 0.005);
    EXPECT_NEAR(test.mnp1.p, one.number("mnp1"), 0.001);
    EXPECT_NEAR(test.mnp2.p, one.number("mnp2"), 0.001);
    EXPECT_NEAR(test.mnp2s.p, one.number("mnp2s"), 0.001);
    // A pair at the m-th expected distance counts, one beyond does not.
    const double reach = close_pairs_reach(n, one.whole(2), one.whole(3));
    auto farther = distances;
    farther[0].push_back(reach * 0.9999);
    EXPECT_EQ(close_pairs(n, one.whole(2), one.whole(3), farther).jumps, test.jumps + 1);
    farther[0].back() = reach * 1.0001;
    EXPECT_EQ(close_pairs(n, one.whole(2), one.whole(3), farther).jumps, test.jumps);
  });
  const ClosePairs far = close_pairs(1000, 2, 1, {{0.1}, {0.2}});
  EXPECT_EQ(far.jumps, 0U);
  EXPECT_EQ(far.mnp2.p, 1);
  EXPECT_EQ(far.mnp2s.p, 1);
}

TEST(BatteryLaws, SpectraAreThoseOfTestU01) {
  for_each("tests", "fourier3", [](const Case& one) {
    const auto sums = one.node["sums"].as<std::vector<double>>();
    const Fourier test = fourier(one.n(), static_cast<std::uint64_t>(one.parameter(1)), sums);
    expect_relative(test.testu01.statistic, one.number("statistic"));
    EXPECT_NEAR(test.testu01.p, one.number("p"), 0.001);
    expect_relative(test.gamma.statistic, 1.0255131105711626);  // by the same formula in mpmath
  });
}

TEST(BatteryLaws, WhereTestU01IsOffItsOwnPValuesAreKnown) {
  for_each("tests", "sample_corr", [](const Case& one) {
    const TwoLaws laws = sample_correlation(one.number("sum"),
                                            one.n() - static_cast<std::uint64_t>(one.parameter(1)));
    expect_relative(laws.testu01, one.number("p"));
    expect_relative(laws.p, normal_p(one.number("statistic") / std::sqrt(13. / 12)));
  });
  for_each("tests", "bit_run", [](const Case& one) {
    auto zeros = one.node["zeros"].as<std::vector<std::uint64_t>>();
    auto ones = one.node["ones"].as<std::vector<std::uint64_t>>();
    ASSERT_EQ(zeros.size(), bit_run_classes(one.n()));
    zeros.insert(zeros.begin(), 1000);
    ones.insert(ones.begin(), 1000);
    const BitRuns laws = bit_runs(one.n(), zeros, ones, one.count("bits"));
    expect_relative(laws.runs.testu01, one.number("p"));
    expect_relative(laws.bits.testu01, one.number("p_bits"));
    EXPECT_GT(laws.runs.p, laws.runs.testu01);
    expect_relative(laws.bits.p, normal_p((one.number("bits") - 4 * one.parameter(0)) /
                                          std::sqrt(4 * one.parameter(0))));
  });
  for_each("tests", "bit_match", [](const Case& one) {
    const TwoLaws laws = bit_match(one.parameter(0), one.parameter(1), one.whole(2),
                                   static_cast<int>(one.count("longest")));
    expect_relative(laws.testu01, one.number("p"), 1e-8);  // TestU01 subtracts from 1
    EXPECT_GE(laws.p, laws.testu01);
  });
}

}  // namespace
}  // namespace rivulet::detail
