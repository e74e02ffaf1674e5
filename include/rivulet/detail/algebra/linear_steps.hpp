// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Returns base^exponent for any type with an associative product, with one squaring per bit of the
/// exponent. The caller passes the identity as `result`.
template <class T>
constexpr T power(T base, Uint128 exponent, T result) {
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * base;
    base = base * base;
  }
  return result;
}

/// The map x -> a x + c modulo 2^b, where Integer has b bits: a step of a linear congruential
/// generator, or a power of the step.
template <class Integer>
struct BasicAffineMap {
  Integer a = 1;
  Integer c = 0;

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr W operator()(W x) const {
    return W(a) * x + W(c);
  }

  /// Returns the composition, which applies `right` first and `left` second.
  friend constexpr BasicAffineMap operator*(BasicAffineMap left, BasicAffineMap right) {
    return {left.a * right.a, left(right.c)};
  }
  friend constexpr bool operator==(BasicAffineMap, BasicAffineMap) = default;
};
using AffineMap = BasicAffineMap<std::uint32_t>;

template <class Integer>
constexpr BasicAffineMap<Integer> power(BasicAffineMap<Integer> base, Uint128 exponent) {
  return power(base, exponent, BasicAffineMap<Integer>{});
}

/// A 32 x 32 matrix over GF(2), for generators whose step is linear in the bits of one word.
struct BitMatrix {
  /// Column j is the image of the word whose only set bit is bit j.
  std::uint32_t columns[32];

  /// Returns the product of the matrix and a word. If W is a vector, each lane is a word.
  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION constexpr W operator()(W bits) const {
    W image(0u);
    for (int j = 0; j < 32; ++j) {
      image ^= (W(0u) - ((bits >> j) & 1u)) & W(columns[j]);
    }
    return image;
  }

  static constexpr BitMatrix identity() {
    BitMatrix matrix{};
    for (int j = 0; j < 32; ++j) matrix.columns[j] = std::uint32_t{1} << j;
    return matrix;
  }

  /// Returns the matrix of a linear map of words.
  template <class Map>
  static constexpr BitMatrix of(const Map& map) {
    BitMatrix matrix{};
    for (int j = 0; j < 32; ++j) matrix.columns[j] = map(std::uint32_t{1} << j);
    return matrix;
  }

  /// Returns the composition, which applies `right` first and `left` second.
  friend constexpr BitMatrix operator*(const BitMatrix& left, const BitMatrix& right) {
    return of([&](std::uint32_t bit) { return left(right(bit)); });
  }
  friend constexpr bool operator==(const BitMatrix&, const BitMatrix&) = default;
};

constexpr BitMatrix power(const BitMatrix& base, Uint128 exponent) {
  return power(base, exponent, BitMatrix::identity());
}

}  // namespace rivulet
