// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kokkos_compat.hpp"

namespace rivulet {

/// Work on a device gets a queue of its own, so that it and others' do not wait for each other.
/// (Kokkos before 4 has but one.)
inline Space own_space() {
#if KOKKOS_VERSION >= 40000
  if constexpr (device_build) return Kokkos::Experimental::partition_space(Space(), 1)[0];
#endif
  return {};
}

}  // namespace rivulet
