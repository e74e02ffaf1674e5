// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

#include "rivulet/detail/algebra/linear_steps.hpp"
#include "rivulet/detail/rng/cycle.hpp"

namespace rivulet {

/// MIXMAX (K. Savvidy, "The MIXMAX random number generator", Comput. Phys. Commun. 196 (2015) 161;
/// K. and G. Savvidy, "Spectrum and entropy of C-systems. MIXMAX random number generator", Chaos,
/// Solitons & Fractals 91 (2016) 33) with N = 17, m = 2^36 + 1 and s = 0, the default of CLHEP and
/// Geant4. A step multiplies a vector of 17 numbers modulo p = 2^61 - 1 by a matrix, and yields 16
/// numbers of 61 bits. Rivulet uses the upper 48 bits of each.
struct Mixmax17 {
  static constexpr std::string_view name = "mixmax17";
  static constexpr std::string_view doc = "MIXMAX of N = 17, CLHEP's and Geant4's";
  static constexpr std::string_view period = "about 2^976, by its authors";
  static constexpr std::string_view assumed =
      "that the period is what the generator's authors say, for which there is no proof here";
  using Word = std::uint64_t;
  static constexpr int words = 17;
  static constexpr int log2_factor = 36;
  static constexpr int bits = 61;
  static constexpr std::uint64_t p = (std::uint64_t{1} << bits) - 1;
  static constexpr std::uint64_t tag = seed_tag({p, words, log2_factor, 0});
  static constexpr std::uint64_t jump_steps = 16;
  static constexpr int block = words - 1;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T number(const T (&z)[words], int k) {
    return z[k + 1] >> (bits - 48);
  }

  /// Number 0 becomes the sum of all numbers. Each other number k becomes the new number k - 1 plus
  /// P_k + 2^36 P_(k-1), where P_k is the sum of the old numbers 1 .. k. Each of these new numbers
  /// is thus the new number 0 plus a sum of old numbers only.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void step(T (&z)[words]) {
    T before(std::uint64_t{0});
    T added(std::uint64_t{0});
    for (int k = 1; k < words; ++k) {
      const T prefix_sum = folded(before + z[k]);
      const T shifted = (before << log2_factor & T(p)) + (before >> (bits - log2_factor));
      added = folded(added + (prefix_sum + shifted));
      z[k] = added;
      before = prefix_sum;
    }
    z[0] = reduced(z[0] + before);
    for (int k = 1; k < words; ++k) z[k] = reduced(z[k] + z[0]);
  }

  KOKKOS_FUNCTION static void start(const SeedHash& hash, std::uint64_t (&z)[words]) {
    std::uint64_t any = 0;
    for (int k = 0; k < words; ++k) any |= z[k] = reduced(hash.bits(bits * k, bits));
    if (any == 0) z[0] = 1;
  }

  struct Jump {
    std::uint64_t rows[words][words] = {};

    KOKKOS_FUNCTION void operator()(std::uint64_t (&z)[words]) const {
      std::uint64_t image[words] = {};
      for (int i = 0; i < words; ++i) {
        for (int j = 0; j < words; ++j) {
          std::uint64_t high = 0;
          std::uint64_t low = 0;
          detail::multiply_wide(rows[i][j], z[j], high, low);
          image[i] = reduced(image[i] + (low & p) + (high << 3 | low >> bits));
        }
      }
      for (int i = 0; i < words; ++i) z[i] = image[i];
    }
    friend Jump operator*(const Jump& left, const Jump& right) {
      return of([&](int j, std::uint64_t(&column)[words]) {
        for (int i = 0; i < words; ++i) column[i] = right.rows[i][j];
        left(column);
      });
    }
    /// Returns the matrix whose column j is set by put(j, column).
    template <class Put>
    static Jump of(const Put& put) {
      Jump matrix;
      for (int j = 0; j < words; ++j) {
        std::uint64_t column[words] = {};
        put(j, column);
        for (int i = 0; i < words; ++i) matrix.rows[i][j] = column[i];
      }
      return matrix;
    }
  };
  static Jump jump(Uint128 steps) {
    const auto unit = [](int j, std::uint64_t(&column)[words]) { column[j] = 1; };
    const auto stepped = [](int j, std::uint64_t(&column)[words]) {
      column[j] = 1;
      step(column);
    };
    return power(Jump::of(stepped), steps, Jump::of(unit));
  }

 private:
  /// Returns a word of at most p + 7 that is congruent to x modulo p, for x < 2^64.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T folded(T x) {
    x = (x & T(p)) + (x >> bits);
    using detail::hide_from_optimizer;
    hide_from_optimizer(x);
    return x;
  }
  /// Returns x modulo p, for x < 2^63.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T reduced(T x) {
    return detail::not_negative((x & T(p)) + (x >> bits) - T(p), T(p));
  }
};

}  // namespace rivulet
