// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "rivulet/detail/rng/number_format.hpp"

namespace rivulet {

// Computes the numbers that the docs define, but unlike the library, this code treats the raw
// numbers as a sequence of bits.

inline constexpr NumberType number_types[] = {NumberType::uint32, NumberType::uint64,
                                              NumberType::float32, NumberType::float64};
inline constexpr Interval intervals[] = {Interval::closed_open, Interval::open,
                                         Interval::open_closed, Interval::closed,
                                         Interval::zero_replaced};

/// Returns how many leading bits are used of each raw number (of `bits` bits) from which one number
/// is made. Raw numbers of 64 bits count as two halves, the lower first.
inline std::vector<int> number_parts(NumberType type, int bits) {
  using Parts = std::vector<int>;
  switch (type) {
    case NumberType::uint32:
      return bits == 24 ? Parts{16, 16} : Parts{32};
    case NumberType::uint64:
      return bits == 24 ? Parts{24, 24, 16} : Parts{32, 32};
    case NumberType::float32:
      return {24};
    case NumberType::float64:
      break;
  }
  if (bits == 64) return {32, 32};
  return bits == 32 ? Parts{27, 26} : Parts{bits};
}

inline int raw_numbers(NumberType type, int bits) {
  return static_cast<int>(number_parts(type, bits).size());
}

/// The integer that a number is made from, and its number of bits.
struct NumberInteger {
  std::uint64_t n = 0;
  int k = 0;
};

inline NumberInteger number_integer(NumberType type, int bits, const std::uint64_t* raw) {
  NumberInteger whole;
  if (bits == 64) {
    const std::uint64_t word = raw[1] << 32 | raw[0];
    if (type == NumberType::uint64) return {word, 64};
    if (type == NumberType::float64) return {word / 2048, 53};
    bits = 32;
  }
  for (const int used : number_parts(type, bits)) {
    whole.n = whole.n << (used % 64) | *raw++ >> (bits - used);
    whole.k += used;
  }
  return whole;
}

/// Returns the number in an interval, exactly or, for `closed`, to more digits than a double has.
inline long double number_in(Interval interval, NumberType type, NumberInteger whole) {
  const auto n = static_cast<long double>(whole.n);
  switch (interval) {
    case Interval::open:
      if (type == NumberType::float32 || whole.k == 53) {
        return std::ldexp(whole.n % 2 == 0 ? n + 1 : n, -whole.k);
      }
      return std::ldexp(2 * n + 1, -whole.k - 1);
    case Interval::open_closed:
      return std::ldexp(n + 1, -whole.k);
    case Interval::closed:
      return n / (std::ldexp(1.0L, whole.k) - 1);
    case Interval::zero_replaced:
      return std::ldexp(whole.n == 0 ? 1.0L : n, -whole.k);
    case Interval::closed_open:
      break;
  }
  return std::ldexp(n, -whole.k);
}

/// Returns the bits of the number made from raw[0 ..]. Inexact results are rounded once.
inline std::uint64_t number_bits(NumberType type, Interval interval, int bits,
                                 const std::uint64_t* raw) {
  const NumberInteger whole = number_integer(type, bits, raw);
  if (type == NumberType::uint32 || type == NumberType::uint64) return whole.n;
  if (type == NumberType::float32) {
    const auto one = interval == Interval::closed
                         ? static_cast<float>(whole.n) / 16777215.0F
                         : static_cast<float>(number_in(interval, type, whole));
    return std::bit_cast<std::uint32_t>(one);
  }
  const auto one = interval == Interval::closed
                       ? static_cast<double>(whole.n) / (std::ldexp(1.0, whole.k) - 1)
                       : static_cast<double>(number_in(interval, type, whole));
  return std::bit_cast<std::uint64_t>(one);
}

}  // namespace rivulet
