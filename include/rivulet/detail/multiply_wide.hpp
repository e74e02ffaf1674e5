// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet::detail {

/// Computes the upper and the lower half of a * m.
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(std::uint32_t a, std::uint32_t m,
                                               std::uint32_t& high, std::uint32_t& low) {
#if defined(__CUDA_ARCH__)
  // With the 64-bit product, Philox takes 1.26 times as long, because nvcc 13 adds 0 to the
  // product's upper half.
  high = __umulhi(a, m);
#else
  high = static_cast<std::uint32_t>(std::uint64_t{m} * a >> 32);
#endif
  low = a * m;
}
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(std::uint64_t a, std::uint64_t m,
                                               std::uint64_t& high, std::uint64_t& low) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  high = __umul64hi(a, m);
#else
  high = static_cast<std::uint64_t>(Uint128{a} * m >> 64);
#endif
  low = a * m;
}

}  // namespace rivulet::detail
