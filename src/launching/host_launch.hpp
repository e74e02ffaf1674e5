// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "kokkos_compat.hpp"

// How kernels are launched on a CPU: by pointers to their bodies, so that Kokkos' loops over
// threads are compiled once and not for each body, which costs a quarter of a second and more every
// time.

namespace rivulet::detail {

/// A body and how to call it.
struct HostBody {
  const void* body;
  void (*call)(const void* body, std::uint64_t i);
};

/// Calls the body for i = 0, step, 2 step, .. below end: by all threads or, where ThisThreadOnly is
/// active, this one. Waits.
void launch_on_host(const Space& space, const std::string& label, std::uint64_t end,
                    std::uint64_t step, const HostBody& body);

}  // namespace rivulet::detail
