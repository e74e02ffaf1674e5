// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rivulet/detail/algebra/gf2_polynomial.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// Arithmetic modulo a polynomial over GF(2) of degree >= 1, for jumps and irreducibility proofs of
/// twisters. Operands are reduced and have words() words.
class Gf2Modulus {
 public:
  using Words = detail::Gf2Words;

  /// Throws Error if the modulus is constant.
  explicit Gf2Modulus(const Gf2Polynomial& modulus,
                      detail::Gf2Multiplier multiplier = detail::gf2_multipliers().back())
      : multiplier_(multiplier) {
    if (modulus.degree() < 1) {
      throw Error("no jump polynomial", "the modulus is constant",
                  "Give the characteristic polynomial of a generator.");
    }
    degree_ = static_cast<std::size_t>(modulus.degree());
    words_ = detail::gf2_karatsuba_size(degree_ / 64 + 1);
    modulus_ = modulus.words();
    modulus_.resize(words_, 0);
    reciprocal_ = reciprocal();
  }

  std::size_t words() const { return words_; }

  /// Returns t^e, where e is the sum over i of exponent[i] * 2^(64 i).
  Words power_of_t(const std::vector<std::uint64_t>& exponent) const {
    std::size_t bits = 64 * exponent.size();
    std::size_t leading = 0;  // the exponent's highest bits; t^leading needs no reduction
    while (bits > 0 && 2 * leading + 1 < degree_) {
      --bits;
      leading = 2 * leading + (exponent[bits / 64] >> bits % 64 & 1);
    }
    Words power(words_, 0);
    power[leading / 64] = std::uint64_t{1} << leading % 64;
    return power_of_t(exponent, bits, std::move(power));
  }
  /// Returns base^(2^bits) * t^(exponent mod 2^bits).
  Words power_of_t(const std::vector<std::uint64_t>& exponent, std::size_t bits, Words base) const {
    Words space = scratch();
    while (bits-- > 0) {
      square(base, space);
      if ((exponent[bits / 64] >> bits % 64 & 1) != 0) multiply_by_t(base);
    }
    return base;
  }
  Words product(const Words& a, const Words& b) const {
    Words space = scratch();
    detail::gf2_karatsuba(multiplier_, a.data(), b.data(), words_, 0, 2 * words_, space.data(),
                          &space[2 * words_]);
    Words result(words_);
    reduce(space, result);
    return result;
  }
  Gf2Polynomial product(const Gf2Polynomial& a, const Gf2Polynomial& b) const {
    Words left = a.words();
    Words right = b.words();
    left.resize(words_);
    right.resize(words_);
    return Gf2Polynomial(product(left, right));
  }
  void square(Words& a) const {
    Words space = scratch();
    square(a, space);
  }
  void multiply_by_t(Words& a) const {
    for (std::size_t i = words_; i-- > 1;) a[i] = a[i] << 1 | a[i - 1] >> 63;
    a[0] <<= 1;
    if ((a[degree_ / 64] >> degree_ % 64 & 1) == 0) return;
    for (std::size_t i = 0; i < words_; ++i) a[i] ^= modulus_[i];
  }
  /// Returns the powers t^(2^i), i = 0 .. last.
  std::vector<Words> squares_of_t(std::size_t last) const {
    Words space = scratch();
    std::vector<Words> squares{power_of_t({1})};
    squares.reserve(last + 1);
    while (squares.size() <= last) {
      squares.push_back(squares.back());
      square(squares.back(), space);
    }
    return squares;
  }
  /// Returns t^(2^times).
  Words frobenius_of_t(std::size_t times) const {
    Words result = power_of_t({1});
    Words space = scratch();
    for (; times > 0; --times) square(result, space);
    return result;
  }

 private:
  /// Returns memory for a product of 2 words() words and for the reduction of the product.
  Words scratch() const { return Words(5 * words_ + detail::gf2_karatsuba_scratch(words_)); }

  void square(Words& a, Words& space) const {
    spread(a.data(), words_, space.data());
    reduce(space, a);
  }

  /// Squares a polynomial by interleaving its bits with zeros.
  static void spread(const std::uint64_t* a, std::size_t words, std::uint64_t* square) {
    for (std::size_t i = 0; i < words; ++i) {
      square[2 * i] = spread(static_cast<std::uint32_t>(a[i]));
      square[2 * i + 1] = spread(static_cast<std::uint32_t>(a[i] >> 32));
    }
  }
  static std::uint64_t spread(std::uint32_t half) {
    std::uint64_t x = half;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    x = (x | x << 1) & 0x5555555555555555u;
    return x;
  }

