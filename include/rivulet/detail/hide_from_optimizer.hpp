// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "rivulet/detail/kokkos.hpp"

namespace rivulet::detail {

/// On devices, hides from the compiler what is known of an integer; the hardware does nothing.
/// nvcc needs it twice: of a loop whose body chooses by a lane's number it makes two, and a warp
/// whose lanes shuffle registers then takes both, at a third of the speed; and sums modulo m, which
/// use each value twice, it follows back through all steps as if they were a tree, without end.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void hide_from_optimizer([[maybe_unused]] T& value) {
  static_assert(std::is_unsigned_v<T>);
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 8) {
    asm("" : "+l"(value));
  } else {
    asm("" : "+r"(value));
  }
#elif defined(__HIP_DEVICE_COMPILE__)
  asm("" : "+v"(value));
#endif
}

}  // namespace rivulet::detail
