// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "rivulet/detail/kokkos.hpp"

// Philox4x32-10: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11
// (2011), as in their library Random123 and in cuRAND: four words at a time are a function of a
// key, the seed, and of a counter of 128 bits, whose upper half is the stream's id. No state, no
// set-up. See docs/philox.md.

namespace rivulet {

inline constexpr int philox_rounds = 10;
inline constexpr std::uint32_t philox_m0 = 0xd2511f53u;
inline constexpr std::uint32_t philox_m1 = 0xcd9e8d57u;
/// A round's key adds the step of a Weyl sequence to the one before: the golden ratio, and sqrt(3)
/// - 1.
inline constexpr std::uint32_t philox_step0 = 0x9e3779b9u;
inline constexpr std::uint32_t philox_step1 = 0xbb67ae85u;

/// One stream of a seed, a number at a time, in the shape of the standard library's engines.
class PhiloxEngine {
 public:
  using result_type = std::uint32_t;

  /// From number 4 * quadruple of the stream on, 0 <= quadruple < 2^64.
  KOKKOS_FORCEINLINE_FUNCTION explicit PhiloxEngine(std::uint64_t seed, std::uint64_t stream = 0,
                                                    std::uint64_t quadruple = 0)
      : seed_(seed), stream_(stream), quadruple_(quadruple) {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffffu; }

  /// The next number, uniform in 0 .. 2^32 - 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
    if (left() == 0) draw();
    // Words move up: an index that is known at run time only would keep them out of registers.
    const std::uint32_t number = words_[0];
    words_[0] = words_[1];
    words_[1] = words_[2];
    words_[2] = words_[3];
    ++taken_;
    return number;
  }

  /// Skips n numbers, at once.
  KOKKOS_FUNCTION void discard(std::uint64_t n) {
    for (; n > 0 && left() > 0; --n) (*this)();
    quadruple_ += n / 4;
    for (n %= 4; n > 0; --n) (*this)();
  }

  /// How many numbers of the stream come before the next one, modulo 2^64.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t position() const { return 4 * quadruple_ - left(); }

  /// Numbers 4 * quadruple .. 4 * quadruple + 3 of a stream.
  KOKKOS_FORCEINLINE_FUNCTION static void draw(std::uint64_t seed, std::uint64_t stream,
                                               std::uint64_t quadruple, std::uint32_t (&words)[4]) {
    Counter c{static_cast<std::uint32_t>(quadruple), static_cast<std::uint32_t>(quadruple >> 32),
              static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32)};
    all_rounds(c, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
               std::make_integer_sequence<std::uint32_t, philox_rounds>{});
    words[0] = c.c0;
    words[1] = c.c1;
    words[2] = c.c2;
    words[3] = c.c3;
  }

 private:
  struct Counter {
    std::uint32_t c0, c1, c2, c3;
  };

  KOKKOS_FORCEINLINE_FUNCTION static void round(Counter& c, std::uint32_t key0,
                                                std::uint32_t key1) {
    const std::uint64_t product0 = std::uint64_t{philox_m0} * c.c0;
    const std::uint64_t product1 = std::uint64_t{philox_m1} * c.c2;
    c.c0 = static_cast<std::uint32_t>(product1 >> 32) ^ c.c1 ^ key0;
    c.c1 = static_cast<std::uint32_t>(product1);
    c.c2 = static_cast<std::uint32_t>(product0 >> 32) ^ c.c3 ^ key1;
    c.c3 = static_cast<std::uint32_t>(product0);
  }
  /// Unrolled by hand: at -O2 GCC leaves ten turns a loop, and a transport took 1.06 x as long.
  template <std::uint32_t... Round>
  KOKKOS_FORCEINLINE_FUNCTION static void all_rounds(
      Counter& c, std::uint32_t key0, std::uint32_t key1,
      std::integer_sequence<std::uint32_t, Round...>) {
    (round(c, key0 + Round * philox_step0, key1 + Round * philox_step1), ...);
  }

  KOKKOS_FORCEINLINE_FUNCTION void draw() {
    draw(seed_, stream_, quadruple_, words_);
    ++quadruple_;
  }
  /// Of the words, which are still to be used.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t left() const { return -taken_ % 4; }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t quadruple_;  ///< the next to draw
  std::uint32_t words_[4] = {};
  /// Counted up and never put back, so that in a loop that is unrolled four times a compiler knows
  /// where to draw and moves no words.
  std::uint32_t taken_ = 0;
};

}  // namespace rivulet
