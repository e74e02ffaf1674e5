// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/multiply_wide.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"

// Counter-based generators: a block of numbers is a function of a counter and a key, without state
// or set-up. A generator is a tag type that defines the function. This file implements starts and
// engines on top of the function, for the `rivulet` program and the C++ library.

namespace rivulet {
namespace detail {

/// A counter-based generator: a type with
/// - name and doc: the texts of a line of `rivulet --list`;
/// - Word: an integer of 32 or 64 bits;
/// - words: the number of Words in a counter, and in a block;
/// - key_words: the number of Words in a key;
/// - block(key, x): replaces the counter x with its block. The words of x have any type T with
///   Word's operators, multiply_wide() and rotated_left(): Word, or a vector with one Word per
///   stream.
///
/// For each key, block() must be a permutation of the counters.
template <class G>
concept CounterBased = requires(const typename G::Word (&key)[G::key_words],
                                typename G::Word (&x)[G::words]) {
  { G::name } -> std::convertible_to<std::string_view>;
  { G::doc } -> std::convertible_to<std::string_view>;
  requires sizeof(typename G::Word) == 4 || sizeof(typename G::Word) == 8;
  requires G::words * sizeof(typename G::Word) >= 16 && std::has_single_bit(unsigned{G::words});
  requires G::key_words * sizeof(typename G::Word) >= 8;
  G::block(key, x);
};

/// 32-bit numbers per block. A 64-bit word yields its lower half first, as in NumPy's bit
/// generators.
template <CounterBased G>
inline constexpr int block_numbers = G::words* static_cast<int>(sizeof(typename G::Word) / 4);
/// A stream has 2^64 blocks.
template <CounterBased G>
inline constexpr int log2_stream_numbers = 64 + std::countr_zero(unsigned{block_numbers<G>});
template <CounterBased G>
inline constexpr int counter_bits = 8 * G::words* static_cast<int>(sizeof(typename G::Word));

template <std::unsigned_integral Word>
KOKKOS_FORCEINLINE_FUNCTION Word rotated_left(Word x, int n) {
  return x << n | x >> (8 * static_cast<int>(sizeof(Word)) - n);
}

/// Splits an integer into words, the lowest first.
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void put_words(std::uint64_t value, Word* to) {
  to[0] = static_cast<Word>(value);
  if constexpr (sizeof(Word) == 4) to[1] = static_cast<Word>(value >> 32);
}

/// The key of a seed: the seed is in the lowest words, and the other words are 0.
template <CounterBased G>
struct CounterKey {
  using Word = typename G::Word;
  Word words[G::key_words];

  KOKKOS_FORCEINLINE_FUNCTION explicit CounterKey(std::uint64_t seed) : words{} {
    put_words(seed, words);
  }
  /// Combines the key with a tag by exclusive or, so different tags result in different keys. In
  /// keys longer than a seed, the tag is in the word after the seed.
  KOKKOS_FORCEINLINE_FUNCTION void combine(std::uint64_t tag) {
    Word mask[2] = {};
    put_words(tag, sizeof(Word) == 4 ? mask : mask + 1);
    words[0] ^= mask[0];
    words[1] ^= mask[1];
  }
};

/// The start of a stream: its key, and the counter of block 0. The lowest bits of the counter count
/// blocks.
template <CounterBased G>
struct CounterStart {
  using Word = typename G::Word;
  CounterKey<G> key;
  Word counter[G::words] = {};
  std::uint64_t last_block = ~std::uint64_t{0};  ///< 2^k - 1 in a stream of 2^k blocks; also a mask

  /// Constructs the start of a numbered stream. Its id is the upper half of the counter.
  KOKKOS_FORCEINLINE_FUNCTION CounterStart(std::uint64_t seed, std::uint64_t stream) : key(seed) {
    put_words(stream, counter + G::words / 2);
  }

  /// Draws the numbers of a block.
  KOKKOS_FORCEINLINE_FUNCTION void draw(std::uint64_t block,
                                        std::uint32_t (&to)[block_numbers<G>]) const {
    Word x[G::words];
    make(block, x);
    if constexpr (sizeof(Word) == 4) {
      for (int k = 0; k < G::words; ++k) to[k] = x[k];
    } else {
      for (int k = 0; k < G::words; ++k) put_words(x[k], to + 2 * k);
    }
  }

  /// Returns the start of child n, computed from a block under another key. One half of the block
  /// is the child's key. The other half is the upper half of the child's counter.
  KOKKOS_FORCEINLINE_FUNCTION CounterStart child(std::uint64_t n) const {
    CounterStart parent = *this;
    // The counter's lower half may hold fields of a StreamKey. That half is hashed into the key,
    // because n replaces it. (In a numbered stream, the half is 0.)
    Word low[2] = {counter[0], sizeof(Word) == 4 ? counter[1] : Word{0}};
    parent.key.combine(child_tag ^ splitmix64_mix(low[0] | std::uint64_t{low[1]} << 32));
    put_words(0, parent.counter);
    Word x[G::words];
    parent.make(n, x);
    CounterStart start(0, 0);
    for (int k = 0; k < G::words / 2; ++k) {
      start.key.words[k] = x[k];
      start.counter[G::words / 2 + k] = x[G::words / 2 + k];
    }
    // An odd word 1 keeps the key apart from other keys of 64-bit words: with a StreamKey, word 1
    // is an even tag, and in a numbered stream it is 0.
    if constexpr (sizeof(Word) == 8) start.key.words[1] |= 1;
    return start;
  }

