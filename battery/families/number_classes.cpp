// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "battery/counting/sorted_keys.hpp"
#include "battery/families/classes.hpp"
#include "battery/laws/laws.hpp"

// Tests of numbers in a row, and of sums and the like of them.

namespace rivulet {
namespace {

/// 2^32 / d: words below it are in the interval [0, 1/d).
std::uint64_t limit_of(Test test) { return (std::uint64_t{1} << 32) / test.d; }

std::vector<double> gap_expected(Test test) {
  return detail::gap_expected(test.n, 1 / real(test.d));
}

std::vector<double> sum_collector_expected(Test test) {
  return detail::sum_collector_expected(test.n, real(test.d));
}

std::vector<double> gcd_expected(Test test) { return detail::gcd_expected(test.n); }

/// Kept, since it takes d t steps.
const std::vector<double>& savir_expected(Test test) {
  static std::map<std::tuple<std::uint64_t, std::uint64_t, int>, std::vector<double>> known;
  std::vector<double>& own = known[{test.n, test.d, test.t}];
  if (own.empty()) {
    own = detail::savir_expected(test.n, static_cast<std::int64_t>(test.d), test.t);
  }
  return own;
}

std::vector<PValue> judge_gaps(Test test, Counters counters, Reals reals) {
  const auto gaps = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
  if (gaps < test.n * test.N) return {{"", std::numeric_limits<double>::infinity(), 0}};
  return against([](Test own) {
    std::vector<double> of_row = gap_expected(own);
    for (double& one : of_row) one *= real(own.N / own.rows());
    return of_row;
  })(test, counters, reals);
}

std::uint64_t coupon_words(Test test) {
  double mean = 0;
  for (std::uint64_t i = 1; i <= test.d; ++i) mean += real(test.d) / real(i);
  return static_cast<std::uint64_t>(real(test.n) * mean);
}

/// Anderson and Darling's statistic and its p-value in place of the sum that kernels make.
TestCounts with_anderson_darling(TestCounts found, Test test) {
  const double statistic = -real(test.n) - found.reals[0] / real(test.n);
  found.reals = {statistic, detail::anderson_darling_p(test.n, statistic)};
  return found;
}

PValue anderson_darlings(Test test, Reals reals) {
  std::vector<double> p;
  for (std::size_t k = 0; k < test.N; ++k) p.push_back(reals[2 * k + 1]);
  return {"AD", test.N == 1 ? reals[0] : detail::anderson_darling(p).statistic,
          detail::second_level_p(p)};
}

/// Of one replication.
std::vector<PValue> judge_correlation(Test test, Counters counters, Reals) {
  const std::uint64_t pairs = test.n - wide(test.t);
  const long double products = std::ldexp(static_cast<long double>(counters[1]), -32) +
                               std::ldexp(static_cast<long double>(counters[0]), -64);
  const auto sum = static_cast<double>(products - static_cast<long double>(pairs) / 4);
  const detail::TwoLaws law = detail::sample_correlation(sum, pairs);
  return {{"", sum * std::sqrt(12 / real(pairs)), law.p, law.testu01}};
}

/// Spacings by the integer part of their base-2 logarithm, and the sum of their logarithms.
TestCounts count_appearances(const Sample& of, Test test) {
  TestCounts found = count_spacings(of.with(test.d + test.n), test.d, test.s, test.L);
  std::vector<std::uint64_t> counts(std::bit_width(longest_spacing));
  found.reals = {0};
  for (std::size_t spacing = 1; spacing < found.counts.size(); ++spacing) {
    const std::uint64_t blocks = found.counts[spacing];
    counts[std::bit_width(spacing) - std::size_t{1}] += blocks;
    found.reals[0] += real(blocks) * std::log(static_cast<double>(spacing));
  }
  found.counts = std::move(counts);
  return found;
}

}  // namespace

void add_number_classes(ClassTable& classes) {
  TestClass& gap = classes[TestKind::gap];
  gap.name = "Gap";
  gap.parameters = [](Test test) { return fmt::format("alpha = 0, beta = 1/{}", test.d); };
  gap.counters = [](Test test) { return gap_expected(test).size(); };
  gap.words = [](Test test) { return test.n * test.d; };
  gap.most_words = [](Test test) { return test.n * (test.n + 1); };  // n gaps of n - 1
  gap.counted = [](const Sample& of, Test test) {
    return count_gaps(of, limit_of(test), gap_expected(test).size() - 1);
  };
  gap.judge = judge_gaps;
  gap.pools = true;
  // No gap may be of n or more (n >= 64 d), nor n gaps longer than a chunk (8 deviations).
  gap.least_chunk = [](Test test) {
    return std::max(64 * test.d, std::uint64_t{7000}) * test.d / 8 * 9;
  };

  TestClass& simp_poker = classes[TestKind::simp_poker];
  simp_poker.name = "SimpPoker";
  simp_poker.parameters = [](Test test) { return fmt::format("d = {}, k = {}", test.d, test.t); };
  simp_poker.counters = [](Test test) { return std::min(test.d, wide(test.t)) + 1; };
  simp_poker.item_words = words_of_group;
  simp_poker.counted = [](const Sample& of, Test test) {
    return count_poker_hands(of, d_of(test), test.t);
  };
  simp_poker.judge = against([](Test test) {
    return detail::simp_poker_expected(test.items(), static_cast<int>(test.d), test.t);
  });
  simp_poker.pools = true;

  TestClass& coupons = classes[TestKind::coupon_collector];
  coupons.name = "CouponCollector";
  coupons.parameters = of_d;
  coupons.counters = [](Test) { return wide(coupon_draws) + 1; };
  coupons.item_words = [](Test) { return wide(2 * coupon_draws); };
  coupons.words = coupon_words;
  coupons.most_words = [](Test test) { return test.n * wide(coupon_draws - 1); };
  coupons.counted = [](const Sample& of, Test test) {
    return count_coupon_segments(of, d_of(test));
  };
  coupons.judge = against([](Test test) {
    return detail::coupon_collector_expected(test.items(), static_cast<int>(test.d));
  });
  coupons.pools = true;
  coupons.least_chunk = [](BatteryTest test) {
    test.n = 1;
    return 2000 * coupon_words(test);
  };

  TestClass& weights = classes[TestKind::weight_distrib];
  weights.name = "WeightDistrib";
  weights.parameters = [](Test test) {
    return fmt::format("k = {}, alpha = 0, beta = 1/{}", test.t, test.d);
  };
  weights.counters = [](Test test) { return wide(test.t) + 1; };
  weights.item_words = words_of_group;
  weights.counted = [](const Sample& of, Test test) {
    return count_weights(of, limit_of(test), test.t);
  };
  weights.judge = against([](Test test) {
    return detail::weight_distrib_expected(test.items(), test.t, 1 / real(test.d));
  });
  weights.pools = true;

  TestClass& sums = classes[TestKind::sum_collector];
  sums.name = "SumCollector";
  sums.parameters = [](Test test) { return fmt::format("g = {}", test.d); };
  sums.counters = [](Test test) { return sum_collector_expected(test).size(); };
  sums.item_words = [](Test) { return wide(2 * sum_draws); };
  // The sum's mean overshoot is 1/3.
  sums.words = [](Test test) { return test.n * 2 * test.d + test.n * 2 / 3; };
  sums.most_words = [](Test test) { return test.n * wide(sum_draws); };
  sums.counted = [](const Sample& of, Test test) {
    return count_sum_segments(of, static_cast<int>(test.d));
  };
  sums.judge = against(sum_collector_expected);

  TestClass& runs = classes[TestKind::number_run];
  runs.name = "Run of U01";
  runs.parameters = [](Test test) { return test.t != 0 ? "up" : "down"; };
  runs.counters = [](Test) { return std::uint64_t{7}; };
  runs.item_words = [](Test) { return std::uint64_t{64}; };
  runs.words = every_word;
  runs.counted = [](const Sample& of, Test test) { return count_number_runs(of, test.t != 0); };
  runs.judge = chi_squares(
      [](Test test, Counters found) { return detail::number_runs(test.n, found.subspan<1, 6>()); });

  TestClass& savir = classes[TestKind::savir2];
  savir.name = "Savir2";
  savir.parameters = [](Test test) { return fmt::format("m = {}, t = {}", test.d, test.t); };
  savir.counters = [](Test test) { return savir_expected(test).size(); };
  savir.item_words = words_of_group;
  savir.counted = [](const Sample& of, Test test) {
    return count_savir(of, test.d, test.t, savir_expected(test).size() - 1);
  };
  savir.judge = against(savir_expected);

  TestClass& gcd = classes[TestKind::gcd];
  gcd.name = "GCD";
  gcd.parameters = of_s;
  gcd.counters = [](Test test) { return gcd_expected(test).size(); };
  gcd.item_words = [](Test) { return std::uint64_t{2}; };
  gcd.most_words = [](Test test) { return 6 * test.n; };  // pairs with a 0 are drawn again
  gcd.counted = [](const Sample& of, Test test) {
    TestCounts found = count_divisors(of, test.s, gcd_expected(test).size() - 1);
    found.counts[0] = 0;  // pairs that were drawn again
    return found;
  };
  gcd.judge = chi_squares([](Test test, Counters found) {
    return detail::chi_square_unmerged(gcd_expected(test), found);
  });

  TestClass& largest = classes[TestKind::max_oft];
  largest.name = "MaxOft";
  largest.parameters = of_d_and_t;
  largest.counters = [](Test test) { return test.d; };
  largest.reals = [](Test) { return std::uint64_t{2}; };
  largest.item_words = words_of_group;
  largest.bytes = [](Test test) { return bytes_of_keys(test) + histogram_bytes(test.d); };
  largest.counted = [](const Sample& of, Test test) {
    return with_anderson_darling(count_largest(of, static_cast<int>(test.d), test.t), test);
  };
  largest.judge = [](Test test, Counters counters, Reals reals) -> std::vector<PValue> {
    const std::vector<double> expected(test.d, real(test.n) / real(test.d));
    const auto chi = [&](Counters one) { return detail::chi_square_unmerged(expected, one); };
    return {summed(test, counters, chi), anderson_darlings(test, reals)};
  };

  TestClass& products = classes[TestKind::sample_prod];
  products.name = "SampleProd";
  products.parameters = of_t;
  products.reals = [](Test) { return std::uint64_t{2}; };
  products.item_words = words_of_group;
  products.bytes = bytes_of_keys;
  products.counted = [](const Sample& of, Test test) {
    return with_anderson_darling(count_products(of, test.t), test);
  };
  products.judge = [](Test test, Counters, Reals reals) {
    return std::vector{anderson_darlings(test, reals)};
  };

  TestClass& means = classes[TestKind::sample_mean];
  means = products;
  means.name = "SampleMean";
  means.counted = [](const Sample& of, Test test) {
    return with_anderson_darling(count_sums(of, test.t, detail::sum_of_uniforms_series(test.t)),
                                 test);
  };
  // TestU01's replications are the numbers here.
  means.judge = [](Test, Counters, Reals reals) {
    return std::vector<PValue>{{"AD", reals[0], reals[1]}};
  };

  TestClass& correlations = classes[TestKind::sample_corr];
  correlations.name = "SampleCorr";
  correlations.parameters = [](Test test) { return fmt::format("k = {}", test.t); };
  correlations.counters = [](Test) { return std::uint64_t{2}; };
  correlations.item_words = [](Test test) { return wide(test.t) + 1; };
  correlations.words = every_word;
  correlations.counted = [](const Sample& of, Test test) {
    return count_lagged_products(of, wide(test.t));
  };
  correlations.judge = judge_correlation;

  TestClass& appearances = classes[TestKind::appearance_spacings];
  appearances.name = "AppearanceSpacings";
  appearances.parameters = [](Test test) {
    return fmt::format("Q = {}, s = {}, L = {}", test.d, test.s, test.L);
  };
  appearances.counters = [](Test) { return std::uint64_t{std::bit_width(longest_spacing)}; };
  appearances.reals = [](Test) { return std::uint64_t{1}; };
  appearances.item_words = words_of_block;
  appearances.words = [](Test test) {
    const std::uint64_t blocks = test.d + test.n;
    return test.s >= test.L ? blocks / wide(test.s / test.L) : blocks * words_of_block(test);
  };
  appearances.bytes = [](Test) {
    return detail::SortedKeys::bytes(spacings_at_once) + histogram_bytes(longest_spacing + 1);
  };
  appearances.counted = count_appearances;
  appearances.judge = [](Test test, Counters, Reals reals) {
    std::vector<double> z;
    for (const double sum : reals) z.push_back(detail::appearance_z(test.L, test.n, sum));
    return std::vector{normal(z)};
  };
}

}  // namespace rivulet
