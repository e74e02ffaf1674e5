// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/rng/seed_hash.hpp"
#include "rivulet/detail/uint128.hpp"

// Generators of few words that go through one cycle: a step, and any number of steps at once. A
// generator is its tag, which has that arithmetic; starts, streams and engines are made of it.

namespace rivulet::detail {

/// A generator on one cycle of 2^128 states about, or more: a type with
/// - name, doc and period, for `rivulet --list`;
/// - Word, of 32 or 64 bits: a state and memory have `words` of them; a step makes a number of as
///   many bits, and numbers of 64 are drawn as halves, the lower one first;
/// - step(z): makes the next number, over words of any type T of 64 bits a stream: std::uint64_t,
///   or vectors of streams;
/// - start(hash, z): a state of the cycle, from words of hash; tag: the hash's;
/// - jump(steps): what moves a state by as many steps; jump_steps: how many take about as long.
template <class G>
concept CycleGenerator = requires(std::uint64_t (&z)[G::words], const SeedHash& hash,
                                  Uint128 steps) {
  { G::name } -> std::convertible_to<std::string_view>;
  { G::doc } -> std::convertible_to<std::string_view>;
  { G::period } -> std::convertible_to<std::string_view>;
  requires sizeof(typename G::Word) == 4 || sizeof(typename G::Word) == 8;
  { G::step(z) } -> std::same_as<std::uint64_t>;
  { G::tag } -> std::convertible_to<std::uint64_t>;
  { G::jump_steps } -> std::convertible_to<std::uint64_t>;
  G::start(hash, z);
  G::jump(steps)(z);
};

/// Of the lower half of a word.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t multiply_half(std::uint64_t a, std::uint32_t m) {
  return std::uint64_t{static_cast<std::uint32_t>(a)} * m;
}
/// Of the sum of a and another word: 1 where it does not fit.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t carry_of(std::uint64_t sum, std::uint64_t a) {
  return static_cast<std::uint64_t>(sum < a);
}

/// Numbers of 32 bits that a step makes; words of 32 bits that a word of state takes.
template <CycleGenerator G>
inline constexpr int step_numbers = static_cast<int>(sizeof(typename G::Word) / 4);
/// Words of 32 bits that a state takes in memory, each word's lower half first.
template <CycleGenerator G>
inline constexpr int state_words = G::words* step_numbers<G>;

/// A state between memory and arithmetic; get(k) and put(k, word) are the words in memory.
template <CycleGenerator G, class Get>
KOKKOS_FORCEINLINE_FUNCTION void get_state(const Get& get, std::uint64_t (&z)[G::words]) {
  constexpr int n = step_numbers<G>;
  for (int k = 0; k < G::words; ++k) {
    z[k] = get(n * k);
    if constexpr (n == 2) z[k] |= std::uint64_t{get(n * k + 1)} << 32;
  }
}
template <CycleGenerator G, class Put>
KOKKOS_FORCEINLINE_FUNCTION void put_state(const std::uint64_t (&z)[G::words], const Put& put) {
  constexpr int n = step_numbers<G>;
  for (int k = 0; k < G::words; ++k) {
    put(n * k, static_cast<std::uint32_t>(z[k]));
    if constexpr (n == 2) put(n * k + 1, static_cast<std::uint32_t>(z[k] >> 32));
  }
}

/// One stream, a number at a time, in the shape of the standard library's engines.
template <CycleGenerator G>
class CycleEngine {
 public:
  using result_type = std::uint32_t;
  /// Numbers of 64 bits and doubles are made as NumberFormat<format_bits> says.
  static constexpr int format_bits = 32 * step_numbers<G>;
  struct State {
    std::uint64_t z[G::words];
    /// The upper half of a number whose lower half was drawn.
    std::uint32_t half = 0;
    std::uint32_t has_half = 0;
  };

  KOKKOS_FORCEINLINE_FUNCTION explicit CycleEngine(const State& state) : state_(state) {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
    if constexpr (step_numbers<G> == 1) {
      return static_cast<std::uint32_t>(G::step(state_.z));
    } else {
      state_.has_half ^= 1;
      if (state_.has_half == 0) return state_.half;
      const std::uint64_t number = G::step(state_.z);
      state_.half = static_cast<std::uint32_t>(number >> 32);
      return static_cast<std::uint32_t>(number);
    }
  }

  /// Skips n numbers by stepping; longer jumps are G::jump's.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0; --n) (*this)();
  }

  KOKKOS_FORCEINLINE_FUNCTION const State& state() const { return state_; }

 private:
  State state_;
};

}  // namespace rivulet::detail
