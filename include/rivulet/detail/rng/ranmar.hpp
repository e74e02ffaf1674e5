// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet {

// The variants of RANMAR, with their texts for `rivulet --list`. Each subtracts an arithmetic
// sequence from a lagged Fibonacci sequence modulo 2^bits. The arithmetic sequence starts at
// c_start and decreases by c_step modulo c_modulus. The published constants are c_start 362436,
// c_step 7654321 and c_modulus 2^24 - 3 (Marsaglia, Zaman & Tsang, "Toward a universal random
// number generator", Statistics & Probability Letters 9 (1990) 35).

/// RANMAR of 24 bits (Marsaglia, Zaman & Tsang, Statistics & Probability Letters 9 (1990) 35), as
/// in James' code and in CERN's library (V113).
struct Ranmar24 {
  static constexpr std::string_view name = "ranmar24";
  static constexpr std::string_view doc = "RANMAR of 24 bits, as published";
  static constexpr std::string_view period = "about 2^144";
  using Integer = std::uint32_t;
  static constexpr int bits = 24;
  static constexpr Integer c_start = 362436;
  static constexpr Integer c_step = 7654321;
  static constexpr Integer c_modulus = (Integer{1} << 24) - 3;
};

/// RANMAR of 48 bits, as in CERN's RM48 (V116) and CORSIKA's RMMARD. The lagged Fibonacci sequence
/// has 48 bits. The arithmetic sequence is that of Ranmar24, shifted into the upper 24 bits. The
/// lower 24 bits therefore come from the lagged Fibonacci sequence alone.
struct Ranmar48 {
  static constexpr std::string_view name = "ranmar48";
  static constexpr std::string_view doc = "RANMAR of 48 bits, CERN's RM48 and CORSIKA's";
  static constexpr std::string_view period = "about 2^168";
  using Integer = std::uint64_t;
  static constexpr int bits = 48;
  static constexpr Integer c_start = Integer{Ranmar24::c_start} << 24;
  static constexpr Integer c_step = Integer{Ranmar24::c_step} << 24;
  static constexpr Integer c_modulus = Integer{Ranmar24::c_modulus} << 24;
};

/// RANMAR of 48 bits, most likely as in M. F. McCann's thesis (University College Dublin, 2011):
/// c_start and c_step are scaled as in Ranmar48, but c_modulus is 2^48 - 3 = 11 * 167 * 239 *
/// 641110271, which shares no factor with c_step.
struct Ranmar48Scaled : Ranmar48 {
  static constexpr std::string_view name = "ranmar48_scaled";
  static constexpr std::string_view doc = "RANMAR of 48 bits as a thesis extends it";
  static constexpr std::string_view period = "about 2^192";
  static constexpr Integer c_modulus = (Integer{1} << 48) - 3;
};

/// Rivulet's RANMAR of 48 bits: the arithmetic sequence's modulus is the largest prime below 2^48,
/// and the step's lower half is not zero (0x9e3779, the leading bits of the golden ratio's
/// fraction).
struct Ranmar48x : Ranmar48 {
  static constexpr std::string_view name = "ranmar48x";
  static constexpr std::string_view doc = "RANMAR of 48 bits with a prime modulus";
  static constexpr std::string_view period = "about 2^192";
  static constexpr Integer c_step = Ranmar48::c_step + 0x9e3779;
  static constexpr Integer c_modulus = (Integer{1} << 48) - 59;
};

/// The lagged Fibonacci sequence is x_n = x_{n-97} - x_{n-33}, which is x_{n-97} - x_{n-97+64}.
inline constexpr int ranmar_words = 97;  ///< words of state: the longer lag
inline constexpr int ranmar_lag = 33;    ///< the shorter lag

/// The state of RANMAR. Every sequence starts with the same c, so c and next depend only on the
/// position and are the same for all lanes.
template <class Variant, class W = typename Variant::Integer>
struct RanmarState {
  static constexpr int words = ranmar_words;
  W x[words];  ///< the last 97 words in a ring; only the lowest Variant::bits bits are defined
  typename Variant::Integer c = Variant::c_start;  ///< arithmetic term before the next number
  int next = 0;                                    ///< index of the oldest word
};

/// A mask of the lowest Variant::bits bits.
template <class Variant>
inline constexpr
    typename Variant::Integer ranmar_mask = (typename Variant::Integer{1} << Variant::bits) - 1;

/// Returns c - step modulo Variant::c_modulus, a later term of the arithmetic sequence. `step` is 0
/// .. Variant::c_modulus - 1. A W holds one term, or one term per lane.
template <class Variant, class W>
KOKKOS_FORCEINLINE_FUNCTION W ranmar_lower(W c, typename Variant::Integer step = Variant::c_step) {
  const W difference = c - W(step);
  constexpr bool vector = lanes < W >> 1;
  if constexpr (device_build || vector) {
    // The smaller value is the result: if c < step, the difference wraps around, and otherwise the
    // sum is c_modulus or more. GPUs compute a sum and a minimum in one instruction.
    return WordTraits<W>::min(difference, c + W(Variant::c_modulus - step));
  } else {
    return c < step ? difference + Variant::c_modulus : difference;
  }
}

