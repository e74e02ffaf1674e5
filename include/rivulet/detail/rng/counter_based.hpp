// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/uint128.hpp"

// Counter-based generators: a block of numbers is a function of a counter and of a key. No state,
// no set-up. A generator is its tag, which describes the function; everything else is here, for the
// program and for the C++ library.

namespace rivulet {
namespace detail {

/// A counter-based generator: a type with
/// - name and doc, a line of `rivulet --list`;
/// - Word, of 32 or 64 bits: a counter and a block have `words` of them, a key has key_words;
/// - block(key, x): makes the block of the counter x, in its place, over words of any type T that
///   has Word's operators, multiply_wide() and rotated_left(): Word, or vectors of streams.
/// It maps the counters of a key one to one.
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

/// Numbers of 32 bits that a block has: of a word of 64 bits the lower half, then the upper half,
/// as NumPy's bit generators do.
template <CounterBased G>
inline constexpr int block_numbers = G::words* static_cast<int>(sizeof(typename G::Word) / 4);
/// A stream has 2^64 blocks.
template <CounterBased G>
inline constexpr int log2_stream_numbers = 64 + std::countr_zero(unsigned{block_numbers<G>});
template <CounterBased G>
inline constexpr int counter_bits = 8 * G::words* static_cast<int>(sizeof(typename G::Word));

/// The upper and the lower half of the product.
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(std::uint32_t a, std::uint32_t m,
                                               std::uint32_t& high, std::uint32_t& low) {
#if defined(__CUDA_ARCH__)
  // nvcc 13 adds zero to the upper half of a 64-bit product: Philox took 1.26 x as long.
  high = __umulhi(a, m);
#else
  high = static_cast<std::uint32_t>(std::uint64_t{m} * a >> 32);
#endif
  low = a * m;
}
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(std::uint64_t a, std::uint64_t m,
                                               std::uint64_t& high, std::uint64_t& low) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  high = __umul64hi(a, m);
#else
  high = static_cast<std::uint64_t>(Uint128{a} * m >> 64);
#endif
  low = a * m;
}
template <std::unsigned_integral Word>
KOKKOS_FORCEINLINE_FUNCTION Word rotated_left(Word x, int n) {
  return x << n | x >> (8 * static_cast<int>(sizeof(Word)) - n);
}

/// An integer as words, the lowest first.
template <class Word>
KOKKOS_FORCEINLINE_FUNCTION void put_words(std::uint64_t value, Word* to) {
  to[0] = static_cast<Word>(value);
  if constexpr (sizeof(Word) == 4) to[1] = static_cast<Word>(value >> 32);
}

/// The key that is a seed: its lowest words; the others are 0.
template <CounterBased G>
struct CounterKey {
  using Word = typename G::Word;
  Word words[G::key_words];

  KOKKOS_FORCEINLINE_FUNCTION explicit CounterKey(std::uint64_t seed) : words{} {
    put_words(seed, words);
  }
  /// Another key of the same seed: for another tag another one. Keys longer than a seed keep the
  /// tag beside it.
  KOKKOS_FORCEINLINE_FUNCTION void combine(std::uint64_t tag) {
    Word mask[2] = {};
    put_words(tag, sizeof(Word) == 4 ? mask : mask + 1);
    words[0] ^= mask[0];
    words[1] ^= mask[1];
  }
};

/// Where a stream starts: its key, and its counters without their lowest bits, which count its
/// blocks.
template <CounterBased G>
struct CounterStart {
  using Word = typename G::Word;
  CounterKey<G> key;
  Word counter[G::words] = {};
  std::uint64_t last = ~std::uint64_t{0};  ///< last block, 2^k - 1; then the first one

  /// Of a stream of a seed: its id is the upper half of its counters.
  KOKKOS_FORCEINLINE_FUNCTION CounterStart(std::uint64_t seed, std::uint64_t stream) : key(seed) {
    put_words(stream, counter + G::words / 2);
  }

  /// The numbers of a block.
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