 private:
  /// "children" in ASCII.
  static constexpr std::uint64_t child_tag = 0x6368696c6472656eu;

  KOKKOS_FORCEINLINE_FUNCTION void make(std::uint64_t block, Word (&x)[G::words]) const {
    for (int k = 0; k < G::words; ++k) x[k] = counter[k];
    Word low[2] = {};
    put_words(block, low);
    x[0] ^= low[0];
    x[1] ^= low[1];
    G::block(key.words, x);
  }
};

/// A position in a stream: the number of used blocks, and of used numbers in the next block.
struct CounterPlace {
  std::uint64_t block = 0;
  std::uint64_t number = 0;

  template <CounterBased G>
  static constexpr CounterPlace of(Uint128 position) {
    return {static_cast<std::uint64_t>(position / block_numbers<G>),
            static_cast<std::uint64_t>(position % block_numbers<G>)};
  }
  /// Returns the position after `numbers` more numbers, modulo the stream's length.
  template <CounterBased G>
  KOKKOS_FORCEINLINE_FUNCTION CounterPlace after(std::uint64_t numbers) const {
    constexpr std::uint64_t n = block_numbers<G>;
    return {block + numbers / n + (number + numbers % n) / n, (number + numbers % n) % n};
  }
};

/// An engine of one stream, with the interface of the engines of <random>. In a numbered stream,
/// the seed is the key. The counter's upper half is the stream's id, and its lower half is the
/// index of the block in the stream.
template <CounterBased G>
class CounterEngine {
 public:
  using result_type = std::uint32_t;
  static constexpr std::uint32_t numbers = block_numbers<G>;
  /// The engine's 64-bit numbers and doubles have the NumberFormat with these `bits`.
  static constexpr int format_bits = 8 * sizeof(typename G::Word);

  /// Starts at the first number of a block of the stream, 0 <= block < 2^64.
  KOKKOS_FORCEINLINE_FUNCTION explicit CounterEngine(std::uint64_t seed, std::uint64_t stream = 0,
                                                     std::uint64_t block = 0)
      : CounterEngine(CounterStart<G>(seed, stream), block) {}
  KOKKOS_FORCEINLINE_FUNCTION explicit CounterEngine(const CounterStart<G>& start,
                                                     std::uint64_t block = 0)
      : start_(start), block_(block) {}
  KOKKOS_FORCEINLINE_FUNCTION CounterEngine(std::uint64_t seed, std::uint64_t stream,
                                            const CounterPlace& place)
      : CounterEngine(CounterStart<G>(seed, stream), place) {}
  KOKKOS_FORCEINLINE_FUNCTION CounterEngine(const CounterStart<G>& start, const CounterPlace& place)
      : CounterEngine(start, place.block) {
    for (std::uint64_t i = 0; i < place.number; ++i) (*this)();
  }

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// Returns the next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
    if (remaining() == 0) draw();
    // Shifts the numbers, because an index known only at run time would keep the array out of
    // registers.
    const std::uint32_t number = numbers_[0];
    move_up(std::make_integer_sequence<std::uint32_t, numbers - 1>{});
    ++taken_;
    return number;
  }

  /// Skips n numbers in constant time.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0 && remaining() > 0; --n) (*this)();
    block_ = (block_ + n / numbers) & start_.last_block;
    for (n %= numbers; n > 0; --n) (*this)();
  }

  /// Returns the position of the next number in the stream, modulo 2^64.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t position() const {
    const CounterPlace at = place();
    return numbers * at.block + at.number;
  }
  KOKKOS_FORCEINLINE_FUNCTION CounterPlace place() const {
    return {(block_ - (remaining() > 0 ? 1 : 0)) & start_.last_block, taken_ % numbers};
  }

  KOKKOS_FORCEINLINE_FUNCTION const CounterStart<G>& start() const { return start_; }

  KOKKOS_FORCEINLINE_FUNCTION static void draw(std::uint64_t seed, std::uint64_t stream,
                                               std::uint64_t block, std::uint32_t (&to)[numbers]) {
    CounterStart<G>(seed, stream).draw(block, to);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void draw() {
    start_.draw(block_, numbers_);
    block_ = (block_ + 1) & start_.last_block;
  }
  /// Moves each number to the next lower index. This is not a loop, because GCC would not unroll
  /// one at -O2.
  template <std::uint32_t... K>
  KOKKOS_FORCEINLINE_FUNCTION void move_up(std::integer_sequence<std::uint32_t, K...>) {
    ((numbers_[K] = numbers_[K + 1]), ...);
  }
  /// Returns how many numbers of the block are not used yet.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t remaining() const { return -taken_ % numbers; }

  CounterStart<G> start_;
  std::uint64_t block_;  ///< next block to draw
  std::uint32_t numbers_[numbers] = {};
  /// Count of numbers taken, never reset. If a loop is unrolled by `numbers`, the compiler
  /// therefore knows which iteration draws a block, and moves no numbers.
  std::uint32_t taken_ = 0;
};

}  // namespace detail
}  // namespace rivulet
