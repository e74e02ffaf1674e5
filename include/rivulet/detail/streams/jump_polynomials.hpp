// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/algebra/berlekamp_massey.hpp"
#include "rivulet/detail/algebra/gf2_modulus.hpp"
#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/mtgp_sets.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"

// The distances between starts do not depend on the seed, so a process caches jumps that take
// milliseconds to compute. The cache is never destroyed, because a program may end while its
// threads draw.

namespace rivulet {

/// The polynomials t^E(s) mod phi for 0 <= s <= max_index, where phi (of degree >= 1) is the
/// stream's characteristic polynomial. Polynomial s moves a stream from the start of index 0 by
/// E(s) steps (IrregularStarts). The constructor computes the squarings; the member functions are
/// cheap and thread-safe.
class JumpPolynomials {
 public:
  JumpPolynomials(const Gf2Polynomial& modulus, IrregularStarts starts, std::uint64_t max_index)
      : modulus_(modulus), max_index_(max_index) {
    if (max_index == 0) return;
    // Repeated squaring up to the leading term of D also yields the powers that the hash selects.
    const unsigned first = starts.log2_distance() + 1 - 64;
    const std::vector<detail::Gf2Words> squares =
        modulus_.squares_of_t(std::max(first, IrregularStarts::most_exponent));
    detail::Gf2Words regular =  // t^(2^r D)
        modulus_.power_of_t({IrregularStarts::distance_low}, 64, squares[first]);
    for (unsigned r = 0; r < static_cast<unsigned>(std::bit_width(max_index)); ++r) {
      detail::Gf2Words jump = regular;
      modulus_.multiply_by_t(jump);
      const std::uint64_t hash = IrregularStarts::offset_hash(r);
      for (int i = 0; i < IrregularStarts::hashed_terms; ++i) {
        jump = modulus_.product(jump, squares[IrregularStarts::exponent(hash, i)]);
      }
      bit_jumps_.emplace_back(std::move(jump));
      modulus_.square(regular);
    }
  }

  /// Returns t^E(s) mod phi. Throws Error if s > max_index.
  Gf2Polynomial of(std::uint64_t s) const {
    if (s > max_index_) {
      throw Error("no jump polynomial for the start of index " + std::to_string(s),
                  "the table was made for at most " + std::to_string(max_index_),
                  "Ask for a larger table.");
    }
    Gf2Polynomial product(modulus_.power_of_t({}));
    for (unsigned r = 0; r < bits(); ++r) {
      if ((s >> r & 1) != 0) product = modulus_.product(product, bit_jumps_[r]);
    }
    return product;
  }

  unsigned bits() const { return static_cast<unsigned>(bit_jumps_.size()); }
  /// Returns the polynomials t^J_r mod phi for r < bits(). J_r = E(2^r) is the jump that bit r of
  /// an index contributes.
  const std::vector<Gf2Polynomial>& bit_jumps() const { return bit_jumps_; }

 private:
  Gf2Modulus modulus_;
  std::uint64_t max_index_;
  std::vector<Gf2Polynomial> bit_jumps_;
};

}  // namespace rivulet

namespace rivulet::detail {

/// Returns the characteristic polynomial of a set. The minimal polynomial of the words' highest
/// bits divides the characteristic polynomial and has the same degree, so the two are equal.
inline Gf2Polynomial mtgp_polynomial(const MtgpSet& set) {
  using Recurrence = Mtgp11213Recurrence;
  constexpr std::size_t n = Recurrence::n;
  constexpr std::size_t bits = 2 * Recurrence::p;
  const MtgpSums table(set.table);
  std::vector<std::uint32_t> x(bits + n, 0);
  x[0] = 0x80000000u;
  Gf2Words highest(bits / 64 + 1, 0);
  for (std::size_t k = 0; k < bits; ++k) {
    x[k + n] =
        Recurrence::step(set, x[k], x[k + 1], x[k + static_cast<std::size_t>(set.pos)], table);
    highest[k / 64] |= std::uint64_t{x[k] >> 31} << k % 64;
  }
  return BerlekampMassey(highest, bits).polynomial();
}

/// Returns mtgp_polynomial() of set `number`, computed once per process. Thread-safe.
inline const Gf2Polynomial& mtgp_polynomial_of(std::size_t number) {
  struct CachedPolynomial {
    std::once_flag once;
    Gf2Polynomial polynomial;
  };
  static auto* const all =
      new std::array<CachedPolynomial, mtgp_set_count>;  // never destroyed, like the cache of jumps
  CachedPolynomial& cached = all->at(number);
  std::call_once(cached.once, [&] { cached.polynomial = mtgp_polynomial(mtgp_sets[number]); });
  return cached.polynomial;
}

/// Caches the jumps to the starts on one cycle. Thread-safe.
class JumpCache {
 public:
  std::shared_ptr<const JumpPolynomials> of(const Gf2Polynomial& phi, IrregularStarts starts,
                                            std::uint64_t max_index) {
    const std::lock_guard lock(mutex_);
    const auto bits = static_cast<unsigned>(std::bit_width(max_index));
    if (!jumps_ || jumps_->bits() < bits) {
      const std::uint64_t all_bits = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
      jumps_ = std::make_shared<const JumpPolynomials>(phi, starts, all_bits);
    }
    return jumps_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const JumpPolynomials> jumps_;
};

inline constexpr IrregularStarts mt19937_starts{128};
inline constexpr IrregularStarts mtgp_starts{128};

inline const Gf2Polynomial& mt19937_polynomial() {
  static const auto* const phi = new Gf2Polynomial(
      dcmt_characteristic_polynomial(Mt19937Recurrence::shape, Mt19937Recurrence::a));
  return *phi;
}
/// Returns the jumps to the starts of MT19937's streams up to index `max_index`.
inline std::shared_ptr<const JumpPolynomials> mt19937_jumps(std::uint64_t max_index) {
  static auto* const cache = new JumpCache;
  return cache->of(mt19937_polynomial(), mt19937_starts, max_index);
}
/// Returns the jumps to the starts of an MTGP set's streams up to index `max_index`.
inline std::shared_ptr<const JumpPolynomials> mtgp_jumps(std::uint64_t set,
                                                         std::uint64_t max_index) {
  static auto* const cache = new std::array<JumpCache, mtgp_set_count>;
  return cache->at(set).of(mtgp_polynomial_of(set), mtgp_starts, max_index);
}

}  // namespace rivulet::detail