  /// The start of child n. A block under another key says it: one half of the block is the child's
  /// key, the other the upper half of its counters.
  KOKKOS_FORCEINLINE_FUNCTION CounterStart child(std::uint64_t n) const {
    CounterStart parent = *this;
    // A StreamKey may be where n goes; there a stream of a seed has nothing.
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
    // Tags are even: so it has the key of no seed, and of no StreamKey.
    if constexpr (sizeof(Word) == 8) start.key.words[1] |= 1;
    return start;
  }

 private:
  /// "children", as bytes.
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

/// The position of a stream: blocks, and numbers of the next one.
struct CounterPlace {
  std::uint64_t block = 0;
  std::uint64_t number = 0;

  template <CounterBased G>
  static constexpr CounterPlace of(Uint128 position) {
    return {static_cast<std::uint64_t>(position / block_numbers<G>),
            static_cast<std::uint64_t>(position % block_numbers<G>)};
  }
  /// Modulo the stream's length.
  template <CounterBased G>
  KOKKOS_FORCEINLINE_FUNCTION CounterPlace after(std::uint64_t numbers) const {
    constexpr std::uint64_t n = block_numbers<G>;
    return {block + numbers / n + (number + numbers % n) / n, (number + numbers % n) % n};
  }
};

/// One stream, a number at a time, in the shape of the standard library's engines. Of a seed's
/// streams the seed is the key, the stream's id the upper half of the counter, and a block's number
/// in the stream the lower half.
template <CounterBased G>
class CounterEngine {
 public:
  using result_type = std::uint32_t;
  static constexpr std::uint32_t numbers = block_numbers<G>;
  /// Numbers of 64 bits and doubles are made as NumberFormat<format_bits> says.
  static constexpr int format_bits = 8 * sizeof(typename G::Word);

  /// From the first number of a block of the stream on, 0 <= block < 2^64.
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

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
    if (left() == 0) draw();
    // Numbers move up: an index that is known at run time only would keep them out of registers.
    const std::uint32_t number = numbers_[0];
    move_up(std::make_integer_sequence<std::uint32_t, numbers - 1>{});
    ++taken_;
    return number;
  }

  /// Skips n numbers, at once.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0 && left() > 0; --n) (*this)();
    block_ = (block_ + n / numbers) & start_.last;
    for (n %= numbers; n > 0; --n) (*this)();
  }

  /// How many numbers of the stream come before the next one, modulo 2^64.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t position() const {
    const CounterPlace at = place();
    return numbers * at.block + at.number;
  }
  KOKKOS_FORCEINLINE_FUNCTION CounterPlace place() const {
    return {(block_ - (left() > 0 ? 1 : 0)) & start_.last, taken_ % numbers};
  }

  KOKKOS_FORCEINLINE_FUNCTION const CounterStart<G>& start() const { return start_; }

  KOKKOS_FORCEINLINE_FUNCTION static void draw(std::uint64_t seed, std::uint64_t stream,
                                               std::uint64_t block, std::uint32_t (&to)[numbers]) {
    CounterStart<G>(seed, stream).draw(block, to);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void draw() {
    start_.draw(block_, numbers_);
    block_ = (block_ + 1) & start_.last;
  }
  /// A loop would stay one at -O2 of GCC.
  template <std::uint32_t... K>
  KOKKOS_FORCEINLINE_FUNCTION void move_up(std::integer_sequence<std::uint32_t, K...>) {
    ((numbers_[K] = numbers_[K + 1]), ...);
  }
  /// Numbers of the block that are still to be used.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t left() const { return -taken_ % numbers; }

  CounterStart<G> start_;
  std::uint64_t block_;  ///< the next to draw
  std::uint32_t numbers_[numbers] = {};
  /// Counted up and never put back, so that in a loop that is unrolled as many times as a block has
  /// numbers a compiler knows where to draw and moves none.
  std::uint32_t taken_ = 0;
};

}  // namespace detail
}  // namespace rivulet
