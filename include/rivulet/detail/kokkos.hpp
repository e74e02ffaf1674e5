// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <type_traits>

// Compiler-specific annotations that Kokkos does not provide.

/// The value of rivulet::device_build for the preprocessor.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define RIVULET_DEVICE_BUILD 1
#else
#define RIVULET_DEVICE_BUILD 0
#endif

/// Marks a lambda's call operator as always inlined. Vector registers do not survive a call. If one
/// call remains in a series of unrolled steps, the steps run at two thirds of the speed (measured).
#if RIVULET_DEVICE_BUILD
#define RIVULET_INLINE_LAMBDA
#elif defined(__GNUC__) || defined(__clang__)
#define RIVULET_INLINE_LAMBDA __attribute__((always_inline))
#else
#define RIVULET_INLINE_LAMBDA
#endif

/// Marks a function that few lanes of a warp need. On a GPU, the function is not inlined, because
/// its instructions and registers would slow down the kernel.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define RIVULET_RARE_FUNCTION KOKKOS_FUNCTION inline __noinline__
#else
#define RIVULET_RARE_FUNCTION KOKKOS_FORCEINLINE_FUNCTION
#endif

namespace rivulet {

/// True if kernels run on a GPU, false if on a CPU.
inline constexpr bool device_build = RIVULET_DEVICE_BUILD;

namespace detail {

/// A compile-time int that can be passed as an argument, for the index of an unrolled loop. (nvcc
/// treats the conversion of std::integral_constant as a host function, which returns garbage on a
/// device.)
template <int j>
struct Place {
  static constexpr int value = j;
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator int() const { return j; }
};
template <int j>
inline constexpr Place<j> place{};

/// On devices, hides an integer's value from the optimizer, without adding an instruction. nvcc
/// needs this in two cases. First, nvcc splits a loop whose body depends on the lane index into two
/// loops; a warp whose lanes shuffle registers then runs both, at a third of the speed. Second, if
/// each sum in a chain of sums modulo m uses the previous sum twice, nvcc expands the chain to a
/// tree over all steps, and does not terminate.
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

}  // namespace detail

}  // namespace rivulet
