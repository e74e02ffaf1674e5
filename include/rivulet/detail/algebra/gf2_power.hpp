// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

// Powers of t modulo a polynomial over GF(2), which is all that jumps of twisters take, without a
// library beside the standard one. (What Rivulet proves of polynomials it leaves to NTL.)

namespace rivulet::detail {

/// Coefficients of a polynomial over GF(2), 64 to a word, the lowest first.
using Gf2Words = std::vector<std::uint64_t>;

/// Adds a * t^places; sum is long enough.
inline void gf2_add_shifted(Gf2Words& sum, const Gf2Words& a, std::size_t places) {
  const std::size_t word = places / 64;
  const unsigned shift = places % 64;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    sum[i + word] ^= a[i] << shift;
    if (shift != 0 && a[i] >> (64 - shift) != 0) sum[i + word + 1] ^= a[i] >> (64 - shift);
  }
}

/// The arithmetic modulo one polynomial of a degree above 64. Bytes of coefficients above the
/// degree are taken away by a table of their 256 values, which is made for a multiple of the
/// polynomial whose degree is a multiple of 64.
class Gf2PowersOfT {
 public:
  /// The polynomial is t^degree and the lower terms given.
  Gf2PowersOfT(std::size_t degree, const Gf2Words& lower_terms)
      : degree_(degree), words_((degree + 63) / 64), shifted_(64 * words_ - degree + 1) {
    // shifted_[i] is t^i times the polynomial without its highest term.
    for (std::size_t i = 0; i < shifted_.size(); ++i) {
      shifted_[i].assign(words_, 0);
      Gf2Words wide(words_ + 2, 0);
      gf2_add_shifted(wide, lower_terms, i);
      std::copy_n(wide.begin(), words_, shifted_[i].begin());
    }
    make_table();
  }

  std::size_t words() const { return words_; }

  /// t^exponent, exponent = the sum of word i * 2^(64 i).
  Gf2Words power(const std::vector<std::uint64_t>& exponent) const {
    Gf2Words result(words_, 0);
    result[0] = 1;
    for (std::size_t i = 64 * exponent.size(); i-- > 0;) {
      square(result);
      if ((exponent[i / 64] >> i % 64 & 1) != 0) multiply_by_t(result);
    }
    return result;
  }

  /// Whether the polynomial, of prime degree p, is irreducible: a true answer is a proof. It
  /// divides t^(2^p) - t, the product of all irreducible polynomials of degrees 1 and p, and cannot
  /// be one of the two linear ones' products.
  bool is_irreducible_of_prime_degree() const {
    const Gf2Words t = power({1});
    Gf2Words result = t;
    for (std::size_t i = 0; i < degree_; ++i) square(result);
    return result == t;
  }

  /// a * b, byte by byte of b from the highest: as many rows of a table of a's multiples.
  Gf2Words product(const Gf2Words& a, const Gf2Words& b) const {
    std::vector<std::uint64_t> multiples(byte_values * words_, 0);
    fill_table(multiples, a);
    Gf2Words result(words_ + 1, 0);
    for (std::size_t byte = 8 * words_; byte-- > 0;) {
      for (std::size_t k = words_; k > 0; --k) result[k] = result[k] << 8 | result[k - 1] >> 56;
      result[0] <<= 8;
      const std::uint64_t above = result[words_] & 0xff;
      result[words_] = 0;
      const std::uint64_t value = b[byte / 8] >> byte % 8 * 8 & 0xff;
      for (std::size_t k = 0; k < words_; ++k) {
        result[k] ^= table_[above * words_ + k] ^ multiples[value * words_ + k];
      }
    }
    result.resize(words_);
    reduce_top(result);
    return result;
  }
  void square(Gf2Words& a) const {
    Gf2Words wide(2 * words_);
    for (std::size_t i = 0; i < words_; ++i) {
      wide[2 * i] = spread(static_cast<std::uint32_t>(a[i]));
      wide[2 * i + 1] = spread(static_cast<std::uint32_t>(a[i] >> 32));
    }
    for (std::size_t i = 2 * words_; i-- > words_;) take_away(wide, i);
    std::copy_n(wide.begin(), words_, a.begin());
    reduce_top(a);
  }
  void multiply_by_t(Gf2Words& a) const {
    const bool overflows = degree_ % 64 == 0 && a.back() >> 63 != 0;
    for (std::size_t i = words_; i-- > 1;) a[i] = a[i] << 1 | a[i - 1] >> 63;
    a[0] <<= 1;
    if (overflows) {
      for (std::size_t k = 0; k < words_; ++k) a[k] ^= shifted_[0][k];
    }
    reduce_top(a);
  }

 private:
  static constexpr std::size_t byte_values = 256;

  /// Row b is b(t) t^(64 words_) modulo the polynomial, 0 <= b < 256.
  void make_table() {
    table_.assign(byte_values * words_, 0);
    Gf2Words above = shifted_.back();
    reduce_top(above);
    fill_table(table_, above);
  }
  /// Row b becomes b(t) a.
  void fill_table(std::vector<std::uint64_t>& table, Gf2Words a) const {
    for (std::size_t bit = 1; bit < byte_values; bit *= 2) {
      for (std::size_t low = 0; low < bit; ++low) {
        for (std::size_t i = 0; i < words_; ++i) {
          table[(bit + low) * words_ + i] = table[low * words_ + i] ^ a[i];
        }
      }
      multiply_by_t(a);
    }
  }

  /// Takes away the terms from t^degree to t^(64 words_ - 1).
  void reduce_top(Gf2Words& a) const {
    for (std::size_t i = 64 * words_; i-- > degree_;) {
      if ((a[i / 64] >> i % 64 & 1) == 0) continue;
      a[i / 64] ^= std::uint64_t{1} << i % 64;
      const Gf2Words& terms = shifted_[i - degree_];
      for (std::size_t k = 0; k < words_; ++k) a[k] ^= terms[k];
    }
  }

  /// The bits of a half word, each followed by a zero.
  static std::uint64_t spread(std::uint32_t half) {
    std::uint64_t x = half;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    x = (x | x << 1) & 0x5555555555555555u;
    return x;
  }

  /// Replaces word i >= words_ by what it is modulo the polynomial, byte by byte from the highest.
  void take_away(Gf2Words& wide, std::size_t i) const {
    for (int byte = 7; byte >= 0; --byte) {
      const unsigned shift = static_cast<unsigned>(byte) * 8;
      const std::uint64_t value = wide[i] >> shift & 0xff;
      if (value == 0) continue;
      wide[i] ^= value << shift;
      const std::uint64_t* const row = table_.data() + value * words_;
      std::uint64_t* const to = wide.data() + (i - words_);
      std::uint64_t carry = 0;
      for (std::size_t k = 0; k < words_; ++k) {
        to[k] ^= row[k] << shift | carry;
        carry = shift == 0 ? 0 : row[k] >> (64 - shift);
      }
      wide[i] ^= carry;
    }
  }

  std::size_t degree_;
  std::size_t words_;
  std::vector<Gf2Words> shifted_;
  std::vector<std::uint64_t> table_;
};

}  // namespace rivulet::detail
