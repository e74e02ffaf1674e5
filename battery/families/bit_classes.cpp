// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <limits>

#include "battery/families/classes.hpp"
#include "battery/laws/laws.hpp"
#include "battery/laws/weight_laws.hpp"

// Tests of bits in a row (TestU01's sstring, swalk, sspectral), and of the weights of several
// blocks, beyond TestU01's.

namespace rivulet {
namespace {

std::uint64_t pairs_of_weights(Test test) { return wide(test.L + 1) * wide(test.L + 1); }

std::vector<PValue> judge_walks(Test test, Counters counters, Reals) {
  const detail::WalkExpected expected = detail::random_walk_expected(test.items(), test.L);
  std::vector<PValue> found;
  const auto add = [&](const char* statistic, const std::vector<double>& one) {
    const std::size_t first = found.size() * wide(test.L + 1);
    const auto chi = [&](Counters all) {
      return detail::chi_square(one, all.subspan(first, one.size()));
    };
    found.push_back(summed(test, counters, chi, statistic));
  };
  add("H", expected.h);
  add("M", expected.m);
  add("J", expected.j);
  add("R", expected.r);
  add("C", expected.c);
  return found;
}

/// HammingWeight2's blocks.
std::uint64_t blocks_of(Test test) { return test.n / wide(test.L); }

/// AutoCor's pairs of bits of whole words.
std::uint64_t lagged_pairs(Test test) { return (test.n - test.d) / wide(test.s) * wide(test.s); }

/// LongestHeadRun's words of a block.
std::uint64_t words_of_run(Test test) { return wide(test.L / test.s); }
double bits_of_run(Test test) { return static_cast<double>(test.L / test.s * test.s); }
std::vector<double> longest_run_expected(Test test) {
  return detail::longest_run_expected(test.n, bits_of_run(test));
}

/// The last counter is the longest run of all.
std::vector<PValue> judge_longest_runs(Test test, Counters counters, Reals) {
  const std::vector<double> blocks = longest_run_expected(test);
  std::uint64_t longest = 0;
  for (const Counters row : rows_of(test, counters)) longest = std::max(longest, row.back());
  const auto chi = [&](Counters row) {
    return detail::chi_square(blocks, row.first(blocks.size()));
  };
  const auto tails = detail::longest_run_tails(static_cast<int>(longest),
                                               real(test.N * test.n) * bits_of_run(test));
  return {summed(test, counters, chi, "Chi"), {"Disc", real(longest), detail::discrete_p(tails)}};
}

/// Counters are those of zeros and of ones in turn, from length 1, then the words; 0 if runs of
/// ones were too few.
TestCounts count_runs_of_bits(const Sample& of, Test test) {
  TestCounts found = count_bit_runs(of, test.s, static_cast<int>(detail::bit_run_classes(test.n)));
  found.counts.erase(found.counts.begin(), found.counts.begin() + 2);  // of length 0
  found.counts.push_back(found.ended ? 0 : found.words);
  return found;
}

/// Of one replication.
std::vector<PValue> judge_runs_of_bits(Test test, Counters counters, Reals) {
  if (counters.back() == 0) {
    const double infinity = std::numeric_limits<double>::infinity();
    return {{"NRuns", infinity, 0}, {"NBits", infinity, 0}};
  }
  std::vector<std::uint64_t> zeros{0}, ones{0};
  for (std::size_t i = 0; i + 1 < counters.size(); i += 2) {
    zeros.push_back(counters[i]);
    ones.push_back(counters[i + 1]);
  }
  const std::uint64_t bits = counters.back() * wide(test.s);
  const detail::BitRuns law = detail::bit_runs(test.n, zeros, ones, bits);
  return {{"NRuns", law.statistic, law.runs.p, law.runs.testu01},
          {"NBits", real(bits), law.bits.p, law.bits.testu01}};
}

std::uint64_t transform_size(Test test) { return std::uint64_t{1} << test.t; }

/// HammingTuples' groups of blocks.
std::uint64_t grouped_words(Test test) { return wide(weight_trits_grouped(test.L)); }

/// Counters that are sums, over all rows.
std::vector<std::uint64_t> over_rows(Test test, Counters counters) {
  std::vector<std::uint64_t> sum(counters.size() / test.rows());
  for (std::size_t i = 0; i < counters.size(); ++i) sum[i % sum.size()] += counters[i];
  return sum;
}

std::vector<PValue> judge_tuples(Test test, Counters counters, Reals) {
  const detail::LargestNormal law = detail::weight_tuples(test.L, over_rows(test, counters));
  return {{"", law.z, law.p}};
}

std::vector<PValue> judge_products(Test test, Counters counters, Reals) {
  const double products = real(test.N) * real(test.n - most_lag);
  std::vector<double> two, three;
  for (const std::uint64_t sum : over_rows(test, counters)) {
    // A word's weight has the variance 8.
    std::vector<double>& to = two.size() < wide(most_lag) ? two : three;
    const double variance = &to == &two ? 64 : 512;
    to.push_back(static_cast<double>(static_cast<std::int64_t>(sum)) /
                 std::sqrt(variance * products));
  }
  const detail::LargestNormal of_two = detail::largest_normal(two);
  const detail::LargestNormal of_three = detail::largest_normal(three);
  return {{"2 words", of_two.z, of_two.p}, {"3 words", of_three.z, of_three.p}};
}

}  // namespace

void add_bit_classes(ClassTable& classes) {
  TestClass& ranks = classes[TestKind::matrix_rank];
  ranks.name = "MatrixRank";
  ranks.parameters = [](Test test) {
    return fmt::format("s = {}, L = {}, k = {}", test.s, test.L, test.L);
  };
  ranks.counters = [](Test test) { return wide(test.L) + 1; };
  // Small matrices are items; large ones are put together of rows.
  ranks.item_words = [](Test test) {
    const bool is_large = rank_bytes(test.n, test.L, test.L) > 0;
    return (is_large ? 1 : wide(test.L)) * words_of_block(test);
  };
  ranks.words = [](Test test) { return test.n * wide(test.L) * words_of_block(test); };
  ranks.bytes = [](Test test) {
    return histogram_bytes(wide(test.L) + 1) + rank_bytes(test.n, test.L, test.L);
  };
  ranks.counted = [](const Sample& of, Test test) {
    return count_ranks(of, test.s, test.L, test.L);
  };
  ranks.judge =
      against([](Test test) { return detail::matrix_rank_expected(test.items(), test.L, test.L); });
  ranks.pools = true;

  TestClass& indep = classes[TestKind::hamming_indep];
  indep.name = "HammingIndep";
  indep.parameters = of_s_and_l;
  indep.counters = pairs_of_weights;
  indep.item_words = [](Test test) { return 2 * words_of_block(test); };
  indep.counted = [](const Sample& of, Test test) {
    return count_weight_pairs(of, test.s, test.L);
  };
  indep.judge = chi_squares(
      [](Test test, Counters one) { return detail::hamming_indep(test.items(), test.L, one); });
  indep.pools = true;

  TestClass& neighbours = classes[TestKind::hamming_corr];
  neighbours.name = "HammingCorr";
  neighbours.parameters = of_s_and_l;
  neighbours.counters = pairs_of_weights;
  neighbours.item_words = indep.item_words;
  neighbours.words = [](Test test) { return test.n * words_of_block(test); };
  neighbours.counted = [](const Sample& of, Test test) {
    return count_neighbour_weights(of, test.s, test.L);
  };
  neighbours.judge = normals(
      [](Test test, Counters one) { return detail::hamming_correlation_z(test.n, test.L, one); });

  TestClass& weights = classes[TestKind::hamming_weight2];
  weights.name = "HammingWeight2";
  weights.parameters = of_s_and_l;
  weights.item_words = words_of_block;
  weights.words = [](Test test) { return blocks_of(test) * words_of_block(test); };
  weights.counted = [](const Sample& of, Test test) {
    return count_squared_weights(of.with(blocks_of(test)), test.s, test.L);
  };
  weights.judge = chi_squares([](Test test, Counters sum) {
    return detail::hamming_weight(test.items() / test.n * blocks_of(test), wide(test.L), sum[0]);
  });
  weights.pools = true;
  weights.least_chunk = words_of_block;
  weights.least_items = [](Test test) { return 16 * wide(test.L); };  // fewer may all be balanced

  TestClass& walks = classes[TestKind::random_walk];
  walks.name = "RandomWalk1";
  walks.parameters = of_s_and_l;
  walks.counters = [](Test test) { return 5 * wide(test.L + 1); };
  walks.item_words = [](Test test) { return walk_words(test.s, test.L); };
  walks.words = neighbours.words;
  walks.counted = [](const Sample& of, Test test) { return count_walks(of, test.s, test.L); };
  walks.judge = judge_walks;
  walks.pools = true;

  TestClass& autocor = classes[TestKind::autocor];
  autocor.name = "AutoCor";
  autocor.parameters = [](Test test) { return fmt::format("s = {}, d = {}", test.s, test.d); };
  autocor.item_words = [](Test test) { return test.d / wide(test.s) + 2; };
  autocor.words = [](Test test) {
    return lagged_pairs(test) / wide(test.s) + test.d / wide(test.s) + 1;
  };
  autocor.counted = [](const Sample& of, Test test) {
    return count_lagged_bits(of.with(lagged_pairs(test) / wide(test.s)), test.s,
                             static_cast<int>(test.d));
  };
  autocor.judge = normals([](Test test, Counters ones) {
    return detail::autocorrelation_z(lagged_pairs(test), ones[0]);
  });

  TestClass& periods = classes[TestKind::periods_in_strings];
  periods.name = "PeriodsInStrings";
  periods.parameters = of_s;
  periods.counters = [](Test test) {
    return detail::period_classes(test.n, test.s).expected.size();
  };
  periods.item_words = [](Test) { return period_words(); };
  periods.words = every_word;
  periods.counted = [](const Sample& of, Test test) {
    return count_periods(of, test.s, detail::period_classes(test.n, test.s).correlations);
  };
  periods.judge =
      against([](Test test) { return detail::period_classes(test.n, test.s).expected; });

  TestClass& longest = classes[TestKind::longest_head_run];
  longest.name = "LongestHeadRun";
  longest.parameters = of_s_and_l;
  longest.counters = [](Test test) { return longest_run_expected(test).size() + 1; };
  longest.item_words = words_of_run;
  longest.counted = [](const Sample& of, Test test) {
    return count_longest_runs(of, test.s, words_of_run(test),
                              longest_run_expected(test).size() - 1);
  };
  longest.judge = judge_longest_runs;

  TestClass& runs = classes[TestKind::bit_run];
  runs.name = "Run of bits";
  runs.parameters = of_s;
  runs.counters = [](Test test) { return 2 * detail::bit_run_classes(test.n) + 1; };
  runs.item_words = [](Test test) { return 64 / wide(test.s); };
  runs.words = [](Test test) { return 4 * test.n / wide(test.s); };
  runs.most_words = [](Test test) { return 16 * test.n / wide(test.s) + 1; };
  runs.counted = count_runs_of_bits;
  runs.judge = judge_runs_of_bits;

  // Of one replication; TestU01's are the transforms. The counter is the number of ones.
  TestClass& fourier = classes[TestKind::fourier3];
  fourier.name = "Fourier3";
  fourier.parameters = [](Test test) { return fmt::format("k = {}, s = {}", test.t, test.s); };
  fourier.reals = [](Test test) { return transform_size(test) / 4; };
  fourier.item_words = [](Test test) { return transform_size(test) / wide(test.s) + 1; };
  fourier.counted = [](const Sample& of, Test test) { return count_spectra(of, test.s, test.t); };
  fourier.judge = [](Test test, Counters, Reals reals) {
    const detail::Fourier law = detail::fourier(test.n, transform_size(test), reals);
    return std::vector<PValue>{{"AD", law.gamma.statistic, law.gamma.p, law.testu01.p}};
  };

  // n is the words; the blocks have L bits.
  TestClass& tuples = classes[TestKind::hamming_tuples];
  tuples.name = "HammingTuples";
  tuples.parameters = [](Test test) { return fmt::format("L = {}, 8 blocks", test.L); };
  tuples.counters = [](Test) { return std::uint64_t{6561}; };             // 3^8
  tuples.item_words = [](Test test) { return 2 * grouped_words(test); };  // with those before them
  tuples.words = [](Test test) { return test.n / grouped_words(test) * grouped_words(test); };
  tuples.counted = [](const Sample& of, Test test) {
    return count_weight_trits(of, test.L, detail::weight_middle(test.L).spread);
  };
  tuples.judge = judge_tuples;
  tuples.pools = true;
  tuples.least_chunk = grouped_words;
  tuples.least_items = [](Test test) { return 128 * wide(test.L); };  // 4096 blocks

  // n is the words.
  TestClass& products = classes[TestKind::hamming_products];
  products.name = "HammingProducts";
  products.parameters = [](Test) { return fmt::format("lags to {}", most_lag); };
  products.counters = [](Test) { return wide(most_lag + most_lag * (most_lag - 1) / 2); };
  products.item_words = [](Test) { return wide(2 * most_lag); };
  products.words = every_word;
  products.counted = [](const Sample& of, Test) { return count_weight_products(of); };
  products.judge = judge_products;
  products.pools = true;
}

}  // namespace rivulet
