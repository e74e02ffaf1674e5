// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "battery/battery_words.hpp"
#include "battery/families/family.hpp"
#include "test_data.hpp"

namespace rivulet::detail {
namespace {

// Counts and results of TestU01's tests, recorded from TestU01 (tests/data/battery_laws.json).
const YAML::Node& reference() {
  static const YAML::Node node = test_data("battery_laws.json");
  return node;
}

struct Case {
  YAML::Node node;
  double number(const char* key) const { return node[key].as<double>(); }
  double parameter(std::size_t i) const { return node["parameters"][i].as<double>(); }
  int whole(std::size_t i) const { return static_cast<int>(parameter(i)); }
  std::uint64_t wide(std::size_t i) const {
    return static_cast<std::uint64_t>(std::llround(parameter(i)));
  }
  std::uint64_t n() const { return wide(0); }
  std::uint64_t count(const char* key) const {
    return static_cast<std::uint64_t>(std::llround(number(key)));
  }
};

void for_each(const std::string& name, const std::function<void(const Case&)>& check) {
  int found = 0;
  for (const YAML::Node& node : reference()["tests"]) {
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

std::vector<PValue> judged(const BatteryTest& test, const std::vector<std::uint64_t>& counters,
                           const std::vector<double>& reals = {}) {
  return class_of(test).judge(test, counters, reals);
}

/// Expects TestU01's statistic and its p-value.
void expect_same(const Case& one, const PValue& found) {
  expect_relative(found.value, one.number("statistic"));
  expect_relative(found.p, one.number("p"));
}

using TestOf = std::function<BatteryTest(const Case&)>;

/// Returns the counts of all classes from TestU01's groups. TestU01 stores a group's count at one
/// of the group's classes.
std::vector<std::uint64_t> spread(const Case& one, std::size_t classes, std::size_t offset) {
  std::vector<std::uint64_t> counts(classes, 0);
  for (std::size_t i = 0; i < one.node["at"].size(); ++i) {
    const std::size_t at = one.node["at"][i].as<std::size_t>() - offset;
    EXPECT_LT(at, classes);
    if (at < classes) counts[at] = one.node["counts"][i].as<std::uint64_t>();
  }
  return counts;
}

/// Compares the groups' expected counts, which may differ by `tolerance` of the total.
void expect_groups(const Case& one, std::span<const double> classes, double tolerance = 0,
                   std::size_t offset = 0) {
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
}

void expect_classes(const std::string& name, const TestOf& test_of, double tolerance = 0,
                    std::size_t offset = 0) {
  for_each(name, [&](const Case& one) {
    const BatteryTest test = test_of(one);
    expect_groups(one, class_of(test).expected(test), tolerance, offset);
  });
}

TEST(BatteryLaws, ClassesOfChiSquareTestsAreThoseOfTestU01) {
  const auto divisor = [](const Case& c, std::size_t i) {
    return static_cast<std::uint64_t>(std::llround(1 / c.parameter(i)));
  };
  expect_classes("gap", [&](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::gap, 1, c.n(), 0, divisor(c, 1)};
  });
  expect_classes("simp_poker", [](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::simp_poker, 1, c.n(), 0, c.wide(1), c.whole(2)};
  });
  expect_classes("coupon_collector", [](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::coupon_collector, 1, c.n(), 0, c.wide(1)};
  });
  expect_classes("weight_distrib", [&](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::weight_distrib, 1, c.n(), 0, divisor(c, 2), c.whole(1)};
  });
  // TestU01's alternating sum has errors of 10^-13.
  expect_classes(
      "sum_collector",
      [](const Case& c) -> BatteryTest {
        return {"", 0, TestKind::sum_collector, 1, c.n(), 0, c.wide(1)};
      },
      1e-11);
  expect_classes("matrix_rank", [](const Case& c) -> BatteryTest {
    EXPECT_EQ(c.whole(1), c.whole(2));
    return {"", 0, TestKind::matrix_rank, 1, c.n(), 0, 0, 0, 1, c.whole(1)};
  });
  expect_classes("savir2", [](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::savir2, 1, c.n(), 0, c.wide(1), c.whole(2)};
  });
  expect_classes("gcd", [](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::gcd, 1, c.n(), 0, 0, 0, 30};
  });
  expect_classes("longest_head_run", [](const Case& c) -> BatteryTest {
    return {"", 0, TestKind::longest_head_run, 1, c.n(), 0, 0, 0, 1, c.whole(1)};
  });
}

