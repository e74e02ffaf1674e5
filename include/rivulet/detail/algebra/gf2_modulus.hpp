// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rivulet/detail/algebra/gf2_polynomial.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// Arithmetic modulo a polynomial over GF(2) of degree >= 1, for jumps and proofs of twisters.
/// Operands are reduced and have words() words.
class Gf2Modulus {
 public:
  using Words = detail::Gf2Words;

  /// Throws Error if the modulus is constant.
  explicit Gf2Modulus(const Gf2Polynomial& modulus) {
    if (modulus.degree() < 1) {
      throw Error("no jump polynomial", "the modulus is constant",
                  "Give the characteristic polynomial of a generator.");
    }
    const auto degree = static_cast<std::size_t>(modulus.degree());
    words_ = (degree + 63) / 64;
    shift_ = static_cast<unsigned>(64 * words_ - degree);
    aligned_.assign(words_ + 1, 0);
    detail::gf2_add_shifted(aligned_, modulus.words(), shift_);
    aligned_.pop_back();
    reciprocal_ = reciprocal(aligned_.back());
  }

  std::size_t words() const { return words_; }

  /// t^exponent, exponent = the sum of word i * 2^(64 i).
  Words power_of_t(const std::vector<std::uint64_t>& exponent) const {
    Words result(words_, 0);
    result[0] = 1;
    for (std::size_t i = 64 * exponent.size(); i-- > 0;) {
      square(result);
      if ((exponent[i / 64] >> i % 64 & 1) != 0) multiply_by_t(result);
    }
    return result;
  }
  Words product(const Words& a, const Words& b) const {
    Words wide(2 * words_, 0);
    for (std::size_t i = 0; i < words_; ++i) add_multiple_(&wide[i], a[i], b.data(), words_);
    Words result(words_);
    reduce(wide, result);
    return result;
  }
  void square(Words& a) const {
    Words wide(2 * words_);
    square(a, wide);
  }
  void multiply_by_t(Words& a) const {
    Words wide(2 * words_, 0);
    for (std::size_t i = 0; i < words_; ++i) {
      wide[i] ^= a[i] << 1;
      wide[i + 1] ^= a[i] >> 63;
    }
    reduce(wide, a);
  }
  /// The powers t^(2^i), i = 0 .. last.
  std::vector<Words> squares_of_t(std::size_t last) const {
    std::vector<Words> squares{power_of_t({1})};
    while (squares.size() <= last) {
      squares.push_back(squares.back());
      square(squares.back());
    }
    return squares;
  }
  /// t^(2^times).
  Words frobenius_of_t(std::size_t times) const {
    Words result = power_of_t({1});
    Words wide(2 * words_);
    for (; times > 0; --times) square(result, wide);
    return result;
  }

 private:
  void square(Words& a, Words& wide) const {
    for (std::size_t i = 0; i < words_; ++i) {
      wide[2 * i] = spread(static_cast<std::uint32_t>(a[i]));
      wide[2 * i + 1] = spread(static_cast<std::uint32_t>(a[i] >> 32));
    }
    reduce(wide, a);
  }

  /// Interleaves the bits of a half word with zeros.
  static std::uint64_t spread(std::uint32_t half) {
    std::uint64_t x = half;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    x = (x | x << 1) & 0x5555555555555555u;
    return x;
  }

  /// The quotient of t^128 and t^64 + lower, without its highest term.
  static std::uint64_t reciprocal(std::uint64_t lower) {
    std::uint64_t quotient = 0;
    std::uint64_t rest = lower;
    for (int bit = 63; bit >= 0; --bit) {
      const bool divides = rest >> 63 != 0;
      quotient |= std::uint64_t{divides} << bit;
      rest = rest << 1 ^ (divides ? lower : 0);
    }
    return quotient;
  }

