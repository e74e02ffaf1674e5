// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Hits of each local stream, summed over batches.
using HitView = Kokkos::View<std::uint64_t*, Space>;

/// Points after which 32-bit lane counters are emptied, at the latest a period later.
inline constexpr std::uint64_t points_per_flush = std::uint64_t{1} << 31;

/// 64-bit counts of the lanes of a group of streams.
struct LaneHits {
  std::uint64_t count[lanes<Word>] = {};

  KOKKOS_FUNCTION void add(const Word& hits) {
    for (int l = 0; l < lanes<Word>; ++l) count[l] += WordTraits<Word>::lane(hits, l);
  }
  KOKKOS_FUNCTION void add_to(const HitView& hits, std::uint64_t first, int live) const {
    for (int l = 0; l < live; ++l) hits(first + static_cast<std::uint64_t>(l)) += count[l];
  }
};

}  // namespace rivulet
