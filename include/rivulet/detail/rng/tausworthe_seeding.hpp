// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "rivulet/detail/rng/seed_hash.hpp"
#include "rivulet/detail/rng/tausworthe.hpp"

namespace rivulet {

/// The paper's seed of thread `id`, modulo 2^32, is id times this (its seed_per_thread).
inline constexpr std::uint32_t published_tausworthe_factor = 1099087573;

/// Ids from this one on may repeat the published start of one before. The factor is odd, so 2^32
/// ids have 2^32 seeds; each start of the other generators keeps the whole seed.
template <class Kind>
inline constexpr std::uint64_t published_tausworthe_ids = std::uint64_t{1} << 32;

/// All components of lfsr113 drop the lowest bit of a seed. Seeds 2 j and 2 j + 1 are one start
/// (first met at the ids 0 and 1881311869), and so are 0 .. 3, because 2 is the least good seed
/// (first met at the ids 0 and 1348968311, whose seed is 3).
template <>
inline constexpr std::uint64_t published_tausworthe_ids<Lfsr113> = 1348968311;

/// What tells a generator of the family from any other, for the hash.
template <class Kind>
constexpr std::uint64_t tausworthe_tag() {
  const auto constants = []<class... Component>(Component...) {
    return seed_tag({(std::uint64_t{Component::k} << 16 | Component::q << 8 | Component::s)...});
  };
  using K = Kind;
  if constexpr (K::components == 3) {
    return constants(typename K::Component0{}, typename K::Component1{}, typename K::Component2{});
  } else {
    return constants(typename K::Component0{}, typename K::Component1{}, typename K::Component2{},
                     typename K::Component3{});
  }
}

/// The same as a constant, for kernels.
template <class Kind>
inline constexpr std::uint64_t tausworthe_tag_of = tausworthe_tag<Kind>();

/// The start of native seeding, of which all streams are jumps: a word of hash for each part.
template <class Kind>
KOKKOS_FUNCTION typename Tausworthe<Kind>::State native_tausworthe_start(std::uint64_t run_seed) {
  const SeedHash hash(run_seed, 0, tausworthe_tag_of<Kind>);
  typename Tausworthe<Kind>::State start;
  for (int i = 0; i < Kind::words; ++i) {
    start.z[i] = static_cast<std::uint32_t>(hash.bits(32 * i, 32));
  }
  Kind::make_good(start.z);
  return start;
}

/// The published start of stream `id`: all parts have the seed id * 1099087573 modulo 2^32; where a
/// component's would be too small, its least seed is added.
template <class Kind>
KOKKOS_FUNCTION typename Tausworthe<Kind>::State published_tausworthe_start(std::uint64_t id) {
  typename Tausworthe<Kind>::State start;
  for (auto& word : start.z) word = published_tausworthe_factor * static_cast<std::uint32_t>(id);
  Kind::make_good(start.z);
  return start;
}

}  // namespace rivulet
