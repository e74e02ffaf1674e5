// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>
#include <initializer_list>

#include "rivulet/detail/rng/splitmix64.hpp"

namespace rivulet {

/// Returns a hash of the constants that identify a generator. Without such a tag, generators with
/// equal seeds would start from the same bits and draw similar numbers.
constexpr std::uint64_t seed_tag(std::initializer_list<std::uint64_t> constants) {
  std::uint64_t tag = 0;
  for (const std::uint64_t one : constants) {
    tag = splitmix64_mix((tag + splitmix64_increment) ^ one);
  }
  return tag;
}

/// A hash of (run seed, stream id). Native seeding builds a stream's start from the words of the
/// hash. For a given tag, different pairs always have different hashes.
class SeedHash {
 public:
  /// Hashes by a four-round Feistel network. The tag determines the round functions. The network is
  /// a permutation of 128 bits for any round functions, and a strong pseudorandom permutation if
  /// the round functions are pseudorandom (Luby & Rackoff, SIAM J. Comput. 17 (1988) 373).
  KOKKOS_FUNCTION SeedHash(std::uint64_t run_seed, std::uint64_t stream, std::uint64_t tag)
      : low_(run_seed), high_(stream) {
    for (std::uint64_t round = 1; round <= 4; ++round) {
      const std::uint64_t key = splitmix64_mix(tag + round * splitmix64_increment);
      const std::uint64_t mixed = low_ ^ splitmix64_mix(high_ + key);
      low_ = high_;
      high_ = mixed;
    }
  }

  /// Returns hash word j >= 0. Words 0 and 1 together identify (run seed, stream id): each is a
  /// permutation of one half of the hash.
  KOKKOS_FUNCTION std::uint64_t operator()(int j) const {
    if (j == 0) return splitmix64_mix(low_);
    if (j == 1) return splitmix64_mix(high_);
    return splitmix64_mix(
        splitmix64_mix(low_ + static_cast<std::uint64_t>(j) * splitmix64_increment) + high_);
  }

  /// Returns bits [first, first + count) of the concatenated hash words, 1 <= count <= 63.
  KOKKOS_FUNCTION std::uint64_t bits(int first, int count) const {
    const int offset = first % 64;
    std::uint64_t value = (*this)(first / 64) >> offset;
    if (offset + count > 64) value |= (*this)(first / 64 + 1) << (64 - offset);
    return value & ((std::uint64_t{1} << count) - 1);
  }

 private:
  std::uint64_t low_;
  std::uint64_t high_;
};

}  // namespace rivulet
