// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "rivulet/detail/kokkos.hpp"

// Differences between Kokkos 3.4 (the oldest supported version) and 5.x, and the execution spaces
// of Rivulet's kernels.

namespace rivulet {

using Space = Kokkos::DefaultExecutionSpace;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

/// Returns an execution space that has a separate queue on a device, independent of other queues.
/// (Kokkos before 4 has one queue only.)
inline Space own_space() {
#if KOKKOS_VERSION >= 40000
  if constexpr (device_build) return Kokkos::Experimental::partition_space(Space(), 1)[0];
#endif
  return {};
}

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
/// Pinned host memory, to which a device can copy without the processor.
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

}  // namespace rivulet