TEST(BatteryLaws, WalksAreThoseOfTestU01) {
  std::size_t place = 0;
  for (const char* const name : {"walk_h", "walk_m", "walk_j", "walk_r", "walk_c"}) {
    for_each(name, [&](const Case& one) {
      const BatteryTest test{"", 0, TestKind::random_walk, 1, one.n(), 0, 0, 0, 1, one.whole(1)};
      const std::size_t cells = one.wide(1) + 1;
      const std::vector<double> all = class_of(test).expected(test);
      expect_groups(one, std::span(all).subspan(place * cells, cells));
    });
    ++place;
  }
}

TEST(BatteryLaws, CorrelationsOfStringsAreThoseOfTestU01) {
  const auto test_of = [](std::uint64_t n, int s) -> BatteryTest {
    return {"", 0, TestKind::periods_in_strings, 1, n, 0, 0, 0, s};
  };
  expect_classes(
      "periods", [&](const Case& c) { return test_of(c.n(), c.whole(1)); }, 0, 1);
  // The input has every string of s bits once.
  constexpr int s = 12;
  std::vector<std::uint32_t> strings(1U << s);
  std::iota(strings.begin(), strings.end(), 0U);
  for (std::uint32_t& one : strings) one <<= 32 - s;
  Words words(given_words(strings), 1000);
  const BatteryTest test = test_of(strings.size(), s);
  const std::vector<std::uint64_t> counts = counted(words, 0, test).counts;
  EXPECT_EQ(std::vector<double>(counts.begin(), counts.end()), class_of(test).expected(test));
  EXPECT_GT(counts.size(), 20U);
}

TEST(BatteryLaws, WeightsOfBlocksAreThoseOfTestU01) {
  const auto expect_cells = [](const char* name, TestKind kind) {
    for_each(name, [&](const Case& one) {
      const BatteryTest test{"", 0, kind, 1, one.n(), 0, 0, 0, 1, one.whole(1)};
      std::vector<std::uint64_t> counts(class_of(test).counters(test));
      for (const YAML::Node& cell : one.node["cells"]) {
        counts[cell[0].as<std::size_t>()] = cell[1].as<std::uint64_t>();
      }
      expect_same(one, judged(test, counts).front());
    });
  };
  expect_cells("hamming_indep", TestKind::hamming_indep);
  expect_cells("hamming_corr", TestKind::hamming_corr);
  for_each("hamming_weight2", [](const Case& one) {
    const std::uint64_t bits = one.n() * one.wide(1);
    expect_same(one, judged({"", 0, TestKind::hamming_weight2, 1, bits, 0, 0, 0, 1, one.whole(1)},
                            {one.count("sum")})
                         .front());
  });
}

TEST(BatteryLaws, NumbersOfCollisionsAreThoseOfTestU01) {
  const auto expect_poisson = [](const char* name, TestKind kind) {
    for_each(name, [&](const Case& one) {
      const double t = kind == TestKind::collision_over ? one.parameter(3) : 1;
      const auto d = static_cast<std::uint64_t>(std::llround(std::pow(one.parameter(2), 1 / t)));
      std::vector<std::uint64_t> counts(one.n());
      counts[0] = one.count("count");
      const PValue found =
          judged({"", 0, kind, one.n(), one.wide(1), 0, d, static_cast<int>(t)}, counts).front();
      EXPECT_EQ(found.value, one.number("count"));
      expect_relative(found.p, one.number("p"));
      if (!one.node["left"] || one.number("left") < 0) return;  // no tails from TestU01
      const Tails tails = poisson_tails(counts[0], one.parameter(0) * one.number("mean"));
      expect_relative(tails.left, one.number("left"));
      expect_relative(tails.right, one.number("right"));
    });
  };
  expect_poisson("birthday_spacings", TestKind::birthday_spacings);
  expect_poisson("collision", TestKind::collision);
  expect_poisson("collision_over", TestKind::collision_over);
}

