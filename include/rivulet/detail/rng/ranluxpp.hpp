// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "rivulet/detail/algebra/linear_steps.hpp"
#include "rivulet/detail/rng/cycle.hpp"

/// Without pragmas, GCC 12 does not unroll the loops over 144 products, but unrolls the loop over
/// 576 products of vectors. Either choice halves the speed.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define RIVULET_PRAGMA(text) _Pragma(#text)
#define RIVULET_UNROLL(times) RIVULET_PRAGMA(GCC unroll times)
#else
#define RIVULET_UNROLL(times)
#endif
/// Device compilers keep indexed arrays in registers only if the loops over them are unrolled.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define RIVULET_UNROLL_ON_DEVICE _Pragma("unroll")
#else
#define RIVULET_UNROLL_ON_DEVICE
#endif

namespace rivulet {
namespace detail {

/// Numbers below b^24, where b = 2^24, and their arithmetic modulo the prime m = b^24 - b^10 + 1.
/// Each 64-bit word of type T holds a pair of base-b digits, the lowest pair first. Carries are
/// delayed as long as no word can overflow.
struct RanluxPairs {
  static constexpr int n = 12;
  static constexpr int upper = 7;  ///< first of the pairs n - 5 .. n - 1
  static constexpr int bits = 48;
  static constexpr int digit_bits = bits / 2;
  static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  static constexpr std::uint64_t digit_mask = (std::uint64_t{1} << digit_bits) - 1;

  std::uint64_t pair[n] = {};

  /// Reduces the signed words word(k), |word(k)| < 2^62, k = 0 .. n - 1, to pairs of 48 bits.
  /// Passes each pair to put(k, pair). Returns the signed carry out of the last pair.
  template <class T, class Word, class Put>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T carry(const Word& word, const Put& put) {
    // Shifts are unsigned, so 2^63 is added before the shift, and 2^15 subtracted after it.
    const T offset(std::uint64_t{1} << 15);
    const T positive((std::uint64_t{1} << 63) - (std::uint64_t{1} << 15));
    T carried = offset;
    for (int k = 0; k < n; ++k) {
      T sum = word(k) + positive + carried;
      // nvcc treats std::is_constant_evaluated() as a host function, so a built-in is used.
      if (!__builtin_is_constant_evaluated()) hide_from_optimizer(sum);
      put(k, sum & T(mask));
      carried = sum >> bits;
    }
    return carried - offset;
  }
  /// Overload that replaces the words x.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T carry(T (&x)[n]) {
    return carry<T>([&x](int k) RIVULET_INLINE_LAMBDA { return x[k]; },
                    [&x](int k, const T& proper) RIVULET_INLINE_LAMBDA { x[k] = proper; });
  }

  /// Adds the carry out of the 48-bit pairs back to the pairs, using b^24 = b^10 - 1 modulo m.
  /// After the first pass, the new carry is -1, 0 or 1.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr void fold(T (&x)[n], T over) {
    for (int time = 0; time < 2; ++time) {
      x[n - upper] = x[n - upper] + over;
      x[0] = x[0] - over;
      if (time > 0) return;
      over = carry(x);
    }
  }

  /// Replaces x with the product a x modulo m, where a is this number. Input words are from 0 to
  /// 2^49, output words from -1 to 2^48. After carrying, the output is below b^24.
  template <class T>
  KOKKOS_FUNCTION void multiply(T (&x)[n]) const {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
    if constexpr (std::is_same_v<T, std::uint64_t>) return fold(x, multiply_pairs(x));
#endif
    multiply_digits(x);
    fold(x, carry(x));
  }
  KOKKOS_FUNCTION friend constexpr RanluxPairs operator*(const RanluxPairs& left,
                                                         RanluxPairs right) {
    fold(right.pair, left.multiply_pairs(right.pair));
    carry(right.pair);
    return right;
  }

