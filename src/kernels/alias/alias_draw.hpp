// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rng/wide_word.hpp"
#include "rng/word.hpp"
#include "sampling/alias_table.hpp"

// A draw takes two words of each level where thresholds have 32 bits, and three where they have 64.
// The first two and the upper half of the threshold decide nearly all draws of either kind: the
// rest of a wide draw adds less than 2 units of that half to the coin. Draws that are as near to
// the threshold or to the next bucket, one in 10^9, are looked up again with all their words. Of
// small tables (AliasRegisters) the first word alone decides all draws but one in 10^6.

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
    const auto places = reinterpret_cast<__m512i>(bucket.part[0]);
    const std::uint32_t* entries = entry_[level];
    __m512i found = of_pair(entries, places);
    for (std::uint32_t p = 1; p < pairs_[level]; ++p) {
      const __m512i first = _mm512_set1_epi32(static_cast<int>(p * pair));
      found = _mm512_mask_mov_epi32(found, _mm512_cmpge_epu32_mask(places, first),
                                    of_pair(entries + p * pair, places));
    }
    return Word(reinterpret_cast<Word::Part>(found));
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

using detail::alias_position;

/// How far a draw's coin is from its threshold and from the next bucket: what its further words may
/// add decides if that is as much. coin: the lower half of the first words' position; threshold: a
/// wide one's upper half.
template <class W>
KOKKOS_FORCEINLINE_FUNCTION W alias_margin(const W& coin, const W& threshold) {
  return WordTraits<W>::least(threshold - coin, ~coin);
}

/// The cell of a draw, level after level. cell_of(level, own): the cell in the table that begins at
/// the entry `own`.
template <class CellOf>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t alias_chain(const AliasTable::Levels& table, int count,
                                                      const CellOf& cell_of) {
  std::uint32_t cell = cell_of(0, 0);
  for (int level = 1; level < count; ++level) {
    const std::uint32_t own = cell * table.cells[level];
    cell = own + cell_of(level, own);
  }
  return cell;
}

/// The cell of the words word(0) .. word(3 * count - 1) by thresholds of 64 bits.
template <class Words>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t wide_alias_sample(const AliasTable::Levels& table,
                                                            int count, const Words& word) {
  return alias_chain(table, count, [&](int level, std::uint32_t own) {
    const auto at = detail::wide_alias_position(word(3 * level), word(3 * level + 1),
                                                word(3 * level + 2), table.cells[level]);
    const WideAliasEntry& entry = table.wide[level].data()[own + at.bucket];
    return at.coin < entry.threshold ? at.bucket : entry.alias;
  });
}

/// The cell of a draw with the words word(0) .. word(level_words * count - 1), from a table of
/// `count` levels.
template <class Words>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t alias_sample(const AliasTable::Levels& table, int count,
                                                       int level_words, const Words& word) {
  std::uint32_t margin = ~0U;
  const std::uint32_t cell = alias_chain(table, count, [&](int level, std::uint32_t own) {
    const int first = level_words * level;
    const std::uint64_t position = alias_position(word(first), word(first + 1), table.cells[level]);
    const auto bucket = static_cast<std::uint32_t>(position >> 32);
    const auto coin = static_cast<std::uint32_t>(position);
    const AliasEntry entry = table.entries[level].data()[own + bucket];
    const std::uint32_t own_margin = alias_margin(coin, entry.threshold);
    margin = own_margin < margin ? own_margin : margin;
    return coin < entry.threshold ? bucket : entry.alias;
  });
  return level_words == 3 && margin <= 1 ? wide_alias_sample(table, count, word) : cell;
}

/// Prefetches memory that will be read (or changed) soon. On a GPU other warps hide the latency.
template <bool for_writing>
KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* address) {
  (void)address;
#if defined(__GNUC__)
  if constexpr (!device_build) __builtin_prefetch(address, for_writing ? 1 : 0);
#endif
}

/// `rows` words of draws at once: level after level all positions, then all buckets, so that a core
/// has many look-ups in flight and vectors do the rest. Its arrays are whole vectors, as those of a
/// workspace that it is in, and so all begin with one: vectors of 64 bytes that cross cache lines
/// take longer (measured 1.14 x, look-ups included).
template <int rows>
struct alignas(Word) alignas(AliasEntry) AliasDraws {
  static constexpr int width = lanes<Word>;
  static constexpr int samples = rows * width;

  /// Cell of draw i of row d, at d * width + i.
  std::uint32_t cell[static_cast<std::size_t>(samples)];

  /// Takes a small table's entries into registers; without it, draw() reads them from memory.
  KOKKOS_FORCEINLINE_FUNCTION void prepare(const AliasTable::Levels& table) {
    registers_.load(table);
  }
  /// Whether draw() takes the first word of each level alone.
  KOKKOS_FORCEINLINE_FUNCTION bool by_first_words() const { return registers_.loaded(); }

