// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rivulet/detail/algebra/gf2_products.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {
namespace detail {

/// Coefficients of a polynomial over GF(2), 64 per word, the lowest first.
using Gf2Words = std::vector<std::uint64_t>;

/// Adds a * t^places to `sum`, which must be long enough.
inline void gf2_add_shifted(Gf2Words& sum, const Gf2Words& a, std::size_t places) {
  const std::size_t word = places / 64;
  const unsigned shift = places % 64;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    sum[i + word] ^= a[i] << shift;
    if (shift != 0 && a[i] >> (64 - shift) != 0) sum[i + word + 1] ^= a[i] >> (64 - shift);
  }
}

}  // namespace detail

/// A polynomial over GF(2): bit i % 64 of word i / 64 is the coefficient of t^i. The highest word
/// is not zero.
class Gf2Polynomial {
 public:
  Gf2Polynomial() = default;
  explicit Gf2Polynomial(detail::Gf2Words words) : words_(std::move(words)) {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }

  const detail::Gf2Words& words() const { return words_; }
  /// Returns the degree; -1 for the zero polynomial.
  int degree() const {
    if (words_.empty()) return -1;
    return static_cast<int>(64 * words_.size()) - 1 - std::countl_zero(words_.back());
  }
  bool coefficient(int i) const {
    return i >= 0 && i <= degree() &&
           (words_[static_cast<std::size_t>(i / 64)] >> (i % 64) & 1) != 0;
  }
  /// Returns coefficients 32 w to 32 w + 31.
  std::uint32_t half_word(std::size_t w) const {
    return w / 2 < words_.size() ? static_cast<std::uint32_t>(words_[w / 2] >> (w % 2 * 32)) : 0;
  }

  friend bool operator==(const Gf2Polynomial&, const Gf2Polynomial&) = default;

 private:
  detail::Gf2Words words_;
};

}  // namespace rivulet
