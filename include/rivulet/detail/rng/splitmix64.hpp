// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace rivulet {

/// SplitMix64's increment, 2^64 divided by the golden ratio: Steele, Lea & Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
inline constexpr std::uint64_t splitmix64_increment = 0x9e3779b97f4a7c15u;

/// SplitMix64's finaliser, a permutation of 64 bits. The constants are Stafford's (variant 13).
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t splitmix64_mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace rivulet
