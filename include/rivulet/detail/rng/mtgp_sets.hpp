// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>

#include "rivulet/detail/rng/mtgp.hpp"

namespace rivulet::detail {

inline constexpr std::size_t mtgp_set_count = 200;

/// The sets that the authors published for exponent 11213. Tests prove that the characteristic
/// polynomials are irreducible and different.
inline constexpr MtgpSet mtgp_sets[mtgp_set_count] = {
#include "rivulet/detail/rng/mtgp_11213.inc"
};

/// Returns all sets with the full tables that kernels use.
inline std::vector<MtgpTables> all_mtgp_tables() {
  std::vector<MtgpTables> all;
  for (const MtgpSet& set : mtgp_sets) all.push_back(mtgp_tables(set));
  return all;
}

}  // namespace rivulet::detail
