// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/rng/lane_rounds.hpp"
#include "rivulet/detail/rng/seed_hash.hpp"
#include "rivulet/detail/slot.hpp"
#include "rivulet/detail/uint128.hpp"

// Generators with few words of state. A generator is a tag type with the arithmetic of steps and
// jumps, from which starts, streams and engines are derived.

namespace rivulet::detail {

/// A generator on a cycle of about 2^128 states or more (unless it counts steps): a type with
/// - name, doc and period: the texts for `rivulet --list`;
/// - assumed: an unproved statement on which the certificate rests, if any;
/// - Word: an integer of 32 or 64 bits. A step yields a number of the same width. 64-bit numbers
///   are drawn as halves, the lower half first;
/// - words: the number of Words in a state, also in memory;
/// - step(z): advances the state and returns the next number. The type of the words of z is
///   std::uint64_t, or a vector with one 64-bit word per stream;
/// - if a state is a block of several 48-bit numbers, instead
///   - block: the number of numbers in a block;
///   - number(z, k): returns number k of the state, 0 <= k < block;
///   - step(z): computes the next block;
/// - start(hash, z): computes a state of the cycle from hash words;
/// - tag: the tag of the hash;
/// - jump(steps): returns a function that moves a state by `steps` steps and leaves its words below
///   their moduli;
/// - jump_steps: the number of steps that take about as long as a jump;
/// - is_good(z): returns true if the state is on the cycle. Needed only if some state off the cycle
///   has all words below their moduli and is changed by a step;
/// - counts_steps = true, if a jump is no faster than its steps. A word of the state then counts
///   steps, from the same number in all streams, and start() returns different states for different
///   keys. Because steps are permutations, streams with different starts have different states at
///   every count. Thus no two streams have a common state within 2^64 steps.
template <class G>
concept CycleGenerator = requires(std::uint64_t (&z)[G::words], const SeedHash& hash,
                                  Uint128 steps) {
  { G::name } -> std::convertible_to<std::string_view>;
  { G::doc } -> std::convertible_to<std::string_view>;
  { G::period } -> std::convertible_to<std::string_view>;
  requires sizeof(typename G::Word) == 4 || sizeof(typename G::Word) == 8;
  G::step(z);
  { G::tag } -> std::convertible_to<std::uint64_t>;
  G::start(hash, z);
  G::jump(steps)(z);
};

template <class G>
concept CountsSteps = CycleGenerator<G> && requires {
  requires G::counts_steps;
};

template <class G>
concept BlockGenerator = CycleGenerator<G> && requires(const std::uint64_t (&z)[G::words]) {
  requires G::block >
  1;
  { G::number(z, 0) } -> std::same_as<std::uint64_t>;
};

/// Returns x + m if the sign bit of x is set, else x.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T not_negative(T x, T m) {
  T sum = x + ((T(std::uint64_t{0}) - (x >> 63)) & m);
  hide_from_optimizer(sum);
  return sum;
}
/// Returns the lower half. It is hidden from nvcc, which would otherwise multiply halves as 64-bit
/// words.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t lower_half(std::uint64_t a) {
  auto half = static_cast<std::uint32_t>(a);
  if (!__builtin_is_constant_evaluated()) hide_from_optimizer(half);
  return half;
}
/// Return the product of the lower halves of the arguments.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t multiply_half(std::uint64_t a, std::uint32_t m) {
  return std::uint64_t{lower_half(a)} * m;
}
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t multiply_halves(std::uint64_t a,
                                                                    std::uint64_t b) {
  return std::uint64_t{lower_half(a)} * lower_half(b);
}
/// Returns x modulo 2^32 - c, for x below twice the modulus.
template <std::uint32_t c, class T>
KOKKOS_FORCEINLINE_FUNCTION T below_modulus(T x) {
  const T modulus((std::uint64_t{1} << 32) - c);
  return not_negative(x - modulus, modulus);
}
/// Overload for one stream. It uses 32-bit arithmetic, which is native on devices.
template <std::uint32_t c>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t below_modulus(std::uint64_t x) {
  const auto low = static_cast<std::uint32_t>(x);
  const std::uint32_t less = low + c;  // x minus the modulus
  return (x >> 32) != 0 || less < c ? less : low;
}
/// Returns a word congruent to x modulo 2^32 - c, by replacing 2^32 with c.
template <std::uint32_t c, class T>
KOKKOS_FORCEINLINE_FUNCTION T folded(T x) {
  T fold = (x & T(std::uint64_t{0xffffffffu})) + multiply_half(x >> 32, c);
  hide_from_optimizer(fold);
  return fold;
}
/// Returns x modulo 2^32 - c, if c times the upper half of x is below 2^31.
template <std::uint32_t c, class T>
KOKKOS_FORCEINLINE_FUNCTION T folded_once(T x) {
  return below_modulus<c>(folded<c>(x));
}
template <std::uint32_t c>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t folded_once(std::uint64_t x) {
  const std::uint32_t upper = static_cast<std::uint32_t>(x >> 32) * c;
  const std::uint32_t fold = static_cast<std::uint32_t>(x) + upper;
  const std::uint32_t less = fold + c;
  return fold < upper || less < c ? less : fold;
}
/// Returns the carry of sum = a + another word: 1 if the sum wrapped, else 0.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t carry_of(std::uint64_t sum, std::uint64_t a) {
  return static_cast<std::uint64_t>(sum < a);
}

