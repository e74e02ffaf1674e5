// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rivulet/detail/algebra/gf2_power.hpp"
#include "rivulet/detail/rng/dcmt_shape.hpp"

namespace rivulet::detail {

/// The characteristic polynomials of twisters of one shape, in closed form (Matsumoto & Nishimura,
/// ACM TOMACS 8 (1998) 3, proposition 5.1): affine in the bits of the twist coefficient.
class TwisterPolynomials {
 public:
  explicit TwisterPolynomials(const DcmtShape& shape)
      : degree_(static_cast<std::size_t>(shape.p)), words_(degree_ / 64 + 2) {
    const auto n = static_cast<std::size_t>(shape.n);
    const auto m = static_cast<std::size_t>(shape.m);
    for (int i = 0; i < 32; ++i) {
      of_bit_[static_cast<std::size_t>(i)] =
          i < shape.r ? product(n, m, 32 - shape.r, shape.r - 1 - i) : product(n, m, 31 - i, 0);
    }
    constant_ = product(n, m, 32 - shape.r, shape.r);
  }

  /// Powers of t modulo the polynomial of twist coefficient a.
  Gf2PowersOfT of(std::uint32_t a) const {
    Gf2Words sum = constant_;
    for (std::size_t i = 0; i < 32; ++i) {
      if ((a >> i & 1) == 0) continue;
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= of_bit_[i][k];
    }
    sum[degree_ / 64] ^= std::uint64_t{1} << degree_ % 64;  // the highest term
    return Gf2PowersOfT(degree_, sum);
  }

 private:
  /// (t^n + t^m)^upper (t^(n-1) + t^(m-1))^lower.
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

  std::size_t degree_;
  std::size_t words_;
  std::array<Gf2Words, 32> of_bit_;
  Gf2Words constant_;
};

}  // namespace rivulet::detail
