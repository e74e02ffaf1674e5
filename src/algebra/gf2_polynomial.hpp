// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/irregular_starts.hpp"
#include "rng/dcmt_shape.hpp"
#include "uint128.hpp"

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

/// Hexadecimal digits, most significant coefficient first, no leading zeros ("0" for zero).
std::string to_hex(const Gf2Polynomial& polynomial);

/// The inverse of to_hex (either letter case). Throws Error for anything but hexadecimal digits.
Gf2Polynomial gf2_polynomial_from_hex(std::string_view digits);

/// Characteristic polynomial, of degree p, of the recurrence with twist coefficient a. Closed form:
/// Matsumoto & Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), appendix A. Different a have
/// different polynomials.
Gf2Polynomial dcmt_characteristic_polynomial(const DcmtShape& shape, std::uint32_t a);

/// Whether the polynomial is irreducible over GF(2): deterministic, so a true answer is a proof.
bool is_irreducible(const Gf2Polynomial& polynomial);

/// t^(multiplier * 2^log2) modulo `modulus` (degree >= 1).
Gf2Polynomial power_of_t(std::uint64_t multiplier, unsigned log2, const Gf2Polynomial& modulus);
/// t^exponent modulo `modulus` (degree >= 1).
Gf2Polynomial power_of_t(Uint128 exponent, const Gf2Polynomial& modulus);

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
