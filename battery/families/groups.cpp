// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "battery/families/family.hpp"
#include "battery/laws/uniform_laws.hpp"

// Computes statistics of groups of t numbers, such as the number of distinct values, the largest
// number, the sum and the product. Distribution functions map largest numbers, sums and products to
// uniform numbers.

namespace rivulet::detail {
namespace {

/// Counts the distinct values among t numbers below d <= 64.
struct PokerHand : Numbers {
  std::uint32_t d;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t seen = 0;
    for (int j = 0; j < t; ++j) seen |= std::uint64_t{1} << strip_number(word[j], r, d);
    return to_u64(popcount(seen));
  }
};

/// Counts the numbers in [0, 1/d) among t numbers.
struct NumbersBelow : Numbers {
  std::uint64_t limit;  ///< 2^32 / d

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t below = 0;
    for (int j = 0; j < t; ++j) below += word[j] << r < limit ? 1 : 0;
    return below;
  }
};

/// Starts with I = `initial`, and replaces I with 1 + floor(U I) for each number U. The cell is the
/// final I, limited to `last`.
struct SavirNumber : Numbers {
  std::uint64_t initial;
  std::uint64_t last;

  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t number = initial;
    for (int j = 0; j < t; ++j) number = 1 + (std::uint64_t{word[j] << r} * number >> 32);
    return number < last ? number : last;
  }
};

/// Returns the expected number of occurrences of each value I. The list ends before the first
/// probability of 10^-15 or less. The result is cached, because its computation takes d t steps.
const std::vector<double>& savir_expected(Test test) {
  static std::map<std::tuple<std::uint64_t, std::uint64_t, int>, std::vector<double>> cache;
  std::vector<double>& expected = cache[{test.n, test.d, test.t}];
  if (!expected.empty()) return expected;
  expected.assign(test.d + 2, 1 / to_double(test.d));
  expected.front() = 0;
  expected.back() = 0;
  for (int step = 1; step < test.t; ++step) {
    for (std::size_t i = expected.size() - 2; i > 0; --i)
      expected[i] = expected[i + 1] + expected[i] / to_double(i);
  }
  expected.erase(
      std::find_if(expected.begin() + 1, expected.end(), [](double p) { return p <= 1e-15; }),
      expected.end());
  return expected = times(test.n, expected);
}

/// Computes the greatest common divisor of two numbers of s bits, limited to `last`. The cell is 0
/// if a number is 0.
struct CommonDivisor {
  int r;
  int s;
  std::uint32_t last;

  std::uint64_t words() const { return 2; }
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint32_t a = strip_bits(word[0], r, s);
    std::uint32_t b = strip_bits(word[1], r, s);
    if (a == 0 || b == 0) return 0;
    while (b != 0) {
      const std::uint32_t remainder = a % b;
      a = b;
      b = remainder;
    }
    return a < last ? a : last;
  }
};

/// Returns the expected numbers of pairs by greatest common divisor, in the limit of large integers
/// (independent of s).
std::vector<double> gcd_expected(Test test) {
  constexpr double coprime = 6 / (std::numbers::pi * std::numbers::pi);
  const double pairs = to_double(test.n);
  const int last = 1 + static_cast<int>(std::sqrt(coprime * pairs / min_expected));
  std::vector<double> expected{0};
  double remaining = pairs;
  for (int j = 1; j < last; ++j) {
    expected.push_back(pairs * coprime / j / j);
    remaining -= expected.back();
  }
  expected.push_back(remaining);
  return expected;
}

/// Counts pairs by greatest common divisor. Each pair that contains a 0 is replaced with a further
/// pair. If nearly all pairs contain a 0, the function gives up after fewer than 3 n pairs, and
/// counts fewer than n.
Replication count_divisors(const Sample& sample, Test test) {
  const std::uint64_t cells = gcd_expected(test).size();
  const Histogram histogram(sample.space(), cells);
  const CommonDivisor item{test.r, test.s, static_cast<std::uint32_t>(cells - 1)};
  Replication found;
  std::uint64_t pairs = 0;
  for (std::uint64_t missing = sample.n; missing > 0 && pairs < 2 * sample.n;
       missing = found.counts[0] + sample.n - pairs) {
    add_items(sample.with(missing), pairs, item, histogram);
    pairs += missing;
    found.counts = histogram.sums(sample.space());
  }
  found.counts[0] = 0;
  found.words = pairs * item.words();
  return found;
}

/// Computes the largest of t numbers, times 2^32.
struct LargestNumber : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint32_t largest = 0;
    for (int j = 0; j < t; ++j) largest = largest < word[j] << r ? word[j] << r : largest;
    return largest;
  }
};

/// Computes the sum of t numbers, times 2^32.
struct NumberSum : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t sum = 0;
    for (int j = 0; j < t; ++j) sum += word[j] << r;
    return sum;
  }
};

