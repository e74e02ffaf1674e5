// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rivulet/detail/algebra/gf2_polynomial.hpp"

namespace rivulet::detail {

/// Finds the recurrence of the lowest order that a bit sequence obeys: Massey, "Shift-Register
/// Synthesis and BCH Decoding", IEEE Trans. Inf. Theory 15 (1969) 122. The result is exact if the
/// sequence is at least twice as long as the order.
class BerlekampMassey {
 public:
  /// The sequence is the first `count` bits of `bits`, starting with the lowest bit of each word.
  BerlekampMassey(const Gf2Words& bits, std::size_t count)
      : BerlekampMassey(bits, count, [](std::size_t) {}) {}
  /// Also calls jump(size) whenever the order grows by `size`.
  template <class Jump>
  BerlekampMassey(const Gf2Words& bits, std::size_t count, const Jump& jump)
      : words_(count / 64 + 2), backwards_(2 * words_, 0), own_(words_, 0), last_{1} {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t to = count - 1 - i;
      backwards_[to / 64] |= (bits[i / 64] >> i % 64 & 1) << to % 64;
    }
    own_[0] = 1;
    Gf2Words before;
    std::size_t behind = 1;
    for (std::size_t i = 0; i < count; ++i, ++behind) {
      if (!is_missed(count - 1 - i)) continue;
      const bool longer = 2 * order_ <= i;
      if (longer) before.assign(own_.data(), own_.data() + order_ / 64 + 1);
      add_last(behind);
      if (!longer) continue;
      jump(i + 1 - 2 * order_);
      order_ = i + 1 - order_;
      std::swap(last_, before);
      behind = 0;
    }
  }

  std::size_t order() const { return order_; }

  /// Returns the polynomial with coefficients c_i for which the sum over i of c_i bit(k + i) is 0
  /// for every k.
  Gf2Polynomial polynomial() const {
    Gf2Words terms(order_ / 64 + 1, 0);
    for (std::size_t i = 0; i <= order_; ++i) {
      const std::size_t to = order_ - i;
      terms[to / 64] |= (own_[i / 64] >> i % 64 & 1) << to % 64;
    }
    return Gf2Polynomial(std::move(terms));
  }

 private:
  /// Returns true if the current recurrence fails at index `place` of the reversed sequence.
  bool is_missed(std::size_t place) const {
    const std::uint64_t* const from = backwards_.data() + place / 64;
    const unsigned shift = place % 64;
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k <= order_ / 64; ++k) {
      sum ^= own_[k] & (from[k] >> shift | from[k + 1] << 1 << (63 - shift));
    }
    return std::popcount(sum) % 2 != 0;
  }

  /// Adds last_ * t^places to own_, which is long enough.
  void add_last(std::size_t places) {
    std::uint64_t* const to = own_.data() + places / 64;
    const std::uint64_t* const from = last_.data();
    const std::size_t words = last_.size();
    const unsigned shift = places % 64;
    to[0] ^= from[0] << shift;
    for (std::size_t k = 1; k < words; ++k)
      to[k] ^= from[k] << shift | from[k - 1] >> 1 >> (63 - shift);
    to[words] ^= from[words - 1] >> 1 >> (63 - shift);
  }

  std::size_t words_;
  Gf2Words backwards_;
  Gf2Words own_;   ///< coefficient i multiplies the bit i positions earlier
  Gf2Words last_;  ///< own_ before the order's last increase
  std::size_t order_ = 0;
};

}  // namespace rivulet::detail
