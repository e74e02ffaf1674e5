// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/alias/alias_draw.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rng/wide_word.hpp"
#include "rng/word.hpp"
#include "sampling/alias_table.hpp"

// AliasDraws draws many samples at once on a CPU. If the table is small (AliasRegisters), the first
// word of each level decides all but one in 10^6 draws.

#if RIVULET_VECTOR_WORD && defined(__AVX512F__)
#include <immintrin.h>
#define RIVULET_PERMUTED_WORDS 1
#else
#define RIVULET_PERMUTED_WORDS 0
#endif

namespace rivulet {

/// The entries of a small table in vector registers. Permutations look up the entries of all lanes
/// at once, whereas look-ups in memory need one access per lane. An entry is one word, with the
/// threshold in the upper 24 bits and the alias in the lower 8. If a draw's margin (alias_margin)
/// exceeds `max_error`, the cell from the entry and the draw's first word is correct.
class AliasRegisters {
  static constexpr std::uint32_t pair = 32;  ///< entries in two registers
  static constexpr std::uint32_t max_entries = 128;
  static constexpr std::uint32_t alias_mask = 0xff;
  static_assert(max_entries <= alias_mask + 1, "aliases are less than the cells of their table");

 public:
  /// True if the build can permute 64-byte registers (AVX-512).
  static constexpr bool permutes = RIVULET_PERMUTED_WORDS != 0;

  /// Upper bound on the sum of all errors in the comparison of a coin with a threshold. Rounding
  /// adds at most alias_mask to the threshold, and the alias in the lower bits adds less than
  /// `max_entries`. The draw's further words increase the coin by at most one unit per cell of the
  /// table. A level has at most `max_entries` entries, so a table has at most `max_entries` cells.
  static constexpr std::uint32_t max_error = alias_mask + 2 * max_entries;

