// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet {

/// The recurrence and the tempering of MT19937: Matsumoto & Nishimura, "Mersenne Twister: a
/// 623-dimensionally equidistributed uniform pseudo-random number generator", ACM TOMACS 8 (1998)
/// 3.
struct Mt19937Recurrence {
  static constexpr int n = 624;
  static constexpr int m = 397;
  static constexpr int p = 19937;
  static constexpr DcmtShape shape{p, n, m, 31, 0x80000000u, 0x7fffffffu};
  static constexpr std::uint32_t a = 0x9908b0dfu;

  /// Returns x_{k+n} from x_k, x_{k+1} and x_{k+m}.
  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static W twist(W x_k, W x_k1, W x_km) {
    const W y = (x_k & shape.upper_mask) | (x_k1 & shape.lower_mask);
    return x_km ^ (y >> 1) ^ WordTraits<W>::if_odd(x_k1, W(a));
  }
  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static W temper(W x) {
    x ^= x >> 11;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    x ^= x >> 18;
    return x;
  }
};

/// Returns the native start of stream 0, computed by init_by_array. Jumps from this state lead to
/// the starts of the other streams.
inline std::array<std::uint32_t, Mt19937Recurrence::n> native_mt19937_start(std::uint64_t seed) {
  std::array<std::uint32_t, Mt19937Recurrence::n> x{};
  const std::uint32_t key[] = {static_cast<std::uint32_t>(seed),
                               static_cast<std::uint32_t>(seed >> 32), Mt19937Recurrence::p,
                               Mt19937Recurrence::a};
  init_by_array(x.data(), Mt19937Recurrence::n, key, 4);
  return x;
}

}  // namespace rivulet
