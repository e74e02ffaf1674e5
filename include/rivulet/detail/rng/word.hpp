// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <type_traits>

// Generators are templates over a word type W. A plain integer is a word of one stream. In the
// kernels of the `rivulet` program, a word may also be a vector register. Installed headers must
// not use vector registers, because the number of lanes depends on compiler flags, and users' flags
// may differ.

namespace rivulet {

/// Number of streams per word of type W.
template <class W>
inline constexpr int lanes = 1;

/// True if a word of type W is one vector register.
template <class W>
inline constexpr bool is_vector_register = false;

/// Loads, stores, comparisons and selections of words. The primary template is for plain integers.
template <class W>
struct WordTraits {
  static_assert(std::is_unsigned_v<W>);

  KOKKOS_FORCEINLINE_FUNCTION static W load(const W* from) { return *from; }
  KOKKOS_FORCEINLINE_FUNCTION static void store(W word, W* to) { *to = word; }
  KOKKOS_FORCEINLINE_FUNCTION static W lane(W word, int) { return word; }

  /// Returns the word whose lane l is make(l).
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static W generate(F&& make) {
    return make(0);
  }

  /// Returns `a` in lanes where the low bit of y is set, 0 elsewhere. The function multiplies,
  /// because a GPU runs multiplications in a different pipeline from the surrounding logic
  /// (measured: 1.16 times as fast on an H200).
  KOKKOS_FORCEINLINE_FUNCTION static W if_odd(W y, W a) { return (y & 1u) * a; }

  KOKKOS_FORCEINLINE_FUNCTION static W min(W x, W y) { return x < y ? x : y; }

  /// Returns `a` where x < y, b elsewhere.
  KOKKOS_FORCEINLINE_FUNCTION static W if_less(W x, W y, W a, W b) { return x < y ? a : b; }

  /// Adds 1 to count where x >= y.
  KOKKOS_FORCEINLINE_FUNCTION static void count_if_not_less(W x, W y, W& count) {
    count += static_cast<W>(x >= y);
  }
};

}  // namespace rivulet
