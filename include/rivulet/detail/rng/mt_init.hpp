// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

namespace rivulet {

/// Fills x[0..n-1] from one 32-bit seed, as init_genrand of mt19937ar.c does (Matsumoto &
/// Nishimura, 2002; multiplier from Knuth, TAOCP vol. 2, 3rd ed., p. 106). The Dynamic Creator uses
/// it too.
template <class Words>
KOKKOS_INLINE_FUNCTION void init_genrand(Words&& x, int n, std::uint32_t seed) {
  x[0] = seed;
  for (int i = 1; i < n; ++i) {
    const std::uint32_t previous = x[i - 1];
    x[i] = 1812433253u * (previous ^ (previous >> 30)) + static_cast<std::uint32_t>(i);
  }
}

/// Fills x[0..n-1] from a key of 32-bit words, as init_by_array of mt19937ar.c does (same authors;
/// the multipliers 1664525 and 1566083941 and the first seed 19650218 are theirs). Every bit of the
/// key affects every word but x[0]. The top bit of x[0] is set, so the state is never zero.
template <class Words>
KOKKOS_INLINE_FUNCTION void init_by_array(Words&& x, int n, const std::uint32_t* key, int length) {
  init_genrand(x, n, 19650218u);
  int i = 1;
  int j = 0;
  const auto mix = [&](std::uint32_t multiplier) {
    const std::uint32_t previous = x[i - 1];
    return x[i] ^ ((previous ^ (previous >> 30)) * multiplier);
  };
  const auto next = [&] {
    if (++i == n) {
      x[0] = x[n - 1];
      i = 1;
    }
  };
  for (int k = n > length ? n : length; k > 0; --k) {
    x[i] = mix(1664525u) + key[j] + static_cast<std::uint32_t>(j);
    next();
    if (++j == length) j = 0;
  }
  for (int k = n - 1; k > 0; --k) {
    x[i] = mix(1566083941u) - static_cast<std::uint32_t>(i);
    next();
  }
  x[0] = 0x80000000u;
}

}  // namespace rivulet
