// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "rivulet/detail/kokkos.hpp"

// The few places where Kokkos 3.4 (the oldest we build with) and 5.x differ, and what Rivulet's own
// kernels run on.

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
