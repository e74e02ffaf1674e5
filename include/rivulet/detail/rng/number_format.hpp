// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rivulet/detail/ieee754.hpp"
#include "rivulet/detail/kokkos.hpp"

namespace rivulet {

/// The interval of floating-point numbers. It includes or excludes each of the ends 0 and 1.
enum class Interval {
  closed_open,   ///< [0, 1)
  open,          ///< (0, 1)
  open_closed,   ///< (0, 1]
  closed,        ///< [0, 1]
  zero_replaced  ///< (0, 1): [0, 1) with 0 replaced by the next larger number, 2^-k, as in
                 ///< CORSIKA
};

/// The type of the numbers that a host program requests. Integers are uniform over their whole
/// range.
enum class NumberType { uint32, uint64, float32, float64 };

constexpr std::size_t number_bytes(NumberType type) {
  return type == NumberType::uint32 || type == NumberType::float32 ? 4 : 8;
}

namespace detail {

/// Maps n, uniform in 0 .. 2^k - 1, to an interval. Real must hold k bits exactly.
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
    // A conditional would prevent compilers from vectorising the caller's loop.
    return static_cast<Real>(n + static_cast<Integer>(n == 0)) * unit;
  }
}

/// Converts the upper bits of a 64-bit number: 53 bits for a double, 24 for a float, 32 for a
/// std::uint32_t, and all 64 for a std::uint64_t.
template <class Out, Interval interval>
KOKKOS_FORCEINLINE_FUNCTION Out number_of_64_bits(std::uint64_t raw) {
  if constexpr (std::is_same_v<Out, std::uint64_t>) {
    return raw;
  } else if constexpr (std::is_same_v<Out, std::uint32_t>) {
    return static_cast<Out>(raw >> 32);
  } else {
    // The integer is signed, because vector units without AVX-512 cannot convert unsigned integers.
    constexpr int bits = std::is_same_v<Out, double> ? 53 : 24;
    return unit_real<bits, Out, interval>(static_cast<std::int64_t>(raw >> (64 - bits)));
  }
}

}  // namespace detail

/// Converts raw numbers, uniform in 0 .. 2^bits - 1, to numbers of type Out. For bits = 24, 32 and
/// 48, earlier raw numbers supply higher bits:
/// - std::uint32_t: a 32-bit number, the upper 32 bits of a 48-bit number, or the upper 16 bits of
///   each of two 24-bit numbers;
/// - std::uint64_t: two 32-bit numbers, the upper 32 bits of each of two 48-bit numbers, or two
///   24-bit numbers and the upper 16 bits of a third;
/// - float: the upper 24 bits;
/// - double: 27 bits of a 32-bit number and 26 bits of the next, as in genrand_res53 of mt19937ar.c
///   (Isaku Wada, 2002), or all bits of a 24-bit or 48-bit number, as in RANMAR's own codes.
///
/// With bits = 64, raw numbers are the halves of 64-bit words, the lower half first. A
/// std::uint64_t is one word, and a double is made from the upper 53 bits of a word, as in NumPy.
/// float and std::uint32_t are converted as for 32 bits.
///
/// Each interval maps a k-bit integer n to
/// - closed_open: n 2^-k;
/// - open: (n + 1/2) 2^-k if that is exact, else (n | 1) 2^-k;
/// - open_closed: (n + 1) 2^-k;
/// - closed: n / (2^k - 1), rounded;
/// - zero_replaced: n 2^-k, or 2^-k if n = 0.
///
/// Only the results of `closed` are rounded; the others are exact. Integers ignore the interval.
template <int bits, class Out, Interval interval>
struct NumberFormat {
  static_assert(bits == 24 || bits == 32 || bits == 48 || bits == 64);
  static constexpr int raw_bits = bits == 64 ? 32 : bits;  ///< bits of a raw number
  static constexpr bool is_word32 = std::is_same_v<Out, std::uint32_t>;
  static constexpr bool is_word64 = std::is_same_v<Out, std::uint64_t>;
  static constexpr bool is_double = std::is_same_v<Out, double>;
  static_assert(is_word32 || is_word64 || is_double || std::is_same_v<Out, float>);

  using Integer = std::conditional_t<raw_bits == 48, std::uint64_t, std::uint32_t>;

  /// Raw numbers per output number.
  static constexpr int raw = is_word64                     ? (bits == 24 ? 3 : 2)
                             : is_word32 && bits == 24     ? 2
                             : is_double && raw_bits == 32 ? 2
                                                           : 1;

  /// Returns the number made from the raw numbers from[0], from[stride], ... from[(raw - 1) *
  /// stride].
  KOKKOS_FORCEINLINE_FUNCTION static Out make(const Integer* from, int stride) {
    if constexpr (bits == 64 && raw == 2) {
      return detail::number_of_64_bits<Out, interval>(std::uint64_t{from[stride]} << 32 | from[0]);
    } else if constexpr (is_word32) {
      return word32(from, stride);
    } else if constexpr (is_word64) {
      return word64(from, stride);
    } else if constexpr (is_double && raw_bits == 32) {
      const std::uint64_t n = std::uint64_t{from[0] >> 5} << 26 | from[stride] >> 6;
      return detail::unit_real<53, double, interval>(n);
    } else if constexpr (is_double) {
      return detail::unit_real<bits, double, interval>(from[0]);
    } else {
      // n is signed, because vector units without AVX-512 cannot convert unsigned integers.
      const auto n = static_cast<std::int32_t>(from[0] >> (raw_bits - 24));
      return detail::unit_real<24, float, interval>(n);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Out word32(const Integer* from, int stride) {
    if constexpr (bits == 24) {
      return (from[0] >> 8) << 16 | from[stride] >> 8;
    } else {
      return static_cast<Out>(from[0] >> (raw_bits - 32));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static Out word64(const Integer* from, int stride) {
    if constexpr (bits == 24) {
      return std::uint64_t{from[0]} << 40 | std::uint64_t{from[stride]} << 16 |
             from[2 * stride] >> 8;
    } else {
      return static_cast<std::uint64_t>(from[0] >> (raw_bits - 32)) << 32 |
             static_cast<std::uint64_t>(from[stride] >> (raw_bits - 32));
    }
  }
};

}  // namespace rivulet
