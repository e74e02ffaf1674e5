// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rivulet/detail/ieee754.hpp"
#include "rivulet/detail/kokkos.hpp"

namespace rivulet {

/// Which ends of 0 .. 1 floating-point numbers reach.
enum class Interval {
  closed_open,   ///< [0, 1)
  open,          ///< (0, 1)
  open_closed,   ///< (0, 1]
  closed,        ///< [0, 1]
  zero_replaced  ///< (0, 1): [0, 1) with an exact 0 replaced by the least other number, as CORSIKA
                 ///< does
};

/// What a host code gets numbers as. Integers are uniform over their whole range.
enum class NumberType { uint32, uint64, float32, float64 };

constexpr std::size_t number_bytes(NumberType type) {
  return type == NumberType::uint32 || type == NumberType::float32 ? 4 : 8;
}

namespace detail {

/// n, uniform in 0 .. 2^k - 1, in an interval. Real holds k bits.
template <int k, class Real, Interval interval, class Integer>
KOKKOS_FORCEINLINE_FUNCTION Real unit_real(Integer n) {
  constexpr auto size = static_cast<Real>(std::uint64_t{1} << k);
  constexpr Real unit = 1 / size;
  constexpr bool half_fits = std::is_same_v<Real, double> && k < 53;
  if constexpr (interval == Interval::closed_open) {
    return static_cast<Real>(n) * unit;
  } else if constexpr (interval == Interval::open && half_fits) {
    return (static_cast<Real>(n) + Real{0.5}) * unit;
  } else if constexpr (interval == Interval::open) {
    return static_cast<Real>(n | 1) * unit;
  } else if constexpr (interval == Interval::open_closed) {
    return static_cast<Real>(n + 1) * unit;
  } else if constexpr (interval == Interval::closed) {
    return static_cast<Real>(n) / (size - 1);
  } else {
    // Not a choice of two: compilers leave such loops without vectors.
    return static_cast<Real>(n + static_cast<Integer>(n == 0)) * unit;
  }
}

/// The number that the upper bits of one of 64 bits make; an integer is its upper half, or all of
/// it.
template <class Out, Interval interval>
KOKKOS_FORCEINLINE_FUNCTION Out number_of_64_bits(std::uint64_t raw) {
  if constexpr (std::is_same_v<Out, std::uint64_t>) {
    return raw;
  } else if constexpr (std::is_same_v<Out, std::uint32_t>) {
    return static_cast<Out>(raw >> 32);
  } else {
    // Signed, because vector units without AVX-512 convert no unsigned integers.
    constexpr int bits = std::is_same_v<Out, double> ? 53 : 24;
    return unit_real<bits, Out, interval>(static_cast<std::int64_t>(raw >> (64 - bits)));
  }
}

}  // namespace detail

/// How raw numbers, uniform in 0 .. 2^bits - 1 (bits = 24, 32 or 48), become one of type Out:
/// - std::uint32_t: of 32 bits the number, of 48 its upper 32 bits, of 24 the upper 16 bits of each
///   of two, the first above;
/// - std::uint64_t: of 32 two numbers, of 48 the upper 32 bits of each of two, of 24 all of two and
///   the upper 16 bits of a third, the first above;
/// - float: the upper 24 bits;
/// - double: of 32 two numbers, 27 bits of the first above 26 of the second, as genrand_res53 of
///   mt19937ar.c (Isaku Wada's, 2002); of 24 and 48 all bits of one, as RANMAR's own codes do.
/// With bits = 64 raw numbers are the halves of words of 64 bits, the lower one first: a
/// std::uint64_t is a word, and a double its upper 53 bits, as NumPy's; other types are made as of
/// 32 bits. Of k bits n, an interval makes: closed_open n 2^-k; open (n + 1/2) 2^-k where that is
/// exact, else (n | 1) 2^-k; open_closed (n + 1) 2^-k; closed n / (2^k - 1), rounded; zero_replaced
/// n 2^-k, and 2^-k of n = 0. All but closed are exact. Integers have none.
template <int bits, class Out, Interval interval>
struct NumberFormat {
  static_assert(bits == 24 || bits == 32 || bits == 48 || bits == 64);
  static constexpr int own = bits == 64 ? 32 : bits;  ///< of a raw number
  static constexpr bool is_word32 = std::is_same_v<Out, std::uint32_t>;
  static constexpr bool is_word64 = std::is_same_v<Out, std::uint64_t>;
  static constexpr bool is_double = std::is_same_v<Out, double>;
  static_assert(is_word32 || is_word64 || is_double || std::is_same_v<Out, float>);

  using Integer = std::conditional_t<own == 48, std::uint64_t, std::uint32_t>;

  /// Raw numbers that one number is made of.
  static constexpr int raw = is_word64                 ? (bits == 24 ? 3 : 2)
                             : is_word32 && bits == 24 ? 2
                             : is_double && own == 32  ? 2
                                                       : 1;

  /// The number made of from[0], from[stride], ... from[(raw - 1) * stride].
  KOKKOS_FORCEINLINE_FUNCTION static Out make(const Integer* from, int stride) {
    if constexpr (bits == 64 && raw == 2) {
      return detail::number_of_64_bits<Out, interval>(std::uint64_t{from[stride]} << 32 | from[0]);
    } else if constexpr (is_word32) {
      return word32(from, stride);
    } else if constexpr (is_word64) {
      return word64(from, stride);
    } else if constexpr (is_double && own == 32) {
      const std::uint64_t n = std::uint64_t{from[0] >> 5} << 26 | from[stride] >> 6;
      return detail::unit_real<53, double, interval>(n);
    } else if constexpr (is_double) {
      return detail::unit_real<bits, double, interval>(from[0]);
    } else {
      // Signed, because vector units without AVX-512 convert no unsigned integers.
      const auto n = static_cast<std::int32_t>(from[0] >> (own - 24));
      return detail::unit_real<24, float, interval>(n);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Out word32(const Integer* from, int stride) {
    if constexpr (bits == 24) {
      return (from[0] >> 8) << 16 | from[stride] >> 8;
    } else {
      return static_cast<Out>(from[0] >> (own - 32));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static Out word64(const Integer* from, int stride) {
    if constexpr (bits == 24) {
      return std::uint64_t{from[0]} << 40 | std::uint64_t{from[stride]} << 16 |
             from[2 * stride] >> 8;
    } else {
      return static_cast<std::uint64_t>(from[0] >> (own - 32)) << 32 |
             static_cast<std::uint64_t>(from[stride] >> (own - 32));
    }
  }
};

}  // namespace rivulet
