// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/algebra/linear_steps.hpp"
#include "rivulet/detail/rng/cycle.hpp"

namespace rivulet {
namespace detail {

/// Numbers of 24 digits to the base b = 2^24, the lowest first, and arithmetic modulo the prime m =
/// b^24 - b^10 + 1, over words T of 64 bits that hold a digit each.
struct RanluxDigits {
  static constexpr int n = 24;
  static constexpr int upper = 14;  ///< of digits n - 10 .. n - 1 the first
  static constexpr int bits = 24;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

  std::uint64_t digit[n] = {};

  /// Hands digit(j), j = 0 .. n - 1, signed and below 2^62, to put(j, digit) as proper digits, and
  /// returns what is carried out of them, signed as well.
  template <class T, class Digit, class Put>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T carry(const Digit& digit, const Put& put) {
    // Shifts are of unsigned words: 2^63 is added before, and 2^39 taken off behind.
    const T offset(std::uint64_t{1} << 39);
    const T positive((std::uint64_t{1} << 63) - (std::uint64_t{1} << 39));
    T carried = offset;
    for (int j = 0; j < n; ++j) {
      T sum = digit(j) + positive + carried;
      if (!std::is_constant_evaluated()) hide_from_optimizer(sum);
      put(j, sum & T(mask));
      carried = sum >> bits;
    }
    return carried - offset;
  }

  /// x -> a x modulo m, below b^24. Digits have 24 bits.
  template <class T>
  KOKKOS_FUNCTION constexpr void multiply(T (&x)[n]) const {
    T column[2 * n - 1] = {};
    for (int k = 0; k < 2 * n - 1; ++k) {
      for (int i = k < n ? 0 : k - n + 1; i <= k && i < n; ++i) {
        column[k] = column[k] + multiply_halves(x[k - i], T(digit[i]));
      }
    }
    for (int k = 2 * n - 2; k >= n; --k) {  // b^24 is b^10 - 1
      column[k - upper] = column[k - upper] + column[k];
      column[k - n] = column[k - n] - column[k];
    }
    const auto put = [&x](int j, const T& proper) RIVULET_INLINE_LAMBDA { x[j] = proper; };
    T over = carry<T>([&](int j) RIVULET_INLINE_LAMBDA { return column[j]; }, put);
    for (int fold = 0; fold < 2; ++fold) {  // the first leaves -1, 0 or 1, the second nothing
      x[n - upper] = x[n - upper] + over;
      x[0] = x[0] - over;
      over = carry<T>([&](int j) RIVULET_INLINE_LAMBDA { return x[j]; }, put);
    }
  }
  friend constexpr RanluxDigits operator*(const RanluxDigits& left, RanluxDigits right) {
    left.multiply(right.digit);
    return right;
  }

