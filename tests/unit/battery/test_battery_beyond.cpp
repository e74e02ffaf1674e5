// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "battery/families/family.hpp"
#include "battery/laws/distributions.hpp"
#include "battery/test_class.hpp"
#include "battery_words.hpp"
#include "rivulet/detail/algebra/berlekamp_massey.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t tiles_of[] = {3000, std::uint64_t{1} << 20};

TEST(BatteryBeyond, CountsTuplesOfWeights) {
  constexpr std::uint64_t count = 12000;
  for (const std::uint64_t tile : tiles_of) {
    Words words("philox4x32", false, 7, {}, tile);
    const std::vector<std::uint32_t> all = words.read(5, count);
    for (const int length : {8, 16, 32, 64, 128, 512}) {
      SCOPED_TRACE(length);
      const int spread = detail::weight_middle(length).spread;
      const std::uint64_t grouped = length > 64 ? static_cast<std::uint64_t>(length) / 2 : 16;
      const std::uint64_t used = count / grouped * grouped;
      std::vector<int> weights(used * 32 / static_cast<std::uint64_t>(length));
      for (std::size_t bit = 0; bit < used * 32; ++bit) {
        weights[bit / static_cast<std::size_t>(length)] += all[bit / 32] >> (31 - bit % 32) & 1;
      }
      std::vector<std::uint64_t> expected(6561);
      for (std::size_t i = 7; i < weights.size(); ++i) {
        std::size_t code = 0;
        for (std::size_t j = i - 7; j <= i; ++j) {
          const int excess = weights[j] - length / 2;
          code = 3 * code + (excess < -spread ? 0U : excess > spread ? 2U : 1U);
        }
        ++expected[code];
      }
      const Replication found =
          counted(words, 5, {"", 0, TestKind::hamming_tuples, 1, count, 0, 0, 0, 32, length});
      EXPECT_EQ(found.counts, expected);
      EXPECT_EQ(found.words, used);
    }
  }
}

TEST(BatteryBeyond, SumsProductsOfWeights) {
  constexpr std::uint64_t count = 9000, most_lag = 64;
  for (const std::uint64_t tile : tiles_of) {
    Words words("philox4x32", false, 7, {}, tile);
    std::vector<int> h;
    for (const std::uint32_t word : words.read(3, count)) h.push_back(std::popcount(word) - 16);
    std::vector<std::uint64_t> expected;
    const auto sum = [&](std::size_t a, std::size_t b) {
      std::int64_t all = 0;
      for (std::size_t i = most_lag; i < count; ++i)
        all += h[i] * h[i - a] * (b == 0 ? 1 : h[i - b]);
      expected.push_back(static_cast<std::uint64_t>(all));
    };
    for (std::size_t a = 1; a <= most_lag; ++a) sum(a, 0);
    for (std::size_t b = 2; b <= most_lag; ++b) {
      for (std::size_t a = 1; a < b; ++a) sum(a, b);
    }
    const BatteryTest test{"", 0, TestKind::hamming_products, 1, count, 0, 0, 0, 32, 32};
    EXPECT_EQ(counted(words, 3, test).counts, expected);
  }
}

TEST(BatteryBeyond, CountsRestsAndPartsOfWords) {
  constexpr std::uint64_t count = 9000;
  const auto squares = [](const std::vector<std::uint64_t>& counts) {
    return std::inner_product(counts.begin(), counts.end(), counts.begin(), std::uint64_t{0});
  };
  Words all("philox4x32", false, 7, {}, count);
  const std::vector<std::uint32_t> given = all.read(3, count);
  std::vector<std::uint64_t> tuples(243), fewer(81), parts(256);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t code = 0;
    for (std::size_t j = i; j < i + 5; ++j) code = 3 * code + given[j % count] % 3;
    ++tuples[code];
    ++fewer[code / 3];
    for (int shift = 0; shift < 32; shift += 8) ++parts[given[i] >> shift & 255];
  }
  for (const std::uint64_t tile : tiles_of) {
    Words words("philox4x32", false, 7, {}, tile);
    EXPECT_THAT(counted(words, 3, {"", 0, TestKind::mod3, 1, count, 0, 3, 5}).counts,
                testing::ElementsAre(squares(tuples), squares(fewer)));
    const BatteryTest of_parts{"", 0, TestKind::word_parts, 1, count, 0, 0, 0, 32, 8};
    EXPECT_THAT(counted(words, 3, of_parts).counts, testing::ElementsAre(squares(parts)));
  }
}