/// 32-bit words per word of state.
template <CycleGenerator G>
inline constexpr int word_parts = static_cast<int>(sizeof(typename G::Word) / 4);
/// 32-bit words of a state in memory, where each word's lower half comes first.
template <CycleGenerator G>
inline constexpr int state_words = G::words* word_parts<G>;
/// Numbers per step: 32-bit numbers, or the numbers of a block.
template <CycleGenerator G>
inline constexpr int step_numbers = word_parts<G>;
template <BlockGenerator G>
inline constexpr int step_numbers<G> = G::block;
/// Bits of a number. The halves of a 64-bit number are the 32-bit numbers.
template <CycleGenerator G>
inline constexpr int number_bits = BlockGenerator<G> ? 48 : 32 * word_parts<G>;

/// Convert a state between 32-bit words in memory and 64-bit words for arithmetic. get(k) and
/// put(k, word) access word k in memory.
template <CycleGenerator G, class Get>
KOKKOS_FORCEINLINE_FUNCTION void get_state(const Get& get, std::uint64_t (&z)[G::words]) {
  constexpr int n = word_parts<G>;
  for (int k = 0; k < G::words; ++k) {
    z[k] = get(n * k);
    if constexpr (n == 2) z[k] |= std::uint64_t{get(n * k + 1)} << 32;
  }
}
template <CycleGenerator G, class Put>
KOKKOS_FORCEINLINE_FUNCTION void put_state(const std::uint64_t (&z)[G::words], const Put& put) {
  constexpr int n = word_parts<G>;
  for (int k = 0; k < G::words; ++k) {
    put(n * k, static_cast<std::uint32_t>(z[k]));
    if constexpr (n == 2) put(n * k + 1, static_cast<std::uint32_t>(z[k] >> 32));
  }
}

/// Returns true if the slot holds a state of the cycle. The words must be below their moduli,
/// that is, a jump by 0 steps must leave them unchanged. In addition, is_good() must return true
/// or, for generators without is_good(), a step must change the state.
template <CycleGenerator G>
bool is_cycle_state(Slot<std::uint32_t> slot) {
  struct Words {  // not a lambda: nvcc rejects a host lambda in get_state()
    Slot<std::uint32_t> slot;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int k) const { return slot[k]; }
  };
  static const auto by_none = G::jump(0);
  std::uint64_t z[2][G::words];
  for (auto& state : z) get_state<G>(Words{slot}, state);
  by_none(z[1]);
  if (!std::ranges::equal(z[0], z[1])) return false;
  if constexpr (requires { G::is_good(z[0]); }) return G::is_good(z[0]);
  G::step(z[1]);
  return !std::ranges::equal(z[0], z[1]);
}

/// An engine of one stream, with the interface of the engines of <random>.
template <CycleGenerator G>
class CycleEngine : public NoChildren {
 public:
  using result_type = std::uint32_t;
  /// `bits` of the NumberFormat that makes the engine's 64-bit numbers and doubles.
  static constexpr int format_bits = number_bits<G>;
  /// Number of words stored with the state. They are the pending upper half of a number, and a
  /// flag: 1 if such a half exists, else 0.
  static constexpr int position_words = word_parts<G> == 2 ? 2 : 0;
  struct State {
    std::uint64_t z[G::words];
    std::uint32_t place[2] = {};
  };

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleEngine(const State& state) : state_(state) {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// Returns the next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
    if constexpr (step_numbers<G> == 1) {
      return static_cast<std::uint32_t>(G::step(state_.z));
    } else {
      auto& [half, has_half] = state_.place;
      has_half ^= 1;
      if (has_half == 0) return half;
      const std::uint64_t number = G::step(state_.z);
      half = static_cast<std::uint32_t>(number >> 32);
      return static_cast<std::uint32_t>(number);
    }
  }

  /// Returns the next two numbers with a single step, the first in the lower half.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next_word() requires(step_numbers<G> == 2) {
    const std::uint64_t number = G::step(state_.z);
    auto& [half, has_half] = state_.place;
    if (has_half == 0) return number;
    const std::uint64_t word = number << 32 | half;
    half = static_cast<std::uint32_t>(number >> 32);
    return word;
  }

  /// Skips n numbers in O(n) by stepping; use G::jump() for long jumps.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0; --n) (*this)();
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  State state_;
};

/// An engine of one stream of a BlockGenerator.
template <BlockGenerator G>
class CycleEngine<G> : public NoChildren {
 public:
  using result_type = std::uint64_t;
  static constexpr int position_words = 1;  ///< count of the block's numbers drawn so far
  struct State {
    std::uint64_t z[G::words];
    std::uint32_t place[position_words] = {};
  };

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleEngine(const State& state) : state_(state) {}

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return (std::uint64_t{1} << number_bits<G>)-1; }

  /// Returns the next number, uniform in 0 .. 2^48 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()() {
    auto& next = state_.place[0];
    if (next == G::block) {
      G::step(state_.z);
      next = 0;
    }
    return G::number(state_.z, static_cast<int>(next++));
  }

  /// Skips n numbers, a block at a time.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    auto& next = state_.place[0];
    for (n += next; n > G::block; n -= G::block) G::step(state_.z);
    next = static_cast<std::uint32_t>(n);
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  State state_;
};

}  // namespace rivulet::detail
