// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/ring_engine.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet::detail {

/// Jump polynomials in 32-bit words of coefficients, the lowest first: polynomial number r of
/// column j is bits[(r * words + w) * columns + j].
struct JumpBits {
  std::uint64_t columns = 0;
  int words = 0;
  std::vector<std::uint32_t> bits;

  JumpBits(std::uint64_t cycles, int degree, unsigned polynomials)
      : columns(cycles),
        words((degree + 31) / 32),
        bits(static_cast<std::size_t>(words) * cycles * polynomials) {}

  void put(unsigned r, std::uint64_t column, const Gf2Polynomial& polynomial) {
    for (int w = 0; w < words; ++w) {
      const auto at = static_cast<std::size_t>(w);
      bits[(r * static_cast<std::size_t>(words) + at) * columns + column] =
          polynomial.half_word(at);
    }
  }
};

/// One polynomial of them, in a kernel.
struct JumpColumn {
  const std::uint32_t* first;
  std::uint64_t stride;
  /// Coefficient i, 0 or 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int i) const {
    return first[static_cast<std::uint64_t>(i / 32) * stride] >> (i % 32) & 1u;
  }
};

/// y_j = sum over i of g_i x_{i+j}, j = 0 .. n-1: the state g(A) x of a twister, read off the
/// sequence itself (Haramoto, Matsumoto, Nishimura, Panneton & L'Ecuyer, INFORMS J. Comput. 20
/// (2008) 3). x(k) is word k from the oldest one on; the dead bits of x_0 reach only those of y_0.
template <class Recurrence, class X>
KOKKOS_FUNCTION void jump_twister(const Recurrence& recurrence, const JumpColumn& g, const X& x,
                                  std::uint32_t (&y)[Recurrence::n]) {
  constexpr int n = Recurrence::n;
  constexpr int p = Recurrence::shape.p;
  constexpr int most_masked = 100;
  std::uint32_t window[2 * n];
  for (int k = 0; k < n; ++k) {
    window[k] = x(k);
    y[k] = 0;
  }
  for (int first = 0; first < p; first += n) {
    for (int k = 0; k < n; ++k) {
      const std::uint32_t* const oldest = window + k;
      window[n + k] = recurrence.next([oldest](int j) { return oldest[j]; });
    }
    const int count = p - first < n ? p - first : n;
    for (int i = 0; i < count; ++i) {
      if constexpr (n > most_masked) {
        if (g(first + i) == 0) continue;
      }
      // A branch that nobody can predict costs more than a short sum.
      const std::uint32_t mask = 0u - g(first + i);
      for (int j = 0; j < n; ++j) y[j] ^= window[i + j] & mask;
    }
    for (int k = 0; k < n; ++k) window[k] = window[n + k];
  }
}

/// Moves streams of a recurrence. Streams of one index begin at their column's seeded state; index
/// i is that moved by the jumps of the bits of i.
template <class Recurrence>
struct TwisterMemory {
  using Memory = RingMemory<Recurrence>;
  static constexpr int n = Recurrence::n;

  /// Words of the stream from the oldest one on.
  struct Words {
    Slot<std::uint32_t> slot;
    int place;
    KOKKOS_FORCEINLINE_FUNCTION explicit Words(Slot<std::uint32_t> words)
        : slot(words), place(static_cast<int>(words[Memory::place])) {
      RIVULET_ASSERT(place != n, "A stream was moved that is open: close it first.");
    }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int k) const {
      return slot[place + k < n ? place + k : place + k - n];
    }
  };

  KOKKOS_FUNCTION static void put(Slot<std::uint32_t> to, const std::uint32_t (&y)[n]) {
    for (int k = 0; k < n; ++k) to[k] = y[k];
    to[Memory::place] = 0;
  }
  KOKKOS_FUNCTION static void move(const Recurrence& recurrence, const JumpColumn& g,
                                   Slot<std::uint32_t> from, Slot<std::uint32_t> to) {
    std::uint32_t y[n];
    jump_twister(recurrence, g, Words(from), y);
    put(to, y);
  }
};

/// The order in which streams that share cycles are made: each from the one whose index lacks its
/// lowest set bit, where that is among them, else from the seed.
struct StartOrder {
  std::uint64_t first;    ///< number of the first stream
  std::uint64_t columns;  ///< cycles: stream s has index s / columns

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index(std::uint64_t stream) const {
    return (first + stream) / columns;
  }
  /// How many streams before this one its parent is; 0 if it has none among them.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t distance(std::uint64_t stream) const {
    const std::uint64_t i = index(stream);
    const std::uint64_t back = (i & (~i + 1)) * columns;
    return back <= stream ? back : 0;
  }
};

}  // namespace rivulet::detail