/// Multiplies t numbers, in order, as doubles. The cell is the double's bit pattern.
/// Bit patterns of positive doubles sort like the doubles.
struct NumberProduct : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    double product = 1;
    for (int j = 0; j < t; ++j) product *= static_cast<double>(word[j] << r) * 0x1p-32;
    std::uint64_t bits = 0;
    memcpy(&bits, &product, sizeof bits);
    return bits;
  }
};

/// Multiplies each number by the number `lag` words earlier. Counter 0 sums the lower 32 bits of
/// the products, and counter 1 sums the upper 32 bits.
struct LaggedProducts {
  static constexpr int sums = 2;

  int r;
  std::uint64_t lag;

  std::uint64_t words() const { return 1; }
  std::uint64_t history() const { return lag; }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t item, auto& to) const {
    if (item < lag) return;
    const std::uint64_t product = std::uint64_t{*word << r} * (*(word - lag) << r);
    to.add(0, product & ~std::uint32_t{0});
    to.add(1, product >> 32);
  }
};

/// The number u is in class floor(d u^t) of d classes, with u^t as rounded by C's pow(). Returns
/// the smallest u of each class, times 2^32. The search for u starts at the value of the inverse
/// function, so it takes few steps.
std::vector<std::uint64_t> class_limits(int d, int t) {
  const double power = t;
  const double classes = d;
  const auto class_at = [&](std::int64_t u) {
    return static_cast<int>(std::pow(std::ldexp(static_cast<double>(u), -32), power) * classes);
  };
  std::vector<std::uint64_t> limits{0};
  for (int c = 1; c < d; ++c) {
    auto u = static_cast<std::int64_t>(std::ldexp(std::pow(c / classes, 1 / power), 32));
    while (class_at(u) >= c) --u;
    while (class_at(u) < c) ++u;
    limits.push_back(static_cast<std::uint64_t>(u));
  }
  return limits;
}

/// Sorts the keys of items, and compares law(key) with the uniform distribution. Returns one count:
/// the sum of the keys modulo 2^64. Also returns two real numbers: the Anderson-Darling statistic
/// and its p-value.
template <class Item, class Law>
Replication count_sorted(const Sample& sample, const Item& item, const Law& law, SortedKeys& keys) {
  Replication found = count_items(sample, 1, KeptCells<Item>{item, keys.data()});
  keys.sort(keys.bits());
  const double statistic =
      -to_double(sample.n) - keys.anderson_darling_sum(law) / to_double(sample.n);
  found.reals = {statistic, anderson_darling_p(sample.n, statistic)};
  return found;
}

/// Counts groups by the class of their largest number. Also returns the real numbers of
/// count_sorted().
Replication count_largest(const Sample& sample, Test test) {
  // The limits are cached for further replications.
  static std::map<std::pair<std::uint64_t, int>, std::vector<std::uint64_t>> cache;
  std::vector<std::uint64_t>& limits = cache[{test.d, test.t}];
  if (limits.empty()) limits = class_limits(static_cast<int>(test.d), test.t);
  SortedKeys keys(sample.space(), sample.n);
  Replication found =
      count_sorted(sample, LargestNumber{{test.r, test.t}}, LargestOfUniforms{test.t}, keys);
  found.counts = keys.below(limits);
  found.counts.push_back(sample.n);
  std::adjacent_difference(found.counts.begin(), found.counts.end(), found.counts.begin());
  found.counts.erase(found.counts.begin());
  return found;
}

/// Combines the replications' Anderson-Darling p-values into one. With a single replication, the
/// statistic is the replication's own; otherwise, it is the statistic of the p-values.
PValue anderson_darlings(Test test, Reals reals) {
  std::vector<double> p;
  for (std::size_t k = 0; k < test.N; ++k) p.push_back(reals[2 * k + 1]);
  return {"AD", test.N == 1 ? reals[0] : anderson_darling(p).statistic, second_level_p(p)};
}

/// Judges the sum of U V - 1/4 over the pairs (U, V) of one replication. TestU01 assumes the
/// variance 1/12 per pair. The variance of one pair is 7/144. Pairs that share a number are
/// correlated, so the variance of the sum is 13/144 per pair.
std::vector<PValue> judge_correlation(Test test, Counters counters, Reals) {
  const std::uint64_t pairs = test.n - to_u64(test.t);
  const long double products = std::ldexp(static_cast<long double>(counters[1]), -32) +
                               std::ldexp(static_cast<long double>(counters[0]), -64);
  const auto sum = static_cast<double>(products - static_cast<long double>(pairs) / 4);
  const double z = sum * std::sqrt(12 / to_double(pairs));
  return {{"", z, normal_p(z / std::sqrt(13. / 12)), normal_p(z)}};
}

}  // namespace

