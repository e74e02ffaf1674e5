// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/rng/ranmar.hpp"
#include "rivulet/detail/rng/seed_hash.hpp"
#include "rivulet/detail/text.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// A published pair of seeds, after James, Comput. Phys. Commun. 60 (1990) 329: 0 <= ij < ij_limit,
/// 0 <= kl < kl_limit.
struct RanmarSeed {
  static constexpr std::int64_t ij_limit = 31329;
  static constexpr std::int64_t kl_limit = 30082;
  /// Number of published sequences, 942438978.
  static constexpr std::int64_t count = ij_limit * kl_limit;

  std::int64_t ij;
  std::int64_t kl;

  /// Works like ranmar_seed(), without its check, for kernels.
  KOKKOS_FUNCTION static RanmarSeed at(std::int64_t index) {
    return {index / kl_limit, index % kl_limit};
  }

  friend bool operator==(const RanmarSeed&, const RanmarSeed&) = default;
};

constexpr bool is_valid(RanmarSeed seed) {
  return seed.ij >= 0 && seed.ij < RanmarSeed::ij_limit && seed.kl >= 0 &&
         seed.kl < RanmarSeed::kl_limit;
}

template <class RangeError = Error>
void require_valid(RanmarSeed seed) {
  if (is_valid(seed)) return;
  throw RangeError(
      detail::text_of("RANMAR has no sequence (ij, kl) = (", seed.ij, ", ", seed.kl, ")"),
      "ij ranges over 0 .. 31328 and kl over 0 .. 30081", "Choose a pair in range.");
}

/// Returns the number of a sequence, ij * 30082 + kl, as in CORSIKA's single seed. Throws Error for
/// a pair out of range.
inline std::int64_t ranmar_index(RanmarSeed seed) {
  require_valid(seed);
  return seed.ij * RanmarSeed::kl_limit + seed.kl;
}

/// Returns the pair (ij, kl) that has the given sequence number. This is the inverse of
/// ranmar_index(). Throws Error unless 0 <= index < RanmarSeed::count.
inline RanmarSeed ranmar_seed(std::int64_t index) {
  if (index < 0 || index >= RanmarSeed::count) {
    throw Error(detail::text_of("RANMAR has no sequence number ", index),
                "there are 942438978, numbered ij * 30082 + kl from 0", "Choose a smaller number.");
  }
  return RanmarSeed::at(index);
}

/// Returns the start of a published sequence, bit for bit as James' RMARIN (24 bits) and CORSIKA's
/// RMMAQD (48 bits) compute it. The function is for kernels and does not check the pair, which must
/// be valid.
template <class Variant>
KOKKOS_FUNCTION RanmarState<Variant> published_state(RanmarSeed seed) {
  using Integer = typename Variant::Integer;
  auto i = static_cast<unsigned>(seed.ij / 177 % 177 + 2);
  auto j = static_cast<unsigned>(seed.ij % 177 + 2);
  auto k = static_cast<unsigned>(seed.kl / 169 % 178 + 1);
  auto l = static_cast<unsigned>(seed.kl % 169);
  RanmarState<Variant> start;
  // James' code fills its array upwards and draws downwards, hence the descending order.
  for (int w = ranmar_words - 1; w >= 0; --w) {
    Integer word = 0;
    for (int bit = 0; bit < Variant::bits; ++bit) {
      const unsigned m = i * j % 179 * k % 179;
      i = j;
      j = k;
      k = m;
      l = (53 * l + 1) % 169;
      word = word << 1 | static_cast<Integer>(l * m % 64 >= 32);
    }
    start.x[w] = word;
  }
  return start;
}

/// Returns published_state(seed). Throws Error for a pair out of range.
template <class Variant>
RanmarState<Variant> published_start(RanmarSeed seed) {
  require_valid(seed);
  return published_state<Variant>(seed);
}

/// A variant's tag for the seed hash, as a constant for kernels.
template <class Variant>
inline constexpr std::uint64_t ranmar_tag = seed_tag({Variant::bits, Variant::c_start,
                                                      Variant::c_step, Variant::c_modulus});

/// Returns the native start of a stream. Different pairs (run seed, stream) of a variant have
/// different starts, because the first words determine the 128 bits of the hash. If all words are
/// even, the function makes the last one odd, because the period would otherwise be shorter. Starts
/// of different variants are unrelated.
template <class Variant>
KOKKOS_FUNCTION RanmarState<Variant> native_start(std::uint64_t run_seed, std::uint64_t stream) {
  using Integer = typename Variant::Integer;
  const SeedHash hash(run_seed, stream, ranmar_tag<Variant>);
  RanmarState<Variant> start;
  Integer any = 0;
  for (int w = 0; w < ranmar_words; ++w) {
    start.x[w] = static_cast<Integer>(hash.bits(w * Variant::bits, Variant::bits));
    any |= start.x[w];
  }
  if ((any & 1) == 0) start.x[ranmar_words - 1] |= 1;
  return start;
}

}  // namespace rivulet
