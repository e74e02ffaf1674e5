// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "rivulet/detail/rng/splitmix64.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// The starts of streams that share one cycle. The stream of index s starts
///
///     start(s) = E(s) + h(s),   E(s) = sum of J_r over the set bits r of s,
///     J_r = 2^r D + o_r,        D = 2^(log2_distance + 1) + d
///
/// steps after the stream of index 0. The numbers d and o_r are fixed and odd, and h is a hash.
///
/// Irregular jumps J_r keep the starts, and small groups of them, from forming an arithmetic
/// progression. Starts at multiples of a single distance J would obey a linear recurrence from
/// stream to stream. If J were a power of two, the jump would be a power of the Frobenius map. The
/// recurrence would then be the generator's own, which has few terms.
///
/// E is additive: E(a + b) = E(a) + E(b) if a and b share no bit. The hash breaks this additivity.
/// With E alone, the rank of bit matrices with one row per aligned block of streams would be at
/// most the dimension of the state. PractRand's BRank detects such ranks. Starts do not depend on
/// the seed, so jumps may be cached.
///
/// Starts of different indices are at least 2^log2_distance apart (log2_distance >= 64), because
/// the o_r of up to 64 bits sum to less than 2^64, and h(s) is below 2^58. The starts of the first
/// n streams span less than n 2^log2_room() steps.
class IrregularStarts {
 public:
  static constexpr unsigned least_log2_distance = 64;

  constexpr explicit IrregularStarts(unsigned log2_distance) : log2_distance_(log2_distance) {}

  constexpr unsigned log2_distance() const { return log2_distance_; }
  constexpr unsigned log2_room() const { return log2_distance_ + 2; }
  /// Returns the text for certificates.
  std::string text() const {
    return "irregular, at least 2^" + std::to_string(log2_distance_) +
           " steps between the starts of any two";
  }

  /// The odd number d. It is the first 64 bits of the golden ratio's fraction, which have no
  /// obvious structure.
  static constexpr std::uint64_t distance_low = splitmix64_increment;

  /// A hash chooses four exponents, one from each quarter of 1 .. 57, because a jump by a sum of a
  /// few powers of two is a product of a few polynomials or matrices.
  static constexpr int hashed_terms = 4;
  static constexpr unsigned most_exponent = 57;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned exponent(std::uint64_t hash, int quarter) {
    const unsigned first[] = {1, 15, 30, 45};
    const unsigned size[] = {14, 15, 15, 13};
    return first[quarter] + static_cast<unsigned>(hash >> 16 * quarter & 0xffff) % size[quarter];
  }

  /// Returns the hash that chooses the powers of two in o_r - 1: SplitMix64 of r.
  static constexpr std::uint64_t offset_hash(unsigned r) {
    return splitmix64_mix((r + std::uint64_t{1}) * splitmix64_increment);
  }
  /// Returns o_r for r < 64, an odd number below 2^58.
  static constexpr std::uint64_t offset(unsigned r) { return 1 + powers_of_two(offset_hash(r)); }

  /// Returns the hash that chooses h(s) for s > 0: output s of SplitMix64, seeded with the first 64
  /// bits of pi's fraction, which have no obvious structure. h(0) is 0, because a stream with a
  /// published seed must start at the published state. For generators whose jumps are products of
  /// small matrices, h(s) is a sum of powers of two below 2^58.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::uint64_t start_hash(std::uint64_t s) {
    constexpr std::uint64_t pi_fraction = 0x243f6a8885a308d3u;
    return splitmix64_mix(pi_fraction + (s + 1) * splitmix64_increment);
  }
  /// Returns h(s) for Mersenne Twisters, a number below 2^9. So few single steps cost less than a
  /// jump. (8 bits already sufficed: no rank test of PractRand, SmokeRand or TestU01 failed.)
  KOKKOS_FORCEINLINE_FUNCTION static constexpr unsigned hashed_steps(std::uint64_t s) {
    return s == 0 ? 0 : static_cast<unsigned>(start_hash(s) >> (64 - log2_hashed_steps));
  }
  static constexpr unsigned log2_hashed_steps = 9;

  /// Returns J_r. Requires log2_room() + r <= 128, which implies J_r < 2^128.
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
