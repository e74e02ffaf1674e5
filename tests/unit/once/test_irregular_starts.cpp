// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include "rivulet/detail/streams/irregular_starts.hpp"
#include "start_steps.hpp"

namespace rivulet {
namespace {

constexpr Uint128 two_to_64 = Uint128{1} << 64;

enum class Hashed { powers, steps };

/// Returns start(s) = E(s) + h(s) for starts that are at least 2^64 steps apart.
Uint128 start(std::uint64_t s, Hashed hashed) {
  return jumps_to(IrregularStarts(64), s) +
         (hashed == Hashed::powers ? hashed_powers(s) : IrregularStarts::hashed_steps(s));
}
constexpr Hashed both[] = {Hashed::powers, Hashed::steps};

TEST(IrregularStarts, OffsetsAreOddSparseAndDifferent) {
  std::set<std::uint64_t> all;
  Uint128 sum = 0;
  for (unsigned r = 0; r < 64; ++r) {
    const std::uint64_t offset = IrregularStarts::offset(r);
    EXPECT_EQ(offset % 2, 1U);
    EXPECT_EQ(std::popcount(offset), 1 + IrregularStarts::hashed_terms);
    EXPECT_GE(offset, std::uint64_t{1} << 45);
    all.insert(offset);
    sum += offset;
  }
  EXPECT_EQ(all.size(), 64U);
  EXPECT_TRUE(sum < two_to_64);
}

TEST(IrregularStarts, JumpsAreTheStatedSums) {
  // This is D from its formula. The golden ratio's fraction d is in decimal.
  const auto distance = 2 * two_to_64 + std::uint64_t{11400714819323198485U};
  const IrregularStarts starts(64);
  EXPECT_TRUE(jumps_to(starts, 0) == 0);
  EXPECT_TRUE(jumps_to(starts, 1) == distance + IrregularStarts::offset(0));
  EXPECT_TRUE(jumps_to(starts, 6) ==
              6 * distance + IrregularStarts::offset(1) + IrregularStarts::offset(2));
}

TEST(IrregularStarts, HashedPartsAreSparseAndShort) {
  EXPECT_EQ(hashed_powers(0), 0U);
  EXPECT_EQ(IrregularStarts::hashed_steps(0), 0U);
  std::set<std::uint64_t> powers;
  std::set<unsigned> steps;
  for (std::uint64_t s = 1; s < 100000; ++s) {
    ASSERT_EQ(std::popcount(hashed_powers(s)), IrregularStarts::hashed_terms);
    ASSERT_LT(hashed_powers(s), std::uint64_t{1} << 58);
    ASSERT_LT(IrregularStarts::hashed_steps(s), 512U);
    powers.insert(hashed_powers(s));
    steps.insert(IrregularStarts::hashed_steps(s));
  }
  EXPECT_EQ(steps.size(), 512U);
  // There are 14 * 15 * 15 * 13 = 40950 sums; 100000 draws miss about 9 % of them.
  EXPECT_GT(powers.size(), 36000U);
}

/// If s and t share no bit, E(s + t) = E(s) + E(t). The hash is not additive.
TEST(IrregularStarts, AreNotAdditive) {
  for (const Hashed hashed : both) {
    int additive = 0;
    for (std::uint64_t block = 128; block < 128 * 128; block += 128) {
      for (std::uint64_t s = 1; s < 128; ++s) {
        EXPECT_TRUE(jumps_to(IrregularStarts(64), block + s) ==
                    jumps_to(IrregularStarts(64), block) + jumps_to(IrregularStarts(64), s));
        additive +=
            static_cast<int>(start(block + s, hashed) == start(block, hashed) + start(s, hashed));
      }
    }
    // For each of 127 * 127 pairs, h(s + t) = h(s) + h(t) with a probability of at most about 1 in
    // 1000: hashed steps have 512 values.
    EXPECT_LT(additive, 60);
  }
}

TEST(IrregularStarts, AreTheStatedDistanceApart) {
  const IrregularStarts starts(64);
  for (const Hashed hashed : both) {
    // The smallest gaps lie between an id with all low bits set and the next one.
    for (unsigned r = 1; r < 60; ++r) {
      const std::uint64_t all_low = (std::uint64_t{1} << r) - 1;
      EXPECT_TRUE(start(all_low + 1, hashed) > start(all_low, hashed) + two_to_64) << r;
    }
    for (std::uint64_t s = 0; s < 100000; ++s) {
      ASSERT_TRUE(start(s + 1, hashed) > start(s, hashed) + two_to_64) << s;
      ASSERT_TRUE(start(s, hashed) + two_to_64 < Uint128{s + 1} << starts.log2_room()) << s;
    }
  }
}

TEST(IrregularStarts, AreInNoArithmeticProgression) {
  for (const Hashed hashed : both) {
    for (std::uint64_t s = 0; s < 300; ++s) {
      for (std::uint64_t step = 1; step < 300; ++step) {
        ASSERT_FALSE(start(s + step, hashed) - start(s, hashed) ==
                     start(s + 2 * step, hashed) - start(s + step, hashed))
            << s << " " << step;
      }
    }
  }
}

}  // namespace
}  // namespace rivulet
