// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/algebra/linear_steps.hpp"
#include "rivulet/detail/rng/cycle.hpp"

namespace rivulet {
namespace detail {

/// Returns x modulo 2^32 - c, for x < 2^64 and c < 2^15.
template <std::uint32_t c, class T>
KOKKOS_FORCEINLINE_FUNCTION T folded_twice(T x) {
  return folded_once<c>(folded<c>(x));
}

/// A matrix of 3 x 3 numbers modulo 2^32 - c.
template <std::uint32_t c>
struct ModularMatrix {
  std::uint32_t rows[3][3];

  KOKKOS_FUNCTION void operator()(std::uint64_t* x) const {
    std::uint64_t image[3];
    for (int i = 0; i < 3; ++i) {
      std::uint64_t sum = 0;
      for (int j = 0; j < 3; ++j) sum += folded_twice<c>(rows[i][j] * x[j]);
      image[i] = folded_once<c>(sum);
    }
    for (int i = 0; i < 3; ++i) x[i] = image[i];
  }
  friend ModularMatrix operator*(const ModularMatrix& left, const ModularMatrix& right) {
    ModularMatrix product{};
    for (int j = 0; j < 3; ++j) {
      std::uint64_t column[3] = {right.rows[0][j], right.rows[1][j], right.rows[2][j]};
      left(column);
      for (int i = 0; i < 3; ++i) product.rows[i][j] = static_cast<std::uint32_t>(column[i]);
    }
    return product;
  }
};

}  // namespace detail

/// MRG32k3a (L'Ecuyer, "Good Parameters and Implementations for Combined Multiple Recursive Random
/// Number Generators", Oper. Res. 47 (1999) 159), as in RngStreams and cuRAND: two recurrences of
/// order 3 modulo m1 = 2^32 - 209 and m2 = 2^32 - 22853. The published number is z / (m1 + 1),
/// where z, in 1 .. m1, is the difference of the two recurrences.
///
/// Rivulet's number is y + floor(209 y / 2^32) with y = z - 1. This spreads the m1 values of y over
/// 0 .. 2^32 - 1. The other 209 integers, about 2^32 / 209 apart, are never drawn. The probability
/// of any interval equals its length to within 2^-31.
struct Mrg32k3a {
  static constexpr std::string_view name = "mrg32k3a";
  static constexpr std::string_view doc = "MRG32k3a of L'Ecuyer, RngStreams' and cuRAND's";
  static constexpr std::string_view period = "about 2^191";
  using Word = std::uint32_t;
  static constexpr int words = 6;  ///< three of each recurrence, the oldest first
  static constexpr std::uint32_t c1 = 209;
  static constexpr std::uint32_t c2 = 22853;
  static constexpr std::uint64_t m1 = (std::uint64_t{1} << 32) - c1;
  static constexpr std::uint64_t m2 = (std::uint64_t{1} << 32) - c2;
  /// x(n) = a12 x(n-2) - a13 x(n-3) modulo m1, y(n) = a21 y(n-1) - a23 y(n-3) modulo m2.
  static constexpr std::uint32_t a12 = 1403580;
  static constexpr std::uint32_t a13 = 810728;
  static constexpr std::uint32_t a21 = 527612;
  static constexpr std::uint32_t a23 = 1370589;
  static constexpr std::uint64_t tag = seed_tag({m1, m2, a12, a13, a21, a23});
  static constexpr std::uint64_t jump_steps = 48;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T step(T (&z)[words]) {
    using detail::multiply_half;
    // The sums are below 2^54. Modulo m1, one fold suffices.
    const T x =
        detail::folded_once<c1>(multiply_half(z[1], a12) + multiply_half(T(m1) - z[0], a13));
    const T y =
        detail::folded_twice<c2>(multiply_half(z[5], a21) + multiply_half(T(m2) - z[3], a23));
    z[0] = z[1];
    z[1] = z[2];
    z[2] = x;
    z[3] = z[4];
    z[4] = z[5];
    z[5] = y;
    const T number = detail::below_modulus<c1>(x + (T(m1 - 1) - y));  // z - 1
    return number + (multiply_half(number, c1) >> 32);
  }

  /// Starts from hash words modulo m1 and m2, but never from three zeros in either recurrence.
  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    for (int k = 0; k < words; ++k) z[k] = hash.bits(32 * k, 32) % (k < 3 ? m1 : m2);
    if ((z[0] | z[1] | z[2]) == 0) z[0] = 1;
    if ((z[3] | z[4] | z[5]) == 0) z[3] = 1;
  }

  static bool is_good(const std::uint64_t (&z)[words]) {
    return (z[0] | z[1] | z[2]) != 0 && (z[3] | z[4] | z[5]) != 0;
  }

  struct Jump {
    detail::ModularMatrix<c1> first;
    detail::ModularMatrix<c2> second;

    KOKKOS_FUNCTION void operator()(std::uint64_t (&z)[words]) const {
      first(z);
      second(z + 3);
    }
  };
  static Jump jump(Uint128 steps) {
    using First = detail::ModularMatrix<c1>;
    using Second = detail::ModularMatrix<c2>;
    return {power(First{{{0, 1, 0}, {0, 0, 1}, {m1 - a13, a12, 0}}}, steps,
                  First{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}),
            power(Second{{{0, 1, 0}, {0, 0, 1}, {m2 - a23, 0, a21}}}, steps,
                  Second{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})};
  }
};

}  // namespace rivulet
