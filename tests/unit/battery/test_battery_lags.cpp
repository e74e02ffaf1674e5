// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "battery/families/family.hpp"
#include "battery/laws/distributions.hpp"
#include "battery/test_class.hpp"
#include "battery_words.hpp"
#include "kernels/correlation/batch_transforms.hpp"

namespace rivulet {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers good_words(std::uint64_t position, std::uint64_t count) {
  return Words("philox4x32", false, 7, {}, count).read(position, count);
}

BatteryTest lags_test(std::uint64_t n, int L) {
  return {"", 0, TestKind::lags, 1, n, 0, 0, 0, 0, L};
}
BatteryTest gaps_test(std::uint64_t n, std::uint64_t d, int s, int L) {
  return {"", 0, TestKind::value_gaps, 1, n, 0, d, 0, s, L};
}

std::vector<PValue> judged(const Numbers& words, const BatteryTest& test) {
  Words tiles(given_words(words), std::uint64_t{1} << 20);
  return class_of(test).judge(test, counted(tiles, 0, test).counts, {});
}

class BatteryLags : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_batch_transforms) GTEST_SKIP() << "no Fourier transforms where kernels run";
  }
};

/// Returns twice the sum of the top byte and the bit-reversed lowest byte, minus the mean 510.
int number_of(std::uint32_t word) {
  int sum = -510;
  for (int bit = 0; bit < 8; ++bit) {
    sum += static_cast<int>(word >> (24 + bit) & 1) << (bit + 1);
    sum += static_cast<int>(word >> (7 - bit) & 1) << (bit + 1);
  }
  return sum;
}

TEST_F(BatteryLags, CountsProducts) {
  constexpr std::uint64_t n = 5, L = 64;
  const Numbers words = good_words(3, n * L);
  std::vector<double> products(L / 2 + 1);
  for (std::uint64_t row = 0; row < n; ++row) {
    for (std::uint64_t lag = 0; lag <= L / 2; ++lag) {
      for (std::uint64_t i = row * L; i + lag < (row + 1) * L; ++i) {
        products[lag] += number_of(words[i]) * number_of(words[i + lag]);
      }
    }
  }
  std::vector<std::uint64_t> counts(2 * 129);
  for (std::uint64_t lag = 1; lag <= L / 2; ++lag) {
    const double z =
        std::abs(products[lag]) / std::sqrt(43690.0 * 43690 * static_cast<double>(n * (L - lag)));
    const auto one = static_cast<std::size_t>(std::min(8 * z, 128.0));
    ++counts[one];
    counts[129 + one] += lag;
  }
  for (const std::uint64_t tile : {64, 200, 1 << 20}) {
    SCOPED_TRACE(tile);
    Words tiles("philox4x32", false, 7, {}, tile);
    const auto found = detail::on_host(Space(), detail::lag_products({tiles.tiles(), 3, n}, L));
    ASSERT_EQ(found.size(), products.size());
    for (std::size_t lag = 0; lag < found.size(); ++lag) {
      EXPECT_NEAR(found[lag], products[lag], 1e-5) << lag;
    }
    const Replication replication = counted(tiles, 3, lags_test(n, L));
    EXPECT_EQ(replication.counts, counts);
    EXPECT_EQ(replication.words, n * L);
  }
}

/// Checks the rounding errors for long rows of random numbers, and for long rows that repeat the
/// largest number.
TEST_F(BatteryLags, AreWholeNumbers) {
  constexpr std::uint64_t L = std::uint64_t{1} << 21;
  const auto worst = [](Words words, const std::function<double(double)>& wanted) {
    double error = 0;
    double lag = 0;
    for (const double one :
         detail::on_host(Space(), detail::lag_products({words.tiles(), 0, 2}, L))) {
      error = std::max(error, std::abs(one - (wanted ? wanted(lag) : std::round(one))));
      ++lag;
    }
    return error;
  };
  EXPECT_LT(worst(Words("philox4x32", false, 7, {}, L), {}), 1e-3);
  EXPECT_LT(worst(Words(given_words({0xffffffffU}), L),
                  [](double lag) { return 2 * 510.0 * 510 * (static_cast<double>(L) - lag); }),
            0.1);
}

