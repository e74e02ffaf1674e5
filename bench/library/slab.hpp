// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

// The slab of examples/slab_transport.cpp, written over several libraries' random numbers: what
// they have in common.

namespace slab {

inline constexpr std::uint64_t histories = 1000000;
inline constexpr double thickness = 5;     // in mean free paths
inline constexpr double absorption = 0.1;  // of a collision, its probability

using Histories = Kokkos::RangePolicy<Kokkos::IndexType<std::uint64_t>>;

struct Tallies {
  std::uint64_t transmitted = 0;
  std::uint64_t reflected = 0;
  std::uint64_t absorbed = 0;
};

}  // namespace slab
