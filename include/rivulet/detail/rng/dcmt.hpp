// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/dcmt_shape.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet {

/// What distinguishes one twister from another: the twist coefficient and two tempering masks.
template <class W>
struct DcmtParameters {
  W a;
  W b;
  W c;
};

/// What advances: the n words of the recurrence. next is the word that the following draw replaces,
/// 0 <= next < n; it is the same for all lanes.
template <int P, class W>
struct DcmtState {
  static constexpr DcmtShape shape = dcmt_shape(P);
  static constexpr int words = shape.n;
  W x[words];
  int next = 0;
};

/// One step of the recurrence: the word n places after x_k, from x_k, x_{k+1} and x_{k+m}.
template <int P, class W>
KOKKOS_FORCEINLINE_FUNCTION W dcmt_twist(W x_k, W x_k1, W x_km, W a) {
  using State = DcmtState<P, W>;
  const W y = (x_k & State::shape.upper_mask) | (x_k1 & State::shape.lower_mask);
  return x_km ^ (y >> 1) ^ WordTraits<W>::if_odd(y, a);
}

/// Tempering of Matsumoto & Nishimura, ACM TOMACS 8 (1998) 3, with the masks of one set.
template <class W>
KOKKOS_FORCEINLINE_FUNCTION W dcmt_temper(W x, W b, W c) {
  x ^= x >> dcmt_shift_0;
  x ^= (x << dcmt_shift_b) & b;
  x ^= (x << dcmt_shift_c) & c;
  x ^= x >> dcmt_shift_1;
  return x;
}

/// A dynamically created Mersenne Twister of period 2^P - 1 with 32-bit output, after Matsumoto &
/// Nishimura, "Dynamic Creation of Pseudorandom Number Generators" (2000). Written once over a word
/// type W: lane l of every word belongs to the l-th of lanes<W> independent twisters, all at the
/// same position of their sequences.
template <int P, class W = std::uint32_t>
class Dcmt {
 public:
  using result_type = W;
  using Parameters = DcmtParameters<W>;
  using State = DcmtState<P, W>;
  static constexpr DcmtShape shape = dcmt_shape(P);
  /// Words that one call of round() draws.
  static constexpr int round_words = shape.n;

  KOKKOS_FORCEINLINE_FUNCTION Dcmt(const Parameters& parameters, const State& state)
      : parameters_(parameters), state_(state) {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FUNCTION W operator()() {
    const int k = state_.next;
    advance();
    return dcmt_temper(state_.x[k], parameters_.b, parameters_.c);
  }

  /// Skips n numbers by stepping; jumps of astronomical length are jump-ahead's
  /// (streams/jump_table.hpp).
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0; --n) advance();
  }

  /// Draws exactly round_words numbers and hands each, in order, to use(index, number), where index
  /// is a std::integral_constant 0 .. round_words - 1 (use index.value: its conversion to int is a
  /// host function to nvcc). Fully unrolled, so that the state stays in
  /// registers. Only at a round boundary (state().next == 0), where it also ends.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void round(F&& use) {
    unrolled(use, std::make_integer_sequence<int, shape.n>{});
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  KOKKOS_FUNCTION void advance() {
    constexpr int n = shape.n;
    const int k = state_.next;
    const int k1 = k + 1 < n ? k + 1 : 0;
    const int km = k + shape.m < n ? k + shape.m : k + shape.m - n;
    state_.x[k] = dcmt_twist<P>(state_.x[k], state_.x[k1], state_.x[km], parameters_.a);
    state_.next = k1;
  }

  template <int K, class F>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled_step(F&& use) {
    constexpr int n = shape.n;
    state_.x[K] = dcmt_twist<P>(state_.x[K], state_.x[(K + 1) % n], state_.x[(K + shape.m) % n],
                                parameters_.a);
    use(std::integral_constant<int, K>{}, dcmt_temper(state_.x[K], parameters_.b, parameters_.c));
  }

  template <class F, int... K>
  KOKKOS_FORCEINLINE_FUNCTION void unrolled(F&& use, std::integer_sequence<int, K...>) {
    (unrolled_step<K>(use), ...);
  }

  Parameters parameters_;
  State state_;
};

}  // namespace rivulet