/// Replaces the masked bits of every 16th word by those of the word `lag` words earlier.
Numbers copied(Numbers words, std::size_t lag, std::uint32_t bits) {
  const Numbers from = words;
  for (std::size_t i = lag / 16 * 16 + 16; i < words.size(); i += 16) {
    words[i] = (words[i] & ~bits) | (from[i - lag] & bits);
  }
  return words;
}

TEST_F(BatteryLags, FindsCopiedBits) {
  const BatteryTest test = lags_test(8, 1 << 15);
  const Numbers good = good_words(0, 1U << 18);
  for (const std::uint32_t bits : {1U << 31, 1U, ~0U}) {
    for (const std::size_t lag : {1, 1000, 16383}) {
      const PValue found = judged(copied(good, lag, bits), test).front();
      EXPECT_LT(found.p, 1e-10) << bits;
      EXPECT_EQ(found.note, "lag " + std::to_string(lag));
    }
    // The test covers only lags up to L / 2 = 16384.
    EXPECT_GT(judged(copied(good, 16385, bits), test).front().p, 1e-6);
  }
}

TEST_F(BatteryLags, PassesGoodWords) {
  const BatteryTest test = lags_test(8, 1 << 15);
  Words words("philox4x32", false, 7, {}, 1U << 20);
  std::vector<double> chi;
  for (std::uint64_t k = 0; k < 20; ++k) {
    const auto found = class_of(test).judge(test, counted(words, k << 18, test).counts, {});
    EXPECT_GT(found[0].p, 1e-6);
    EXPECT_LT(found[0].p, 1 - 1e-6);
    chi.push_back(found[1].p);
  }
  EXPECT_GT(detail::second_level_p(chi), 1e-3);
}

double two_tails(double z) { return std::erfc(z / std::sqrt(2.0)); }

TEST(BatteryLagsLaw, TakesTheLargestOfAllLags) {
  const auto p_of = [](std::uint64_t N, std::size_t top) {
    BatteryTest test = lags_test(8, 1 << 10);
    test.N = N;
    test.pooled = true;
    std::vector<std::uint64_t> counts(2 * 129);
    counts[0] = N * 512 - 2;
    counts[top] = 2;
    counts[129 + top] = 300;
    const auto found = class_of(test).judge(test, counts, {});
    EXPECT_EQ(found.size(), N * 512 < 10000 ? 1U : 2U);
    EXPECT_EQ(found.front().note, "2 lags, mean 150");
    EXPECT_EQ(found.front().value, static_cast<double>(top) / 8);
    return found.front().p;
  };
  EXPECT_NEAR(p_of(1, 40), 1 - std::pow(1 - two_tails(5), 512), 1e-12);
  EXPECT_NEAR(p_of(100, 40), 1 - std::pow(1 - two_tails(5), 51200), 1e-10);
  EXPECT_NEAR(p_of(100, 19), 1 - std::pow(1 - two_tails(2.5), 51200), 1e-12);
  EXPECT_NEAR(p_of(1, 128) / (512 * two_tails(16)), 1, 1e-6);
}

TEST(BatteryLagsLaw, ExpectsNormals) {
  BatteryTest test = lags_test(8, 1 << 20);
  std::vector<std::uint64_t> counts(2 * 129);
  for (int i = 0; i < 60; ++i) {
    const double lags = (1 << 19) * (two_tails(i / 8.0) - two_tails((i + 1) / 8.0));
    counts[static_cast<std::size_t>(i)] = static_cast<std::uint64_t>(std::lround(lags));
  }
  const auto p = [&] { return class_of(test).judge(test, counts, {})[1].p; };
  EXPECT_GT(p(), 0.999);
  counts[20] += 500;
  counts[0] -= 500;
  EXPECT_LT(p(), 1e-3);
  test.n = 7;
  EXPECT_EQ(class_of(test).judge(test, counts, {}).size(), 1U);
}