  /// Converts x modulo m to the digits of RANLUX, r = floor(b^24 (x mod m) / m). With t = floor(x /
  /// b^14) and R = b^24 x - m (x + t), r is x + t + floor(R / m) modulo b^24, and -m <= R < 2 m.
  /// Input words are in the range of multiply()'s output words.
  template <class T>
  KOKKOS_FUNCTION static constexpr void to_ranlux(T (&x)[n]) {
    for (int k = 0; k < n - upper; ++k) x[k] = x[k] + x[k + upper];
    const auto rest = [&x](int k) RIVULET_INLINE_LAMBDA {
      return k < n - upper ? T(std::uint64_t{0}) - x[k] : x[k - (n - upper)] - x[k];
    };
    const auto rest_less_m = [&](int k) RIVULET_INLINE_LAMBDA {  // rest - m + b^24
      const T one(std::uint64_t{1});
      return k == 0 ? rest(k) - one : k == n - upper ? rest(k) + one : rest(k);
    };
    const auto none = [](int, const T&) RIVULET_INLINE_LAMBDA {};
    const T below = carry<T>(rest, none) >> 63;
    const T above = (T(std::uint64_t{0}) - carry<T>(rest_less_m, none)) >> 63;
    x[0] = x[0] + above - below;
    carry(x);
  }
  /// Inverts to_ranlux(). Replaces r with ceil(r m / b^24) + m, in words from 0 to 2^49.
  template <class T>
  KOKKOS_FUNCTION static constexpr void from_ranlux(T (&r)[n]) {
    const auto lower = [&r](int k) RIVULET_INLINE_LAMBDA {
      return k < n - upper ? T(std::uint64_t{0}) - r[k] : r[k - (n - upper)] - r[k];
    };
    const T up = carry<T>(lower, [](int, const T&) RIVULET_INLINE_LAMBDA {}) >> 63;
    for (int k = 0; k < n; ++k) {
      r[k] = r[k] + T(k == 0 ? mask + 2 : k == n - upper ? mask - 1 : mask);
      if (k < n - upper) r[k] = r[k] - r[k + upper];
    }
    r[0] = r[0] + up;
  }

 private:
  KOKKOS_FUNCTION static constexpr std::uint64_t positive(int j) {
    constexpr std::uint64_t large = std::uint64_t{1} << 56;
    if (j >= 2 * n) return 0;
    return j < 2 ? large + 256 : j / 2 == n - upper ? large - 512 : large - 256;
  }

  /// Replaces x with the product a x. Multiplies digit by digit, because products of digits fit in
  /// words. Output words are below 2^58.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void multiply_digits(T (&x)[n]) const {
    // On a CPU, each loaded digit serves three columns. Zeros pad the digits at both ends.
    constexpr int side = device_build ? 1 : 3;
    T digit[2 * n + 2 * side - 2];
    T column[4 * n];
    std::uint64_t factor[2 * n] = {};
    for (int k = 0; k < side - 1; ++k) digit[k] = digit[2 * n + side - 1 + k] = T(std::uint64_t{0});
    for (int k = 0; k < n; ++k) {
      digit[side - 1 + 2 * k] = x[k] & T(digit_mask);
      digit[side + 2 * k] = x[k] >> digit_bits;
      factor[2 * k] = pair[k] & digit_mask;
      factor[2 * k + 1] = pair[k] >> digit_bits;
    }
    RIVULET_UNROLL(1)
    RIVULET_UNROLL_ON_DEVICE
    for (int j = 0; j < 4 * n; j += side) {
      // Adding about 2^56 to each of the lower 2 n columns keeps them positive when upper columns
      // are subtracted below. The number that these addends form is 0 modulo m.
      T sum[side];
      for (int k = 0; k < side; ++k) sum[k] = T(positive(j + k));
      RIVULET_UNROLL_ON_DEVICE
      for (int i = j < 2 * n ? 0 : j - 2 * n + 1; i < 2 * n && i < j + side; ++i) {
        for (int k = 0; k < side; ++k) {
          sum[k] = sum[k] + multiply_halves(digit[side - 1 + j + k - i], T(factor[i]));
        }
      }
      for (int k = 0; k < side; ++k) column[j + k] = sum[k];
    }
    RIVULET_UNROLL_ON_DEVICE
    for (int j = 4 * n - 2; j >= 2 * n; --j) {
      column[j - 2 * upper] = column[j - 2 * upper] + column[j];
      column[j - 2 * n] = column[j - 2 * n] - column[j];
    }
    for (int k = 0; k < n; ++k) {
      x[k] = column[2 * k] + (column[2 * k + 1] << digit_bits & T(mask));
      if (k > 0) x[k] = x[k] + (column[2 * k - 1] >> digit_bits);
    }
    const T over = column[2 * n - 1] >> digit_bits;
    x[n - upper] = x[n - upper] + over;
    x[0] = x[0] - over;
  }

  /// Replaces x with the product a x, computed from 128-bit products of pairs. The result has
  /// 48-bit pairs. Returns the carry out of the last pair.
  KOKKOS_FUNCTION constexpr std::uint64_t multiply_pairs(std::uint64_t (&x)[n]) const {
    Uint128 column[2 * n - 1] = {};
    RIVULET_UNROLL(23)
    for (int k = 0; k < 2 * n - 1; ++k) {
      RIVULET_UNROLL(12)
      for (int i = k < n ? 0 : k - n + 1; i <= k && i < n; ++i) {
        column[k] += Uint128{x[k - i]} * pair[i];
      }
    }
    for (int k = 2 * n - 2; k >= n; --k) {
      column[k - upper] += column[k];
      column[k - n] -= column[k];
    }
    __extension__ __int128 sum = 0;
    for (int k = 0; k < n; ++k) {
      sum += static_cast<decltype(sum)>(column[k]);
      x[k] = static_cast<std::uint64_t>(sum) & mask;
      sum >>= bits;
    }
    return static_cast<std::uint64_t>(sum);
  }
};

