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

// Generators of few words: a step, and any number of steps at once. A generator is its tag, which
// has that arithmetic; starts, streams and engines are made of it.

namespace rivulet::detail {

/// A generator on a cycle of 2^128 states about, or more (unless it counts steps): a type with
/// - name, doc and period, for `rivulet --list`; assumed, if the certificate rests on a statement
///   that is not proved;
/// - Word, of 32 or 64 bits: a state and memory have `words` of them; a step makes a number of as
///   many bits, and numbers of 64 are drawn as halves, the lower one first;
/// - step(z): makes the next number, over words of any type T of 64 bits a stream: std::uint64_t,
///   or vectors of streams; or, where a state is a block of several numbers, of 48 bits,
///   - block: how many; number(z, k): number k of the state, 0 <= k < block;
///   - step(z): makes the next block;
/// - start(hash, z): a state of the cycle, from words of hash; tag: the hash's;
/// - jump(steps): what moves a state by as many steps, and leaves its words below their moduli;
///   jump_steps: how many take about as long;
/// - is_good(z), if not all such states that a step moves are on the cycle;
/// - where no jump is faster than its steps, counts_steps = true: a word of the state counts them,
///   from the same number in all streams, and start() gives different keys different states. As a
///   step is a permutation, no two streams then have a common state in 2^64 steps.
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

/// x, or x + m if x is negative.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T not_negative(T x, T m) {
  T sum = x + ((T(std::uint64_t{0}) - (x >> 63)) & m);
  hide_from_optimizer(sum);
  return sum;
}
/// The lower half. nvcc else takes the product of two for one of 64 bits.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t lower_half(std::uint64_t a) {
  auto half = static_cast<std::uint32_t>(a);
  if (!__builtin_is_constant_evaluated()) hide_from_optimizer(half);
  return half;
}
/// Products of lower halves.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t multiply_half(std::uint64_t a, std::uint32_t m) {
  return std::uint64_t{lower_half(a)} * m;
}
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t multiply_halves(std::uint64_t a,
                                                                    std::uint64_t b) {
  return std::uint64_t{lower_half(a)} * lower_half(b);
}
/// x modulo 2^32 - c, of x below twice that.
template <std::uint32_t c, class T>
KOKKOS_FORCEINLINE_FUNCTION T below_modulus(T x) {
  const T modulus((std::uint64_t{1} << 32) - c);
  return not_negative(x - modulus, modulus);
}
/// The same in 32 bits, as devices compute.
template <std::uint32_t c>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t below_modulus(std::uint64_t x) {
  const auto low = static_cast<std::uint32_t>(x);
  const std::uint32_t less = low + c;  // by the modulus
  return (x >> 32) != 0 || less < c ? less : low;
}
/// As much modulo 2^32 - c as x, with c in the place of 2^32.
template <std::uint32_t c, class T>
KOKKOS_FORCEINLINE_FUNCTION T folded(T x) {
  T fold = (x & T(std::uint64_t{0xffffffffu})) + multiply_half(x >> 32, c);
  hide_from_optimizer(fold);
  return fold;
}
/// x modulo 2^32 - c, of x whose upper half times c is below 2^31.
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
/// Of the sum of a and another word: 1 where it does not fit.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t carry_of(std::uint64_t sum, std::uint64_t a) {
  return static_cast<std::uint64_t>(sum < a);
}

/// Words of 32 bits that a word of state takes.
template <CycleGenerator G>
inline constexpr int word_parts = static_cast<int>(sizeof(typename G::Word) / 4);
/// Words of 32 bits that a state takes in memory, each word's lower half first.
template <CycleGenerator G>
inline constexpr int state_words = G::words* word_parts<G>;
/// Numbers that a step makes: a block, or those of 32 bits.
template <CycleGenerator G>
inline constexpr int step_numbers = word_parts<G>;
template <BlockGenerator G>
inline constexpr int step_numbers<G> = G::block;
/// Bits of a number, of which those of 32 are its halves if it has 64.
template <CycleGenerator G>
inline constexpr int number_bits = BlockGenerator<G> ? 48 : 32 * word_parts<G>;

/// A state between memory and arithmetic; get(k) and put(k, word) are the words in memory.
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

/// True for a state of the cycle: a jump by no steps keeps such words, and a step changes them.
template <CycleGenerator G>
bool is_cycle_state(Slot<std::uint32_t> slot) {
  struct Words {  // no lambda: nvcc takes one of the host's for an error in get_state()
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

/// One stream, a number at a time, in the shape of the standard library's engines.
template <CycleGenerator G>
class CycleEngine : public NoChildren {
 public:
  using result_type = std::uint32_t;
  /// Numbers of 64 bits and doubles are made as NumberFormat<format_bits> says.
  static constexpr int format_bits = number_bits<G>;
  /// Words that memory holds beside the state: the upper half of a number whose lower half was
  /// drawn, and whether there is one.
  static constexpr int place_words = word_parts<G> == 2 ? 2 : 0;
  struct State {
    std::uint64_t z[G::words];
    std::uint32_t place[2] = {};
  };

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleEngine(const State& state) : state_(state) {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
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

  /// The next two numbers, the first one lower: a step.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next_word() requires(step_numbers<G> == 2) {
    const std::uint64_t number = G::step(state_.z);
    auto& [half, has_half] = state_.place;
    if (has_half == 0) return number;
    const std::uint64_t word = number << 32 | half;
    half = static_cast<std::uint32_t>(number >> 32);
    return word;
  }

  /// Skips n numbers by stepping; longer jumps are G::jump's.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0; --n) (*this)();
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  State state_;
};

/// The same of a generator of blocks.
template <BlockGenerator G>
class CycleEngine<G> : public NoChildren {
 public:
  using result_type = std::uint64_t;
  static constexpr int place_words = 1;  ///< numbers of the block that were drawn
  struct State {
    std::uint64_t z[G::words];
    std::uint32_t place[place_words] = {};
  };

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleEngine(const State& state) : state_(state) {}

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return (std::uint64_t{1} << number_bits<G>)-1; }

  /// The next number, uniform in 0 .. 2^48 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator()() {
    auto& next = state_.place[0];
    if (next == G::block) {
      G::step(state_.z);
      next = 0;
    }
    return G::number(state_.z, static_cast<int>(next++));
  }

  /// Skips n numbers by steps of blocks.
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
