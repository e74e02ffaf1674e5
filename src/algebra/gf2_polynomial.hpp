// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// A polynomial over GF(2): coefficient of t^i is bit i % 64 of word i / 64. No trailing zero
/// words.
class Gf2Polynomial {
 public:
  Gf2Polynomial() = default;
  explicit Gf2Polynomial(std::vector<std::uint64_t> words);

  const std::vector<std::uint64_t>& words() const { return words_; }
  int degree() const;  ///< -1 for the zero polynomial
  bool coefficient(int i) const;

  friend bool operator==(const Gf2Polynomial&, const Gf2Polynomial&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

/// Whether the polynomial is irreducible over GF(2): deterministic, so a true answer is a proof.
bool is_irreducible(const Gf2Polynomial& polynomial);

/// t^(multiplier * 2^log2) modulo `modulus` (degree >= 1).
Gf2Polynomial power_of_t(std::uint64_t multiplier, unsigned log2, const Gf2Polynomial& modulus);
/// t^exponent modulo `modulus` (degree >= 1).
Gf2Polynomial power_of_t(Uint128 exponent, const Gf2Polynomial& modulus);
/// t^exponent, t^(2 exponent), t^(4 exponent), ..., `count` of them, modulo `modulus`.
std::vector<Gf2Polynomial> doubling_powers_of_t(Uint128 exponent, unsigned count,
                                                const Gf2Polynomial& modulus);

}  // namespace rivulet
