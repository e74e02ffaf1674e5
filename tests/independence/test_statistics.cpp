// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <NTL/GF2X.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "arrangements.hpp"
#include "birthday_spacings.hpp"
#include "known_words.hpp"
#include "neighbours.hpp"

namespace rivulet::independence {
namespace {

// What the tests of independence are made of, against other ways to compute it and on hashed words.

std::vector<std::uint32_t> hashed_row(std::uint64_t stream, std::size_t count) {
  std::vector<std::uint32_t> row(count);
  for (std::size_t i = 0; i < count; ++i) row[i] = hashed_word(stream, i);
  return row;
}

TEST(Statistics, RanksOfKnownMatrices) {
  BitRows matrix(130, 130);
  for (std::size_t i = 0; i < 130; ++i) {
    matrix.set(i, i);
    if (i > 0) matrix.set(i, i - 1);
  }
  EXPECT_EQ(BitRows(matrix).eliminate(), 130U);
  for (std::size_t i = 0; i < 130; ++i) {
    BitRows two = matrix;
    two.put(i, 64, 0xffffffff, 32);
    EXPECT_GE(BitRows(two).eliminate(), 129U);
  }
  BitRows zeros(3, 200);
  EXPECT_EQ(zeros.eliminate(), 0U);
}

/// Of all 512 matrices of 3 x 3: 1, 49, 294 and 168 have the ranks 0 to 3.
TEST(Statistics, LawOfRanksIsThatOfAllMatrices) {
  const std::vector<double> law = deficiency_law(3);
  const double counts[] = {168, 294, 49, 1};
  for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(law[d], counts[d] / 512, 1e-15);
  double sum = 0;
  for (const double chance : deficiency_law(160)) sum += chance;
  EXPECT_NEAR(sum, 1, 1e-15);
}

TEST(Statistics, MatricesAreMadeOfLeadingBits) {
  // Of 12 columns, a word gives 8 bits and the next one its upper 4.
  std::vector<std::uint32_t> words;
  for (unsigned r = 0; r < 12; ++r) {
    const std::uint32_t row = 0x80000000U >> r;
    words.push_back(row);
    words.push_back(row << 8);
  }
  EXPECT_EQ(deficiencies(words, 12, {0, 8}), std::vector<std::size_t>{0});
  words[23] = 0x08000000;  // the eighth bit from the right, which is not in the matrix
  EXPECT_EQ(deficiencies(words, 12, {0, 8}), std::vector<std::size_t>{1});
}

TEST(Statistics, ComplexityIsNtls) {
  for (const long half : {40L, 64L, 129L, 400L}) {
    // A recurrence of that degree, of random coefficients.
    const auto taps = hashed_row(static_cast<std::uint64_t>(half), static_cast<std::size_t>(half));
    std::vector<bool> bits;
    for (long i = 0; i < half; ++i) bits.push_back(i == half - 1);
    NTL::vec_GF2 sequence;
    sequence.SetLength(2 * half);
    for (long i = 0; i < 2 * half; ++i) {
      if (i >= half) {
        bool next = bits[static_cast<std::size_t>(i - half)];
        for (long j = 1; j < half; ++j) {
          next ^=
              taps[static_cast<std::size_t>(j)] % 2 != 0 && bits[static_cast<std::size_t>(i - j)];
        }
        bits.push_back(next);
      }
      sequence.put(i, bits[static_cast<std::size_t>(i)] ? 1 : 0);
    }
    NTL::GF2X polynomial;
    NTL::MinPolySeq(polynomial, sequence, half);
    EXPECT_EQ(static_cast<long>(complexity_profile(bits).complexity), NTL::deg(polynomial));
    EXPECT_EQ(NTL::deg(polynomial), half);
  }
}

/// Of all sequences of ten bits.
TEST(Statistics, LawOfComplexityIsThatOfAllSequences) {
  std::vector<double> counts(11);
  for (unsigned sequence = 0; sequence < 1024; ++sequence) {
    std::vector<bool> bits(10);
    for (unsigned i = 0; i < 10; ++i) bits[i] = (sequence >> i & 1) != 0;
    ++counts[complexity_profile(bits).complexity];
  }
  for (std::size_t k = 0; k <= 10; ++k) {
    const double at_most =
        std::accumulate(counts.begin(), counts.begin() + static_cast<long>(k) + 1, 0.0);
    const double at_least = 1024 - at_most + counts[k];
    EXPECT_NEAR(complexity_p_value({10, k, {}}), two_sided(at_most / 1024, at_least / 1024), 1e-12)
        << k;
  }
}

TEST(Statistics, PValuesOfKnownDistributions) {
  EXPECT_NEAR(normal_p_value(1.959964), 0.05, 1e-7);
  EXPECT_NEAR(poisson_p_value(0, 3), 2 * std::exp(-3.0), 1e-12);
  EXPECT_NEAR(poisson_p_value(9, 3), 2 * 0.0038029, 1e-6);  // tables: 1 - P(X <= 8) = 0.0038
  EXPECT_NEAR(two_sided_chi_square(18.307, 10), 0.1, 1e-5);
  EXPECT_NEAR(two_sided_chi_square(3.940, 10), 0.1, 1e-3);
  // Classes of 3 and 2 are put together, and so are the last two.
  EXPECT_NEAR(classes_p_value({5, 0, 10, 4, 1}, {3, 2, 10, 4, 1}), two_sided_chi_square(0, 2),
              1e-12);
}

/// Of hashed words, p-values are spread as they should be: what is exact for continuous statistics
/// only is on the safe side for the others.
void expect_spread(const char* name, const std::function<double(std::uint64_t)>& p_value) {
  constexpr std::uint64_t runs = 400;
  double below_half = 0;
  double below_tenth = 0;
  double least = 1;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const double p = p_value(run);
    below_half += p <= 0.5 ? 1 : 0;
    below_tenth += p <= 0.1 ? 1 : 0;
    least = std::min(least, p);
  }
  // Five standard deviations of 200 and of 40; three tests in one have up to 350 and 108.
  EXPECT_GT(below_half, 40) << name;
  EXPECT_LT(below_half, 390) << name;
  EXPECT_GT(below_tenth, 5) << name;
  EXPECT_LT(below_tenth, 150) << name;
  EXPECT_GT(least, 1e-6) << name;
}

TEST(Statistics, HashedWordsHaveAllPValues) {
  expect_spread("many ranks", [](std::uint64_t run) {
    return rank_p_value(hashed_row(run, 120 * 8 * 60), 60, {0, 8});
  });
  expect_spread("sum of ranks", [](std::uint64_t run) {
    return rank_p_value(hashed_row(run, 20 * 8 * 60), 60, {24, 8});
  });
  expect_spread("complexity", [](std::uint64_t run) {
    return linear_complexity_p_value(bit_sequence(hashed_row(run, 5000), 7));
  });
  expect_spread("neighbours", [](std::uint64_t run) {
    return neighbours_p_value(hashed_words().draw(ids(1000, run * 1000), 2), 4, 2);
  });
  expect_spread("birthday spacings", [](std::uint64_t run) {
    return birthday_spacings_p_value(
        birthdays(hashed_words().draw(ids(1024, run * 1024), 2), 0, 3, 23), 23);
  });
}

}  // namespace
}  // namespace rivulet::independence
