// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <variant>

#include "kernels/generators/mt19937.hpp"
#include "mt19937_requests.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

TEST(Mt19937Plan, SaysWhyStreamsAreDisjoint) {
  const Mt19937Plan plan(native_mt19937(4096));
  const auto lines = plan.certificate();
  EXPECT_THAT(lines.back().second, testing::HasSubstr("4096 * 2^130 is less than the period"));
  ASSERT_EQ(plan.facts().size(), 2U);
  EXPECT_EQ(plan.facts()[0].name, "run_seed");
  EXPECT_EQ(std::get<std::uint64_t>(plan.facts()[0].value), mt19937_seed);
  EXPECT_EQ(plan.facts()[1].name, "log2_jump");
  EXPECT_EQ(std::get<std::uint64_t>(plan.facts()[1].value), 128U);
  EXPECT_TRUE(plan.warnings().empty());
  EXPECT_TRUE(plan.columns({0, 4}).empty());
}

TEST(Mt19937Plan, PublishedSeedsHave32Bits) {
  EXPECT_NO_THROW(Mt19937Plan{published_mt19937(4294967295)});
  EXPECT_NO_THROW(Mt19937Plan{native_mt19937()});
  try {
    const Mt19937Plan plan(published_mt19937(4294967296));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "streams.seed=4294967296 does not fit (the published seeding of mt19937, "
                 "init_genrand, takes 32 bits). Choose from 0 to 4294967295, or set "
                 "streams.seeding=native.");
  }
}

}  // namespace
}  // namespace rivulet
