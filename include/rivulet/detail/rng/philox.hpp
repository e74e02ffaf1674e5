// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "rivulet/detail/rng/counter_based.hpp"

// Philox: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011),
// as in their library Random123. See docs/philox.md.

namespace rivulet::detail {

/// The factors m0 and m1 of a round, and the increments step0 and step1 of the key per round. The
/// keys are Weyl sequences of the golden ratio and of sqrt(3) - 1.
template <class Word>
struct PhiloxConstants;

/// Philox of four words.
template <class Word_, int rounds_>
struct Philox4 {
  using Word = Word_;
  static constexpr int rounds = rounds_;
  using Constants = PhiloxConstants<Word>;
  static constexpr int words = 4;
  static constexpr int key_words = 2;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void block(const Word (&key)[2], T (&x)[4]) {
    all_rounds(x, key[0], key[1], std::make_integer_sequence<std::uint32_t, rounds>{});
  }

 private:
  /// Computes all rounds, unrolled by hand. GCC at -O2 does not unroll a loop of ten rounds, and a
  /// particle-transport kernel with such a loop took 1.06 times as long.
  template <class T, std::uint32_t... Round>
  KOKKOS_FORCEINLINE_FUNCTION static void all_rounds(
      T (&x)[4], Word key0, Word key1, std::integer_sequence<std::uint32_t, Round...>) {
    (round(x, key0 + Round * Constants::step0, key1 + Round * Constants::step1), ...);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void round(T (&x)[4], Word key0, Word key1) {
    T high0;
    T low0;
    T high1;
    T low1;
    multiply_wide(x[0], Constants::m0, high0, low0);
    multiply_wide(x[2], Constants::m1, high1, low1);
    x[0] = high1 ^ x[1] ^ T(key0);
    x[1] = low1;
    x[2] = high0 ^ x[3] ^ T(key1);
    x[3] = low0;
  }
};

}  // namespace rivulet::detail

namespace rivulet {

template <>
struct detail::PhiloxConstants<std::uint32_t> {
  static constexpr std::uint32_t m0 = 0xd2511f53u;
  static constexpr std::uint32_t m1 = 0xcd9e8d57u;
  static constexpr std::uint32_t step0 = 0x9e3779b9u;
  static constexpr std::uint32_t step1 = 0xbb67ae85u;
};

/// Philox4x32-10 (Salmon, Moraes, Dror & Shaw, SC11, 2011): a function of a counter, without
/// set-up.
struct Philox4x32 : detail::Philox4<std::uint32_t, 10> {
  static constexpr std::string_view name = "philox4x32";
  static constexpr std::string_view doc =
      "Philox4x32-10, Random123's and cuRAND's, a function of a counter";
};

/// Philox4x32-7 (Salmon, Moraes, Dror & Shaw, SC11, 2011). Seven rounds are the fewest that passed
/// BigCrush in that paper. The work is 30 % less than for ten rounds, and the safety margin is
/// smaller.
struct Philox4x32x7 : detail::Philox4<std::uint32_t, 7> {
  static constexpr std::string_view name = "philox4x32_7";
  static constexpr std::string_view doc = "Philox4x32-7, faster and with less of a margin";
};

template <>
struct detail::PhiloxConstants<std::uint64_t> {
  static constexpr std::uint64_t m0 = 0xd2e7470ee14c6c93u;
  static constexpr std::uint64_t m1 = 0xca5a826395121157u;
  static constexpr std::uint64_t step0 = 0x9e3779b97f4a7c15u;
  static constexpr std::uint64_t step1 = 0xbb67ae8584caa73bu;
};

/// Philox4x64-10 (Salmon, Moraes, Dror & Shaw, SC11, 2011), as in Random123 and NumPy.
struct Philox4x64 : detail::Philox4<std::uint64_t, 10> {
  static constexpr std::string_view name = "philox4x64";
  static constexpr std::string_view doc =
      "Philox4x64-10, Random123's and NumPy's, a function of a counter";
};

}  // namespace rivulet
