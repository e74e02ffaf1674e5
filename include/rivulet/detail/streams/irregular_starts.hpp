// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Where streams that share one cycle start: the one of index s
///
///     E(s) = sum of J_r over the bits r of s,   J_r = 2^r D + o_r,   D = 2^(log2_distance + 1) + d
///
/// steps after that of index 0, with fixed odd d and o_r, so that the starts of neither all nor any
/// few streams are in arithmetic progression. Starts at multiples of one distance J obey a linear
/// recurrence from stream to stream, and if J is a power of two, a power of Frobenius' map, that is
/// the generator's own, of few terms. The same for all seeds: jumps may be kept.
///
/// The o_r of up to 64 bits add up to less than 2^64, so starts of different indices are at least
/// 2^log2_distance apart (log2_distance >= 64), and the first n take less than n 2^log2_room().
class IrregularStarts {
 public:
  static constexpr unsigned least_log2_distance = 64;

  constexpr explicit IrregularStarts(unsigned log2_distance) : log2_distance_(log2_distance) {}

  constexpr unsigned log2_distance() const { return log2_distance_; }
  constexpr unsigned log2_room() const { return log2_distance_ + 2; }

  /// d: the fraction of the golden ratio, 64 bits of no pattern, the lowest of them set.
  static constexpr std::uint64_t distance_low = splitmix64_increment;

  static constexpr int offset_terms = 4;
  /// The powers of two that, with 1, are o_r: one of each quarter of 1 .. 57, by SplitMix64 of r. A
  /// jump by few powers of two is a product of few polynomials.
  static constexpr std::array<unsigned, offset_terms> offset_exponents(unsigned r) {
    const std::uint64_t hash = splitmix64_mix((r + std::uint64_t{1}) * splitmix64_increment);
    const auto quarter = [hash](int i) { return static_cast<unsigned>(hash >> 16 * i & 0xffff); };
    return {1 + quarter(0) % 14, 15 + quarter(1) % 15, 30 + quarter(2) % 15, 45 + quarter(3) % 13};
  }
  static constexpr unsigned most_exponent = 57;

  /// o_r, r < 64: odd, below 2^58.
  static constexpr std::uint64_t offset(unsigned r) {
    std::uint64_t sum = 1;
    for (const unsigned exponent : offset_exponents(r)) sum += std::uint64_t{1} << exponent;
    return sum;
  }

  /// J_r, where it is below 2^128: log2_room() + r <= 128.
  constexpr Uint128 jump(unsigned r) const {
    return (((Uint128{1} << (log2_distance_ + 1)) + distance_low) << r) + offset(r);
  }
  /// E(s), likewise.
  constexpr Uint128 start(std::uint64_t s) const {
    Uint128 steps = 0;
    for (unsigned r = 0; s >> r != 0; ++r) {
      if ((s >> r & 1) != 0) steps += jump(r);
      if (r == 63) break;
    }
    return steps;
  }

 private:
  unsigned log2_distance_;
};

}  // namespace rivulet
