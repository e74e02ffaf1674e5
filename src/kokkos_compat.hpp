// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "rivulet/detail/kokkos.hpp"

// The few places where Kokkos 3.4 (the oldest we build with) and 5.x differ, and what Rivulet's own
// kernels run on.

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

using Space = Kokkos::DefaultExecutionSpace;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

/// An execution space with a queue of its own on a device, independent of other queues. (Kokkos
/// before 4 has one queue only.)
inline Space own_space() {
#if KOKKOS_VERSION >= 40000
  if constexpr (device_build) return Kokkos::Experimental::partition_space(Space(), 1)[0];
#endif
  return {};
}

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
/// Host memory that a device can copy to without the processor.
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

}  // namespace rivulet
