// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstddef>

namespace rivulet::detail {

/// The words of one stream in memory, `stride` apart.
template <class Word>
struct Slot {
  Word* first;
  std::size_t stride;

  KOKKOS_FORCEINLINE_FUNCTION Word& operator[](int k) const {
    return first[static_cast<std::size_t>(k) * stride];
  }
};

}  // namespace rivulet::detail
