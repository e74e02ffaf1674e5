// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/rng/mtgp_polynomial.hpp"

namespace rivulet {
namespace {

/// 0.4 s each.
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