TEST(BatteryLaws, CountsOfCellsAreThoseOfTestU01) {
  for_each("serial_over", [](const Case& one) {
    const double d = one.parameter(1) / one.parameter(2);
    const auto t = static_cast<int>(std::lround(std::log(one.parameter(1)) / std::log(d)));
    expect_same(
        one, judged({"", 0, TestKind::serial_over, 1, one.n(), 0, static_cast<std::uint64_t>(d), t},
                    {one.count("squares"), one.count("fewer_squares")})
                 .front());
  });
  for_each("permutation", [](const Case& one) {
    const int t = one.whole(1) == 6 ? 3 : 5;
    expect_same(one,
                judged({"", 0, TestKind::permutation, 1, one.n(), 0, 0, t}, {one.count("squares")})
                    .front());
  });
  for_each("run", [](const Case& one) {
    auto counts = one.node["counts"].as<std::vector<std::uint64_t>>();
    counts.insert(counts.begin(), 0);
    expect_same(one, judged({"", 0, TestKind::number_run, 1, one.n()}, counts).front());
  });
  for_each("max_of_t", [](const Case& one) {
    const auto counts = one.node["counts"].as<std::vector<std::uint64_t>>();
    const std::vector<PValue> found =
        judged({"", 0, TestKind::max_oft, 1, one.n(), 0, one.wide(1), one.whole(2)}, counts,
               {1, one.number("ad_p1")});
    expect_same(one, found[0]);
    EXPECT_EQ(found[1].p, one.number("p_ad"));
  });
}

TEST(BatteryLaws, NormalStatisticsAreThoseOfTestU01) {
  for_each("appearance", [](const Case& one) {
    expect_same(one, judged({"", 0, TestKind::appearance_spacings, 1, one.wide(1), 0, 0, 0, 1,
                             one.whole(0)},
                            {}, {one.number("sum")})
                         .front());
  });
  for_each("lempel_ziv", [](const Case& one) {
    expect_same(one, judged({"", 0, TestKind::lempel_ziv, 1, 1, 0, 0, one.whole(0), 30},
                            {one.count("words")})
                         .front());
  });
  for_each("autocor", [](const Case& one) {
    expect_same(
        one,
        judged({"", 0, TestKind::autocor, 1, one.n(), 0, 0, 0, 1}, {one.count("ones")}).front());
  });
}

TEST(BatteryLaws, JumpsOfLinearComplexityAreThoseOfTestU01) {
  for_each("linear_comp", [](const Case& one) {
    const BatteryTest test{"", 0, TestKind::linear_comp, 1, one.n(), 0, 0, 0, 1};
    const std::size_t classes = class_of(test).counters(test);
    EXPECT_EQ(classes, one.node["expected"].size() + 1);
    std::vector<std::uint64_t> counts = spread(one, classes, 0);
    counts[0] = one.count("jumps");
    const std::vector<PValue> found = judged(test, counts);
    expect_relative(found[0].value, one.number("z"));
    expect_relative(found[0].p, one.number("p_jumps"));
    expect_same(one, found[1]);
  });
}

TEST(BatteryLaws, TailsOfTheLongestRunAreThoseOfTestU01) {
  for_each("longest_head_run", [](const Case& one) {
    const BatteryTest test{"", 0, TestKind::longest_head_run, 1, one.n(), 0, 0, 0, 1, one.whole(1)};
    std::vector<std::uint64_t> counts = spread(one, class_of(test).counters(test), 0);
    counts.back() = one.count("longest");
    const std::vector<PValue> found = judged(test, counts);
    expect_same(one, found[0]);
    expect_relative(found[1].p, one.number("p_disc"));
    expect_relative(discrete_p({one.number("left"), one.number("right")}), found[1].p);
  });
}

