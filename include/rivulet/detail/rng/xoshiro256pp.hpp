// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "rivulet/detail/algebra/berlekamp_massey.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/cycle.hpp"

namespace rivulet {

/// xoshiro256++ 1.0 (Blackman & Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS
/// 47 (2021) 36). The step is linear over GF(2); the output is not.
struct Xoshiro256pp {
  static constexpr std::string_view name = "xoshiro256pp";
  static constexpr std::string_view doc = "xoshiro256++ 1.0 of Blackman and Vigna";
  static constexpr std::string_view period = "2^256 - 1";
  using Word = std::uint64_t;
  static constexpr int words = 4;
  static constexpr std::uint64_t tag = seed_tag({256, 17, 45, 23});
  static constexpr std::uint64_t jump_steps = 512;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T step(T (&z)[words]) {
    using detail::rotated_left;
    const T number = rotated_left(z[0] + z[3], 23) + z[0];
    const T shifted = z[1] << 17;
    z[2] = z[2] ^ z[0];
    z[3] = z[3] ^ z[1];
    z[1] = z[1] ^ z[2];
    z[0] = z[0] ^ z[3];
    z[2] = z[2] ^ shifted;
    z[3] = rotated_left(z[3], 45);
    return number;
  }

  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    for (int k = 0; k < words; ++k) z[k] = hash(k);
    if ((z[0] | z[1] | z[2] | z[3]) == 0) z[0] = 1;  // the one state outside the cycle
  }

  /// A jump as a polynomial in the step. The new state is the sum over GF(2) of the states after i
  /// steps, for all i whose coefficient is 1.
  struct Jump {
    std::uint64_t coefficients[words];

    KOKKOS_FUNCTION void operator()(std::uint64_t (&z)[words]) const {
      std::uint64_t sum[words] = {};
      for (int i = 0; i < 64 * words; ++i) {
        const std::uint64_t all = 0 - (coefficients[i / 64] >> i % 64 & 1);
        for (int k = 0; k < words; ++k) sum[k] ^= z[k] & all;
        step(z);
      }
      for (int k = 0; k < words; ++k) z[k] = sum[k];
    }
  };
  static Jump jump(Uint128 steps) {
    const auto power = power_of_t(steps, polynomial());
    Jump jump{};
    std::copy_n(power.words().begin(), std::min<std::size_t>(power.words().size(), words),
                jump.coefficients);
    return jump;
  }

  /// Returns the characteristic polynomial of a step, which is primitive and has degree 256.
  static const Gf2Polynomial& polynomial() {
    static const auto* const phi = new Gf2Polynomial([] {
      constexpr std::size_t bits = 2 * 64 * words;
      detail::Gf2Words lowest(bits / 64);
      std::uint64_t z[words] = {1};
      for (std::size_t i = 0; i < bits; ++i) {
        lowest[i / 64] |= (z[0] & 1) << i % 64;
        step(z);
      }
      return detail::BerlekampMassey(lowest, bits).polynomial();
    }());
    return *phi;
  }
};

}  // namespace rivulet