  /// Loads the table's entries if they fit in the registers.
  KOKKOS_FORCEINLINE_FUNCTION void load(const AliasTable::Levels& table) {
    loaded_ = permutes;
    for (int level = 0; level < table.count; ++level) {
      loaded_ = loaded_ && table.entries[level].extent(0) <= max_entries;
    }
    for (int level = 0; loaded_ && level < table.count; ++level) {
      const auto count = static_cast<std::uint32_t>(table.entries[level].extent(0));
      pairs_[level] = ceil_divide(count, pair);
      for (std::uint32_t i = 0; i < max_entries; ++i) {
        entry_[level][i] = i < count ? packed(table.entries[level].data()[i]) : 0;
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION bool loaded() const { return loaded_; }

  /// Returns the level's entry at each lane's bucket.
  KOKKOS_FORCEINLINE_FUNCTION Word at(int level, const Word& bucket) const {
#if RIVULET_PERMUTED_WORDS
    const auto buckets = reinterpret_cast<__m512i>(bucket.part[0]);
    const std::uint32_t* entries = entry_[level];
    const __m512i found = look_up_pair(entries, buckets);
    if (pairs_[level] == 1) return word_of(found);
    const __mmask16 is_odd = _mm512_test_epi32_mask(buckets, _mm512_set1_epi32(pair));
    const __m512i low = _mm512_mask_mov_epi32(found, is_odd, look_up_pair(entries + pair, buckets));
    if (pairs_[level] == 2) return word_of(low);
    const __m512i high = _mm512_mask_mov_epi32(look_up_pair(entries + 2 * pair, buckets), is_odd,
                                               look_up_pair(entries + 3 * pair, buckets));
    const __mmask16 is_high = _mm512_test_epi32_mask(buckets, _mm512_set1_epi32(2 * pair));
    return word_of(_mm512_mask_mov_epi32(low, is_high, high));
#else
    (void)level;
    return bucket;
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION static Word alias(const Word& entry) {
    return entry & Word(alias_mask);
  }

 private:
#if RIVULET_PERMUTED_WORDS
  KOKKOS_FORCEINLINE_FUNCTION static Word word_of(const __m512i& words) {
    return Word(reinterpret_cast<Word::Part>(words));
  }
  /// For each lane, looks up one of 32 entries by the lower five bits of `buckets`.
  KOKKOS_FORCEINLINE_FUNCTION static __m512i look_up_pair(const std::uint32_t* entries,
                                                          const __m512i& buckets) {
    return _mm512_permutex2var_epi32(_mm512_load_si512(entries), buckets,
                                     _mm512_load_si512(entries + pair / 2));
  }
#endif

  /// Returns the entry as one word, with the threshold rounded up to 24 bits. The largest 255
  /// thresholds would overflow, and are rounded down instead. Coins near such a threshold are also
  /// near the next bucket, so their draws are undecided anyway.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t packed(const AliasEntry& entry) {
    const std::uint32_t up = entry.threshold + alias_mask;
    return ((up < alias_mask ? entry.threshold : up) & ~alias_mask) | entry.alias;
  }

  bool loaded_ = false;
  std::uint32_t pairs_[AliasTable::most_levels];
  alignas(Word) std::uint32_t entry_[AliasTable::most_levels][max_entries];
};

/// Computes rows of lanes<Word> draws. At each level, vectors compute all positions. A loop then
/// reads all buckets, with many look-ups in flight. The arrays are aligned to vectors: if 64-byte
/// vectors cross cache lines, draws take 1.14 times as long (measured, look-ups included).
class alignas(Word) alignas(AliasEntry) AliasDraws {
 public:
  static constexpr int width = lanes<Word>;
  static constexpr int max_rows = 16;
  static constexpr int max_draws = max_rows * width;  ///< maximum draws per call of draw()

  explicit AliasDraws(const AliasTable::Levels& table)
      : table_(table), level_words_(table.level_words()) {
    // 2^15 entries need 256 KiB, a part of a core's L2 cache.
    constexpr std::uint64_t near_entries = std::uint64_t{1} << 15;
    std::uint64_t entries = 0;
    for (const EntryView& level : table.entries) entries += level.extent(0);
    beyond_cache_ = entries > near_entries;
  }

  /// Loads the table into registers if it is small. Without this call, draw() reads entries from
  /// memory.
  void prepare() { registers_.load(table_); }
  bool by_first_words() const { return registers_.loaded(); }

  /// Computes `rows` rows of draws, at most max_rows. Within a row, word w of draw i is words[w *
  /// width + i].
  void draw(const std::uint32_t* words, int rows) {
    const bool decided =
        by_first_words() ? draw_from_registers(words, rows) : draw_from_memory(words, rows);
    if (!decided) redraw_with_all_words(words, rows);
  }
  /// Returns the cells. The cell of draw i of row d is at index d * width + i.
  const std::uint32_t* cells() const { return cell_; }

 private:
  using Traits = WordTraits<Word>;
  using Form = detail::WideForm<Word>;

  /// Looks up the cells with the first word of each level. Returns true if these words decide all
  /// draws.
  bool draw_from_registers(const std::uint32_t* words, int rows) {
    switch (table_.count) {
      case 1:
        return draw_levels<1>(words, rows);
      case 2:
        return draw_levels<2>(words, rows);
      case 3:
        return draw_levels<3>(words, rows);
      default:
        return draw_levels<4>(words, rows);
    }
  }
  template <int levels>
  bool draw_levels(const std::uint32_t* words, int rows) {
    const int stride = level_words_ * width;
    std::uint32_t cells[levels];
    for (int level = 0; level < levels; ++level) cells[level] = table_.cells[level];
    Word margin(~0U);
    for (int k = 0; k < rows * width; k += width) {
      Word cell(0U);
      for (int level = 0; level < levels; ++level, words += stride) {
        const auto position = Form::product(Traits::load(words), cells[level]);
        const Word table_begin = level == 0 ? cell : cell * Word(cells[level]);
        const Word bucket = table_begin + Form::high(position);
        const Word entry = registers_.at(level, bucket);
        cell = select_cells(Form::low(position), entry, bucket,
                            table_begin + AliasRegisters::alias(entry), margin);
      }
      Traits::store(cell, cell_ + k);
    }
    return all_above(AliasRegisters::max_error, margin);
  }

  /// Looks up the cells with the first two words of each level. Returns true if these words decide
  /// all draws.
  bool draw_from_memory(const std::uint32_t* words, int rows) {
    const int draws = rows * width;
    const int stride = level_words_ * table_.count;
    Word margin(~0U);
    for (int level = 0; level < table_.count; ++level) {
      const std::uint32_t* const first = words + level * level_words_ * width;
      const std::uint32_t cells = table_.cells[level];
      for (int k = 0; k < draws; k += width) {
        store_positions(k, first + k * stride, cells,
                        level == 0 ? Word(0U) : select_cells(k, margin) * Word(cells));
      }
      load_entries(table_.entries[level].data(), draws);
    }
    for (int k = 0; k < draws; k += width) Traits::store(select_cells(k, margin), cell_ + k);
    return level_words_ == 2 || all_above(1, margin);
  }

  /// Looks up the cells with all words, one sample at a time.
  void redraw_with_all_words(const std::uint32_t* words, int rows) {
    const int stride = level_words_ * table_.count * width;
    for (int k = 0; k < rows * width; ++k) {
      const std::uint32_t* const sample = words + k / width * stride + k % width;
      cell_[k] = alias_sample(table_, table_.count, level_words_, SampleWords<width>{sample});
    }
  }

  /// Stores the buckets and coins of draws k .. k + width - 1. Lane l of `table_begin` is the
  /// index, among the level's entries, of the first entry of draw k + l's table.
  KOKKOS_FORCEINLINE_FUNCTION void store_positions(int k, const std::uint32_t* words,
                                                   std::uint32_t cells, const Word& table_begin) {
    const auto part = Form::product(Traits::load(words + width), cells);
    const auto position = Form::product(Traits::load(words), cells) + (part >> 32);
    Traits::store(table_begin, table_begin_ + k);
    Traits::store(table_begin + Form::high(position), bucket_ + k);
    Traits::store(Form::low(position), coin_ + k);
  }

  KOKKOS_FORCEINLINE_FUNCTION void load_entries(const AliasEntry* entries, int draws) {
    if (beyond_cache_) {
      for (int k = 0; k < draws; ++k) __builtin_prefetch(entries + bucket_[k]);
    }
    for (int k = 0; k < draws; k += width) {
      for (int l = 0; l < width; ++l) entry_[k + Form::pair_index(l)] = entries[bucket_[k + l]];
    }
  }

  /// Selects the bucket or its alias without a branch: the choice is random, so a branch would
  /// often be mispredicted.
  KOKKOS_FORCEINLINE_FUNCTION static Word select_cells(const Word& coin, const Word& threshold,
                                                       const Word& bucket, const Word& alias,
                                                       Word& margin) {
    margin = Traits::min(margin, alias_margin(coin, threshold));
    return Traits::if_less(coin, threshold, bucket, alias);
  }
  KOKKOS_FORCEINLINE_FUNCTION Word select_cells(int k, Word& margin) const {
    const auto entry = Form::from_pairs(reinterpret_cast<const std::uint32_t*>(entry_ + k));
    return select_cells(Traits::load(coin_ + k), Form::low(entry), Traits::load(bucket_ + k),
                        Traits::load(table_begin_ + k) + Form::high(entry), margin);
  }

  KOKKOS_FORCEINLINE_FUNCTION static bool all_above(std::uint32_t bound, const Word& margin) {
    bool all = true;
    for (int l = 0; l < width; ++l) all = all && Traits::lane(margin, l) > bound;
    return all;
  }

  AliasRegisters registers_;
  std::uint32_t cell_[max_draws];
  std::uint32_t table_begin_[max_draws];  ///< first entry of the draw's table
  std::uint32_t bucket_[max_draws];       ///< index of the bucket among the level's entries
  std::uint32_t coin_[max_draws];
  AliasEntry entry_[max_draws];  ///< lane l of a row is at Form::pair_index(l)
  const AliasTable::Levels& table_;
  int level_words_;
  bool beyond_cache_;  ///< true if the table is too large for the nearest caches
};

}  // namespace rivulet