TEST(BatteryLaws, ClosePairsAreThoseOfTestU01) {
  for_each("close_pairs", [](const Case& one) {
    const auto distances = one.node["distances"].as<std::vector<std::vector<double>>>();
    ASSERT_EQ(distances.size(), one.n());
    const double n = one.parameter(1);
    const auto law = [&](const std::vector<std::vector<double>>& some) {
      std::map<std::string, PValue> found;
      for (const PValue& p : close_pairs_p_values(n, one.whole(2), one.whole(3), some)) {
        found[p.statistic] = p;
      }
      return found;
    };
    auto test = law(distances);
    expect_relative(test["NP"].value, one.number("s_np"));
    expect_relative(test["mNP1"].value, one.number("s_mnp1"));
    expect_relative(test["mNP2"].value, one.number("s_mnp2"));
    expect_relative(test["mNP2S"].value, one.number("s_mnp2s"));
    EXPECT_EQ(test["NJumps"].value, one.number("s_jumps"));
    expect_relative(test["NJumps"].p, one.number("jumps"));
    // Rivulet's p-values, which the second level also uses, do not come from TestU01's tables.
    EXPECT_NEAR(test["mNP"].value, one.number("s_mnp"), 0.003);
    EXPECT_NEAR(test["mNP"].p, one.number("mnp"), 0.005);
    EXPECT_NEAR(test["NP"].p, one.number("np"), 0.005);
    EXPECT_NEAR(test["mNP1"].p, one.number("mnp1"), 0.001);
    EXPECT_NEAR(test["mNP2"].p, one.number("mnp2"), 0.001);
    EXPECT_NEAR(test["mNP2S"].p, one.number("mnp2s"), 0.001);
    // A distance up to close_pairs_reach() counts as a jump, but no larger distance does.
    const double reach = close_pairs_reach(n, one.whole(2), one.whole(3));
    auto farther = distances;
    farther[0].push_back(reach * 0.9999);
    EXPECT_EQ(law(farther)["NJumps"].value, test["NJumps"].value + 1);
    farther[0].back() = reach * 1.0001;
    EXPECT_EQ(law(farther)["NJumps"].value, test["NJumps"].value);
  });
  const std::vector<PValue> far = close_pairs_p_values(1000, 2, 1, {{0.1}, {0.2}});
  EXPECT_EQ(far[3].p, 1);
  EXPECT_EQ(far[4].value, 0);
  EXPECT_EQ(far[5].p, 1);
}

TEST(BatteryLaws, SpectraAreThoseOfTestU01) {
  for_each("fourier3", [](const Case& one) {
    const auto sums = one.node["sums"].as<std::vector<double>>();
    const auto t = static_cast<int>(std::lround(std::log2(one.parameter(1))));
    const PValue test =
        judged({"", 0, TestKind::fourier3, 1, one.n(), 0, 0, t, 30}, {0}, sums).front();
    expect_relative(test.testu01.value(), anderson_darling_p(sums.size(), one.number("statistic")));
    EXPECT_NEAR(test.testu01.value(), one.number("p"), 0.001);
    expect_relative(test.value, 1.0255131105711626);  // by the same formula in mpmath
  });
}

TEST(BatteryLaws, WhereTestU01IsOffItsOwnPValuesAreKnown) {
  for_each("sample_corr", [](const Case& one) {
    const std::uint64_t pairs = one.n() - one.wide(1);
    const long double sum =
        static_cast<long double>(one.number("sum")) + static_cast<long double>(pairs) / 4;
    const auto upper = static_cast<std::uint64_t>(std::ldexp(sum, 32));
    const auto lower = static_cast<std::uint64_t>(
        std::ldexp(std::ldexp(sum, 32) - static_cast<long double>(upper), 32));
    const PValue found =
        judged({"", 0, TestKind::sample_corr, 1, one.n(), 0, 0, one.whole(1)}, {lower, upper})
            .front();
    expect_relative(found.testu01.value(), one.number("p"));
    expect_relative(found.p, normal_p(one.number("statistic") / std::sqrt(13. / 12)));
  });
  for_each("bit_run", [](const Case& one) {
    const auto zeros = one.node["zeros"].as<std::vector<std::uint64_t>>();
    const auto ones = one.node["ones"].as<std::vector<std::uint64_t>>();
    const BatteryTest test{"", 0, TestKind::bit_run, 1, one.n(), 0, 0, 0, 1};
    ASSERT_EQ(2 * zeros.size() + 1, class_of(test).counters(test));
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < zeros.size(); ++i) {
      counts.push_back(zeros[i]);
      counts.push_back(ones[i]);
    }
    counts.push_back(one.count("bits"));
    const std::vector<PValue> laws = judged(test, counts);
    expect_relative(laws[0].testu01.value(), one.number("p"));
    expect_relative(laws[1].testu01.value(), one.number("p_bits"));
    EXPECT_GT(laws[0].p, laws[0].testu01.value());
    expect_relative(laws[1].p, normal_p((one.number("bits") - 4 * one.parameter(0)) /
                                        std::sqrt(4 * one.parameter(0))));
  });
  for_each("bit_match", [](const Case& one) {
    const BatteryTest test{"", 0, TestKind::bit_match, one.n(), one.wide(1), 0, 0, one.whole(2)};
    std::vector<std::uint64_t> longest(one.n());
    longest.back() = one.count("longest");
    const PValue law = judged(test, longest).front();
    // TestU01 subtracts from 1, which loses digits.
    expect_relative(law.testu01.value(), one.number("p"), 1e-8);
    EXPECT_GE(law.p, law.testu01.value());
  });
}

}  // namespace
}  // namespace rivulet::detail
