// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/alias/alias_draw.hpp"
#include "sampling/wide_alias.hpp"

namespace rivulet {

/// Words of a level of a draw.
inline constexpr int wide_alias_words = 3;

/// Up to `most` draws at once, level after level, so that a core looks up many cells at a time.
template <int most>
struct WideAliasDraws {
  /// Cell of each draw: a number in the whole table, or none.
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::uint32_t cell[static_cast<std::size_t>(most)];

  /// Word w of draw i is words[w * stride + i], w from 0 to wide_alias_words * table.count - 1.
  /// Cells of rows that the table does not hold come out as none. far: the table is too large for
  /// the nearest caches.
  KOKKOS_FORCEINLINE_FUNCTION void draw(const WideAliasTable::Levels& table, int draws,
                                        const std::uint32_t* words, std::uint64_t stride,
                                        bool far) {
    for (int i = 0; i < draws; ++i) cell[i] = 0;
    for (int level = 0; level < table.count; ++level) {
      if (level == 1) number_rows(table, draws);
      positions(draws, words, stride, table.cells[level]);
      look_up(table.entries[level].data(), draws, far);
      words += wide_alias_words * stride;
    }
    const auto before = static_cast<std::uint32_t>(table.first_row * table.row_cells);
    if (before == 0) return;
    for (int i = 0; i < draws; ++i) cell[i] = cell[i] == none ? none : cell[i] + before;
  }

 private:
  /// From the first row kept.
  KOKKOS_FORCEINLINE_FUNCTION void number_rows(const WideAliasTable::Levels& table, int draws) {
    const auto first = static_cast<std::uint32_t>(table.first_row);
    const auto rows = static_cast<std::uint32_t>(table.rows);
    for (int i = 0; i < draws; ++i) cell[i] = cell[i] - first < rows ? cell[i] - first : none;
  }

  /// Where three words of each draw point to.
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

  /// Which it is, bucket or alias, goes either way at random, so nothing here may become a branch.
  KOKKOS_FORCEINLINE_FUNCTION void look_up(const WideAliasEntry* entries, int draws, bool far) {
    if (far) {
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
