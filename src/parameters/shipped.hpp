// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "parameters/dcmt_set.hpp"

namespace rivulet {

/// Seed that the shipped sets, ids 0..511, were made with by create_dcmt_set.
inline constexpr std::uint64_t shipped_dcmt_seed = 20261120;

/// The 512 sets shipped for exponent p (521 or 607). Throws Error for an exponent without a table.
DcmtSets shipped_dcmt(int p);

}  // namespace rivulet
