// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>

#include "rng/uniform.hpp"

namespace rivulet {
namespace {

constexpr std::uint32_t most_24 = (1U << 24) - 1;
constexpr std::uint64_t most_48 = (std::uint64_t{1} << 48) - 1;
constexpr std::uint32_t most_32 = 0xffffffffU;

TEST(Uniform, OfTwentyFourBits) {
  EXPECT_EQ(unit_float_of_24(0), 0.0F);
  EXPECT_EQ(unit_float_of_24(1U << 23), 0.5F);
  EXPECT_EQ(unit_float_of_24(most_24), 1.0F - std::ldexp(1.0F, -24));
  EXPECT_EQ(unit_double_of_24(1), std::ldexp(1.0, -24));
  EXPECT_EQ(unit_double_of_24(most_24), 1.0 - std::ldexp(1.0, -24));
  // James' published numbers, as printed there times 4096^2.
  EXPECT_EQ(unit_double_of_24(6533892) * 4096 * 4096, 6533892.0);
}

TEST(Uniform, OfFortyEightBits) {
  EXPECT_EQ(unit_double_of_48(0), 0.0);
  EXPECT_EQ(unit_double_of_48(1), std::ldexp(1.0, -48));
  EXPECT_EQ(unit_double_of_48(most_48), 1.0 - std::ldexp(1.0, -48));
}

TEST(Uniform, OnlyTheExactZeroIsReplaced) {
  EXPECT_EQ(unit_double_of_48_zero_replaced(0), std::ldexp(1.0, -48));
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, most_48}) {
    EXPECT_EQ(unit_double_of_48_zero_replaced(n), unit_double_of_48(n));
  }
}

TEST(Uniform, OfFullWordsNeverReachesOne) {
  EXPECT_EQ(unit_float(0), 0.0F);
  EXPECT_EQ(unit_float(255), 0.0F);
  EXPECT_EQ(unit_float(256), std::ldexp(1.0F, -24));
  EXPECT_EQ(unit_float(most_32), 1.0F - std::ldexp(1.0F, -24));
  EXPECT_EQ(unit_double(0, 0), 0.0);
  EXPECT_EQ(unit_double(0, 1U << 6), std::ldexp(1.0, -53));
  EXPECT_EQ(unit_double(1U << 5, 0), std::ldexp(1.0, -27));
  EXPECT_EQ(unit_double(most_32, most_32), 1.0 - std::ldexp(1.0, -53));
}

}  // namespace
}  // namespace rivulet
