// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

#include "aligned_blocks.hpp"
#include "companies.hpp"
#include "known_words.hpp"

namespace rivulet::independence {
namespace {

/// Generators whose streams share a recurrence over GF(2), and the bits in which it is one.
struct Aligned {
  std::string name;
  Company company;
  Company random_states;
  std::uint64_t dimension;
  Bits bits;
};

void PrintTo(const Aligned& one, std::ostream* out) { *out << one.name; }

std::vector<Aligned> aligned_subjects() {
  std::vector<Aligned> all;
  for (const Subject& one : subjects()) {
    // dcmt2203 takes long, and is started as dcmt1279 is.
    if (one.linear_dimension == 0 || one.linear_dimension > 1300) continue;
    if (one.name == "lowest_of_ranmar48") continue;
    const Bits bits = one.look.bits.count == 1 ? one.look.bits : Bits{0, 32};
    all.push_back({one.name, company_of(one), one.random_states, one.linear_dimension, bits});
  }
  return all;
}

class AlignedBlocks : public testing::TestWithParam<Aligned> {};

INSTANTIATE_TEST_SUITE_P(Native, AlignedBlocks, testing::ValuesIn(aligned_subjects()),
                         [](const auto& info) { return info.param.name; });

/// Ranks of 16 to 65536 streams interleaved, which no test of TestU01, PractRand or SmokeRand has
/// more of at these sizes. What random states fail must fail whatever the starts are.
TEST_P(AlignedBlocks, RanksAreThoseOfRandomStates) {
  EXPECT_EQ(aligned_failures(GetParam().company), aligned_failures(GetParam().random_states));
}

/// Streams enough for the blocks and for all the bits that their rows need.
WordTable blocks_of(const Company& company, std::uint64_t dimension, std::uint64_t length,
                    std::uint64_t numbers) {
  return company.draw(ids((dimension + 40) * length), numbers);
}

TEST_P(AlignedBlocks, AreNotDependent) {
  constexpr std::uint64_t length = 64;
  // Twice as many columns as rows, and more: a random matrix lacks rank with a chance of 2^-500.
  const std::uint64_t numbers = GetParam().bits.count == 1 ? 16 : 2;
  const auto table = blocks_of(GetParam().company, GetParam().dimension, length, numbers);
  EXPECT_EQ(block_deficiency({table, length}, GetParam().bits), 0U);
}

/// A relation of the blocks' first streams holds for no others but by chance.
TEST_P(AlignedBlocks, HaveNoRelationInCommon) {
  constexpr std::uint64_t length = 16;
  const std::uint64_t numbers = GetParam().dimension * 4;
  const auto table = blocks_of(GetParam().company, GetParam().dimension, length, numbers);
  const BlockRelation found = block_relation({table, length}, GetParam().bits);
  ASSERT_FALSE(found.words.empty());
  const double chance = std::exp2(-GetParam().bits.count);
  const double expected = chance * static_cast<double>(found.places);
  EXPECT_LT(std::abs(static_cast<double>(found.zeros) - expected),
            6 * std::sqrt(expected * (1 - chance)) + 2);
}

// The same tests find what was there when starts were E(s) alone.

Failures more_than_random(const Company& additive, const Company& random_states) {
  const AlignedExtent extent{131072, {128, 256, 512, 1024}, {64, 4096}};
  const Failures found = aligned_failures(additive, extent);
  const Failures least = aligned_failures(random_states, extent);
  Failures more;
  std::ranges::set_difference(found, least, std::inserter(more, more.begin()));
  return more;
}

using testing::IsSupersetOf;

TEST(KnownWords, TausworthesOfAdditiveStartsFail) {
  const Company lfsr113 = tausworthe_of_additive_starts<Lfsr113>("lfsr113");
  const Company hybrid = tausworthe_of_additive_starts<HybridTausworthe>("hybrid");
  EXPECT_THAT(
      more_than_random(lfsr113, tausworthe_of_random_states<Lfsr113>("lfsr113")),
      IsSupersetOf({"4096 streams, bits 0 + 32: rank 256", "4096 streams, bits 0 + 32: rank 1024",
                    "64 streams, bits 0 + 32: rank 256"}));
  EXPECT_THAT(
      more_than_random(hybrid, tausworthe_of_random_states<HybridTausworthe>("hybrid")),
      IsSupersetOf({"4096 streams, bits 31 + 1: rank 128", "64 streams, bits 24 + 8: rank 256"}));
  const WordTable table = blocks_of(lfsr113, 113, 16, 452);
  EXPECT_EQ(block_deficiency({table, 16}, {0, 32}), 40U);
  const BlockRelation found = block_relation({table, 16}, {0, 32});
  EXPECT_EQ(found.zeros, found.places);
}

TEST(KnownWords, TwistersOfAdditiveStartsFail) {
  const Company twister = twister_of_additive_starts<521>("dcmt521", one_set(521).sets[0]);
  const WordTable table = blocks_of(twister, 521, 16, 4);
  EXPECT_EQ(block_deficiency({table, 16}, {0, 32}), 40U);
}

}  // namespace
}  // namespace rivulet::independence
