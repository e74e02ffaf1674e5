// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// A jump by n numbers of the lagged Fibonacci sequence x_i = x_{i-97} - x_{i-33} modulo any power
/// of two up to 2^64: with t^n = sum p_i t^i in Z/2^64[t] / (t^97 + t^64 - 1), x_{n+j} is the sum
/// of p_i x_{i+j}. An identity modulo 2^64 holds modulo every smaller power.
class LaggedFibonacciJump {
 public:
  static constexpr int words = 97;
  static constexpr int lag = 33;
  using Words = std::array<std::uint64_t, words>;

  /// n = multiplier * 2^log2, in O(log n). Any n; 2^100 takes a few tenths of a millisecond.
  explicit LaggedFibonacciJump(Uint128 multiplier, unsigned log2 = 0);

  /// The jump of twice the length.
  LaggedFibonacciJump doubled() const;

  /// p_0 .. p_96 modulo 2^64.
  const Words& coefficients() const { return coefficients_; }

  /// n * step mod modulus, 0 <= step, 0 < modulus: the advance of an arithmetic sequence by the
  /// jump.
  std::uint64_t times(std::uint64_t step, std::uint64_t modulus) const;

 private:
  Uint128 multiplier_;
  unsigned log2_;
  Words coefficients_{};
};

namespace detail {

using LaggedWords = LaggedFibonacciJump::Words;
/// (nvcc loses the class of `words` in template arguments of its members.)
using LaggedProduct = std::array<std::uint64_t, 2 * LaggedFibonacciJump::words - 1>;

/// The polynomial's square modulo t^97 + t^64 - 1.
inline LaggedWords lagged_square(const LaggedWords& p) {
  constexpr std::size_t words = LaggedFibonacciJump::words;
  constexpr std::size_t lag = LaggedFibonacciJump::lag;
  LaggedProduct product{};
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = 0; j < words; ++j) product[i + j] += p[i] * p[j];
  }
  for (std::size_t i = product.size() - 1; i >= words; --i) {
    product[i - words] += product[i];
    product[i - lag] -= product[i];
  }
  LaggedWords reduced;
  std::copy_n(product.begin(), words, reduced.begin());
  return reduced;
}

/// Multiplies the polynomial by t: t^97 is 1 - t^64.
inline void lagged_multiply_by_t(LaggedWords& p) {
  const std::uint64_t top = p.back();
  std::shift_right(p.begin(), p.end(), 1);
  p[0] = top;
  p[p.size() - LaggedFibonacciJump::lag] -= top;
}

inline std::uint64_t product_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(Uint128{a} * b % modulus);
}

inline int bit_width_of(Uint128 n) {
  const auto high = static_cast<std::uint64_t>(n >> 64);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                    : std::bit_width(static_cast<std::uint64_t>(n)));
}

}  // namespace detail

inline LaggedFibonacciJump::LaggedFibonacciJump(Uint128 multiplier, unsigned log2)
    : multiplier_(multiplier), log2_(log2) {
  // The multiplier's six leading bits are below 97: a single power of t.
  const int rest = std::max(0, detail::bit_width_of(multiplier) - 6);
  coefficients_[static_cast<std::size_t>(multiplier >> rest)] = 1;
  for (int bit = rest - 1; bit >= 0; --bit) {
    coefficients_ = detail::lagged_square(coefficients_);
    if ((multiplier >> bit & 1) != 0) detail::lagged_multiply_by_t(coefficients_);
  }
  for (unsigned i = 0; i < log2; ++i) coefficients_ = detail::lagged_square(coefficients_);
}

inline LaggedFibonacciJump LaggedFibonacciJump::doubled() const {
  LaggedFibonacciJump twice = *this;
  twice.coefficients_ = detail::lagged_square(coefficients_);
  ++twice.log2_;
  return twice;
}

inline std::uint64_t LaggedFibonacciJump::times(std::uint64_t step, std::uint64_t modulus) const {
  std::uint64_t product = detail::product_modulo(static_cast<std::uint64_t>(multiplier_ % modulus),
                                                 step % modulus, modulus);
  for (unsigned i = 0; i < log2_; ++i) product = detail::product_modulo(product, 2, modulus);
  return product;
}

}  // namespace rivulet