/// sknuth_SimpPoker: counts hands of k cards by their number of distinct values. A card has one of
/// d <= 64 values.
TestClass families::simp_poker() {
  TestClass hands = class_of_items("SimpPoker", "d = {d}, k = {t}", [](Test test) {
    return PokerHand{{test.r, test.t}, d_of(test)};
  });
  hands.expected = [](Test test) {
    Occupancy values(test.d);
    for (int card = 0; card < test.t; ++card) values.draw();
    values.p.resize(std::min(test.d, to_u64(test.t)) + 1);
    return times(test.items(), values.p);
  };
  hands.pools = true;
  return hands;
}

/// svaria_WeightDistrib: counts groups of k numbers by how many are in an interval of length 1/d.
TestClass families::weight_distrib() {
  TestClass weights =
      class_of_items("WeightDistrib", "k = {t}, alpha = 0, beta = 1/{d}", [](Test test) {
        return NumbersBelow{{test.r, test.t}, (std::uint64_t{1} << 32) / test.d};
      });
  weights.expected = [](Test test) {
    return times(test.items(), binomial_masses(test.t, 1 / to_double(test.d)));
  };
  weights.pools = true;
  return weights;
}

/// smarsa_Savir2: starts with I = d, takes t steps I = 1 + floor(U I), and counts groups by the
/// final I.
TestClass families::savir2() {
  TestClass savir = class_of_items("Savir2", "m = {d}, t = {t}", [](Test test) {
    return SavirNumber{{test.r, test.t}, test.d, savir_expected(test).size() - 1};
  });
  savir.expected = savir_expected;
  return savir;
}

/// smarsa_GCD: counts pairs by greatest common divisor.
TestClass families::gcd() {
  TestClass divisors("GCD", "s = {s}");
  divisors.expected = gcd_expected;
  divisors.item_words = [](Test) { return std::uint64_t{2}; };
  divisors.max_words = [](Test test) { return 6 * test.n; };  // pairs with a 0 are replaced
  divisors.counted = count_divisors;
  divisors.judge = chi_squares_of_expected(chi_square_unmerged);
  return divisors;
}

/// sknuth_MaxOft: counts groups of t numbers by the class floor(d max^t) of the largest number.
TestClass families::max_oft() {
  TestClass largest("MaxOft", "d = {d}, t = {t}");
  largest.expected = [](Test test) {
    return std::vector<double>(test.d, to_double(test.n) / to_double(test.d));
  };
  largest.reals = [](Test) { return std::uint64_t{2}; };
  largest.item_words = words_of_group;
  largest.bytes = bytes_of_keys;
  largest.counted = count_largest;
  largest.judge = [](Test test, Counters counters, Reals reals) {
    std::vector<PValue> found = chi_squares_of_expected(chi_square_unmerged)(test, counters, reals);
    found.push_back(anderson_darlings(test, reals));
    return found;
  };
  return largest;
}

/// svaria_SampleProd: tests the distribution of products of t numbers.
TestClass families::sample_prod() {
  TestClass products("SampleProd", "t = {t}");
  products.reals = [](Test) { return std::uint64_t{2}; };
  products.item_words = words_of_group;
  products.bytes = bytes_of_keys;
  products.counted = [](const Sample& sample, Test test) {
    SortedKeys keys(sample.space(), sample.n);
    return count_sorted(sample, NumberProduct{{test.r, test.t}}, ProductOfUniforms{test.t}, keys);
  };
  products.judge = [](Test test, Counters, Reals reals) {
    return std::vector{anderson_darlings(test, reals)};
  };
  return products;
}

/// svaria_SampleMean: tests the distribution of sums of t numbers. TestU01 has N replications with
/// one mean each. Here, the means are the n items of one replication.
TestClass families::sample_mean() {
  TestClass means = sample_prod();
  means.name = "SampleMean";
  means.counted = [](const Sample& sample, Test test) {
    const auto series = on_device(sum_of_uniforms_series(test.t), "rivulet::battery_series");
    SortedKeys keys(sample.space(), sample.n);
    return count_sorted(sample, NumberSum{{test.r, test.t}}, SumOfUniforms{test.t, series.data()},
                        keys);
  };
  means.judge = [](Test, Counters, Reals reals) {
    return std::vector<PValue>{{"AD", reals[0], reals[1]}};
  };
  return means;
}

/// svaria_SampleCorr: sums the products of numbers that are t words apart.
TestClass families::sample_corr() {
  TestClass correlations("SampleCorr", "k = {t}");
  correlations.counters = [](Test) { return std::uint64_t{LaggedProducts::sums}; };
  correlations.item_words = [](Test test) { return to_u64(test.t) + 1; };
  correlations.words = every_word;
  correlations.counted = [](const Sample& sample, Test test) {
    return count_items(sample, LaggedProducts::sums, LaggedProducts{test.r, to_u64(test.t)});
  };
  correlations.judge = judge_correlation;
  return correlations;
}

}  // namespace rivulet::detail
