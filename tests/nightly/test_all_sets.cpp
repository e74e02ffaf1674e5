// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "parameters/creator.hpp"
#include "parameters/equidistribution.hpp"
#include "rivulet/create.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"

namespace rivulet {
namespace {

class AllShippedSets : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Exponents, AllShippedSets, testing::Values(521, 607));

TEST_P(AllShippedSets, AreProvedAgain) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  ASSERT_EQ(sets.sets.size(), 512u);
  for (const DcmtSet& set : sets.sets) EXPECT_NO_THROW(prove(dcmt_shape(sets.p), set));
}

TEST_P(AllShippedSets, AreCreatedAgain) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  EXPECT_EQ(create_dcmt_sets(sets.p, 0, sets.sets.size(), 20261120).sets, sets.sets);
}

TEST_P(AllShippedSets, HaveSmallDefects) {
  const DcmtSets sets = shipped_dcmt(GetParam());
  std::uint64_t worst = 0;
  for (const DcmtSet& set : sets.sets) {
    const auto k = dimensions_of_equidistribution(dcmt_shape(sets.p), set);
    worst = std::max(worst, total_defect(sets.p, k));
  }
  EXPECT_EQ(worst, sets.p == 521 ? 131u : 319u);  // untempered sets have 1073 and 1251
}

/// Each proof takes 0.4 s.
TEST(MtgpSets, AllPolynomialsAreIrreducible) {
  std::vector<int> proved(detail::mtgp_set_count, 0);
  for_each_on_host("rivulet::test", proved.size(), [&](std::size_t i) {
    const auto phi = detail::mtgp_polynomial(detail::mtgp_sets[i]);
    proved[i] = phi.degree() == Mtgp11213Recurrence::p && is_irreducible(phi);
  });
  for (std::size_t i = 0; i < proved.size(); ++i) EXPECT_TRUE(proved[i]) << i;
}

}  // namespace
}  // namespace rivulet