TEST(BatteryBeyond, CountsLinearComplexities) {
  // The state of lfsr113 has 113 bits; philox4x32 is not linear.
  Words linear("lfsr113", false, 1, {}, 100000);
  const BatteryTest short_ones{"", 0, TestKind::complexities, 1, 8, 0, 0, 0, 1, 512};
  EXPECT_EQ(counted(linear, 0, short_ones).counts.front(), 8U);  // at most 113, far below 256
  Words random("philox4x32", false, 1, {}, 100000);
  const std::vector<std::uint32_t> others = random.read(0, 40000);
  const BatteryTest test{"", 0, TestKind::complexities, 1, 200, 31, 0, 0, 1, 200};
  std::vector<std::uint64_t> expected(33);
  for (std::size_t i = 0; i < 200; ++i) {
    detail::Gf2Words bits(4);
    for (std::size_t b = 0; b < 200; ++b) {
      bits[b / 64] |= std::uint64_t{others[i * 200 + b] & 1} << b % 64;
    }
    ++expected[detail::BerlekampMassey(bits, 200).order() - 100 + 16];
  }
  EXPECT_EQ(counted(random, 0, test).counts, expected);
}

/// Compares the expected counts with the counts over all 2^12 sequences of 12 bits.
TEST(BatteryBeyond, ExpectsLinearComplexities) {
  std::vector<double> all(13);
  for (std::uint64_t bits = 0; bits < 4096; ++bits) {
    ++all[detail::BerlekampMassey({bits, 0}, 12).order()];
  }
  const BatteryTest test{"", 0, TestKind::complexities, 1, 4096, 0, 0, 0, 1, 12};
  const std::vector<double> expected = class_of(test).expected(test);
  ASSERT_EQ(expected.size(), 33U);
  for (std::size_t c = 1; c <= 12; ++c) EXPECT_DOUBLE_EQ(expected[c + 10], all[c]) << c;
}

TEST(BatteryBeyond, KnowsTheMiddleThirdOfWeights) {
  EXPECT_EQ(detail::weight_middle(8).spread, 0);
  EXPECT_EQ(detail::weight_middle(32).spread, 1);
  EXPECT_EQ(detail::weight_middle(128).spread, 2);
  // 70 of 256 bytes have four ones.
  EXPECT_DOUBLE_EQ(detail::weight_middle(8).outside, 93.0 / 256);
}

TEST(BatteryBeyond, FindsTuplesThatDepend) {
  // At first, each tuple (of eight 8-bit blocks) is as frequent as expected.
  const double out = detail::weight_middle(8).outside;
  const double of_digit[] = {out, 1 - 2 * out, out};
  std::vector<std::uint64_t> counts(6561);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double p = 1e9;
    for (std::size_t rest = i, j = 0; j < 8; ++j, rest /= 3) p *= of_digit[rest % 3];
    counts[i] = static_cast<std::uint64_t>(std::lround(p));
  }
  const BatteryTest test{"", 0, TestKind::hamming_tuples, 1, 1, 0, 0, 0, 32, 8};
  const auto p = [&] { return class_of(test).judge(test, counts, {}).front().p; };
  EXPECT_GT(p(), 0.99);
  // Then the 3^6 tuples whose first and last digits are 0 are 1 % too frequent.
  for (std::size_t i = 0; i < 2187; i += 3) counts[i] += counts[i] / 100;
  EXPECT_LT(p(), 1e-10);
}

TEST(BatteryBeyond, TakesTheLargestOfNormals) {
  const double z[] = {0.5, -2.5, 1};
  const PValue found = detail::largest_normal(z);
  EXPECT_EQ(found.value, -2.5);
  const double one = std::erfc(2.5 / std::sqrt(2.0));
  EXPECT_NEAR(found.p, 1 - std::pow(1 - one, 3), 1e-14);
}

