// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rng/word.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

using detail::alias_position;

/// The cell of a position in the table that begins at entries.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t alias_cell(const AliasEntry* entries,
                                                     std::uint64_t position) {
  const auto bucket = static_cast<std::uint32_t>(position >> 32);
  const AliasEntry entry = entries[bucket];
  return static_cast<std::uint32_t>(position) < entry.threshold ? bucket : entry.alias;
}

/// The cell of a draw with the words word(0) .. word(2 * count - 1), from a table of `count`
/// levels: its number in the whole table, or 2^32 - 1 if the row is not kept here.
template <class Words>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t alias_sample(const AliasTable::Levels& table, int count,
                                                       const Words& word) {
  std::uint32_t cell =
      alias_cell(table.entries[0].data(), alias_position(word(0), word(1), table.cells[0]));
  for (int level = 1; level < count; ++level) {
    const std::uint32_t cells = table.cells[level];
    if (level == 1) {
      cell -= static_cast<std::uint32_t>(table.first_row);
      if (cell >= table.rows) return ~std::uint32_t{0};
    }
    const std::uint32_t own = cell * cells;  // the row's own table
    cell = own + alias_cell(table.entries[level].data() + own,
                            alias_position(word(2 * level), word(2 * level + 1), cells));
  }
  return cell + static_cast<std::uint32_t>(table.first_row * table.row_cells);
}

/// Prefetches memory that will be read (or changed) soon. On a GPU other warps hide the latency.
template <bool for_writing>
KOKKOS_FORCEINLINE_FUNCTION void prefetch(const void* address) {
  (void)address;
#if defined(__GNUC__)
  if constexpr (!device_build) __builtin_prefetch(address, for_writing ? 1 : 0);
#endif
}

/// `draws` draws of each of lanes<Word> streams at once: all words, then level after level all
/// positions and their cells, so that a core has many look-ups in flight.
template <int draws>
struct AliasDraws {
  static constexpr int width = lanes<Word>;
  static constexpr int samples = draws * width;

  /// Cell of draw d of lane l, at d * width + l: a number in the whole table, or none.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t cell[static_cast<std::size_t>(samples)];

