// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "parameters/shipped.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

class Shipped : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Exponents, Shipped, testing::Values(521, 607));

TEST_P(Shipped, HoldsIds0To511) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  EXPECT_EQ(sets.p, GetParam());
  EXPECT_EQ(sets.source, "shipped");
  ASSERT_EQ(sets.sets.size(), 512u);
  std::set<std::uint32_t> coefficients;
  for (std::uint32_t id = 0; id < 512; ++id) {
    EXPECT_EQ(sets.sets[id].id, id);
    EXPECT_EQ(sets.sets[id].a & dcmt_id_mask, id);
    coefficients.insert(sets.sets[id].a);
  }
  EXPECT_EQ(coefficients.size(), 512u);
}

TEST_P(Shipped, IsTheTableThatWasMade) {
  EXPECT_EQ(digest(shipped_dcmt(GetParam())),
            GetParam() == 521 ? "8c8f96ef51abadf13f0d45e65b479831e25b28ff45e92f665431337d7bb3a67e"
                              : "22a145f734e9e7bec35d3299991c0457c9542c1cc23b77dc97bdc100a5ab5152");
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
    EXPECT_EQ(create_dcmt_set(sets.p, id, shipped_dcmt_seed), sets.sets[id]);
  }
}

TEST_P(Shipped, DefectsAreSmall) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  // The worst of all 512 sets of either exponent (untempered ones have 1073 and 1251).
  const std::uint64_t worst = GetParam() == 521 ? 131 : 318;
  for (std::size_t i = 0; i < sets.sets.size(); i += 31) {
    const auto k = dimensions_of_equidistribution(dcmt_shape(sets.p), sets.sets[i]);
    EXPECT_LE(total_defect(sets.p, k), worst) << "id " << i;
  }
}

TEST(ShippedTables, OtherExponentsAreToBeCreated) {
  try {
    shipped_dcmt(1279);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rivulet create"), std::string::npos);
  }
  EXPECT_THROW(shipped_dcmt(0), Error);
}

}  // namespace
}  // namespace rivulet