TEST(BatteryValueGaps, CountsSpacings) {
  struct Case {
    std::uint64_t n, d;
    int s, L;
  };
  for (const auto& [n, d, s, L] : {Case{30000, 5000, 32, 8},
                                   {20000, 3000, 8, 12},
                                   {std::uint64_t{5} << 18, std::uint64_t{1} << 18, 32, 17}}) {
    SCOPED_TRACE(L);
    const auto bits = static_cast<std::uint64_t>(L);
    const std::uint64_t words = s > L ? n / (32 / bits) : 2 * n;
    const Numbers given = good_words(5, words);
    std::vector<std::uint64_t> counts((1U << 17) + 1), last(1U << L);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t value =
          s > L ? given[i / (32 / bits)] >> i % (32 / bits) * bits & ((1U << L) - 1)
                : given[2 * i] >> 24 << 4 | given[2 * i + 1] >> 28;
      if (i >= d) ++counts[std::min(i - last[value], std::uint64_t{1} << 17)];
      last[value] = i;
    }
    for (const std::uint64_t tile : {3000, 1 << 20}) {
      Words tiles("philox4x32", false, 7, {}, tile);
      const Replication found = counted(tiles, 5, gaps_test(n, d, s, L));
      EXPECT_EQ(found.counts, counts);
      EXPECT_EQ(found.words, words);
    }
  }
}

TEST(BatteryValueGaps, FindsWordsThatComeAgain) {
  const BatteryTest test = gaps_test(1U << 18, 1U << 16, 32, 12);
  const Numbers good = good_words(0, 1U << 17);
  for (const PValue& one : judged(good, test)) {
    EXPECT_GT(one.p, 1e-4) << one.statistic;
    EXPECT_LT(one.p, 1 - 1e-4) << one.statistic;
  }
  // A word has two 12-bit values, so a lag of 1000 words is a distance of 2000.
  const PValue found = judged(copied(good, 1000, ~0U), test)[1];
  EXPECT_EQ(found.statistic, "largest");
  EXPECT_LT(found.p, 1e-10);
  EXPECT_EQ(found.note, "distance 2000");
}

/// The number of spacings is fixed and their sum is nearly fixed, which costs two degrees of
/// freedom.
TEST(BatteryValueGaps, KnowsItsLaws) {
  BatteryTest test = gaps_test(3000, 1000, 32, 6);
  test.pooled = true;
  test.N = 5;
  std::vector<double> expected;
  std::vector<std::uint64_t> counts(class_of(test).counters(test));
  for (std::size_t spacing = 1; spacing < 1000; ++spacing) {
    expected.push_back(10000.0 / 64 * std::pow(63.0 / 64, static_cast<double>(spacing) - 1));
    counts[spacing] = static_cast<std::uint64_t>(std::lround(expected.back()));
  }
  counts[7] += 170;
  const auto all = class_of(test).judge(test, counts, {});
  const PValue& found = all[0];
  const auto groups =
      detail::merged(expected, std::vector<std::uint64_t>(expected.size())).counts.size();
  EXPECT_NEAR(found.p, detail::chi_square_p(found.value, static_cast<double>(groups) - 2), 1e-12);
  EXPECT_GT(found.p, 1e-6);
  EXPECT_LT(found.p, 0.9);
  // The tail of the largest count includes half of that count's own probability (mid-p).
  const auto tail = [&](std::uint64_t y) { return detail::poisson_tails(y, expected[6]).right; };
  const auto tried = std::ranges::count_if(expected, [](double one) { return one >= 10; });
  EXPECT_NEAR(all[1].p / (static_cast<double>(tried) * (tail(counts[7]) + tail(counts[7] + 1))), 1,
              1e-6);
  EXPECT_EQ(all[1].note, "distance 7");
}

TEST(BatteryValueGaps, PValuesAreUniform) {
  const BatteryTest test = gaps_test(1U << 16, 1U << 12, 32, 8);
  Words words("philox4x32", false, 7, {}, 1U << 15);
  std::vector<double> chi, largest;
  for (std::uint64_t k = 0; k < 100; ++k) {
    const auto found = class_of(test).judge(test, counted(words, k << 14, test).counts, {});
    chi.push_back(found[0].p);
    largest.push_back(found[1].p);
  }
  EXPECT_GT(detail::second_level_p(chi), 1e-3);
  EXPECT_GT(detail::second_level_p(largest), 1e-3);
}

TEST(BatteryValueGaps, FitsIntoChunks) {
  const BatteryTest whole = gaps_test(std::uint64_t{1} << 28, 1U << 20, 32, 16);
  EXPECT_EQ(class_of(whole).min_chunk_words(whole), 1U << 20);
  EXPECT_EQ(class_of(whole).min_items(whole), 1U << 21);
  const BatteryTest test = fitted(whole, 1U << 22);
  EXPECT_EQ(test.n, 1U << 23);
  EXPECT_EQ(class_of(test).words(test), 1U << 22);
}

}  // namespace
}  // namespace rivulet
