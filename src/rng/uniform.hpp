// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace rivulet {

/// Which ends of 0 .. 1 floating-point numbers reach.
enum class Interval {
  closed_open,   ///< [0, 1)
  open,          ///< (0, 1)
  open_closed,   ///< (0, 1]
  closed,        ///< [0, 1]
  zero_replaced  ///< (0, 1): [0, 1) with an exact 0 replaced by the least other number, as CORSIKA
                 ///< does
};

// Integers to floating point. Every result is exact (an integer times a power of two) and lies in
// [0, 1): 0 occurs, 1 never does.

/// 0 <= n < 2^24: n * 2^-24.
KOKKOS_FORCEINLINE_FUNCTION float unit_float_of_24(std::uint32_t n) {
  return static_cast<float>(n) * 0x1p-24f;
}
KOKKOS_FORCEINLINE_FUNCTION double unit_double_of_24(std::uint32_t n) { return n * 0x1p-24; }

/// 0 <= n < 2^48: n * 2^-48.
KOKKOS_FORCEINLINE_FUNCTION double unit_double_of_48(std::uint64_t n) {
  return static_cast<double>(n) * 0x1p-48;
}

/// CORSIKA's rule for its 48-bit RANMAR, which is not RANMAR's: an exact 0 becomes 2^-48, so that a
/// logarithm may be taken. In (0, 1).
KOKKOS_FORCEINLINE_FUNCTION double unit_double_of_48_zero_replaced(std::uint64_t n) {
  return unit_double_of_48(n == 0 ? 1 : n);
}

/// A full 32-bit word: its upper 24 bits, which is all that a float holds.
KOKKOS_FORCEINLINE_FUNCTION float unit_float(std::uint32_t word) {
  return unit_float_of_24(word >> 8);
}

/// Two full 32-bit words, 27 bits of the first above 26 of the second: genrand_res53 of
/// mt19937ar.c (Isaku Wada's, 2002).
KOKKOS_FORCEINLINE_FUNCTION double unit_double(std::uint32_t first, std::uint32_t second) {
  const std::uint64_t bits = std::uint64_t{first >> 5} << 26 | second >> 6;
  return static_cast<double>(bits) * 0x1p-53;
}

}  // namespace rivulet