  /// Reduces `wide`, of twice as many words. Multiples of t^shift_ times the modulus, whose highest
  /// term begins a word, cancel the words one by one: Barrett's division by a single word.
  void reduce(Words& wide, Words& remainder) const {
    if (shift_ > 0) {
      for (std::size_t i = 2 * words_; i-- > 1;) {
        wide[i] = wide[i] << shift_ | wide[i - 1] >> (64 - shift_);
      }
      wide[0] <<= shift_;
    }
    for (std::size_t i = 2 * words_; i-- > words_;) {
      if (wide[i] == 0) continue;
      std::uint64_t quotient[2] = {0, wide[i]};
      add_multiple_(quotient, wide[i], &reciprocal_, 1);
      add_multiple_(&wide[i - words_], quotient[1], aligned_.data(), words_);
    }
    for (std::size_t i = 0; i < words_; ++i) {
      const std::uint64_t above = i + 1 < words_ ? wide[i + 1] : 0;
      remainder[i] = shift_ > 0 ? wide[i] >> shift_ | above << (64 - shift_) : wide[i];
    }
  }

  std::size_t words_;
  unsigned shift_;            ///< from the modulus' highest term to a word's lowest
  Words aligned_;             ///< t^shift_ times the modulus, without its highest term
  std::uint64_t reciprocal_;  ///< of the two highest words of that
  detail::Gf2AddMultiple* add_multiple_ = detail::gf2_add_multiple();
};

/// t^(multiplier * 2^log2) modulo `modulus` (degree >= 1).
inline Gf2Polynomial power_of_t(std::uint64_t multiplier, unsigned log2,
                                const Gf2Polynomial& modulus) {
  detail::Gf2Words exponent(log2 / 64 + 2, 0);
  detail::gf2_add_shifted(exponent, {multiplier}, log2);
  return Gf2Polynomial(Gf2Modulus(modulus).power_of_t(exponent));
}
/// t^exponent, t^(2 exponent), t^(4 exponent), ..., `count` of them, modulo `modulus`.
inline std::vector<Gf2Polynomial> doubling_powers_of_t(Uint128 exponent, unsigned count,
                                                       const Gf2Polynomial& modulus) {
  const Gf2Modulus phi(modulus);
  detail::Gf2Words power = phi.power_of_t(
      {static_cast<std::uint64_t>(exponent), static_cast<std::uint64_t>(exponent >> 64)});
  std::vector<Gf2Polynomial> powers;
  for (unsigned r = 0; r < count; ++r) {
    if (r > 0) phi.square(power);
    powers.emplace_back(power);
  }
  return powers;
}
/// t^exponent modulo `modulus` (degree >= 1).
inline Gf2Polynomial power_of_t(Uint128 exponent, const Gf2Polynomial& modulus) {
  return doubling_powers_of_t(exponent, 1, modulus).front();
}

namespace detail {

inline Gf2Polynomial gf2_common_divisor(Gf2Polynomial a, Gf2Polynomial b) {
  while (b.degree() >= 0) {
    Gf2Words rest = a.words();
    rest.push_back(0);
    for (int i = a.degree(); i >= b.degree(); --i) {
      const auto at = static_cast<std::size_t>(i);
      if ((rest[at / 64] >> at % 64 & 1) == 0) continue;
      gf2_add_shifted(rest, b.words(), static_cast<std::size_t>(i - b.degree()));
    }
    a = std::exchange(b, Gf2Polynomial(std::move(rest)));
  }
  return a;
}

}  // namespace detail

/// Whether the polynomial is irreducible over GF(2): a true answer is a proof. By M. O. Rabin,
/// "Probabilistic Algorithms in Finite Fields", SIAM J. Comput. 9 (1980) 273: one of degree n is if
/// it divides t^(2^n) - t and has no factor in common with t^(2^(n/q)) - t for any prime q | n.
inline bool is_irreducible(const Gf2Polynomial& polynomial) {
  const auto degree = static_cast<std::size_t>(std::max(polynomial.degree(), 0));
  if (degree == 0) return false;
  const Gf2Modulus phi(polynomial);
  const detail::Gf2Words t = phi.power_of_t({1});
  std::size_t rest = degree;
  for (std::size_t q = 2; rest > 1; ++q) {
    if (q * q > rest) q = rest;
    if (rest % q != 0) continue;
    while (rest % q == 0) rest /= q;
    detail::Gf2Words difference = phi.frobenius_of_t(degree / q);
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] ^= t[i];
    const Gf2Polynomial common =
        detail::gf2_common_divisor(polynomial, Gf2Polynomial(std::move(difference)));
    if (common.degree() != 0) return false;
  }
  return phi.frobenius_of_t(degree) == t;
}

}  // namespace rivulet
