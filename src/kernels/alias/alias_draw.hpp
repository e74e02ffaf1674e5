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

/// Words that a draw takes of each level.
template <class Entry>
inline constexpr int alias_words = Entry::bits / 32 + 1;

/// Positions of draws in their tables, and the cells there. `most` draws at most.
template <class Entry, int most>
struct AliasPositions {
  std::uint64_t of[static_cast<std::size_t>(most)];

  KOKKOS_FORCEINLINE_FUNCTION void set(int i, const std::uint32_t* word, std::uint64_t stride,
                                       std::uint32_t cells) {
    of[i] = alias_position(word[0], word[stride], cells);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bucket(int i) const {
    return static_cast<std::uint32_t>(of[i] >> 32);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t cell(int i, const AliasEntry* entries) const {
    return alias_cell(entries, of[i]);
  }
};
template <int most>
struct AliasPositions<WideAliasEntry, most> {
  std::uint32_t bucket_[static_cast<std::size_t>(most)];
  std::uint64_t coin_[static_cast<std::size_t>(most)];

  KOKKOS_FORCEINLINE_FUNCTION void set(int i, const std::uint32_t* word, std::uint64_t stride,
                                       std::uint32_t cells) {
    const auto at = detail::wide_alias_position(word[0], word[stride], word[2 * stride], cells);
    coin_[i] = at.coin;
    bucket_[i] = at.bucket;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bucket(int i) const { return bucket_[i]; }
  /// Bucket or alias is a random choice, so there must be no branch here.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t cell(int i, const WideAliasEntry* entries) const {
    const WideAliasEntry& entry = entries[bucket_[i]];
    const std::uint32_t own = std::uint32_t{0} - (coin_[i] < entry.threshold ? 1U : 0U);
    return entry.alias ^ ((entry.alias ^ bucket_[i]) & own);
  }
};

/// Up to rows * width draws at once (whole rows, if there are several): level after level all
/// positions and their cells, so that a core has many look-ups in flight.
template <class Entry, int rows, int width>
struct AliasDraws {
  using Levels = typename AliasTableOf<Entry>::Levels;
  static constexpr int samples = rows * width;

  /// Cell of draw i of row d, at d * width + i: a number in the whole table, or none.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t cell[static_cast<std::size_t>(samples)];

  /// Draws `draws` of each row. words[w * stride + i] is word w of draw i, row after row; a draw
  /// takes alias_words a level. Cells of rows of the table that are not kept here become none.
  /// beyond_cache: the table is too large for the nearest caches.
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Levels& table, int draws, const std::uint32_t* words,
                                        std::uint64_t stride, bool beyond_cache) {
    const int all = rows == 1 ? draws : samples;
    for (int level = 0; level < table.count; ++level) {
      const std::uint32_t* from = words + level * alias_words<Entry> * stride;
      for (int d = 0; d < rows; ++d) {
        for (int i = 0; i < draws; ++i) {
          at_.set(d * width + i, from + i, stride, table.cells[level]);
        }
        from += table.count * alias_words<Entry> * stride;
      }
      if (level == 0) {
        first_level(table.entries[0].data(), all, beyond_cache);
      } else {
        if (level == 1) number_rows(table, all);
        next_level(table.entries[level].data(), table.cells[level], all, beyond_cache);
      }
    }
    const auto before = static_cast<std::uint32_t>(table.first_row * table.row_cells);
    if (before == 0) return;
    for (int i = 0; i < all; ++i) cell[i] = cell[i] == none ? none : cell[i] + before;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void first_level(const Entry* entries, int all, bool beyond_cache) {
    if (beyond_cache) {
      for (int i = 0; i < all; ++i) prefetch<false>(entries + at_.bucket(i));
    }
    for (int i = 0; i < all; ++i) cell[i] = at_.cell(i, entries);
  }

  /// Counts rows from the first row kept.
  KOKKOS_FORCEINLINE_FUNCTION void number_rows(const Levels& table, int all) {
    const auto first = static_cast<std::uint32_t>(table.first_row);
    const auto count = static_cast<std::uint32_t>(table.rows);
    for (int i = 0; i < all; ++i) {
      const std::uint32_t row = cell[i] - first;
      cell[i] = row < count ? row : none;
    }
  }

  /// Replaces cell by the next level's cell, counted from the first row kept.
  KOKKOS_FORCEINLINE_FUNCTION void next_level(const Entry* entries, std::uint32_t cells, int all,
                                              bool beyond_cache) {
    if (beyond_cache) {
      for (int i = 0; i < all; ++i) {
        if (cell[i] == none) continue;
        prefetch<false>(entries + std::uint64_t{cell[i]} * cells + at_.bucket(i));
      }
    }
    for (int i = 0; i < all; ++i) {
      const std::uint32_t table = cell[i] == none ? 0 : cell[i] * cells;
      const std::uint32_t own = table + at_.cell(i, entries + table);
      cell[i] = cell[i] == none ? none : own;
    }
  }

  AliasPositions<Entry, samples> at_;
};

}  // namespace rivulet
