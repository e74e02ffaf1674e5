// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "p_values.hpp"

namespace rivulet::independence {

/// The result of Berlekamp and Massey's algorithm for n bits.
struct ComplexityProfile {
  std::size_t n = 0;
  std::size_t complexity = 0;        ///< of all bits
  std::vector<std::size_t> heights;  ///< by how much it grew, each time that it did
};

/// Massey, "Shift-register synthesis and BCH decoding", IEEE Trans. Inf. Theory 15 (1969) 122, 64
/// bits at a time: O(n^2 / 64).
class BerlekampMassey {
 public:
  explicit BerlekampMassey(const std::vector<bool>& bits)
      : n_(bits.size()), reversed_(n_ / 64 + 3), connection_(n_ / 64 + 3), before_(connection_) {
    for (std::size_t i = 0; i < n_; ++i) {
      if (bits[i]) reversed_[(n_ - 1 - i) / 64] |= std::uint64_t{1} << ((n_ - 1 - i) % 64);
    }
    connection_[0] = 1;
    before_[0] = 1;
  }

  ComplexityProfile profile() {
    ComplexityProfile profile{n_, 0, {}};
    std::size_t& complexity = profile.complexity;
    std::size_t before_complexity = 0;
    std::size_t since = 1;
    for (std::size_t i = 0; i < n_; ++i, ++since) {
      if (!discrepancy(i, complexity)) continue;
      if (2 * complexity > i) {
        add_before(since, before_complexity);
        continue;
      }
      const std::vector<std::uint64_t> old(connection_.begin(),
                                           connection_.begin() + words(complexity));
      add_before(since, before_complexity);
      std::ranges::copy(old, before_.begin());
      before_complexity = complexity;
      profile.heights.push_back(i + 1 - 2 * complexity);
      complexity = i + 1 - complexity;
      since = 0;
    }
    return profile;
  }

 private:
  static std::ptrdiff_t words(std::size_t degree) {
    return static_cast<std::ptrdiff_t>(degree / 64 + 1);
  }

  /// The sum of connection's bit j times the bit j places before bit i.
  bool discrepancy(std::size_t i, std::size_t complexity) const {
    const std::size_t from = n_ - 1 - i;
    const std::uint64_t* bits = reversed_.data() + from / 64;
    const int shift = static_cast<int>(from % 64);
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w <= complexity / 64; ++w) {
      const std::uint64_t window = bits[w] >> shift | bits[w + 1] << 1 << (63 - shift);
      sum ^= connection_[w] & window;
    }
    return std::popcount(sum) % 2 != 0;
  }

  void add_before(std::size_t shift, std::size_t degree) {
    std::uint64_t* to = connection_.data() + shift / 64;
    const int bits = static_cast<int>(shift % 64);
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w <= degree / 64; ++w) {
      to[w] ^= before_[w] << bits | carry;
      carry = before_[w] >> 1 >> (63 - bits);
    }
    if (carry != 0) to[degree / 64 + 1] ^= carry;
  }

  std::size_t n_;
  std::vector<std::uint64_t> reversed_;  ///< the bits, the last one first
  std::vector<std::uint64_t> connection_;
  std::vector<std::uint64_t> before_;  ///< connection as it was before it last grew
};

/// Bit `bit` (0: the highest) of every word.
inline std::vector<bool> bit_sequence(std::span<const std::uint32_t> words, int bit) {
  std::vector<bool> bits;
  bits.reserve(words.size());
  for (const std::uint32_t word : words) bits.push_back((word >> (31 - bit) & 1) != 0);
  return bits;
}

inline ComplexityProfile complexity_profile(const std::vector<bool>& bits) {
  return BerlekampMassey(bits).profile();
}

/// The exact chance, two-sided, of the complexity of n random bits: k has the chance 2^(min(2 n - 2
/// k, 2 k - 1) - n), 0 has 2^-n (Rueppel, Analysis and Design of Stream Ciphers, 1986).
inline double complexity_p_value(const ComplexityProfile& profile) {
  const auto n = static_cast<double>(profile.n);
  const auto k = static_cast<double>(profile.complexity);
  // Both tails are geometric: 2^(2 j - 1 - n) for j <= n / 2, and 2^(n - 2 j) above.
  const auto at_most = [n](double j) {
    return j < 0 ? 0 : (std::exp2(2 * j + 1 - n) + std::exp2(-n)) / 3;
  };
  const auto at_least = [n](double j) { return (4 * std::exp2(n - 2 * j) - std::exp2(-n)) / 3; };
  if (2 * k <= n) return two_sided(at_most(k), 1 - at_most(k - 1));
  return two_sided(1 - at_least(k + 1), at_least(k));
}

/// Heights of random bits' jumps are 1, 2, 3, ... with the chances 1/2, 1/4, 1/8, ...
inline double heights_p_value(const ComplexityProfile& profile) {
  constexpr std::size_t classes = 40;
  std::vector<double> counts(classes);
  std::vector<double> expected(classes);
  const auto jumps = static_cast<double>(profile.heights.size());
  for (const std::size_t height : profile.heights) ++counts[std::min(height, classes) - 1];
  for (std::size_t h = 0; h < classes; ++h) {
    expected[h] = jumps * std::exp2(h + 1 < classes ? -static_cast<double>(h) - 1 : 1.0 - classes);
  }
  return classes_p_value(counts, expected);
}

/// There are n / 4 jumps with variance n / 8, as from one to the next it is their two heights' sum.
inline double jumps_p_value(const ComplexityProfile& profile) {
  const auto n = static_cast<double>(profile.n);
  const double off = static_cast<double>(profile.heights.size()) - n / 4;
  return normal_p_value(off / std::sqrt(n / 8));
}

/// Three tests: the smallest of their p-values.
inline double linear_complexity_p_value(const std::vector<bool>& bits) {
  const ComplexityProfile profile = complexity_profile(bits);
  return std::min({complexity_p_value(profile), heights_p_value(profile), jumps_p_value(profile)});
}

}  // namespace rivulet::independence
