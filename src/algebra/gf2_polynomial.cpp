// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algebra/gf2_polynomial.hpp"

#include <NTL/GF2XFactoring.h>

#include <bit>
#include <cstddef>
#include <utility>

#include "algebra/gf2_modulus.hpp"
#include "algebra/gf2_ntl.hpp"

namespace rivulet {
namespace {

Gf2Polynomial power_of_t(const NTL::ZZ& exponent, const Gf2Polynomial& modulus) {
  return from_ntl(Gf2Modulus(modulus).power_of_t(exponent));
}

}  // namespace

Gf2Polynomial::Gf2Polynomial(std::vector<std::uint64_t> words) : words_(std::move(words)) {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

int Gf2Polynomial::degree() const {
  if (words_.empty()) return -1;
  return static_cast<int>(64 * words_.size()) - 1 - std::countl_zero(words_.back());
}

bool Gf2Polynomial::coefficient(int i) const {
  return i >= 0 && i <= degree() && (words_[static_cast<std::size_t>(i / 64)] >> (i % 64) & 1) != 0;
}

bool is_irreducible(const Gf2Polynomial& polynomial) {
  return polynomial.degree() >= 1 && NTL::IterIrredTest(to_ntl(polynomial)) != 0;
}

Gf2Polynomial power_of_t(std::uint64_t multiplier, unsigned log2, const Gf2Polynomial& modulus) {
  return power_of_t(to_ntl(Uint128{multiplier}) << log2, modulus);
}

Gf2Polynomial power_of_t(Uint128 exponent, const Gf2Polynomial& modulus) {
  return power_of_t(to_ntl(exponent), modulus);
}

std::vector<Gf2Polynomial> doubling_powers_of_t(Uint128 exponent, unsigned count,
                                                const Gf2Polynomial& modulus) {
  const Gf2Modulus phi(modulus);
  NTL::GF2X power = phi.power_of_t(to_ntl(exponent));
  std::vector<Gf2Polynomial> powers;
  for (unsigned r = 0; r < count; ++r) {
    if (r > 0) phi.square(power);
    powers.push_back(from_ntl(power));
  }
  return powers;
}

}  // namespace rivulet
