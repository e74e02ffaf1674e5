// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>

#include "birthday_spacings.hpp"
#include "companies.hpp"
#include "known_words.hpp"
#include "neighbours.hpp"

namespace rivulet::independence {
namespace {

/// Hamming distances and correlations of the first number, and of the first eight, of streams whose
/// ids differ by a power of two.
Failures neighbours_that_fail(const WordTable& table) {
  Failures failures;
  for (std::uint64_t distance = 1; 2 * distance <= table.streams(); distance *= 2) {
    for (const std::uint64_t numbers : {1, 8}) {
      if (neighbours_p_value(table, distance, numbers) < threshold) {
        failures.insert(std::to_string(distance) + " apart, " + std::to_string(numbers));
      }
    }
  }
  return failures;
}

/// Spacings of first words, of 65536 (or however many) streams together and of 4096 at a time, each
/// with a mean of 32 that occur again.
Failures birthdays_that_fail(const WordTable& table) {
  Failures failures;
  const auto test = [&](std::vector<std::uint64_t> days, int log2_days, const std::string& name) {
    if (birthday_spacings_p_value(std::move(days), log2_days) < threshold) failures.insert(name);
  };
  const int log2_streams = static_cast<int>(std::bit_width(table.streams())) - 1;
  const int log2_days = 3 * log2_streams - 7;
  for (const int first : {0, 16, 23}) {
    test(birthdays(table, 0, first, log2_days), log2_days, "all from " + std::to_string(first));
  }
  for (std::uint64_t begin = 0; begin < table.streams(); begin += 4096) {
    for (const int first : {0, 3}) {
      const auto all = birthdays(table, 0, first, 29);
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(begin);
      test({from, from + 4096}, 29, "4096 from " + std::to_string(begin));
    }
  }
  return failures;
}

class Neighbours : public testing::TestWithParam<Subject> {};

INSTANTIATE_TEST_SUITE_P(Native, Neighbours, testing::ValuesIn(seeded_generators()), name_of);

TEST_P(Neighbours, AreNeitherAlikeNorUnlike) {
  const WordTable table = company_of(GetParam()).draw(ids(GetParam().most_streams()), 8);
  EXPECT_EQ(neighbours_that_fail(table), Failures{});
  EXPECT_EQ(birthdays_that_fail(table), Failures{});
}

TEST_P(Neighbours, FarAwayAreNeither) {
  const Company company = company_of(GetParam());
  const WordTable first = company.draw(ids(1024), 8);
  for (const int log2 : {20, 27, 31}) {
    const WordTable far = company.draw(ids(1024, std::uint64_t{1} << log2), 8);
    EXPECT_GT(side_by_side_p_value(first, far, 1), threshold) << log2;
    EXPECT_GT(side_by_side_p_value(first, far, 8), threshold) << log2;
  }
}

TEST(KnownWords, TheListingsStreamsAreAlike) {
  const WordTable table = company_of(generators_under_test().back()).draw(ids(65536), 8);
  EXPECT_TRUE(neighbours_that_fail(table).contains("1 apart, 1"));
  EXPECT_TRUE(neighbours_that_fail(table).contains("16384 apart, 8"));
  EXPECT_TRUE(birthdays_that_fail(table).contains("all from 0"));
}

/// Published seeds are multiples of a number, and small generators need some steps to forget them.
TEST(KnownWords, PublishedTausworthesAreAlike) {
  for (const std::string generator : {"hybrid_tausworthe", "lfsr113"}) {
    LibraryStreams published{generator};
    published.seeding = Seeding::published;
    const WordTable table = company(generator, published).draw(ids(65536), 8);
    EXPECT_TRUE(neighbours_that_fail(table).contains("1 apart, 1")) << generator;
  }
}

TEST(KnownWords, ConsecutiveStatesHaveEqualSpacings) {
  const WordTable table = consecutive_states().draw(ids(65536), 8);
  EXPECT_TRUE(birthdays_that_fail(table).contains("all from 0"));
  EXPECT_TRUE(birthdays_that_fail(table).contains("4096 from 4096"));
  EXPECT_TRUE(neighbours_that_fail(table).contains("1 apart, 1"));
}

}  // namespace
}  // namespace rivulet::independence