  /// words(j)[l] is word j of lane l; a draw takes two words a level, draw after draw. Cells of
  /// rows that are not kept here become none.
  KOKKOS_FORCEINLINE_FUNCTION void draw(const AliasTable::Levels& table, const std::uint32_t* words,
                                        bool beyond_cache) {
    const int stride = 2 * table.count * width;
    positions(words, stride, table.cells[0]);
    first_level(table.entries[0].data(), beyond_cache);
    for (int level = 1; level < table.count; ++level) {
      positions(words + 2 * level * width, stride, table.cells[level]);
      next_level(table.entries[level].data(), table.cells[level],
                 level == 1 ? static_cast<std::uint32_t>(table.first_row) : 0,
                 level == 1 ? static_cast<std::uint32_t>(table.rows) : ~std::uint32_t{0},
                 beyond_cache);
    }
    if (table.first_row != 0) number_globally(table);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void positions(const std::uint32_t* words, int stride,
                                             std::uint32_t cells) {
    for (int d = 0; d < draws; ++d) {
      const std::uint32_t* const from = words + d * stride;
      for (int l = 0; l < width; ++l) {
        position_[d * width + l] = alias_position(from[l], from[width + l], cells);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void first_level(const AliasEntry* entries, bool beyond_cache) {
    if (beyond_cache) {
      for (int i = 0; i < samples; ++i) prefetch<false>(entries + (position_[i] >> 32));
    }
    for (int i = 0; i < samples; ++i) cell[i] = alias_cell(entries, position_[i]);
  }

  /// Replaces cell by the next level's cell, counted from the first row kept.
  KOKKOS_FORCEINLINE_FUNCTION void next_level(const AliasEntry* entries, std::uint32_t cells,
                                              std::uint32_t first, std::uint32_t count,
                                              bool beyond_cache) {
    if (first != 0 || count != ~std::uint32_t{0}) {
      for (int i = 0; i < samples; ++i) {
        const std::uint32_t row = cell[i] - first;
        cell[i] = row < count ? row : none;
      }
    }
    if (beyond_cache) {
      for (int i = 0; i < samples; ++i) {
        if (cell[i] == none) continue;
        prefetch<false>(entries + std::uint64_t{cell[i]} * cells + (position_[i] >> 32));
      }
    }
    for (int i = 0; i < samples; ++i) {
      const std::uint32_t table = cell[i] == none ? 0 : cell[i] * cells;
      const std::uint32_t own = table + alias_cell(entries + table, position_[i]);
      cell[i] = cell[i] == none ? none : own;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void number_globally(const AliasTable::Levels& table) {
    const auto first = static_cast<std::uint32_t>(table.first_row * table.row_cells);
    for (int i = 0; i < samples; ++i) cell[i] = cell[i] == none ? none : cell[i] + first;
  }

  std::uint64_t position_[static_cast<std::size_t>(samples)];
};

/// Words that a draw takes of each level.
inline constexpr int wide_alias_words = 3;

/// Up to `most` draws at once, level after level, so that a core has many look-ups in flight.
template <int most>
struct WideAliasDraws {
  /// Cell of each draw: a number in the whole table, or none.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t cell[static_cast<std::size_t>(most)];

  /// Word w of draw i is words[w * stride + i], w from 0 to wide_alias_words * table.count - 1.
  /// Cells of rows that are not kept here become none. beyond_cache: the table is too large for the
  /// nearest caches.
  KOKKOS_FORCEINLINE_FUNCTION void draw(const WideAliasTable::Levels& table, int draws,
                                        const std::uint32_t* words, std::uint64_t stride,
                                        bool beyond_cache) {
    for (int i = 0; i < draws; ++i) cell[i] = 0;
    for (int level = 0; level < table.count; ++level) {
      if (level == 1) number_rows(table, draws);
      positions(draws, words, stride, table.cells[level]);
      look_up(table.entries[level].data(), draws, beyond_cache);
      words += wide_alias_words * stride;
    }
    const auto before = static_cast<std::uint32_t>(table.first_row * table.row_cells);
    if (before == 0) return;
    for (int i = 0; i < draws; ++i) cell[i] = cell[i] == none ? none : cell[i] + before;
  }

 private:
  /// Counts rows from the first row kept.
  KOKKOS_FORCEINLINE_FUNCTION void number_rows(const WideAliasTable::Levels& table, int draws) {
    const auto first = static_cast<std::uint32_t>(table.first_row);
    const auto rows = static_cast<std::uint32_t>(table.rows);
    for (int i = 0; i < draws; ++i) cell[i] = cell[i] - first < rows ? cell[i] - first : none;
  }

  /// The positions that three words of each draw give.
  KOKKOS_FORCEINLINE_FUNCTION void positions(int draws, const std::uint32_t* words,
                                             std::uint64_t stride, std::uint32_t cells) {
    const std::uint32_t* const second = words + stride;
    const std::uint32_t* const third = second + stride;
    for (int i = 0; i < draws; ++i) {
      const auto at = detail::wide_alias_position(words[i], second[i], third[i], cells);
      coin_[i] = at.coin;
      bucket_[i] = at.bucket;
    }
    for (int i = 0; i < draws; ++i) table_[i] = cell[i] == none ? 0 : cell[i] * cells;
  }

  /// Bucket or alias is a random choice, so there must be no branch here.
  KOKKOS_FORCEINLINE_FUNCTION void look_up(const WideAliasEntry* entries, int draws,
                                           bool beyond_cache) {
    if (beyond_cache) {
      for (int i = 0; i < draws; ++i) prefetch<false>(entries + table_[i] + bucket_[i]);
    }
    for (int i = 0; i < draws; ++i) {
      const WideAliasEntry& entry = entries[table_[i] + bucket_[i]];
      const std::uint32_t own = std::uint32_t{0} - (coin_[i] < entry.threshold ? 1U : 0U);
      const std::uint32_t drawn = entry.alias ^ ((entry.alias ^ bucket_[i]) & own);
      cell[i] = cell[i] == none ? none : table_[i] + drawn;
    }
  }

  std::uint32_t bucket_[static_cast<std::size_t>(most)];
  std::uint64_t coin_[static_cast<std::size_t>(most)];
  std::uint32_t table_[static_cast<std::size_t>(most)];  ///< the first cell of each draw's table
};

}  // namespace rivulet
