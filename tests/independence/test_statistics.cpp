// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <set>

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

/// Of all 512 matrices of 3 x 3: 1, 49, 294 and 168 have the ranks 0 to 3, and their rows have
/// 2^rank different sums.
TEST(Statistics, LawOfRanksIsThatOfAllMatrices) {
  const std::vector<double> law = deficiency_law(3);
  std::vector<double> counts(4);
  for (std::uint32_t bits = 0; bits < 512; ++bits) {
    const std::uint32_t words[] = {bits & 7, bits >> 3 & 7, bits >> 6};
    BitRows matrix(3, 3);
    for (std::size_t r = 0; r < 3; ++r) matrix.put(r, 0, words[r], 3);
    std::set<std::uint32_t> sums;
    for (std::uint32_t rows = 0; rows < 8; ++rows) {
      std::uint32_t sum = 0;
      for (std::size_t r = 0; r < 3; ++r) sum ^= (rows >> r & 1) * words[r];
      sums.insert(sum);
    }
    const std::size_t rank = matrix.eliminate();
    EXPECT_EQ(std::size_t{1} << rank, sums.size()) << bits;
    ++counts[3 - rank];
  }
  EXPECT_EQ(counts, (std::vector<double>{168, 294, 49, 1}));
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

/// Bits of a recurrence of random coefficients and a random start.
std::vector<bool> recurrent_bits(std::size_t degree, std::size_t count) {
  const auto words = hashed_row(degree, 2 * degree);
  std::vector<bool> bits;
  for (std::size_t i = 0; i < degree; ++i) bits.push_back(words[i] % 2 != 0);
  while (bits.size() < count) {
    bool next = bits[bits.size() - degree];
    for (std::size_t j = 1; j < degree; ++j) {
      next ^= words[degree + j] % 2 != 0 && bits[bits.size() - j];
    }
    bits.push_back(next);
  }
  return bits;
}

/// A sequence's Hankel matrices have its complexity as their rank (Kronecker).
TEST(Statistics, ComplexityIsTheRankOfHankelMatrices) {
  for (const std::size_t degree : {40, 64, 129, 400}) {
    const auto bits = recurrent_bits(degree, 5 * degree);
    BitRows hankel(degree, degree);
    for (std::size_t i = 0; i < degree; ++i) {
      for (std::size_t j = 0; j < degree; ++j) {
        if (bits[i + j]) hankel.set(i, j);
      }
    }
    const std::size_t rank = hankel.eliminate();
    EXPECT_EQ(complexity_profile(bits).complexity, rank);
    EXPECT_GT(rank, degree / 2);
  }
}

/// Compares with all sequences of ten bits.
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

/// Of hashed words, p-values are uniform: of 400, 200 are below 1/2 and 40 below 1/10, give or take
/// five standard deviations, and what laws of whole numbers take from them.
void expect_uniform(const char* name, double slack,
                    const std::function<double(std::uint64_t)>& p_value) {
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
  EXPECT_NEAR(below_half, 200, 50 + slack) << name;
  EXPECT_NEAR(below_tenth, 40, std::min(30 + slack, 39.0)) << name;
  EXPECT_GT(least, 1e-6) << name;
}

TEST(Statistics, RanksOfHashedWordsAreUniform) {
  expect_uniform("many", 0, [](std::uint64_t run) {
    return rank_p_value(hashed_row(run, 120 * 8 * 60), 60, {0, 8});
  });
  expect_uniform("their sum", 20, [](std::uint64_t run) {
    return rank_p_value(hashed_row(run, 20 * 8 * 60), 60, {24, 8});
  });
}

TEST(Statistics, ComplexityOfHashedWordsIsUniform) {
  std::vector<ComplexityProfile> profiles;
  for (std::uint64_t run = 0; run < 400; ++run) {
    profiles.push_back(complexity_profile(bit_sequence(hashed_row(run, 5000), 7)));
  }
  expect_uniform("whole", 150,
                 [&](std::uint64_t run) { return complexity_p_value(profiles[run]); });
  expect_uniform("heights", 0, [&](std::uint64_t run) { return heights_p_value(profiles[run]); });
  expect_uniform("jumps", 0, [&](std::uint64_t run) { return jumps_p_value(profiles[run]); });
}

TEST(Statistics, NeighboursAmongHashedWordsAreUniform) {
  std::vector<PairSums> sums;
  for (std::uint64_t run = 0; run < 400; ++run) {
    const WordTable table = hashed_words().draw(ids(1000, run * 1000), 2);
    PairSums pairs(2);
    for (std::uint64_t s = 0; s + 4 < table.streams(); ++s) pairs.add(table, s, table, s + 4);
    sums.push_back(pairs);
  }
  expect_uniform("distance", 0, [&](std::uint64_t run) { return sums[run].distance_p_value(); });
  expect_uniform("spread", 0, [&](std::uint64_t run) { return sums[run].spread_p_value(); });
  expect_uniform("correlation", 0,
                 [&](std::uint64_t run) { return sums[run].correlation_p_value(); });
}

TEST(Statistics, BirthdaySpacingsOfHashedWordsAreUniform) {
  expect_uniform("spacings", 10, [](std::uint64_t run) {
    return birthday_spacings_p_value(
        birthdays(hashed_words().draw(ids(1024, run * 1024), 2), 0, 3, 23), 23);
  });
}

TEST(Statistics, BitsArePutWhereTheyBelong) {
  for (std::size_t first = 20; first < 90; ++first) {
    for (const std::size_t count : {1, 9, 32}) {
      BitRows rows(2, 192);
      const auto value = static_cast<std::uint32_t>(0xa5c3f00ffULL >> (36 - count));
      rows.put(1, first, value, count);
      for (std::size_t column = 0; column < 192; ++column) {
        const bool is_in = column >= first && column < first + count;
        EXPECT_EQ(rows.get(1, column), is_in && (value >> (column - first) & 1) != 0);
        EXPECT_FALSE(rows.get(0, column));
      }
    }
  }
}

}  // namespace
}  // namespace rivulet::independence
