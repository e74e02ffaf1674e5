// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "rivulet/detail/algebra/gf2_polynomial.hpp"

namespace rivulet::detail {

/// Finds the linear recurrence of lowest order that a bit sequence obeys (Massey, "Shift-Register
/// Synthesis and BCH Decoding", IEEE Trans. Inf. Theory 15 (1969) 122). The result is exact if the
/// sequence is at least twice as long as the order.
class BerlekampMassey {
 public:
  /// The sequence is the first `count` bits of `bits`, starting with the lowest bit of each word.
  BerlekampMassey(const Gf2Words& bits, std::size_t count)
      : BerlekampMassey(bits, count, [](std::size_t) {}) {}
  /// Also calls jump(size) whenever the order grows by `size`.
  template <class Jump>
  BerlekampMassey(const Gf2Words& bits, std::size_t count, const Jump& jump)
      : words_(count / 64 + 2), backwards_(2 * words_, 0), current_(words_, 0), previous_{1} {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t to = count - 1 - i;
      backwards_[to / 64] |= (bits[i / 64] >> i % 64 & 1) << to % 64;
    }
    current_[0] = 1;
    Gf2Words before;
    std::size_t distance = 1;
    for (std::size_t i = 0; i < count; ++i, ++distance) {
      if (!has_discrepancy(count - 1 - i)) continue;
      const bool grows = 2 * order_ <= i;
      if (grows) before.assign(current_.data(), current_.data() + order_ / 64 + 1);
      add_previous(distance);
      if (!grows) continue;
      jump(i + 1 - 2 * order_);
      order_ = i + 1 - order_;
      std::swap(previous_, before);
      distance = 0;
    }
  }

  std::size_t order() const { return order_; }

  /// Returns the polynomial with coefficients c_i for which the sum over i of c_i bit(k + i) is 0
  /// for every k.
  Gf2Polynomial polynomial() const {
    Gf2Words terms(order_ / 64 + 1, 0);
    for (std::size_t i = 0; i <= order_; ++i) {
      const std::size_t to = order_ - i;
      terms[to / 64] |= (current_[i / 64] >> i % 64 & 1) << to % 64;
    }
    return Gf2Polynomial(std::move(terms));
  }

 private:
  /// Returns true if the current recurrence fails at index `index` of the reversed sequence.
  bool has_discrepancy(std::size_t index) const {
    const std::uint64_t* const from = backwards_.data() + index / 64;
    const unsigned shift = index % 64;
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k <= order_ / 64; ++k) {
      sum ^= current_[k] & (from[k] >> shift | from[k + 1] << 1 << (63 - shift));
    }
    return std::popcount(sum) % 2 != 0;
  }

  /// Adds previous_ * t^places to current_, which is long enough.
  void add_previous(std::size_t places) {
    std::uint64_t* const to = current_.data() + places / 64;
    const std::uint64_t* const from = previous_.data();
    const std::size_t words = previous_.size();
    const unsigned shift = places % 64;
    to[0] ^= from[0] << shift;
    for (std::size_t k = 1; k < words; ++k)
      to[k] ^= from[k] << shift | from[k - 1] >> 1 >> (63 - shift);
    to[words] ^= from[words - 1] >> 1 >> (63 - shift);
  }

  std::size_t words_;
  Gf2Words backwards_;
  Gf2Words current_;   ///< coefficient i multiplies the bit that is i positions earlier
  Gf2Words previous_;  ///< current_ before the order's last increase
  std::size_t order_ = 0;
};

}  // namespace rivulet::detail
