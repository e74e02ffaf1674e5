// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/dcmt_set.hpp"

namespace rivulet {
namespace detail {

/// The characteristic polynomials of twisters of one shape, in closed form (Matsumoto & Nishimura,
/// ACM TOMACS 8 (1998) 3, proposition 5.1). The polynomials are affine in the bits of the twist
/// coefficient.
class TwisterPolynomials {
 public:
  explicit TwisterPolynomials(const DcmtShape& shape)
      : words_(static_cast<std::size_t>(shape.p) / 64 + 2) {
    const auto n = static_cast<std::size_t>(shape.n);
    const auto m = static_cast<std::size_t>(shape.m);
    for (int i = 0; i < 32; ++i) {
      of_bit_[static_cast<std::size_t>(i)] =
          i < shape.r ? product(n, m, 32 - shape.r, shape.r - 1 - i) : product(n, m, 31 - i, 0);
    }
    constant_ = product(n, m, 32 - shape.r, shape.r);
  }

  Gf2Polynomial of(std::uint32_t a) const {
    Gf2Words sum = constant_;
    for (std::size_t i = 0; i < 32; ++i) {
      if ((a >> i & 1) == 0) continue;
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= of_bit_[i][k];
    }
    return Gf2Polynomial(std::move(sum));
  }

 private:
  /// Returns (t^n + t^m)^upper (t^(n-1) + t^(m-1))^lower.
  Gf2Words product(std::size_t n, std::size_t m, int upper, int lower) const {
    Gf2Words result(words_, 0);
    result[0] = 1;
    for (int i = 0; i < upper; ++i) result = times(result, n, m);
    for (int i = 0; i < lower; ++i) result = times(result, n - 1, m - 1);
    return result;
  }
  Gf2Words times(const Gf2Words& a, std::size_t high, std::size_t low) const {
    Gf2Words sum(words_, 0);
    gf2_add_shifted(sum, a, high);
    gf2_add_shifted(sum, a, low);
    return sum;
  }

  std::size_t words_;
  std::array<Gf2Words, 32> of_bit_;
  Gf2Words constant_;
};

}  // namespace detail

/// Returns the characteristic polynomial (degree shape.p) of the 32-bit twister with twist
/// coefficient a, whose most significant bit must be set. The function caches the
/// TwisterPolynomials for dcmt_exponents.
inline Gf2Polynomial dcmt_characteristic_polynomial(const DcmtShape& shape, std::uint32_t a) {
  static const auto* const kept = [] {  // never destroyed: see jump_polynomials.hpp
    auto* const all = new std::vector<detail::TwisterPolynomials>;
    for (const int p : dcmt_exponents) all->emplace_back(dcmt_shape(p));
    return all;
  }();
  const auto found = std::find(dcmt_exponents.begin(), dcmt_exponents.end(), shape.p);
  if (found == dcmt_exponents.end()) return detail::TwisterPolynomials(shape).of(a);
  return (*kept)[static_cast<std::size_t>(found - dcmt_exponents.begin())].of(a);
}

}  // namespace rivulet
