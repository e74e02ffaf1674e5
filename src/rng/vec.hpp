// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <concepts>
#include <cstring>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/word.hpp"

// CPU builds with GCC or Clang use vector registers. GPU builds and builds with RIVULET_PLAIN_WORDS
// use plain words. A build with RIVULET_PLAIN_WORDS compiles faster and draws the same numbers, but
// more slowly.
#if !defined(RIVULET_PLAIN_WORDS) && !RIVULET_DEVICE_BUILD && defined(__GNUC__) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RIVULET_VECTOR_WORD 1
#else
#define RIVULET_VECTOR_WORD 0
#endif

// GCC 12 and later, and Clang, have __builtin_shufflevector.
#if RIVULET_VECTOR_WORD && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define RIVULET_HAVE_SHUFFLES 1
#endif
#endif
#ifndef RIVULET_HAVE_SHUFFLES
#define RIVULET_HAVE_SHUFFLES 0
#endif

namespace rivulet {

/// Bytes of a vector register on a CPU, or of the widest memory access on a GPU.
#if RIVULET_VECTOR_WORD && defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif RIVULET_VECTOR_WORD && defined(__AVX2__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif
template <class T>
inline constexpr int register_lanes = register_bytes / static_cast<int>(sizeof(T));

namespace detail {

/// A register of `width` words, or a plain word.
template <class T, int width>
struct VecPart {
#if RIVULET_VECTOR_WORD
  using type [[gnu::vector_size(width * sizeof(T))]] = T;
#endif
};
template <class T>
struct VecPart<T, 1> {
  using type = T;
};

/// N words of type T, one per stream. On a CPU, the parts are vector registers. On a GPU, the parts
/// are plain words, which a thread loads and stores in one access. (If the words of adjacent
/// streams are contiguous, an H200 moves 3.5e12 B/s with 4-byte accesses and 4.3e12 B/s with wider
/// accesses.)
///
/// Lane l of the vector is lane l / parts of part l % parts. Vectors of 64-bit words thus have a
/// part of even lanes and a part of odd lanes, so that conversions to 32-bit words move no lane.
template <class T, int N>
struct alignas(std::min(N, register_lanes<T>) * sizeof(T)) Vec {
  static constexpr int width = RIVULET_VECTOR_WORD ? std::min(N, register_lanes<T>) : 1;
  static constexpr int parts = N / width;
  using Part = typename VecPart<T, width>::type;

  Part part[parts];

  Vec() = default;
  /// Broadcasts a word to all lanes.
  KOKKOS_FORCEINLINE_FUNCTION Vec(T all)
      : Vec(each([all](int) RIVULET_INLINE_LAMBDA { return Part{} + all; })) {}
  template <std::same_as<Part>... Parts>
  requires(width > 1 && sizeof...(Parts) == parts) explicit Vec(const Parts&... all)
      : part{all...} {}

  /// Returns the vector whose part p is make_part(p). Uses a pack expansion, because nvcc would
  /// have to unroll a loop, and a kernel of unrolled rounds has a thousand of these calls.
  template <class MakePart>
  KOKKOS_FORCEINLINE_FUNCTION static Vec each(const MakePart& make_part) {
    return each(make_part, std::make_integer_sequence<int, parts>{});
  }

  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator^(const Vec& a, const Vec& b) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] ^ b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator|(const Vec& a, const Vec& b) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] | b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator&(const Vec& a, const Vec& b) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] & b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator+(const Vec& a, const Vec& b) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] + b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator-(const Vec& a, const Vec& b) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] - b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator*(const Vec& a, const Vec& b) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] * b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator~(const Vec& a) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return ~a.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator>>(const Vec& a, int n) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] >> n; });
  }
  KOKKOS_FORCEINLINE_FUNCTION friend Vec operator<<(const Vec& a, int n) {
    return each([&](int p) RIVULET_INLINE_LAMBDA { return a.part[p] << n; });
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec& operator^=(const Vec& b) { return *this = *this ^ b; }
  KOKKOS_FORCEINLINE_FUNCTION Vec& operator+=(const Vec& b) { return *this = *this + b; }
  KOKKOS_FORCEINLINE_FUNCTION Vec& operator-=(const Vec& b) { return *this = *this - b; }

 private:
  template <class MakePart, int... p>
  KOKKOS_FORCEINLINE_FUNCTION static Vec each(const MakePart& make_part,
                                              std::integer_sequence<int, p...>) {
    Vec word;
    ((word.part[p] = make_part(p)), ...);
    return word;
  }
};

}  // namespace detail

template <class T, int N>
inline constexpr int lanes<detail::Vec<T, N>> = N;
template <class T, int N>
inline constexpr bool is_vector_register<detail::Vec<T, N>> =
    detail::Vec<T, N>::parts == 1 && detail::Vec<T, N>::width > 1;

template <class T, int N>
struct WordTraits<detail::Vec<T, N>> {
  using W = detail::Vec<T, N>;
  using Part = typename W::Part;
  static constexpr bool is_in_order = W::parts == 1 || W::width == 1;

  /// Loads a vector from memory. On a GPU, `from` must have the vector's alignment.
  KOKKOS_FORCEINLINE_FUNCTION static W load(const T* from) {
    static_assert(is_in_order);
    if constexpr (device_build) {
      return *reinterpret_cast<const W*>(from);
    } else {
      return W::each([from](int p) RIVULET_INLINE_LAMBDA {
        Part part;
        std::memcpy(&part, from + p * W::width, sizeof part);
        return part;
      });
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store(const W& word, T* to) {
    if constexpr (device_build) {
      *reinterpret_cast<W*>(to) = word;
    } else if constexpr (is_in_order) {
      std::memcpy(to, word.part, sizeof word.part);
    } else {
      // The parts are copied, because GCC 12 then turns the loop into two shuffles.
      static_assert(W::parts == 2);
      const Part even = word.part[0];
      const Part odd = word.part[1];
      for (int i = 0; i < W::width; ++i) {
        to[2 * i] = even[i];
        to[2 * i + 1] = odd[i];
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static T lane(const W& word, int l) {
    if constexpr (W::width == 1) {
      return word.part[l];
    } else {
      return word.part[l % W::parts][l / W::parts];
    }
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static W generate(F&& make) {
    if constexpr (W::width == 1) {
      return W::each(make);
    } else {
      T values[N];
      for (int l = 0; l < N; ++l) values[l] = make(l);
      return load(values);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static W if_odd(const W& y, const W& a) {
    if constexpr (W::width == 1) {
      return (y & T{1}) * a;
    } else {
      // A mask (the negated bit) is cheaper than a multiplication or a comparison.
      return (W(0) - (y & T{1})) & a;
    }
  }
  /// Returns the smaller of the two words in each lane.
  KOKKOS_FORCEINLINE_FUNCTION static W min(const W& x, const W& y) {
    return W::each([&](int p) RIVULET_INLINE_LAMBDA {
      // The parts are copied, because GCC 12 emits the minimum instruction only if the comparison
      // and the selection have the same operands.
      const Part a = x.part[p];
      const Part b = y.part[p];
      return a < b ? a : b;
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION static W if_less(const W& x, const W& y, const W& a, const W& b) {
    return W::each(
        [&](int p) RIVULET_INLINE_LAMBDA { return x.part[p] < y.part[p] ? a.part[p] : b.part[p]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION static void count_if_not_less(const W& x, const W& y, W& count) {
    count = if_less(x, y, count, count + T{1});
  }
};

}  // namespace rivulet
