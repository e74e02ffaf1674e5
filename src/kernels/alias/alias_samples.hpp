// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"

namespace rivulet {

/// Where the cells of a batch go as well as to the histogram: sample i of local stream s to
/// cells(s * stride + i - batch.begin). An empty view keeps none.
struct AliasSamples {
  Kokkos::View<std::uint32_t*, Space> cells;
  std::uint64_t stride = 0;

  KOKKOS_FUNCTION std::uint32_t* of(std::uint64_t stream) const {
    return cells.data() + stream * stride;
  }
};

}  // namespace rivulet
