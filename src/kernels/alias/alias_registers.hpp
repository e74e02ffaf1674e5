// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rng/word.hpp"
#include "sampling/alias_table.hpp"

#if RIVULET_VECTOR_WORD && defined(__AVX512F__)
#include <immintrin.h>
#define RIVULET_PERMUTED_WORDS 1
#else
#define RIVULET_PERMUTED_WORDS 0
#endif

namespace rivulet {

/// The entries of small tables in a core's vector registers: looked up for all lanes of a word at
/// once, where one lane after the other would read memory. An entry is one word, the threshold in
/// its upper 24 bits and the alias in its lower 8; a draw by it and by the first of its words is
/// right where its margin (see alias_margin) is more than `undecided`.
class AliasRegisters {
  static constexpr std::uint32_t pair = 32;   ///< entries of two registers
  static constexpr std::uint32_t most = 128;  ///< entries of a level, and so cells of its tables
  static constexpr std::uint32_t alias_mask = 0xff;
  static_assert(most <= alias_mask + 1, "aliases are less than the cells of their table");

 public:
  /// Whether this build permutes registers of 64 bytes.
  static constexpr bool permutes = RIVULET_PERMUTED_WORDS != 0;

  /// Rounding up adds alias_mask to a threshold at most, an alias less than `most`; a draw's
  /// further words add as many units as its table has cells to the coin at most.
  static constexpr std::uint32_t undecided = alias_mask + 2 * most;

  /// Takes the table's entries if registers hold so many.
  KOKKOS_FORCEINLINE_FUNCTION void load(const AliasTable::Levels& table) {
    loaded_ = permutes;
    for (int level = 0; level < table.count; ++level) {
      loaded_ = loaded_ && table.entries[level].extent(0) <= most;
    }
    for (int level = 0; loaded_ && level < table.count; ++level) {
      const auto count = static_cast<std::uint32_t>(table.entries[level].extent(0));
      pairs_[level] = (count + pair - 1) / pair;
      for (std::uint32_t i = 0; i < pairs_[level] * pair; ++i) {
        entry_[level][i] = i < count ? packed(table.entries[level].data()[i]) : 0;
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION bool loaded() const { return loaded_; }

  /// The entries of a level's buckets.
  KOKKOS_FORCEINLINE_FUNCTION Word at(int level, const Word& bucket) const {
#if RIVULET_PERMUTED_WORDS
    const auto places = static_cast<__m512i>(bucket);
    const std::uint32_t* entries = entry_[level];
    __m512i found = of_pair(entries, places);
    for (std::uint32_t p = 1; p < pairs_[level]; ++p) {
      const __m512i first = _mm512_set1_epi32(static_cast<int>(p * pair));
      found = _mm512_mask_mov_epi32(found, _mm512_cmpge_epu32_mask(places, first),
                                    of_pair(entries + p * pair, places));
    }
    return Word(found);
#else
    (void)level;
    return bucket;
#endif
  }
  /// The aliases of entries.
  KOKKOS_FORCEINLINE_FUNCTION static Word alias(const Word& entry) {
    return entry & Word(alias_mask);
  }

 private:
#if RIVULET_PERMUTED_WORDS
  /// Of 32 entries those at the lower five bits of places.
  KOKKOS_FORCEINLINE_FUNCTION static __m512i of_pair(const std::uint32_t* entries,
                                                     const __m512i& places) {
    return _mm512_permutex2var_epi32(_mm512_load_si512(entries), places,
                                     _mm512_load_si512(entries + pair / 2));
  }
#endif

  /// A threshold among the last 255 values would wrap: it is rounded down, and draws near it are
  /// undecided as they are near the next bucket.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t packed(const AliasEntry& entry) {
    const std::uint32_t up = entry.threshold + alias_mask;
    return ((up < alias_mask ? entry.threshold : up) & ~alias_mask) | entry.alias;
  }

  bool loaded_ = false;
  std::uint32_t pairs_[AliasTable::most_levels];
  alignas(Word) std::uint32_t entry_[AliasTable::most_levels][most];
};

}  // namespace rivulet
