// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/mt_init.hpp"
#include "rivulet/detail/rng/word.hpp"

// MTGP32-11213: Saito & Matsumoto, "Variants of Mersenne Twister Suitable for Graphic Processors",
// ACM TOMS 39 (2013) 12. This is an independent implementation. In the paper, each new word is
//
//     X = (the upper 13 bits of x[k]) ^ x[k+1];  X ^= X << sh1;  Y = X ^ (x[k+pos] >> sh2)
//     x[k+351] = Y ^ table[Y's lowest 4 bits]
//
// and its output is
//
//     T = x[k+pos-1];  T ^= T >> 16;  T ^= T >> 8;  x[k+351] ^ temper[T's lowest 4 bits]
//
// Both tables are linear over GF(2): an entry is the sum of the entries for the bits of its index.

namespace rivulet {

/// The parameters of one MTGP32-11213.
struct MtgpSet {
  int pos;
  int sh1;
  int sh2;
  std::uint32_t table[4];   ///< entries 1, 2, 4 and 8 of the recurrence's table
  std::uint32_t temper[4];  ///< entries 1, 2, 4 and 8 of the tempering table
};

struct Mtgp11213Recurrence {
  static constexpr int p = 11213;
  static constexpr int n = 351;
  /// The bits of the oldest word that belong to the state: all but the lowest 19 (19 = 32 n - p).
  static constexpr std::uint32_t upper_mask = 0xfff80000u;
  /// Least pos of all sets. x[k+pos-1] is therefore never x[k], which the new word overwrites.
  static constexpr int least_pos = 3;
  static constexpr int most_pos = 93;  ///< largest pos of all sets
  /// Numbers that a team draws at a time. Up to n - most_pos = 258 consecutive new words are
  /// independent of each other.
  static constexpr int team_numbers = 256;
  static_assert(team_numbers <= n - most_pos);

  /// Returns x_{k+n} from x_k, x_{k+1} and x_{k+pos}. `table` returns the entry for a word's lowest
  /// 4 bits.
  template <class W, class Table>
  KOKKOS_FORCEINLINE_FUNCTION static W step(const MtgpSet& set, W x_k, W x_k1, W x_kpos,
                                            const Table& table) {
    W x = (x_k & upper_mask) ^ x_k1;
    x ^= x << set.sh1;
    const W y = x ^ (x_kpos >> set.sh2);
    return y ^ table(y);
  }
  /// Returns the number made from a new word and t = x_{k+pos-1}.
  template <class W, class Table>
  KOKKOS_FORCEINLINE_FUNCTION static W temper(W word, W t, const Table& temper) {
    t ^= t >> 16;
    t ^= t >> 8;
    return word ^ temper(t);
  }
};

/// Computes table entries as sums of the entries of single bits, for words of any type.
struct MtgpSums {
  std::uint32_t bit_entries[4];

  KOKKOS_FORCEINLINE_FUNCTION constexpr explicit MtgpSums(const std::uint32_t (&entries)[4])
      : bit_entries{entries[0], entries[1], entries[2], entries[3]} {}

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION W operator()(W index) const {
    using Traits = WordTraits<W>;
    return Traits::if_odd(index, W(bit_entries[0])) ^
           Traits::if_odd(index >> 1, W(bit_entries[1])) ^
           Traits::if_odd(index >> 2, W(bit_entries[2])) ^
           Traits::if_odd(index >> 3, W(bit_entries[3]));
  }
};

/// Looks up one of 16 table entries in memory.
struct MtgpEntries {
  static constexpr int size = 16;
  const std::uint32_t* entry;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(std::uint32_t index) const {
    return entry[index % size];
  }
};

/// A parameter set with the full tables.
struct MtgpTables {
  MtgpSet set;
  std::uint32_t entries[2 * MtgpEntries::size];  ///< 16 of the recurrence's table, then 16 of the
                                                 ///< tempering table

  KOKKOS_FORCEINLINE_FUNCTION MtgpEntries table() const { return {entries}; }
  KOKKOS_FORCEINLINE_FUNCTION MtgpEntries temper() const { return {entries + MtgpEntries::size}; }
};

KOKKOS_INLINE_FUNCTION MtgpTables mtgp_tables(const MtgpSet& set) {
  MtgpTables all{set, {}};
  for (std::uint32_t i = 0; i < MtgpEntries::size; ++i) {
    all.entries[i] = MtgpSums(set.table)(i);
    all.entries[MtgpEntries::size + i] = MtgpSums(set.temper)(i);
  }
  return all;
}

/// Fills the state by published seeding, as mtgp32_init_state of the authors' mtgp32-fast.c does.
/// First fills the state with a hash of the table, then adds Knuth's recurrence (as in
/// init_genrand) by exclusive or.
template <class Words>
KOKKOS_INLINE_FUNCTION void mtgp_init_state(Words&& x, const MtgpSet& set, std::uint32_t seed) {
  constexpr int n = Mtgp11213Recurrence::n;
  const std::uint32_t hidden = set.table[2] ^ (set.table[3] << 16);
  std::uint32_t byte = hidden;
  byte += byte >> 16;
  byte += byte >> 8;
  for (int i = 0; i < n; ++i) x[i] = (byte & 0xffu) * 0x01010101u;
  x[0] = seed;
  x[1] = hidden;
  for (int i = 1; i < n; ++i) {
    const std::uint32_t previous = x[i - 1];
    x[i] ^= 1812433253u * (previous ^ (previous >> 30)) + static_cast<std::uint32_t>(i);
  }
}

/// Returns the published seed of state number `set`, as cuRAND's curandMakeMTGP32KernelState
/// computes it.
KOKKOS_INLINE_FUNCTION std::uint32_t published_mtgp_seed(std::uint64_t seed, std::uint64_t set) {
  return static_cast<std::uint32_t>(seed ^ (seed >> 32)) + static_cast<std::uint32_t>(set) + 1u;
}

/// Fills the state by native seeding: calls init_by_array with a key made from the run's seed and
/// the set's number and parameters.
template <class Words>
KOKKOS_INLINE_FUNCTION void native_mtgp_start(Words&& x, const MtgpSet& set, std::uint64_t number,
                                              std::uint64_t seed) {
  constexpr int length = 9;
  const std::uint32_t key[length] = {static_cast<std::uint32_t>(seed),
                                     static_cast<std::uint32_t>(seed >> 32),
                                     static_cast<std::uint32_t>(number),
                                     static_cast<std::uint32_t>(Mtgp11213Recurrence::p),
                                     static_cast<std::uint32_t>(set.pos),
                                     set.table[0],
                                     set.table[1],
                                     set.table[2],
                                     set.table[3]};
  init_by_array(x, Mtgp11213Recurrence::n, key, length);
}

}  // namespace rivulet
