// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kokkos_compat.hpp"

namespace rivulet {

#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
/// Host memory that a device can copy to without the processor.
using PinnedSpace = Kokkos::SharedHostPinnedSpace;
#else
using PinnedSpace = Kokkos::HostSpace;
#endif

}  // namespace rivulet