/// Returns the number made from word x of the lagged Fibonacci sequence and term c of the
/// arithmetic sequence. `c` is a word with one term per lane, or one term for all lanes.
template <class Variant, class W, class Term>
KOKKOS_FORCEINLINE_FUNCTION W ranmar_number(W x, Term c) {
  return (x - W(c)) & W(ranmar_mask<Variant>);
}

/// Returns the arithmetic sequence's decrease over `numbers` numbers, numbers * c_step mod
/// c_modulus. 0 <= numbers <= 2^16, because the product must fit in 64 bits.
template <class Variant>
KOKKOS_FORCEINLINE_FUNCTION constexpr typename Variant::Integer ranmar_stride(int numbers) {
  return static_cast<typename Variant::Integer>(static_cast<std::uint64_t>(numbers) *
                                                Variant::c_step % Variant::c_modulus);
}

/// RANMAR in raw integers, 0 .. 2^bits - 1, after Marsaglia, Zaman & Tsang (1990) and James, "A
/// review of pseudorandom number generators", Comput. Phys. Commun. 60 (1990) 329. Lane l of every
/// word of type W belongs to the l-th of lanes<W> sequences. The sequences are at the same
/// position, unless each lane has its own term.
template <class Variant, class W = typename Variant::Integer>
class Ranmar {
 public:
  using result_type = W;
  using Integer = typename Variant::Integer;
  using State = RanmarState<Variant, W>;
  /// Numbers per call of round().
  static constexpr int round_words = ranmar_words;

  KOKKOS_FORCEINLINE_FUNCTION explicit Ranmar(const State& state) : state_(state) {}

  static constexpr Integer min() { return 0; }
  static constexpr Integer max() { return ranmar_mask<Variant>; }

  KOKKOS_FUNCTION W operator()() {
    const int k = state_.next;
    advance();
    return ranmar_number<Variant>(state_.x[k], state_.c);
  }

  /// Skips n numbers by stepping; use ranmar_jump() (detail/streams/ranmar_starts.hpp) for long
  /// jumps.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0; --n) advance();
  }

  /// Draws exactly round_words numbers and passes each, in order, to use(index, number), where
  /// index is a Place, 0 .. round_words - 1. The round is fully unrolled. The state must be at a
  /// round boundary (state().next == 0), and is at the next boundary afterwards.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void round(F&& use) {
    draw_round_unrolled(state_, use);
  }

  /// Works like round(), for a given state at a round boundary. On a device, the state stays in
  /// registers.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round_unrolled(State& state, F&& use) {
    draw_round_unrolled(state, state.c, use);
  }
  /// Overload with each lane's term in c.
  template <class Term, class F>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round_unrolled(State& state, Term& c, F&& use) {
    unrolled(state, c, use, std::make_integer_sequence<int, ranmar_words>{});
    c = ranmar_lower<Variant>(c, ranmar_stride<Variant>(ranmar_words));
  }

  /// Works like draw_round_unrolled(), but with loops and with an int as index. This function is
  /// for kernels whose states are in memory: unrolling costs compile time and gains nothing there.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round(State& state, F&& use) {
    draw_round(state, state.c, use);
  }
  /// Overload with one term per lane in c. With AVX-512, the loop takes 1.08 times (24 bits) or 1.3
  /// times (48 bits) as long as with a common term, because vector units limit the loop.
  template <class Term, class F>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_round(State& state, Term& c, F&& use) {
    Term term = c;
    const auto step = [&](int k, int younger) RIVULET_INLINE_LAMBDA {
      term = ranmar_lower<Variant>(term);
      const W x = state.x[k] - state.x[younger];
      state.x[k] = x;
      use(k, ranmar_number<Variant>(x, term));
    };
    for (int k = 0; k < ranmar_lag; ++k) step(k, k + ranmar_words - ranmar_lag);
    for (int k = ranmar_lag; k < ranmar_words; ++k) step(k, k - ranmar_lag);
    c = term;
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  KOKKOS_FUNCTION void advance() {
    const int k = state_.next;
    const int younger = k < ranmar_lag ? k + ranmar_words - ranmar_lag : k - ranmar_lag;
    state_.x[k] -= state_.x[younger];
    state_.c = ranmar_lower<Variant>(state_.c);
    state_.next = k + 1 < ranmar_words ? k + 1 : 0;
  }

  /// Computes the term from the term before the round, so terms do not depend on each other.
  template <int K, class Term, class F>
  KOKKOS_FORCEINLINE_FUNCTION static void unrolled_step(State& state, const Term& c, F&& use) {
    constexpr Integer step = ranmar_stride<Variant>(K + 1);
    const W x = state.x[K] - state.x[(K + ranmar_words - ranmar_lag) % ranmar_words];
    state.x[K] = x;
    use(detail::place<K>, ranmar_number<Variant>(x, ranmar_lower<Variant>(c, step)));
  }

  template <class Term, class F, int... K>
  KOKKOS_FORCEINLINE_FUNCTION static void unrolled(State& state, const Term& c, F&& use,
                                                   std::integer_sequence<int, K...>) {
    (unrolled_step<K>(state, c, use), ...);
  }

  State state_;
};

}  // namespace rivulet
