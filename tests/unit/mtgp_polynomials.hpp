// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <NTL/GF2X.h>

#include <bit>
#include <cstdint>

#include "algebra/gf2_ntl.hpp"
#include "algebra/gf2_polynomial.hpp"
#include "rivulet/detail/rng/mtgp_polynomial.hpp"

namespace rivulet {

inline Gf2Polynomial characteristic_polynomial_of(detail::Gf2Words lower_terms) {
  constexpr int p = Mtgp11213Recurrence::p;
  lower_terms[p / 64] |= std::uint64_t{1} << p % 64;
  return Gf2Polynomial(std::move(lower_terms));
}
inline Gf2Polynomial mtgp_characteristic_polynomial(const MtgpSet& set) {
  return characteristic_polynomial_of(detail::mtgp_polynomial(set));
}

/// Whether a polynomial of prime degree p >= 3 is irreducible, in a fifth of is_irreducible()'s
/// time for p = 11213; a true answer is a proof. Where it divides t^(2^p) - t, its factors have
/// degrees 1 and p, and those of degree 1 have a root. t^(2^(a+b)) is one power put into the
/// other, and p squarings are a dozen such steps.
inline bool is_irreducible_of_prime_degree(const Gf2Polynomial& polynomial) {
  const NTL::GF2X phi = to_ntl(polynomial);
  if (NTL::IsZero(NTL::ConstTerm(phi)) || NTL::weight(phi) % 2 == 0) return false;  // a root
  NTL::GF2XModulus modulus;
  NTL::build(modulus, phi);
  const NTL::GF2X t(NTL::INIT_MONO, 1);
  const auto p = static_cast<std::uint64_t>(polynomial.degree());
  NTL::GF2X power = t;  // t^(2^e), e the highest bits of p
  for (auto bit = static_cast<int>(std::bit_width(p)); bit-- > 0;) {
    NTL::CompMod(power, power, power, modulus);
    if ((p >> bit & 1) != 0) NTL::SqrMod(power, power, modulus);
  }
  return power == t;
}

}  // namespace rivulet
