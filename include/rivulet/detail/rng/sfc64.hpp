// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/rng/cycle.hpp"

namespace rivulet {

/// SFC64 of Doty-Humphrey (PractRand 0.95; also NumPy's SFC64): three 64-bit words and a step
/// counter. A step is a permutation of all states, which form many cycles. There is no fast jump.
struct Sfc64 {
  static constexpr std::string_view name = "sfc64";
  static constexpr std::string_view doc = "SFC64 of Doty-Humphrey, NumPy's; jumps are steps";
  static constexpr std::string_view period = "a multiple of 2^64";
  using Word = std::uint64_t;
  static constexpr int words = 4;  ///< the last word counts steps
  static constexpr bool counts_steps = true;
  static constexpr std::uint64_t tag = seed_tag({256, 11, 3, 24});

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T step(T (&z)[words]) {
    using detail::rotated_left;
    const T number = z[0] + z[1] + z[3];
    z[3] = z[3] + T(std::uint64_t{1});
    z[0] = z[1] ^ z[1] >> 11;
    z[1] = z[2] + (z[2] << 3);
    z[2] = rotated_left(z[2], 24) + number;
    return number;
  }

  /// Seeds with three words, as PractRand and NumPy do.
  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    for (int k = 0; k < 3; ++k) z[k] = hash(k);
    z[3] = 1;
    Jump{12}(z);
  }

  /// A jump by single steps.
  struct Jump {
    std::uint64_t steps;

    KOKKOS_FUNCTION void operator()(std::uint64_t (&z)[words]) const {
      for (std::uint64_t i = 0; i < steps; ++i) step(z);
    }
  };
  static Jump jump(Uint128 steps) {
    constexpr std::uint64_t max_steps = ~std::uint64_t{0};
    return {steps < max_steps ? static_cast<std::uint64_t>(steps) : max_steps};
  }
};

}  // namespace rivulet
