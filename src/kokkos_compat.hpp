// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "rivulet/detail/kokkos.hpp"

// This header defines the execution spaces of Rivulet's kernels, and hides differences between
// Kokkos 3.4 (the oldest supported version) and 5.x.

namespace rivulet {

using Space = Kokkos::DefaultExecutionSpace;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

/// Returns an execution space with its own queue on a device, if Kokkos is version 4 or later.
/// Otherwise, returns the default execution space, whose queue is shared.
inline Space own_space() {
#if KOKKOS_VERSION >= 40000
  if constexpr (device_build) return Kokkos::Experimental::partition_space(Space(), 1)[0];
#endif
  return {};
}

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
/// Host memory for copies from a device. The memory is pinned if Kokkos supports this, so that the
/// device can copy without the CPU.
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

}  // namespace rivulet