/// Checks that the p-values for 100 sequences of Philox are uniform. Counts are pooled if the test
/// class allows pooling.
TEST(BatteryBeyond, PValuesAreUniform) {
  const BatteryTest all[] = {{"", 0, TestKind::hamming_tuples, 1, 1U << 16, 0, 0, 0, 32, 8},
                             {"", 0, TestKind::hamming_tuples, 1, 1U << 16, 0, 0, 0, 32, 32},
                             {"", 0, TestKind::hamming_tuples, 1, 1U << 16, 0, 0, 0, 32, 128},
                             {"", 0, TestKind::hamming_products, 1, 1U << 14, 0, 0, 0, 32, 32},
                             {"", 0, TestKind::complexities, 2, 1000, 0, 0, 0, 1, 64},
                             {"", 0, TestKind::mod3, 1, 20000, 0, 3, 5},
                             {"", 0, TestKind::word_parts, 1, 20000, 0, 0, 0, 32, 8},
                             {"", 0, TestKind::hamming_weight2, 3, 1U << 21, 0, 0, 0, 32, 1024},
                             {"", 0, TestKind::gap, 3, 2000, 0, 16},
                             {"", 0, TestKind::weight_distrib, 3, 500, 0, 4, 64},
                             {"", 0, TestKind::simp_poker, 3, 3000, 0, 16, 16},
                             {"", 0, TestKind::coupon_collector, 3, 2000, 0, 4},
                             {"", 0, TestKind::matrix_rank, 3, 1000, 0, 0, 0, 32, 32},
                             {"", 0, TestKind::random_walk, 3, 2000, 0, 0, 0, 32, 64},
                             {"", 0, TestKind::hamming_indep, 3, 5000, 0, 0, 0, 32, 32}};
  Words words("philox4x32", false, 7, {}, 1U << 20);
  std::uint64_t at = 0;
  for (BatteryTest test : all) {
    const TestClass& kind = class_of(test);
    test.pooled = kind.pools;
    ASSERT_GT(test.n, 0U);
    std::vector<double> p;
    for (int k = 0; k < 100; ++k) {
      std::vector<std::uint64_t> sum(kind.counters(test));
      for (std::uint64_t row = 0; row < test.N; ++row) {
        const Replication one = kind.count(words.tiles(), at, test);
        at += one.words;
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.counts[i];
      }
      p.push_back(kind.judge(test, sum, {}).back().p);
    }
    EXPECT_GT(detail::second_level_p(p), 1e-3) << kind.name << ", " << parameters_of(test);
  }
}

/// Judges sequences of 2^50 bytes in 2^18 chunks. The counts of a few words are scaled up to the
/// number of all words, so the counts deviate far from their distribution. The sum of squares is
/// set to its expectation.
TEST(BatteryBeyond, JudgesLongSequences) {
  constexpr std::uint64_t chunks = 1U << 18;
  Words words("philox4x32", false, 7, {}, 1U << 19);
  for (const BatteryTest& whole : tests_named("long")) {
    SCOPED_TRACE(whole.name());
    BatteryTest test = fitted(whole, 1U << 18);
    const TestClass& kind = class_of(test);
    test.pooled = kind.pools;
    std::vector<std::uint64_t> counts = kind.count(words.tiles(), 0, test).counts;
    const std::uint64_t times = chunks * (whole.n / test.n);
    for (std::uint64_t& count : counts) count *= times;
    test.N = times;
    if (test.kind == TestKind::hamming_weight2) counts = {test.n * times};
    for (const PValue& one : kind.judge(test, counts, {})) {
      EXPECT_GE(one.p, 0) << one.statistic;
      EXPECT_LE(one.p, 1) << one.statistic;
    }
  }
}

TEST(BatteryBeyond, FitsTestsIntoChunks) {
  const BatteryTest whole{"", 0, TestKind::matrix_rank, 1, 1000, 0, 0, 0, 32, 32};
  EXPECT_EQ(fitted(whole, 32000).n, 1000U);
  EXPECT_EQ(fitted(whole, 31999).n, 999U);
  EXPECT_EQ(fitted(whole, 31).n, 0U);
  const BatteryTest gaps{"", 0, TestKind::gap, 1, 1000, 0, 16};
  EXPECT_EQ(fitted(gaps, 16000).n, 900U);
}

TEST(BatteryBeyond, SeesEachSoManyWords) {
  Words all("dcmt521", false, 7, {}, 100000);
  Words some("dcmt521", false, 7, {.step = 11}, 3000);
  const std::vector<std::uint32_t> words = all.read(0, 66000);
  for (const std::uint64_t at : {0, 3000, 100}) {
    const std::vector<std::uint32_t> found = some.read(at, 3000);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], words[(at + i) * 11]);
  }
}

}  // namespace
}  // namespace rivulet