  /// words[w * width + i] is word w of draw i, row after row; a draw takes level_words a level.
  /// beyond_cache: the table is too large for the nearest caches. Returns whether all are decided;
  /// if not, draw_again() must follow.
  KOKKOS_FORCEINLINE_FUNCTION bool draw(const AliasTable::Levels& table, int level_words,
                                        const std::uint32_t* words, bool beyond_cache) {
    return by_first_words() ? draw_from_registers(table, level_words, words)
                            : draw_from_memory(table, level_words, words, beyond_cache);
  }
  /// By all words, one draw after the other.
  KOKKOS_FORCEINLINE_FUNCTION void draw_again(const AliasTable::Levels& table, int level_words,
                                              const std::uint32_t* words) {
    const int apart = level_words * table.count * width;
    for (int k = 0; k < samples; ++k) {
      const std::uint32_t* const own = words + k / width * apart + k % width;
      cell[k] =
          alias_sample(table, table.count, level_words, [=](int w) { return own[w * width]; });
    }
  }

 private:
  using Traits = WordTraits<Word>;
  using Form = detail::WideForm<Word>;

  /// By the first words alone. Returns whether they decide all draws.
  KOKKOS_FORCEINLINE_FUNCTION bool draw_from_registers(const AliasTable::Levels& table,
                                                       int level_words,
                                                       const std::uint32_t* words) {
    Word margin(~0U);
    for (int k = 0; k < samples; k += width) {
      Word at(0U);
      for (int level = 0; level < table.count; ++level, words += level_words * width) {
        const std::uint32_t cells = table.cells[level];
        const auto place = Form::product(Traits::load(words), cells);
        const Word own = at * Word(cells);
        const Word bucket = own + Form::high(place);
        const Word entry = registers_.at(level, bucket);
        at = chosen(Form::low(place), entry, bucket, own + AliasRegisters::alias(entry), margin);
      }
      Traits::store(at, cell + k);
    }
    return all_above(AliasRegisters::undecided, margin);
  }

  /// By the first two words of each level. Returns whether they decide all draws.
  KOKKOS_FORCEINLINE_FUNCTION bool draw_from_memory(const AliasTable::Levels& table,
                                                    int level_words, const std::uint32_t* words,
                                                    bool beyond_cache) {
    const int apart = level_words * table.count * width;
    Word margin(~0U);
    for (int k = 0; k < samples; k += width) {
      put(k, words + k / width * apart, table.cells[0], Word(0U));
    }
    get(table.entries[0].data(), beyond_cache);
    for (int level = 1; level < table.count; ++level) {
      const std::uint32_t* const first = words + level * level_words * width;
      const std::uint32_t cells = table.cells[level];
      for (int k = 0; k < samples; k += width) {
        put(k, first + k / width * apart, cells, chosen(k, margin) * Word(cells));
      }
      get(table.entries[level].data(), beyond_cache);
    }
    for (int k = 0; k < samples; k += width) Traits::store(chosen(k, margin), cell + k);
    return level_words == 2 || all_above(1, margin);
  }

  /// Puts draws k .. k + width - 1 into buckets of the tables that begin at `own`.
  KOKKOS_FORCEINLINE_FUNCTION void put(int k, const std::uint32_t* words, std::uint32_t cells,
                                       const Word& own) {
    const auto part = Form::product(Traits::load(words + width), cells);
    const auto position = Form::product(Traits::load(words), cells) + (part >> 32);
    Traits::store(own, own_ + k);
    Traits::store(own + Form::high(position), bucket_ + k);
    Traits::store(Form::low(position), coin_ + k);
  }

  KOKKOS_FORCEINLINE_FUNCTION void get(const AliasEntry* entries, bool beyond_cache) {
    if (beyond_cache) {
      for (int k = 0; k < samples; ++k) prefetch<false>(entries + bucket_[k]);
    }
    for (int k = 0; k < samples; k += width) {
      for (int l = 0; l < width; ++l) entry_[k + Form::place(l)] = entries[bucket_[k + l]];
    }
  }

  /// Bucket or alias. That is a random choice, so there must be no branch.
  KOKKOS_FORCEINLINE_FUNCTION static Word chosen(const Word& coin, const Word& threshold,
                                                 const Word& bucket, const Word& alias,
                                                 Word& margin) {
    margin = Traits::least(margin, alias_margin(coin, threshold));
    return Traits::if_less(coin, threshold, bucket, alias);
  }
  KOKKOS_FORCEINLINE_FUNCTION Word chosen(int k, Word& margin) const {
    const auto entry = Form::of_pairs(reinterpret_cast<const std::uint32_t*>(entry_ + k));
    return chosen(Traits::load(coin_ + k), Form::low(entry), Traits::load(bucket_ + k),
                  Traits::load(own_ + k) + Form::high(entry), margin);
  }

  KOKKOS_FORCEINLINE_FUNCTION static bool all_above(std::uint32_t bound, const Word& margin) {
    bool all = true;
    for (int l = 0; l < width; ++l) all = all && Traits::lane(margin, l) > bound;
    return all;
  }

  AliasRegisters registers_;
  std::uint32_t own_[static_cast<std::size_t>(samples)];     ///< where the draw's table begins
  std::uint32_t bucket_[static_cast<std::size_t>(samples)];  ///< among the level's entries
  std::uint32_t coin_[static_cast<std::size_t>(samples)];
  AliasEntry entry_[static_cast<std::size_t>(samples)];  ///< in the order of Form::place()
};

}  // namespace rivulet
