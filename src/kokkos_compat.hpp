// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

// The few places where Kokkos 3.4 (the oldest we build with) and 5.x differ, and where compilers
// need telling what Kokkos has no word for.

/// rivulet::device_build for the preprocessor.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define RIVULET_DEVICE_BUILD 1
#else
#define RIVULET_DEVICE_BUILD 0
#endif

/// Marks a lambda's call operator as always inlined. Vector registers do not survive a call, so a
/// run of unrolled steps with one call left in it runs at two thirds of its speed (measured).
#if RIVULET_DEVICE_BUILD
#define RIVULET_INLINE_LAMBDA
#elif defined(__GNUC__) || defined(__clang__)
#define RIVULET_INLINE_LAMBDA __attribute__((always_inline))
#else
#define RIVULET_INLINE_LAMBDA
#endif

/// Between what lanes of a team's thread write and what other lanes of it then read. On HIP they
/// run in step, but Kokkos says nothing there (on CUDA it does) to the compiler, which may
/// then move a lane's reads before the others' writes. An assembly statement is one that all lanes
/// must come to and that no access to memory may pass.
#if defined(KOKKOS_ENABLE_HIP)
#define RIVULET_LANES_MEET() KOKKOS_IF_ON_DEVICE((asm volatile("" ::: "memory");))
#else
#define RIVULET_LANES_MEET()
#endif

namespace rivulet {

/// Whether streams run on a device with threads of its own rather than on vector lanes of a CPU.
inline constexpr bool device_build = RIVULET_DEVICE_BUILD;

using Space = Kokkos::DefaultExecutionSpace;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

}  // namespace rivulet
