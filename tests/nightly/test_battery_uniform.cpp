// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "battery/distributions.hpp"
#include "battery/test_class.hpp"
#include "unit/battery_words.hpp"

namespace rivulet {
namespace {

using enum TestKind;

constexpr int repeats = 1000;
constexpr double threshold = 1e-5;

std::string called(const BatteryTest& test) {
  const TestClass& kind = class_of(test.kind);
  return std::string(kind.name) + ", " + kind.parameters(test);
}

/// Statistics of a continuous law, or nearly: a thousand p-values of philox4x32 are uniform.
TEST(BatteryUniform, PValues) {
  const BatteryTest all[] = {{"", 0, serial_over, 1, 20000, 0, 64, 2},
                             {"", 0, simp_poker, 1, 4000, 0, 16, 16},
                             {"", 0, coupon_collector, 1, 4000, 0, 8},
                             {"", 0, gap, 1, 5000, 0, 16},
                             {"", 0, number_run, 1, 50000, 0, 0, 1},
                             {"", 0, number_run, 2, 50000, 15, 0, 0},
                             {"", 0, permutation, 1, 20000, 0, 0, 5},
                             {"", 0, max_oft, 1, 10000, 0, 100, 8},
                             {"", 0, sample_prod, 1, 10000, 0, 0, 8},
                             {"", 0, sample_mean, 1, 10000, 0, 0, 30},
                             {"", 0, sample_corr, 1, 20000, 0, 0, 1},
                             {"", 0, appearance_spacings, 1, 30000, 0, 10000, 0, 30, 10},
                             {"", 0, weight_distrib, 1, 2000, 0, 4, 64},
                             {"", 0, sum_collector, 1, 4000, 0, 10},
                             {"", 0, matrix_rank, 1, 1000, 0, 0, 0, 30, 30},
                             {"", 0, matrix_rank, 1, 200, 0, 0, 0, 32, 128},
                             {"", 0, gcd, 1, 20000, 0, 0, 0, 30},
                             {"", 0, random_walk, 1, 4000, 0, 0, 0, 30, 90},
                             {"", 0, linear_comp, 1, 20000, 0, 0, 0, 1},
                             {"", 0, lempel_ziv, 1, 1, 0, 0, 20, 30},
                             {"", 0, fourier3, 1, 500, 0, 0, 10, 30},
                             {"", 0, periods_in_strings, 1, 20000, 0, 0, 0, 10},
                             {"", 0, hamming_weight2, 1, 1000000, 0, 0, 0, 30, 10000},
                             {"", 0, hamming_corr, 1, 20000, 10, 0, 0, 10, 30},
                             {"", 0, hamming_indep, 1, 10000, 0, 0, 0, 30, 30},
                             {"", 0, bit_run, 1, 50000, 0, 0, 0, 30},
                             {"", 0, autocor, 1, 100000, 0, 3, 0, 30},
                             {"", 0, close_pairs, 5, 20000, 0, 0, 3},
                             {"", 0, hamming_tuples, 1, 1U << 16, 0, 0, 0, 32, 8},
                             {"", 0, hamming_tuples, 1, 1U << 16, 0, 0, 0, 32, 64},
                             {"", 0, hamming_products, 1, 1U << 14, 0, 0, 0, 32, 32},
                             {"", 0, complexities, 1, 2000, 0, 0, 0, 1, 64},
                             {"", 0, mod3, 1, 20000, 0, 3, 5},
                             {"", 0, word_parts, 3, 20000, 0, 0, 0, 32, 8}};
  Words words("philox4x32", false, 7, {}, std::uint64_t{1} << 20);
  std::uint64_t at = 0;
  for (const BatteryTest& test : all) {
    const TestClass& kind = class_of(test.kind);
    std::map<std::string, std::vector<double>> p;
    for (int k = 0; k < repeats; ++k) {
      std::vector<std::uint64_t> counters;
      std::vector<double> reals;
      for (const Replication& one : kind.count_all(words.tiles(), at, test)()) {
        at += one.words;
        counters.insert(counters.end(), one.counts.begin(), one.counts.end());
        reals.insert(reals.end(), one.reals.begin(), one.reals.end());
      }
      for (const PValue& one : kind.judge(test, counters, reals)) p[one.statistic].push_back(one.p);
    }
    for (const auto& [statistic, values] : p) {
      if (statistic == "NJumps") continue;  // a few; their sum is tested below
      EXPECT_GT(detail::second_level_p(values), threshold) << called(test) << " " << statistic;
    }
  }
}

/// Counts of a discrete law: the sum of a thousand of them, or the largest.
TEST(BatteryUniform, Counts) {
  const BatteryTest all[] = {{"", 0, birthday_spacings, repeats, 4096, 0, 65536, 2},
                             {"", 0, birthday_spacings, repeats, 4096, 20, 16, 8},
                             {"", 0, collision, repeats, 5000, 0, 4096, 2},
                             {"", 0, collision_over, repeats, 5000, 0, 64, 4},
                             {"", 0, collision_permut, repeats, 5000, 0, 0, 11},
                             {"", 0, bit_match, repeats, 5000, 0, 0, 2},
                             {"", 0, close_pairs, repeats, 5000, 0, 0, 3}};
  Words words("philox4x32", false, 7, {}, std::uint64_t{1} << 20);
  std::uint64_t at = std::uint64_t{1} << 40;
  for (const BatteryTest& test : all) {
    const TestClass& kind = class_of(test.kind);
    std::vector<std::uint64_t> counters;
    for (const Replication& one : kind.count_all(words.tiles(), at, test)()) {
      at += one.words;
      counters.insert(counters.end(), one.counts.begin(), one.counts.end());
    }
    for (const PValue& one : kind.judge(test, counters, {})) {
      EXPECT_GT(std::min(one.p, 1 - one.p), threshold) << called(test) << " " << one.statistic;
    }
  }
}

}  // namespace
}  // namespace rivulet
