// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/jump_polynomials.hpp"

#include <bit>
#include <cstddef>
#include <string>

#include "algebra/gf2_modulus.hpp"
#include "algebra/gf2_ntl.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// t^(2^i), i = 0 .. last.
std::vector<NTL::GF2X> squares_of_t(const Gf2Modulus& modulus, std::size_t last) {
  std::vector<NTL::GF2X> squares{modulus.t()};
  while (squares.size() <= last) {
    squares.push_back(squares.back());
    modulus.square(squares.back());
  }
  return squares;
}

}  // namespace

struct JumpPolynomials::Modulus {
  Gf2Modulus value;
};

JumpPolynomials::JumpPolynomials(const Gf2Polynomial& modulus, IrregularStarts starts,
                                 std::uint64_t most)
    : modulus_(std::make_unique<Modulus>(Modulus{Gf2Modulus(modulus)})), most_(most) {
  if (most == 0) return;
  const Gf2Modulus& phi = modulus_->value;
  const std::vector<NTL::GF2X> squares = squares_of_t(phi, IrregularStarts::most_exponent);
  const NTL::ZZ distance = (NTL::to_ZZ(1) << (starts.log2_distance() + 1)) +
                           to_ntl(Uint128{IrregularStarts::distance_low});
  NTL::GF2X regular = phi.power_of_t(distance);
  for (unsigned r = 0; r < static_cast<unsigned>(std::bit_width(most)); ++r) {
    NTL::GF2X jump = regular;
    phi.multiply_by_t(jump);
    const std::uint64_t hash = IrregularStarts::offset_hash(r);
    for (int i = 0; i < IrregularStarts::hashed_terms; ++i) {
      phi.multiply(jump, jump, squares[IrregularStarts::exponent(hash, i)]);
    }
    of_bits_.push_back(from_ntl(jump));
    phi.square(regular);
  }
}

JumpPolynomials::JumpPolynomials(JumpPolynomials&&) noexcept = default;
JumpPolynomials& JumpPolynomials::operator=(JumpPolynomials&&) noexcept = default;
JumpPolynomials::~JumpPolynomials() = default;

Gf2Polynomial JumpPolynomials::of(std::uint64_t s) const {
  if (s > most_) {
    throw Error("no jump polynomial for the start of index " + std::to_string(s),
                "the table was made for at most " + std::to_string(most_),
                "Ask for a larger table.");
  }
  NTL::GF2X product(NTL::INIT_MONO, 0);
  for (unsigned r = 0; r < bits(); ++r) {
    if ((s >> r & 1) != 0) modulus_->value.multiply(product, product, to_ntl(of_bits_[r]));
  }
  return from_ntl(product);
}

}  // namespace rivulet
