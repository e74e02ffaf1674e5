// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>

#include "rivulet/detail/rng/mt19937.hpp"
#include "rivulet/detail/rng/mtgp_polynomial.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"

// Starts are the same for all seeds. Where the jumps to them take milliseconds, a process keeps
// them for the streams that it makes next, and never destructs them: a program may end while its
// threads draw.

namespace rivulet::detail {

/// The jumps to the starts of one cycle. May be called from several threads.
class KeptJumps {
 public:
  std::shared_ptr<const JumpPolynomials> of(const Gf2Polynomial& phi, IrregularStarts starts,
                                            std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    const auto bits = static_cast<unsigned>(std::bit_width(most));
    if (!kept_ || kept_->bits() < bits) {
      const std::uint64_t all_bits = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
      kept_ = std::make_shared<const JumpPolynomials>(phi, starts, all_bits);
    }
    return kept_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const JumpPolynomials> kept_;
};

inline constexpr IrregularStarts mt19937_starts{128};
inline constexpr IrregularStarts mtgp_starts{128};

inline const Gf2Polynomial& mt19937_polynomial() {
  static const auto* const phi = new Gf2Polynomial(
      dcmt_characteristic_polynomial(Mt19937Recurrence::shape, Mt19937Recurrence::a));
  return *phi;
}
/// The jumps to the starts of MT19937's streams up to `most`.
inline std::shared_ptr<const JumpPolynomials> mt19937_jumps(std::uint64_t most) {
  static auto* const kept = new KeptJumps;
  return kept->of(mt19937_polynomial(), mt19937_starts, most);
}
/// Those of an MTGP's set up to index `most`.
inline std::shared_ptr<const JumpPolynomials> mtgp_jumps(std::uint64_t set, std::uint64_t most) {
  static auto* const kept = new std::array<KeptJumps, mtgp_set_count>;
  return kept->at(set).of(mtgp_polynomial_of(set), mtgp_starts, most);
}

}  // namespace rivulet::detail
