// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rivulet {

/// What distinguishes one dynamically created twister of exponent p from another.
struct DcmtSet {
  std::uint32_t id = 0;  ///< 16-bit identifier carried in the low half of the twist coefficient
  std::uint32_t a = 0;   ///< twist coefficient
  std::uint32_t b = 0;   ///< tempering mask of the shift by 7
  std::uint32_t c = 0;   ///< tempering mask of the shift by 15

  friend bool operator==(const DcmtSet&, const DcmtSet&) = default;
};

/// Dimensions of equidistribution: k[v - 1] is k(v) of the v leading bits, v = 1..32.
using Equidistribution = std::array<std::uint32_t, 32>;

/// Parameter sets of one exponent, for StreamsOptions::sets.
struct DcmtSets {
  int p = 0;  ///< the exponent
  std::string
      source;  ///< where they come from, for the record: "shipped", "published", a file name
  std::vector<DcmtSet> sets;  ///< stream s takes number s % sets.size()
};

}  // namespace rivulet
