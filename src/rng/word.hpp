// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/word.hpp"

// Vector words come from libstdc++'s <experimental/simd>; builds for a GPU never see it, and builds
// with RIVULET_PLAIN_WORDS do without it as well: the same numbers, slowly, and soon compiled.
#if !defined(RIVULET_PLAIN_WORDS) && !defined(KOKKOS_ENABLE_CUDA) && \
    !defined(KOKKOS_ENABLE_HIP) && defined(__GLIBCXX__) && __has_include(<experimental/simd>)
#define RIVULET_VECTOR_WORD 1
#include <experimental/simd>
#else
#define RIVULET_VECTOR_WORD 0
#endif

// Whether compilers move lanes between vectors as they are told: GCC from 12 on, and Clang.
#if RIVULET_VECTOR_WORD && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define RIVULET_HAVE_SHUFFLES 1
#endif
#endif
#ifndef RIVULET_HAVE_SHUFFLES
#define RIVULET_HAVE_SHUFFLES 0
#endif

namespace rivulet {

/// The word type an engine is written over: one 32-bit integer a stream. On a GPU it is a plain
/// integer (one stream a thread), on a CPU a vector register of them (one stream a lane).
#if RIVULET_VECTOR_WORD
using Word = std::experimental::native_simd<std::uint32_t>;
#else
using Word = std::uint32_t;
#endif

/// What Word is to 32-bit generators, for generators of 64-bit integers.
#if RIVULET_VECTOR_WORD
using Word64 = std::experimental::native_simd<std::uint64_t>;
#else
using Word64 = std::uint64_t;
#endif

#if RIVULET_VECTOR_WORD
// To be complete before templates ask for their size: there GCC 13 and 14 with -Wall cannot
// complete them.
static_assert(sizeof(Word) > 0 && sizeof(Word64) > 0);

template <class T, class Abi>
inline constexpr int lanes<std::experimental::simd<T, Abi>> =
    static_cast<int>(std::experimental::simd<T, Abi>::size());
template <class T, class Abi>
inline constexpr bool is_vector_register<std::experimental::simd<T, Abi>> = true;

template <class T, class Abi>
struct WordTraits<std::experimental::simd<T, Abi>> {
  using W = std::experimental::simd<T, Abi>;

  KOKKOS_FORCEINLINE_FUNCTION static W load(const T* from) {
    return W(from, std::experimental::element_aligned);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store(const W& word, T* to) {
    word.copy_to(to, std::experimental::element_aligned);
  }
  KOKKOS_FORCEINLINE_FUNCTION static T lane(const W& word, int l) {
    return word[static_cast<std::size_t>(l)];
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static W generate(F&& make) {
    T values[W::size()];
    for (int l = 0; l < lanes<W>; ++l) values[l] = make(l);
    return load(values);
  }
  /// Negation makes the mask: cheaper on vector units than a multiplication or a compare.
  KOKKOS_FORCEINLINE_FUNCTION static W if_odd(W y, W a) { return (W(T{0}) - (y & T{1})) & a; }
  KOKKOS_FORCEINLINE_FUNCTION static W least(const W& x, const W& y) {
    return std::experimental::min(x, y);
  }
  KOKKOS_FORCEINLINE_FUNCTION static W if_less(const W& x, const W& y, const W& a, W b) {
    std::experimental::where(x < y, b) = a;
    return b;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void count_if_not_less(W x, W y, W& count) {
    std::experimental::where(x >= y, count) = count + T{1};
  }
};
#endif

/// The widest word of `most` lanes or fewer, of eight at least where vectors have these.
#if RIVULET_VECTOR_WORD
template <int most>
using WordUpTo =
    std::conditional_t<(lanes<Word> <= most), Word,
                       std::experimental::simd<
                           std::uint32_t, std::experimental::simd_abi::deduce_t<std::uint32_t, 8>>>;
#else
template <int>
using WordUpTo = Word;
#endif

/// How many lanes words have follows from compiler flags, and those of the library and of what is
/// linked with it (tests, benchmarks) could differ. The library defines the member for its own
/// number alone, and everything that includes this header refers to that for its number: else it
/// does not link.
template <int Lanes>
struct WordLanes {
  static const char of_the_library;
};
template <>
const char WordLanes<lanes<Word>>::of_the_library;  // defined in word.cpp
#if defined(__GNUC__) && !RIVULET_DEVICE_BUILD
[[gnu::used]] static const char* const linked_word_lanes = &WordLanes<lanes<Word>>::of_the_library;
#endif

/// The word of Rivulet's kernels for a generator of such integers: 64-bit ones make vectors of
/// their own.
template <class Integer>
using WordOf = std::conditional_t<(sizeof(Integer) > sizeof(std::uint32_t)), Word64, Word>;

}  // namespace rivulet