/// Returns the factor of a jump by `numbers` RANLUX numbers. For each number, RANLUX replaces x
/// with x / b modulo m, and 1 / b is b^24 - b^23 - b^10 + b^9 + 1.
constexpr RanluxPairs ranlux_factor(std::uint64_t numbers) {
  RanluxPairs inverse{{1}};
  inverse.pair[4] = std::uint64_t{1} << RanluxPairs::digit_bits;
  for (int k = 5; k < RanluxPairs::n; ++k) inverse.pair[k] = RanluxPairs::mask;
  inverse.pair[RanluxPairs::n - 1] -= std::uint64_t{1} << RanluxPairs::digit_bits;
  return power(inverse, numbers, RanluxPairs{{1}});
}
inline constexpr RanluxPairs ranluxpp_factor = ranlux_factor(2048);

}  // namespace detail

/// RANLUX++ (Sibidanov, "A revision of the subtract-with-borrow random number generators", Comput.
/// Phys. Commun. 221 (2017) 299; Hahnfeldt & Moneta, EPJ Web Conf. 251 (2021) 03008) computes
/// RANLUX as the equivalent linear congruential generator modulo 2^576 - 2^240 + 1. RANLUX is the
/// sequence x_n = x_(n-10) - x_(n-24) - c_(n-1) modulo 2^24, where c is the borrow. It uses 24 of
/// every 2048 numbers (Luescher, Comput. Phys. Commun. 79 (1994) 100). As in ROOT, a number is a
/// pair of RANLUX numbers of 24 bits.
struct Ranluxpp {
  static constexpr std::string_view name = "ranluxpp";
  static constexpr std::string_view doc = "RANLUX++ of luxury p = 2048, ROOT's";
  static constexpr std::string_view period = "about 2^559";
  using Pairs = detail::RanluxPairs;
  using Word = std::uint32_t;
  static constexpr int block = Pairs::n;
  static constexpr int words = 2 * block;  ///< the last 24 numbers of RANLUX, the oldest first
  static constexpr std::uint64_t tag = seed_tag({576, 240, 24, 2048});
  static constexpr std::uint64_t jump_steps = 2;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T number(const T (&z)[words], int k) {
    return z[2 * k] | z[2 * k + 1] << Pairs::digit_bits;
  }

  struct Jump {
    Pairs factor;

    template <class T>
    KOKKOS_FUNCTION void operator()(T (&z)[words]) const {
      T x[block];
      for (int k = 0; k < block; ++k) x[k] = number(z, k);
      Pairs::from_ranlux(x);
      factor.multiply(x);
      Pairs::to_ranlux(x);
      split(x, z);
    }
  };
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void step(T (&z)[words]) {
    constexpr Jump one{detail::ranluxpp_factor};
    one(z);
  }
  static Jump jump(Uint128 steps) { return {power(detail::ranluxpp_factor, steps, Pairs{{1}})}; }

  /// Starts from 576 hash bits modulo m, but never from 0.
  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    std::uint64_t x[block];
    std::uint64_t any = 0;
    for (int k = 0; k < block; ++k) x[k] = hash.bits(Pairs::bits * k, Pairs::bits);
    Pairs::to_ranlux(x);
    split(x, z);
    for (int k = 0; k < block; ++k) any |= x[k];
    if (any == 0) z[0] = 1;
  }

 private:
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void split(const T (&x)[block], T (&z)[words]) {
    for (int k = 0; k < block; ++k) {
      z[2 * k] = x[k] & T(Pairs::digit_mask);
      z[2 * k + 1] = x[k] >> Pairs::digit_bits;
    }
  }
};

}  // namespace rivulet

#undef RIVULET_UNROLL_ON_DEVICE
#undef RIVULET_UNROLL
#undef RIVULET_PRAGMA
