// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algebra/lagged_fibonacci.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "uint128.hpp"

namespace rivulet {
namespace {

using Words = LaggedFibonacciJump::Words;

constexpr std::size_t words = LaggedFibonacciJump::words;
constexpr std::size_t lag = 33;

/// The polynomial's square modulo t^97 + t^64 - 1.
Words square(const Words& p) {
  std::array<std::uint64_t, 2 * words - 1> product{};
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = 0; j < words; ++j) product[i + j] += p[i] * p[j];
  }
  for (std::size_t i = product.size() - 1; i >= words; --i) {
    product[i - words] += product[i];
    product[i - lag] -= product[i];
  }
  Words reduced;
  std::copy_n(product.begin(), words, reduced.begin());
  return reduced;
}

/// The polynomial times t: t^97 is 1 - t^64.
void multiply_by_t(Words& p) {
  const std::uint64_t top = p[words - 1];
  std::shift_right(p.begin(), p.end(), 1);
  p[0] = top;
  p[words - lag] -= top;
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(Uint128{a} * b % modulus);
}

}  // namespace

LaggedFibonacciJump::LaggedFibonacciJump(std::uint64_t multiplier, unsigned log2)
    : multiplier_(multiplier), log2_(log2) {
  // The multiplier's six leading bits are below 97: a single power of t.
  const int rest = std::max(0, static_cast<int>(std::bit_width(multiplier)) - 6);
  coefficients_[multiplier >> rest] = 1;
  for (int bit = rest - 1; bit >= 0; --bit) {
    coefficients_ = square(coefficients_);
    if ((multiplier >> bit & 1) != 0) multiply_by_t(coefficients_);
  }
  for (unsigned i = 0; i < log2; ++i) coefficients_ = square(coefficients_);
}

Words LaggedFibonacciJump::apply(const Words& x) const {
  std::array<std::uint64_t, 2 * words - 1> sequence{};
  std::copy(x.begin(), x.end(), sequence.begin());
  for (std::size_t i = words; i < sequence.size(); ++i) {
    sequence[i] = sequence[i - words] - sequence[i - lag];
  }
  Words moved{};
  for (std::size_t i = 0; i < words; ++i) {
    for (std::size_t j = 0; j < words; ++j) moved[j] += coefficients_[i] * sequence[i + j];
  }
  return moved;
}

std::uint64_t LaggedFibonacciJump::times(std::uint64_t step, std::uint64_t modulus) const {
  std::uint64_t product = multiply(multiplier_ % modulus, step % modulus, modulus);
  for (unsigned i = 0; i < log2_; ++i) product = multiply(product, 2, modulus);
  return product;
}

}  // namespace rivulet
