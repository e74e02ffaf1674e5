// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algebra/gf2_polynomial.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"

namespace rivulet {

/// The polynomials t^E(s) mod phi, 0 <= s <= most, that move a stream of characteristic polynomial
/// phi (degree >= 1) from the start of index 0 to that of index s. The constructor does the
/// squarings; the members are cheap and may be called from several threads at once.
class JumpPolynomials {
 public:
  JumpPolynomials(const Gf2Polynomial& modulus, IrregularStarts starts, std::uint64_t most);
  JumpPolynomials(JumpPolynomials&&) noexcept;
  JumpPolynomials& operator=(JumpPolynomials&&) noexcept;
  ~JumpPolynomials();

  /// t^E(s) mod phi. Throws Error if s > most.
  Gf2Polynomial of(std::uint64_t s) const;

  /// t^J_r mod phi, r < bits(): what bit r of an index adds, of(2^r).
  const Gf2Polynomial& bit(unsigned r) const { return of_bits_.at(r); }
  unsigned bits() const { return static_cast<unsigned>(of_bits_.size()); }

 private:
  struct Modulus;
  std::unique_ptr<const Modulus> modulus_;
  std::uint64_t most_;
  std::vector<Gf2Polynomial> of_bits_;
};

}  // namespace rivulet