  /// x modulo m -> r = floor(b^24 (x mod m) / m), the digits of RANLUX. With t = floor(x / b^14) it
  /// is x + t + floor(R / m), R = b^24 x - m (x + t), modulo b^24; and -m <= R < 2 m.
  template <class T>
  KOKKOS_FUNCTION static constexpr void to_ranlux(T (&x)[n]) {
    const T zero(std::uint64_t{0});
    const auto quotient = [&](int j) RIVULET_INLINE_LAMBDA {
      return j + upper < n ? x[j] + x[j + upper] : x[j];
    };
    const auto rest = [&](int j) RIVULET_INLINE_LAMBDA {
      return j < n - upper ? zero - quotient(j) : quotient(j - (n - upper)) - quotient(j);
    };
    const auto rest_less_m = [&](int j) RIVULET_INLINE_LAMBDA {  // and b^24 more
      const T one(std::uint64_t{1});
      return j == 0 ? rest(j) - one : j == n - upper ? rest(j) + one : rest(j);
    };
    const auto none = [](int, const T&) RIVULET_INLINE_LAMBDA {};
    const T below = carry<T>(rest, none) >> 63;
    const T above = (zero - carry<T>(rest_less_m, none)) >> 63;
    carry<T>(
        [&](int j)
            RIVULET_INLINE_LAMBDA { return j == 0 ? quotient(j) + above - below : quotient(j); },
        [&x](int j, const T& proper) RIVULET_INLINE_LAMBDA { x[j] = proper; });
  }
  /// The inverse: x = ceil(r m / b^24).
  template <class T>
  KOKKOS_FUNCTION static constexpr void from_ranlux(T (&r)[n]) {
    const T zero(std::uint64_t{0});
    const auto lower = [&](int j) RIVULET_INLINE_LAMBDA {
      return j < n - upper ? zero - r[j] : r[j - (n - upper)] - r[j];
    };
    const T up = carry<T>(lower, [](int, const T&) RIVULET_INLINE_LAMBDA {}) >> 63;
    carry<T>(
        [&](int j) RIVULET_INLINE_LAMBDA {
          const T x = j + upper < n ? r[j] - r[j + upper] : r[j];
          return j == 0 ? x + up : x;
        },
        [&r](int j, const T& proper) RIVULET_INLINE_LAMBDA { r[j] = proper; });
  }
};

/// RANLUX goes from x to x / b modulo m, and 1 / b is b^24 - b^23 - b^10 + b^9 + 1.
constexpr RanluxDigits ranlux_factor(std::uint64_t numbers) {
  RanluxDigits inverse{{1}};
  inverse.digit[9] = 1;
  for (int j = 10; j < RanluxDigits::n; ++j) inverse.digit[j] = RanluxDigits::mask;
  --inverse.digit[RanluxDigits::n - 1];
  return power(inverse, numbers, RanluxDigits{{1}});
}
inline constexpr RanluxDigits ranluxpp_factor = ranlux_factor(2048);

}  // namespace detail

/// RANLUX++ (Sibidanov, "A revision of the subtract-with-borrow random number generators", Comput.
/// Phys. Commun. 221 (2017) 299; Hahnfeldt & Moneta, EPJ Web Conf. 251 (2021) 03008): RANLUX,
/// x_n = x_(n-10) - x_(n-24) - c_(n-1) modulo 2^24 (Luescher, Comput. Phys. Commun. 79 (1994) 100),
/// of which 24 numbers of each 2048 are used, as the linear congruential generator modulo m that it
/// is equivalent to. Numbers are ROOT's, pairs of RANLUX' of 24 bits.
struct Ranluxpp {
  static constexpr std::string_view name = "ranluxpp";
  static constexpr std::string_view doc = "RANLUX++ of luxury p = 2048, ROOT's";
  static constexpr std::string_view period = "about 2^559";
  using Digits = detail::RanluxDigits;
  using Word = std::uint32_t;
  static constexpr int words = Digits::n;  ///< RANLUX' last 24 numbers, the oldest first
  static constexpr std::uint64_t tag = seed_tag({576, 240, 24, 2048});
  static constexpr std::uint64_t jump_steps = 2;
  static constexpr int block = words / 2;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T number(const T (&z)[words], int k) {
    return z[2 * k] | z[2 * k + 1] << Digits::bits;
  }

  struct Jump {
    Digits factor;

    template <class T>
    KOKKOS_FUNCTION void operator()(T (&z)[words]) const {
      Digits::from_ranlux(z);
      factor.multiply(z);
      Digits::to_ranlux(z);
    }
  };
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void step(T (&z)[words]) {
    constexpr Jump one{detail::ranluxpp_factor};
    one(z);
  }
  static Jump jump(Uint128 steps) { return {power(detail::ranluxpp_factor, steps, Digits{{1}})}; }

  /// 576 bits of hash, modulo m.
  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    std::uint64_t any = 0;
    for (int k = 0; k < words; ++k) z[k] = hash.bits(Digits::bits * k, Digits::bits);
    Digits::to_ranlux(z);
    for (int k = 0; k < words; ++k) any |= z[k];
    if (any == 0) z[0] = 1;
  }
};

}  // namespace rivulet
