// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "mtgp_requests.hpp"
#include "rivulet/error.hpp"
#include "streams/mtgp_plan.hpp"

namespace rivulet {
namespace {

TEST(MtgpPlan, SaysWhyStreamsAreDisjoint) {
  const MtgpPlan plan(native_mtgp(1000));
  const auto lines = plan.certificate();
  EXPECT_THAT(lines.back().second, testing::HasSubstr("5 streams start at irregular places, at "
                                                      "least 2^128 steps apart"));
  EXPECT_THAT(lines.back().second, testing::HasSubstr("5 * 2^130 <= 2^11213"));
  EXPECT_EQ(MtgpPlan(native_mtgp(200)).certificate().back().second, "one stream per set");
  EXPECT_TRUE(plan.warnings().empty());
  const auto columns = plan.columns({398, 3});
  ASSERT_EQ(columns.size(), 3U);
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(columns[0].values, (Values{198, 199, 0}));
  EXPECT_EQ(columns[1].values, (Values{198, 199, 0}));
  EXPECT_EQ(columns[2].values, (Values{1, 1, 2}));
  EXPECT_EQ(MtgpPlan(published_mtgp(42, 200)).columns({3, 2})[1].values, (Values{46, 47}));
}

TEST(MtgpPlan, PublishedSeedingHasAStreamASet) {
  EXPECT_NO_THROW(MtgpPlan{published_mtgp(1, 200)});
  EXPECT_NO_THROW(MtgpPlan{native_mtgp(201)});
  try {
    const MtgpPlan plan(published_mtgp(1, 201));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "201 streams are more than 200 parameter sets can make disjoint under the "
                 "published seeding (it gives every stream a seed of its own, so two streams on "
                 "one set would overlap by chance). Ask for at most 200 streams, or set "
                 "streams.seeding=native.");
  }
}

}  // namespace
}  // namespace rivulet
