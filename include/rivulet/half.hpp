// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {

/// A number of half precision (IEEE 754 binary16) in memory: the same bits with every compiler and
/// on every backend. Made of a float by rounding to nearest, ties to even; whatever is not a number
/// becomes 0x7e00, or 0xfe00.
struct Half {
  std::uint16_t bits;

  Half() = default;
  KOKKOS_FORCEINLINE_FUNCTION Half(float x) : bits(0) {
    const auto all = detail::bits_as<std::uint32_t>(x);
    const std::uint32_t size = all & 0x7fffffff;
    std::uint32_t half = 0x7c00;
    if (size > 0x7f800000) {
      half = 0x7e00;
    } else if (size < 0x38800000) {  // below 2^-14: the sum's last bit is 2^-24
      const float sum = detail::bits_as<float>(size) + 0.5F;
      half = detail::bits_as<std::uint32_t>(sum) - 0x3f000000;
    } else if (size < 0x477ff000) {  // rounds to 65504 at most
      half = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
    }
    bits = static_cast<std::uint16_t>((all >> 16 & 0x8000) | half);
  }
  KOKKOS_FORCEINLINE_FUNCTION operator float() const {
    const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
    const std::uint32_t size = bits & 0x7fffU;
    if (size < 0x400) {
      const float small = static_cast<float>(size) * 0x1p-24F;
      return detail::bits_as<float>(sign | detail::bits_as<std::uint32_t>(small));
    }
    const std::uint32_t exponent = size < 0x7c00 ? 0x38000000 : 0x70000000;
    return detail::bits_as<float>(sign | ((size << 13) + exponent));
  }
};

/// A number of bfloat16 in memory, the upper half of a float, with the same bits everywhere and the
/// same rounding as Half. Whatever is not a number becomes 0x7fc0, or 0xffc0.
struct BFloat16 {
  std::uint16_t bits;

  BFloat16() = default;
  KOKKOS_FORCEINLINE_FUNCTION BFloat16(float x) : bits(0) {
    const auto all = detail::bits_as<std::uint32_t>(x);
    const std::uint32_t size = all & 0x7fffffff;
    const std::uint32_t upper =
        size > 0x7f800000 ? 0x7fc0 : (size + 0x7fff + (size >> 16 & 1)) >> 16;
    bits = static_cast<std::uint16_t>((all >> 16 & 0x8000) | upper);
  }
  KOKKOS_FORCEINLINE_FUNCTION operator float() const {
    return detail::bits_as<float>(std::uint32_t{bits} << 16);
  }
};

namespace detail {

/// Bits of the significand of a number of 16 bits; 0 for other types.
template <class Number>
inline constexpr int short_digits = 0;
template <>
inline constexpr int short_digits<Half> = 11;
template <>
inline constexpr int short_digits<BFloat16> = 8;
// Where Kokkos has none these are float.
#if defined(KOKKOS_HALF_T_IS_FLOAT) && !KOKKOS_HALF_T_IS_FLOAT
template <>
inline constexpr int short_digits<Kokkos::Experimental::half_t> = 11;
#endif
#if defined(KOKKOS_BHALF_T_IS_FLOAT) && !KOKKOS_BHALF_T_IS_FLOAT
template <>
inline constexpr int short_digits<Kokkos::Experimental::bhalf_t> = 8;
#endif

/// A number of 0 .. 1 made of the upper `digits` bits of one raw number, in the way of a float,
/// which is made of the upper 24.
template <int digits, Interval interval, class Rng>
KOKKOS_FORCEINLINE_FUNCTION float draw_short(Rng& rng) {
  const auto raw = next_of<std::uint64_t>(rng) >> (EngineBits<Rng>::value - digits);
  return unit_real<digits, float, interval>(static_cast<std::int32_t>(raw));
}

}  // namespace detail
}  // namespace rivulet
