// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "rivulet/detail/rng/dcmt.hpp"

namespace rivulet {

/// The key of init_by_array in native seeding.
struct DcmtKey {
  static constexpr int length = 8;
  std::uint32_t words[length];
};

/// The run's seed, the set's number among its source's, and what tells the twister from any other:
/// two that had the same seeded state would give numbers alike until they have drifted apart.
KOKKOS_INLINE_FUNCTION DcmtKey dcmt_key(std::uint64_t seed, std::uint64_t set, int p,
                                        const DcmtParameters<std::uint32_t>& parameters) {
  return {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
           static_cast<std::uint32_t>(set), static_cast<std::uint32_t>(set >> 32),
           static_cast<std::uint32_t>(p), parameters.a, parameters.b, parameters.c}};
}

}  // namespace rivulet
