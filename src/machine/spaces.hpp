// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kokkos_compat.hpp"

namespace rivulet {

/// An execution space with a queue of its own on a device, independent of other queues. (Kokkos
/// before 4 has one queue only.)
inline Space own_space() {
#if KOKKOS_VERSION >= 40000
  if constexpr (device_build) return Kokkos::Experimental::partition_space(Space(), 1)[0];
#endif
  return {};
}

}  // namespace rivulet
