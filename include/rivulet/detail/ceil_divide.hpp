// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "rivulet/detail/kokkos.hpp"

namespace rivulet {

/// Returns value / divisor, rounded up. value + divisor must not overflow.
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION constexpr Integer ceil_divide(Integer value,
                                                          std::type_identity_t<Integer> divisor) {
  return (value + divisor - 1) / divisor;
}

}  // namespace rivulet
