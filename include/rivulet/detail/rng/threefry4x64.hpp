// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "rivulet/detail/rng/counter_based.hpp"

namespace rivulet {
namespace detail {

/// Threefish-256, the cipher of the hash function Skein (Ferguson et al., version 1.3, 2010),
/// without a tweak and with `rounds` rounds of additions, rotations and exclusive-ors.
template <int rounds>
struct Threefish256 {
  using Word = std::uint64_t;
  static constexpr int words = 4;
  static constexpr int key_words = 4;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void block(const Word (&key)[4], T (&x)[4]) {
    const Word keys[5] = {key[0], key[1], key[2], key[3],
                          parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
    add_keys<0>(keys, x);
    all_rounds(keys, x, std::make_integer_sequence<int, rounds>{});
  }

 private:
  /// Skein's C240.
  static constexpr Word parity = 0x1bd11bdaa9fc1a22u;
  /// Rotations of words 1 and 3 in even rounds, of words 3 and 1 in odd rounds. The table repeats
  /// after eight rounds.
  static constexpr int rotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37},
                                          {25, 33}, {46, 12}, {58, 22}, {32, 32}};

  template <class T, int... R>
  KOKKOS_FORCEINLINE_FUNCTION static void all_rounds(const Word (&keys)[5], T (&x)[4],
                                                     std::integer_sequence<int, R...>) {
    (round<R>(keys, x), ...);
  }
  template <int r, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void round(const Word (&keys)[5], T (&x)[4]) {
    constexpr int first = r % 2 == 0 ? 1 : 3;
    mix<rotations[r % 8][0]>(x[0], x[first]);
    mix<rotations[r % 8][1]>(x[2], x[4 - first]);
    if constexpr (r % 4 == 3) add_keys<(r + 1) / 4>(keys, x);
  }
  template <int rotation, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void mix(T& a, T& b) {
    a = a + b;
    b = rotated_left(b, rotation) ^ a;
  }
  template <int time, class T>
  KOKKOS_FORCEINLINE_FUNCTION static void add_keys(const Word (&keys)[5], T (&x)[4]) {
    x[0] = x[0] + T(keys[time % 5]);
    x[1] = x[1] + T(keys[(time + 1) % 5]);
    x[2] = x[2] + T(keys[(time + 2) % 5]);
    x[3] = x[3] + T(keys[(time + 3) % 5] + time);
  }
};

}  // namespace detail

/// Threefry4x64-20 (Salmon, Moraes, Dror & Shaw, SC11, 2011), as in their library Random123.
struct Threefry4x64 : detail::Threefish256<20> {
  static constexpr std::string_view name = "threefry4x64";
  static constexpr std::string_view doc = "Threefry4x64-20, Random123's, a function of a counter";
};

}  // namespace rivulet
