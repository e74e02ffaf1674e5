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

class Seeds : public testing::TestWithParam<Subject> {};

INSTANTIATE_TEST_SUITE_P(Native, Seeds, testing::ValuesIn(seeded_generators()), name_of);

/// Stream 0 of every seed is on the first of a twister's sets.
Subject on_first_set(const Subject& subject) {
  for (Subject& one : seeded_generators()) {
    if (one.name == subject.name + "_on_one_set") return one;
  }
  return subject;
}

/// Whether first words are alike.
void expect_unlike(const WordTable& table) {
  for (std::uint64_t distance = 1; distance < table.streams(); distance *= 2) {
    EXPECT_GT(neighbours_p_value(table, distance, 1), threshold) << distance;
    EXPECT_GT(neighbours_p_value(table, distance, 8), threshold) << distance;
  }
  const int log2_days = 3 * static_cast<int>(std::bit_width(table.streams()) - 1) - 7;
  for (const int first : {0, 3, 20}) {
    const double p = birthday_spacings_p_value(birthdays(table, 0, first, log2_days), log2_days);
    EXPECT_GT(p, threshold) << "bits from " << first;
  }
}

/// Seeds that differ in their upper bits, or by SplitMix64's increment.
TEST_P(Seeds, FarApartAreNotAlike) {
  const Company company = seeds_company(GetParam().name, GetParam().streams);
  expect_unlike(company.draw(ids(256, 0, std::uint64_t{1} << 55), 8));
  expect_unlike(company.draw(ids(256, 0, splitmix64_increment), 8));
}

/// Stream 0 of the seeds 0 to 1023, as if they were streams on one set: ranks and complexity in all
/// orders, as of random states.
TEST_P(Seeds, SideBySideAreAsRandomStates) {
  constexpr std::uint64_t seeds = 1024;
  const std::uint64_t numbers = Extent().words / seeds;
  const WordTable table =
      seeds_company(GetParam().name, GetParam().streams).draw(ids(seeds), numbers);
  expect_unlike(table);
  Failures must_fail;
  if (GetParam().random_states.draw) {
    const Subject first_set = on_first_set(GetParam());
    must_fail = failures_of_table(first_set.random_states.draw(ids(seeds), numbers), {}, {});
  }
  EXPECT_EQ(failures_of_table(table, {}, {}), must_fail);
}

/// Two generators, the same seed and the same streams.
void expect_unlike(const WordTable& a, const WordTable& b, const std::string& which) {
  for (const std::uint64_t numbers : {1, 2, 16}) {
    EXPECT_GT(side_by_side_p_value(a, b, numbers), threshold) << which << ", first " << numbers;
  }
}

TEST(GeneratorsOfOneSeed, AreNotAlike) {
  const std::vector<Subject> all = seeded_generators();
  std::vector<WordTable> tables;
  for (std::size_t i = 0; i < all.size(); ++i) {
    tables.push_back(company_of(all[i]).draw(ids(4096), 16));
    for (std::size_t j = 0; j < i; ++j) {
      // On shipped sets, the first of which is the one set: the same streams.
      if (all[i].streams.generator == all[j].streams.generator) continue;
      expect_unlike(tables[i], tables[j], all[i].name + " and " + all[j].name);
    }
  }
}

DcmtSets part_of(const DcmtSets& sets, std::ptrdiff_t first, std::ptrdiff_t count) {
  return {sets.p, sets.source, {sets.sets.begin() + first, sets.sets.begin() + first + count}};
}

/// Uses other sets, as from two parameter files.
TEST(GeneratorsOfOneSeed, AreNotAlikeOnOtherSets) {
  for (const int p : {521, 607}) {
    LibraryStreams one{"dcmt" + std::to_string(p)};
    LibraryStreams other = one;
    one.sets = part_of(shipped_dcmt(p), 0, 256);
    other.sets = part_of(shipped_dcmt(p), 256, 256);
    expect_unlike(drawn(one, ids(4096), 16), drawn(other, ids(4096), 16), "halves");
    one.sets = shipped_dcmt(p);
    other.sets = part_of(shipped_dcmt(p), 1, 511);
    expect_unlike(drawn(one, ids(4096), 16), drawn(other, ids(4096), 16), "one less");
  }
}

TEST(KnownWords, GeneratorsOfOneStateAreAlike) {
  const auto p_value = [](const Company& a, const Company& b, std::uint64_t numbers) {
    return side_by_side_p_value(a.draw(ids(4096), 16), b.draw(ids(4096), 16), numbers);
  };
  EXPECT_LT(p_value(ranmar_of_random_starts<Ranmar48>("ranmar48"),
                    ranmar_of_random_starts<Ranmar48x>("ranmar48x"), 16),
            1e-300);
  EXPECT_LT(p_value(twisters_of_random_states<521>("a", part_of(shipped_dcmt(521), 0, 256)),
                    twisters_of_random_states<521>("b", part_of(shipped_dcmt(521), 256, 256)), 16),
            1e-100);
}

}  // namespace
}  // namespace rivulet::independence
