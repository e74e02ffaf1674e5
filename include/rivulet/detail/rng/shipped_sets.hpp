// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <string>

#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace detail {

// create_dcmt_set() made the tables below with the seed 20261120 and the ids 0 .. 511.

inline constexpr std::size_t shipped_set_count = 512;

inline constexpr std::array<DcmtSet, shipped_set_count> shipped_sets_521{{
#include "rivulet/detail/rng/shipped_521.inc"
}};

inline constexpr std::array<DcmtSet, shipped_set_count> shipped_sets_607{{
#include "rivulet/detail/rng/shipped_607.inc"
}};

}  // namespace detail

/// Returns the 512 sets shipped for exponent p (521 or 607). Throws Error for an exponent without a
/// table.
inline DcmtSets shipped_dcmt(int p) {
  const auto sets_of = [p](const auto& table) {
    return DcmtSets{p, "shipped", {table.begin(), table.end()}};
  };
  if (p == 521) return sets_of(detail::shipped_sets_521);
  if (p == 607) return sets_of(detail::shipped_sets_607);
  throw Error("no sets of exponent " + std::to_string(p) + " are shipped",
              "tables are compiled in for p = 521 and p = 607 only",
              "Make a parameter file with `rivulet create`, and set `parameters` to its path.");
}

}  // namespace rivulet
