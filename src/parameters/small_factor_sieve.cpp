// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parameters/small_factor_sieve.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "rivulet/detail/rng/twister_polynomial.hpp"

namespace rivulet {
namespace {

/// A polynomial of degree <= 15: the coefficient of t^i is bit i.
using SmallPolynomial = std::uint32_t;

int degree_of(SmallPolynomial polynomial) {
  return static_cast<int>(std::bit_width(polynomial)) - 1;
}

SmallPolynomial remainder(SmallPolynomial dividend, SmallPolynomial divisor) {
  while (degree_of(dividend) >= degree_of(divisor)) {
    dividend ^= divisor << (degree_of(dividend) - degree_of(divisor));
  }
  return dividend;
}

/// Returns the irreducible polynomials of degree lowest..highest in ascending order.
std::vector<SmallPolynomial> irreducibles(int lowest, int highest) {
  std::vector<SmallPolynomial> found;
  for (SmallPolynomial candidate = 2; degree_of(candidate) <= highest; ++candidate) {
    const bool has_divisor =
        std::any_of(found.begin(), found.end(), [candidate](SmallPolynomial divisor) {
          return 2 * degree_of(divisor) <= degree_of(candidate) &&
                 remainder(candidate, divisor) == 0;
        });
    if (!has_divisor) found.push_back(candidate);
  }
  std::erase_if(found, [lowest](SmallPolynomial divisor) { return degree_of(divisor) < lowest; });
  return found;
}

/// Computes residues of long polynomials modulo a small polynomial, eight coefficients at a time.
class Residue {
 public:
  explicit Residue(SmallPolynomial divisor) : degree_(degree_of(divisor)) {
    for (SmallPolynomial high = 0; high < 256; ++high) {
      table_[high] = remainder(high << degree_, divisor);
    }
  }

  SmallPolynomial compute(const Gf2Polynomial& polynomial) const {
    SmallPolynomial residue = 0;
    for (auto word = polynomial.words().rbegin(); word != polynomial.words().rend(); ++word) {
      for (int shift = 56; shift >= 0; shift -= 8) {
        const auto next = static_cast<SmallPolynomial>(*word >> shift & 255);
        const SmallPolynomial shifted = residue << 8 ^ next;
        residue = table_[shifted >> degree_] ^ (shifted & ((1u << degree_) - 1));
      }
    }
    return residue;
  }

 private:
  int degree_;
  std::array<SmallPolynomial, 256> table_{};
};

}  // namespace

SmallFactorSieve::SmallFactorSieve(const DcmtShape& shape, int lowest, int highest) {
  assert(1 <= lowest && lowest <= highest && highest <= 15);
  std::vector<SmallPolynomial> divisors = irreducibles(lowest, highest);
  while (divisors.size() % group_size_ != 0) divisors.push_back(divisors.back());
  groups_.resize(divisors.size() / group_size_);
  const Gf2Polynomial polynomial_of_zero = dcmt_characteristic_polynomial(shape, 0);
  for (std::size_t j = 0; j < divisors.size(); ++j) {
    const Residue residue(divisors[j]);
    const SmallPolynomial constant = residue.compute(polynomial_of_zero);
    AffineResidues& group = groups_[j / group_size_];
    group[32][j % group_size_] = static_cast<std::uint16_t>(constant);
    for (std::size_t i = 0; i < 32; ++i) {
      const Gf2Polynomial polynomial_of_bit =
          dcmt_characteristic_polynomial(shape, std::uint32_t{1} << i);
      group[i][j % group_size_] =
          static_cast<std::uint16_t>(residue.compute(polynomial_of_bit) ^ constant);
    }
  }
}

bool SmallFactorSieve::has_factor(std::uint32_t a) const {
  return std::any_of(groups_.begin(), groups_.end(), [a](const AffineResidues& group) {
    Residues sum = group[32];
    for (std::uint32_t remaining_bits = a; remaining_bits != 0;
         remaining_bits &= remaining_bits - 1) {
      const Residues& term = group[static_cast<std::size_t>(std::countr_zero(remaining_bits))];
      for (std::size_t j = 0; j < group_size_; ++j) sum[j] ^= term[j];
    }
    bool divides = false;
    for (const std::uint16_t residue : sum) divides |= residue == 0;
    return divides;
  });
}

}  // namespace rivulet
