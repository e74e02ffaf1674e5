// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/shipped.hpp"

#include <array>
#include <span>
#include <string>

#include "error.hpp"

namespace rivulet {
namespace {

constexpr std::size_t shipped_sets = 512;

constexpr std::array<DcmtSet, shipped_sets> table_521{{
#include "parameters/shipped_521.inc"
}};

constexpr std::array<DcmtSet, shipped_sets> table_607{{
#include "parameters/shipped_607.inc"
}};

std::span<const DcmtSet> table_of(int p) {
  if (p == 521) return table_521;
  if (p == 607) return table_607;
  throw Error("no sets of exponent " + std::to_string(p) + " are shipped",
              "tables are compiled in for p = 521 and p = 607 only",
              "Make a parameter file with `rivulet create`, and give its path as `parameters`.");
}

}  // namespace

DcmtSets shipped_dcmt(int p) {
  const std::span<const DcmtSet> table = table_of(p);
  return {p, "shipped", {table.begin(), table.end()}};
}

}  // namespace rivulet
