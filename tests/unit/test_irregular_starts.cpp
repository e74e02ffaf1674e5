// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include "rivulet/detail/streams/irregular_starts.hpp"

namespace rivulet {
namespace {

constexpr Uint128 two_to_64 = Uint128{1} << 64;

TEST(IrregularStarts, OffsetsAreOddSparseAndDifferent) {
  std::set<std::uint64_t> all;
  Uint128 sum = 0;
  for (unsigned r = 0; r < 64; ++r) {
    const std::uint64_t offset = IrregularStarts::offset(r);
    EXPECT_EQ(offset % 2, 1U);
    EXPECT_EQ(std::popcount(offset), 1 + IrregularStarts::offset_terms);
    EXPECT_GE(offset, std::uint64_t{1} << 45);
    all.insert(offset);
    sum += offset;
  }
  EXPECT_EQ(all.size(), 64U);
  EXPECT_TRUE(sum < two_to_64);
}

TEST(IrregularStarts, AreTheStatedSums) {
  // An independent count of D, in another unit.
  const auto distance = 2 * two_to_64 + std::uint64_t{11400714819323198485U};
  const IrregularStarts starts(64);
  EXPECT_TRUE(starts.start(0) == 0);
  EXPECT_TRUE(starts.start(1) == distance + IrregularStarts::offset(0));
  EXPECT_TRUE(starts.start(6) ==
              6 * distance + IrregularStarts::offset(1) + IrregularStarts::offset(2));
}

TEST(IrregularStarts, AreTheStatedDistanceApart) {
  const IrregularStarts starts(64);
  // The gaps that lose most: from all low bits to the next one alone.
  for (unsigned r = 1; r < 60; ++r) {
    const std::uint64_t all_low = (std::uint64_t{1} << r) - 1;
    EXPECT_TRUE(starts.start(all_low + 1) > starts.start(all_low) + two_to_64) << r;
  }
  for (std::uint64_t s = 0; s < 100000; ++s) {
    ASSERT_TRUE(starts.start(s + 1) > starts.start(s) + two_to_64) << s;
    ASSERT_TRUE(starts.start(s) + two_to_64 < Uint128{s + 1} << starts.log2_room()) << s;
  }
}

TEST(IrregularStarts, AreInNoArithmeticProgression) {
  const IrregularStarts starts(64);
  for (std::uint64_t s = 0; s < 300; ++s) {
    for (std::uint64_t step = 1; step < 300; ++step) {
      ASSERT_FALSE(starts.start(s + step) - starts.start(s) ==
                   starts.start(s + 2 * step) - starts.start(s + step))
          << s << " " << step;
    }
  }
}

}  // namespace
}  // namespace rivulet
