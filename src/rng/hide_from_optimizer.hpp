// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "rivulet/detail/kokkos.hpp"

namespace rivulet {

/// Hides from the compiler what is known of an integer. nvcc makes two loops of one whose body
/// chooses by a lane's number; a warp whose lanes shuffle registers then takes both, at a third of
/// the speed.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void hide_from_optimizer([[maybe_unused]] T& value) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8) {
    asm volatile("" : "+l"(value));
  } else {
    asm volatile("" : "+r"(value));
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  asm volatile("" : "+v"(value));
#endif
}

}  // namespace rivulet
