// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/algebra/linear_steps.hpp"
#include "rivulet/detail/rng/cycle.hpp"

namespace rivulet {

/// PCG64 DXSM (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms
/// for Random Number Generation", 2014, and her pcg-cpp 0.98), as in NumPy's PCG64DXSM. It is a
/// linear congruential generator modulo 2^128. Its output is a function of the state before the
/// step. NumPy's `inc` is 0x5851f42d4c957f2d14057b7ef767814f.
struct Pcg64dxsm {
  static constexpr std::string_view name = "pcg64dxsm";
  static constexpr std::string_view doc = "PCG64 DXSM of O'Neill, NumPy's";
  static constexpr std::string_view period = "2^128";
  using Word = std::uint64_t;
  static constexpr int words = 2;  ///< the lower half first
  static constexpr std::uint64_t multiplier = 0xda942042e4dd58b5u;
  /// pcg-cpp's default_increment.
  static constexpr std::uint64_t increment_low = 0x14057b7ef767814fu;
  static constexpr std::uint64_t increment_high = 0x5851f42d4c957f2du;
  static constexpr std::uint64_t tag = seed_tag({128, multiplier, increment_low, increment_high});
  static constexpr std::uint64_t jump_steps = 4;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T step(T (&z)[words]) {
    using detail::carry_of;
    using detail::multiply_wide;
    const T factor = z[0] | T(std::uint64_t{1});
    T number = (z[1] ^ z[1] >> 32) * T(multiplier);
    number = (number ^ number >> 48) * factor;
    T high;
    T low;
    multiply_wide(z[0], multiplier, high, low);
    z[0] = low + T(increment_low);
    z[1] = z[1] * T(multiplier) + high + T(increment_high) + carry_of(z[0], low);
    return number;
  }

  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    for (int k = 0; k < words; ++k) z[k] = hash(k);
  }

  /// The map z -> a z + c modulo 2^128.
  struct Jump {
    std::uint64_t a[words];
    std::uint64_t c[words];

    KOKKOS_FUNCTION void operator()(std::uint64_t (&z)[words]) const {
      std::uint64_t high = 0;
      std::uint64_t low = 0;
      detail::multiply_wide(z[0], a[0], high, low);
      high += z[0] * a[1] + z[1] * a[0] + c[1];
      z[0] = low + c[0];
      z[1] = high + detail::carry_of(z[0], low);
    }
  };
  static Jump jump(Uint128 steps) {
    using Map = BasicAffineMap<Uint128>;
    const Map map = power(Map{multiplier, Uint128{increment_high} << 64 | increment_low}, steps);
    const auto high = [](Uint128 n) { return static_cast<std::uint64_t>(n >> 64); };
    const auto low = [](Uint128 n) { return static_cast<std::uint64_t>(n); };
    return {{low(map.a), high(map.a)}, {low(map.c), high(map.c)}};
  }
};

}  // namespace rivulet