  /// Returns the quotient of t^(degree + 64 words()) and the modulus, without the quotient's
  /// highest term. Each step of Newton's method, r' = r^2 modulus, doubles the number of known
  /// leading words.
  Words reciprocal() const {
    const std::size_t size = std::bit_ceil(words_);
    Words aligned(size + 1, 0);
    detail::gf2_add_shifted(aligned, modulus_, 64 * size - degree_);
    Words result{reciprocal(aligned[size - 1])};
    for (std::size_t precision = 2; precision <= size; precision *= 2) {
      const std::uint64_t* const divisor = &aligned[size - precision];
      Words square(precision);
      Words space(2 * precision + detail::gf2_karatsuba_scratch(precision));
      spread(result.data(), precision / 2, square.data());
      detail::gf2_karatsuba(multiplier_, square.data(), divisor, precision, precision,
                            2 * precision, space.data(), &space[2 * precision]);
      result = square;
      for (std::size_t i = 0; i < precision; ++i) result[i] ^= divisor[i] ^ space[precision + i];
    }
    return Words(result.end() - static_cast<std::ptrdiff_t>(words_), result.end());
  }
  /// Returns the quotient of t^128 and t^64 + lower, without the quotient's highest term.
  static std::uint64_t reciprocal(std::uint64_t lower) {
    std::uint64_t quotient = 0;
    std::uint64_t remainder = lower;
    for (int bit = 63; bit >= 0; --bit) {
      const bool divides = remainder >> 63 != 0;
      quotient |= std::uint64_t{divides} << bit;
      remainder = remainder << 1 ^ (divides ? lower : 0);
    }
    return quotient;
  }

  /// Reduces the first 2 words() words of `space` by Barrett's method. The method is exact over
  /// GF(2), which has no carries. The function computes two products, and only the needed half of
  /// each.
  void reduce(Words& space, Words& remainder) const {
    const std::size_t word = degree_ / 64;
    const unsigned shift = degree_ % 64;
    const std::uint64_t* const wide = space.data();
    std::uint64_t* const quotient = &space[2 * words_];
    std::uint64_t* const product = &space[3 * words_];
    std::uint64_t* const multiply_scratch = &space[5 * words_];
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < words_; ++i) {
      quotient[i] = wide[word + i] >> shift | wide[word + i + 1] << 1 << (63 - shift);
      any |= quotient[i];
    }
    std::copy_n(wide, words_, remainder.begin());
    if (any == 0) return;
    detail::gf2_karatsuba(multiplier_, quotient, reciprocal_.data(), words_, words_, 2 * words_,
                          product, multiply_scratch);
    for (std::size_t i = 0; i < words_; ++i) quotient[i] ^= product[words_ + i];
    detail::gf2_karatsuba(multiplier_, quotient, modulus_.data(), words_, 0, words_, product,
                          multiply_scratch);
    for (std::size_t i = 0; i < words_; ++i) remainder[i] ^= product[i];
  }

  detail::Gf2Multiplier multiplier_;
  std::size_t degree_;
  std::size_t words_;
  Words modulus_;
  Words reciprocal_;
};

/// Returns `count` powers modulo phi: t^exponent, t^(2 exponent), t^(4 exponent), ...
inline std::vector<Gf2Polynomial> doubling_powers_of_t(Uint128 exponent, unsigned count,
                                                       const Gf2Modulus& phi) {
  detail::Gf2Words power = phi.power_of_t(
      {static_cast<std::uint64_t>(exponent), static_cast<std::uint64_t>(exponent >> 64)});
  std::vector<Gf2Polynomial> powers;
  for (unsigned r = 0; r < count; ++r) {
    if (r > 0) phi.square(power);
    powers.emplace_back(power);
  }
  return powers;
}
/// Returns t^exponent modulo `modulus` (degree >= 1).
inline Gf2Polynomial power_of_t(Uint128 exponent, const Gf2Polynomial& modulus) {
  return doubling_powers_of_t(exponent, 1, Gf2Modulus(modulus)).front();
}

namespace detail {

inline Gf2Polynomial gf2_common_divisor(Gf2Polynomial a, Gf2Polynomial b) {
  while (b.degree() >= 0) {
    Gf2Words remainder = a.words();
    remainder.push_back(0);
    for (int i = a.degree(); i >= b.degree(); --i) {
      const auto at = static_cast<std::size_t>(i);
      if ((remainder[at / 64] >> at % 64 & 1) == 0) continue;
      gf2_add_shifted(remainder, b.words(), static_cast<std::size_t>(i - b.degree()));
    }
    a = std::exchange(b, Gf2Polynomial(std::move(remainder)));
  }
  return a;
}

}  // namespace detail

/// Returns true if the polynomial is irreducible over GF(2). The result is proved, not probable (M.
/// O. Rabin, "Probabilistic Algorithms in Finite Fields", SIAM J. Comput. 9 (1980) 273). A
/// polynomial of degree n is irreducible if and only if it divides t^(2^n) - t and has no factor in
/// common with t^(2^(n/q)) - t for any prime q | n.
inline bool is_irreducible(const Gf2Polynomial& polynomial) {
  const auto degree = static_cast<std::size_t>(std::max(polynomial.degree(), 0));
  if (degree == 0) return false;
  const Gf2Modulus phi(polynomial);
  const detail::Gf2Words t = phi.power_of_t({1});
  std::size_t cofactor = degree;
  for (std::size_t q = 2; cofactor > 1; ++q) {
    if (q * q > cofactor) q = cofactor;
    if (cofactor % q != 0) continue;
    while (cofactor % q == 0) cofactor /= q;
    detail::Gf2Words difference = phi.frobenius_of_t(degree / q);
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] ^= t[i];
    const Gf2Polynomial common =
        detail::gf2_common_divisor(polynomial, Gf2Polynomial(std::move(difference)));
    if (common.degree() != 0) return false;
  }
  return phi.frobenius_of_t(degree) == t;
}

}  // namespace rivulet
