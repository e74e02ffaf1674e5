// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rng/word.hpp"
#include "sampling/alias_table.hpp"

// A draw needs two words per level if thresholds have 32 bits, and three words if thresholds have
// 64 bits. In the second case, the first two words and the upper half of the threshold decide
// nearly all draws, because the third word adds less than 2 units of the upper half to the coin.
// About one coin in 10^9 is within 2 units of the threshold or of the next bucket. For such a coin,
// the look-up is repeated with all words of the draw.

namespace rivulet {

using detail::alias_position;

/// Read access to the words of a sample, which are `stride` elements apart.
template <int stride = 1>
struct SampleWords {
  const std::uint32_t* first;
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int w) const { return first[w * stride]; }
};

/// Returns the distance from a draw's coin up to the threshold or up to the next bucket, whichever
/// is nearer. If the draw's third word can add this distance to the coin, the first two words do
/// not decide the draw. `coin`: the lower half of the position from the first words. `threshold`:
/// the upper half of a 64-bit threshold.
template <class W>
KOKKOS_FORCEINLINE_FUNCTION W alias_margin(const W& coin, const W& threshold) {
  return WordTraits<W>::min(threshold - coin, ~coin);
}

/// Returns the cell that a draw selects, level by level. cell_of(level, table_begin) must return
/// the cell within the table that begins at entry `table_begin` of the level.
template <class CellOf>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t alias_chain(const AliasTable::Levels& table, int count,
                                                      const CellOf& cell_of) {
  std::uint32_t cell = cell_of(0, 0);
  for (int level = 1; level < count; ++level) {
    const std::uint32_t table_begin = cell * table.cells[level];
    cell = table_begin + cell_of(level, table_begin);
  }
  return cell;
}

/// Returns the cell that the words word(0) .. word(3 * count - 1) select by 64-bit thresholds.
template <class Words>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t wide_alias_sample(const AliasTable::Levels& table,
                                                            int count, const Words& word) {
  return alias_chain(table, count, [&](int level, std::uint32_t table_begin) {
    const auto at = detail::wide_alias_position(word(3 * level), word(3 * level + 1),
                                                word(3 * level + 2), table.cells[level]);
    const WideAliasEntry& entry = table.wide[level].data()[table_begin + at.bucket];
    return at.coin < entry.threshold ? at.bucket : entry.alias;
  });
}

/// Returns the cell that the words word(0) .. word(level_words * count - 1) select in a table of
/// `count` levels.
template <class Words>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t alias_sample(const AliasTable::Levels& table, int count,
                                                       int level_words, const Words& word) {
  std::uint32_t margin = ~0U;
  const std::uint32_t cell = alias_chain(table, count, [&](int level, std::uint32_t table_begin) {
    const int first = level_words * level;
    const std::uint64_t position = alias_position(word(first), word(first + 1), table.cells[level]);
    const auto bucket = static_cast<std::uint32_t>(position >> 32);
    const auto coin = static_cast<std::uint32_t>(position);
    const AliasEntry entry = table.entries[level].data()[table_begin + bucket];
    const std::uint32_t level_margin = alias_margin(coin, entry.threshold);
    margin = level_margin < margin ? level_margin : margin;
    return coin < entry.threshold ? bucket : entry.alias;
  });
  return level_words == 3 && margin <= 1 ? wide_alias_sample(table, count, word) : cell;
}

}  // namespace rivulet
