// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <vector>

namespace rivulet {

/// Waits for all kernels, and copies a view of one dimension to the host.
template <class View>
std::vector<typename View::non_const_value_type> host_copy(const View& view) {
  Kokkos::fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

}  // namespace rivulet
