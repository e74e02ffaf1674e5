// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// Where streams that share one cycle start: the one of index s
///
///     start(s) = E(s) + h(s),   E(s) = sum of J_r over the bits r of s,
///     J_r = 2^r D + o_r,        D = 2^(log2_distance + 1) + d
///
/// steps after that of index 0, with fixed odd d and o_r and a hash h.
///
/// Irregular jumps, so that the starts of neither all nor any few streams are in arithmetic
/// progression: starts at multiples of one distance J obey a linear recurrence from stream to
/// stream, and if J is a power of two, a power of Frobenius' map, that is the generator's own, of
/// few terms. A hash, because E alone is additive, E(a + b) = E(a) + E(b) where a and b share no
/// bit: matrices of bits with a row for each aligned block of streams then have no rank above the
/// state's dimension, as PractRand's BRank sees. The starts are the same for all seeds: jumps may
/// be kept.
///
/// The o_r of up to 64 bits add up to less than 2^64, and h(s) is less than 2^58, so starts of
/// different indices are at least 2^log2_distance apart (log2_distance >= 64), and the first n take
/// less than n 2^log2_room().
class IrregularStarts {
 public:
  static constexpr unsigned least_log2_distance = 64;

  constexpr explicit IrregularStarts(unsigned log2_distance) : log2_distance_(log2_distance) {}

  constexpr unsigned log2_distance() const { return log2_distance_; }
  constexpr unsigned log2_room() const { return log2_distance_ + 2; }
  /// For certificates.
  std::string text() const {
    return "irregular, at least 2^" + std::to_string(log2_distance_) +
           " steps between the starts of any two";
  }

  /// d: the fraction of the golden ratio, 64 bits of no pattern, the lowest of them set.
  static constexpr std::uint64_t distance_low = splitmix64_increment;

  /// Powers of two of which a hash chooses one of each quarter of 1 .. 57. A jump by few powers of
  /// two is a product of few polynomials, or matrices.
  static constexpr int hashed_terms = 4;
  static constexpr unsigned most_exponent = 57;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned exponent(std::uint64_t hash, int quarter) {
    const unsigned first[] = {1, 15, 30, 45};
    const unsigned size[] = {14, 15, 15, 13};
    return first[quarter] + static_cast<unsigned>(hash >> 16 * quarter & 0xffff) % size[quarter];
  }

  /// The hash that chooses the powers of two in o_r - 1: SplitMix64 of r.
  static constexpr std::uint64_t offset_hash(unsigned r) {
    return splitmix64_mix((r + std::uint64_t{1}) * splitmix64_increment);
  }
  /// o_r, r < 64: odd, below 2^58.
  static constexpr std::uint64_t offset(unsigned r) { return 1 + powers_of_two(offset_hash(r)); }

  /// The hash that chooses h(s), s > 0: output s of SplitMix64 from a state without pattern, the
  /// first 64 bits of pi's fraction. h(0) is 0, so that published seeds begin where they are
  /// expected to. If a jump is a product of small matrices, h(s) is a sum of powers of two below
  /// 2^58.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint64_t start_hash(std::uint64_t s) {
    constexpr std::uint64_t pi_fraction = 0x243f6a8885a308d3u;
    return splitmix64_mix(pi_fraction + (s + 1) * splitmix64_increment);
  }
  /// h(s) where a jump is costlier than the steps, as for twisters: below 2^9. (With 8 bits none of
  /// PractRand's, SmokeRand's and TestU01's tests of ranks saw anything.)
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned hashed_steps(std::uint64_t s) {
    return s == 0 ? 0 : static_cast<unsigned>(start_hash(s) >> (64 - log2_hashed_steps));
  }
  static constexpr unsigned log2_hashed_steps = 9;

  /// J_r, where it is below 2^128: log2_room() + r <= 128.
  constexpr Uint128 jump(unsigned r) const {
    return (((Uint128{1} << (log2_distance_ + 1)) + distance_low) << r) + offset(r);
  }

 private:
  static constexpr std::uint64_t powers_of_two(std::uint64_t hash) {
    std::uint64_t sum = 0;
    for (int i = 0; i < hashed_terms; ++i) sum += std::uint64_t{1} << exponent(hash, i);
    return sum;
  }

  unsigned log2_distance_;
};

}  // namespace rivulet
