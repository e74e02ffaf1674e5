// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/shipped_sets.hpp"

namespace rivulet {

/// Seed that the shipped sets, ids 0..511, were made with by create_dcmt_set.
inline constexpr std::uint64_t shipped_dcmt_seed = 20261120;

}  // namespace rivulet
