// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"

namespace rivulet {

/// The polynomials t^E(s) mod phi, 0 <= s <= most, that move a stream of characteristic polynomial
/// phi (degree >= 1) from the start of index 0 to that of index s. The constructor does the
/// squarings; the members are cheap and may be called from several threads at once.
class JumpPolynomials {
 public:
  JumpPolynomials(const Gf2Polynomial& modulus, IrregularStarts starts, std::uint64_t most)
      : modulus_(modulus), most_(most) {
    if (most == 0) return;
    // D begins with a power of two, whose squarings are those of the hashed ones, too.
    const unsigned first = starts.log2_distance() + 1 - 64;
    const std::vector<detail::Gf2Words> squares =
        modulus_.squares_of_t(std::max(first, IrregularStarts::most_exponent));
    detail::Gf2Words regular =  // t^(2^r D)
        modulus_.power_of_t({IrregularStarts::distance_low}, 64, squares[first]);
    for (unsigned r = 0; r < static_cast<unsigned>(std::bit_width(most)); ++r) {
      detail::Gf2Words jump = regular;
      modulus_.multiply_by_t(jump);
      const std::uint64_t hash = IrregularStarts::offset_hash(r);
      for (int i = 0; i < IrregularStarts::hashed_terms; ++i) {
        jump = modulus_.product(jump, squares[IrregularStarts::exponent(hash, i)]);
      }
      of_bits_.emplace_back(std::move(jump));
      modulus_.square(regular);
    }
  }

  /// t^E(s) mod phi. Throws Error if s > most.
  Gf2Polynomial of(std::uint64_t s) const {
    if (s > most_) {
      throw Error("no jump polynomial for the start of index " + std::to_string(s),
                  "the table was made for at most " + std::to_string(most_),
                  "Ask for a larger table.");
    }
    Gf2Polynomial product(modulus_.power_of_t({}));
    for (unsigned r = 0; r < bits(); ++r) {
      if ((s >> r & 1) != 0) product = modulus_.product(product, of_bits_[r]);
    }
    return product;
  }

  unsigned bits() const { return static_cast<unsigned>(of_bits_.size()); }
  /// t^J_r mod phi, r < bits(): what bit r of an index adds, of(2^r).
  const std::vector<Gf2Polynomial>& of_bits() const { return of_bits_; }

 private:
  Gf2Modulus modulus_;
  std::uint64_t most_;
  std::vector<Gf2Polynomial> of_bits_;
};

}  // namespace rivulet
