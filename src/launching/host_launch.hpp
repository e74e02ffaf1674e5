// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "kokkos_compat.hpp"

// CPU kernels are launched through a pointer to their body. Kokkos' loops over threads are then
// compiled once, instead of once per body. Each compilation takes 0.25 s or more.

namespace rivulet {

/// Policy of kernels that are called with 64-bit indices.
using IndexRange = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

namespace detail {

/// A type-erased kernel body and the function that calls it.
struct HostBody {
  const void* body;
  void (*call)(const void* body, std::uint64_t i);
};

/// Calls the body for every multiple i of `step` below `end`, on all threads or, if ThisThreadOnly
/// is active, on this thread alone. Blocks until all calls have returned.
void launch_on_host(const Space& space, const std::string& label, std::uint64_t end,
                    std::uint64_t step, const HostBody& body);

}  // namespace detail
}  // namespace rivulet
