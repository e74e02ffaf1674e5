// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "message_of.hpp"
#include "parameters/creator.hpp"
#include "parameters/linear_relations.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

class Shipped : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Exponents, Shipped, testing::Values(521, 607));

TEST_P(Shipped, IsTheTableThatWasMade) {
  EXPECT_EQ(digest(shipped_dcmt(GetParam())),
            GetParam() == 521 ? "01595cba6e2d23b3b65ae883af46d1620931ff0ae59204ba8a1d1efa13e91190"
                              : "84ac0746ebe218af07ffcd208cec7d9f9969ee659284e5496ebc1b092779d75f");
}

TEST_P(Shipped, SampleIsProvedAgain) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  for (std::size_t i = 0; i < sets.sets.size(); i += 17) {
    EXPECT_NO_THROW(prove(dcmt_shape(sets.p), sets.sets[i])) << "id " << i;
  }
}

TEST_P(Shipped, SampleIsCreatedAgain) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  for (const std::uint32_t id : {0u, 137u, 256u, 511u}) {
    EXPECT_EQ(create_dcmt_set(sets.p, id, 20261120), sets.sets[id]);
  }
}

/// docs/twisters.md states how many sets have each least weight. An independent search among 2 n +
/// 1 numbers, with information-set decoding, found no relations of smaller weight.
TEST_P(Shipped, HaveNoShortRelations) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  std::map<std::uint32_t, int> weights;
  for (const DcmtSet& set : sets.sets) {
    const LinearRelations relations = linear_relations(dcmt_shape(sets.p), set);
    EXPECT_FALSE(relations.are_short()) << "id " << set.id;
    ++weights[relations.least_weight];
  }
  const std::map<std::uint32_t, int> of_521{{4, 25}, {5, 71}, {6, 415}, {7, 1}};
  const std::map<std::uint32_t, int> of_607{{4, 341}, {5, 171}};
  EXPECT_EQ(weights, sets.p == 521 ? of_521 : of_607);
}

TEST(ShippedTables, OtherExponentsAreToBeCreated) {
  EXPECT_NE(message_of([] { shipped_dcmt(1279); }).find("rivulet create"), std::string::npos);
  EXPECT_THROW(shipped_dcmt(0), Error);
}

}  // namespace
}  // namespace rivulet
