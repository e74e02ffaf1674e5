// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "rivulet/detail/rng/number_format.hpp"

// Converts the raw numbers of any engine to the numbers that distributions use.

namespace rivulet::detail {

template <class Real>
inline constexpr bool is_real = std::is_same_v<Real, float> || std::is_same_v<Real, double>;

/// Bits per number of an engine.
template <class Rng>
struct EngineBits {
  static constexpr std::uint64_t max_number = Rng::max();
  static constexpr bool is_known = max_number == 0xffffff || max_number == 0xffffffff ||
                                   max_number == 0xffffffffffff || max_number == ~std::uint64_t{0};
  static_assert(Rng::min() == 0 && is_known,
                "distributions need an engine whose numbers are uniform in 0 .. 2^b - 1 with b = "
                "24, 32, 48 or 64: its min() and max() say otherwise");
  static constexpr int value = max_number == 0xffffff         ? 24
                               : max_number == 0xffffffff     ? 32
                               : max_number == 0xffffffffffff ? 48
                                                              : 64;
};

/// Returns an engine's next number. On the host, engines without device functions work as well.
#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Integer, class Rng>
KOKKOS_FORCEINLINE_FUNCTION Integer next_of(Rng& rng) {
  return static_cast<Integer>(rng());
}

/// Returns a number made from several raw numbers. In braces, the raw numbers are drawn in order.
/// GCC at -O2 would not unroll a loop, and would then keep neither the numbers nor the engine in
/// registers. With a loop, a particle-transport kernel took 1.3 times as long.
template <class Format, class Rng, int... K>
KOKKOS_FORCEINLINE_FUNCTION auto number_of_several(Rng& rng, std::integer_sequence<int, K...>) {
  using Integer = typename Format::Integer;
  const Integer raw[] = {(static_cast<void>(K), next_of<Integer>(rng))...};
  return Format::make(raw, 1);
}

/// The `bits` of an engine's NumberFormat: the bits per number, or 64 if the numbers are halves of
/// 64-bit words.
template <class Rng>
inline constexpr int format_bits = EngineBits<Rng>::value;
template <class Rng>
requires requires { Rng::format_bits; }
inline constexpr int format_bits<Rng> = Rng::format_bits;

/// Returns the number that NumberFormat<bits> makes from consecutive raw numbers. If the engine
/// has next_word(), one word replaces two raw numbers.
template <int bits, class Out, Interval interval, class Rng>
KOKKOS_FORCEINLINE_FUNCTION Out draw_number_of(Rng& rng) {
  if constexpr (EngineBits<Rng>::value == 64) {
    return number_of_64_bits<Out, interval>(next_of<std::uint64_t>(rng));
  } else {
    using Format = NumberFormat<bits, Out, interval>;
    if constexpr (bits == 64 && Format::raw == 2 && requires { rng.next_word(); }) {
      return number_of_64_bits<Out, interval>(rng.next_word());
    }
    return number_of_several<Format>(rng, std::make_integer_sequence<int, Format::raw>{});
  }
}

/// Returns the next number of type Out: std::uint32_t, std::uint64_t, float or double.
template <class Out, Interval interval = Interval::closed_open, class Rng>
KOKKOS_FORCEINLINE_FUNCTION Out draw_number(Rng& rng) {
  return draw_number_of<format_bits<Rng>, Out, interval>(rng);
}

}  // namespace rivulet::detail
