// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sampling/alias_table.hpp"

// How weights become a chain of marginals, whatever the buckets of its tables look like.

namespace rivulet::detail {

/// Extents of the levels: axes beyond the last level's are one with it.
std::vector<std::uint64_t> level_extents(const std::vector<std::uint64_t>& extents);

/// Throws Error unless there are as many weights as cells.
void require_cells(std::uint64_t weights, std::uint64_t cells);

/// The sums of all rows on the device. Throws Error where a table has no rows to spread over ranks,
/// or not so many.
SumView rows_on_device(const std::vector<std::uint64_t>& extents,
                       std::span<const Uint128> sums_of_all_rows);

/// Sums of the tables of levels 1, 2, ...; those of level 1 are rows.
template <class Weight>
std::vector<SumView> level_sums(const Space& space, const ExactWeights<Weight>& weights,
                                const std::vector<std::uint64_t>& levels) {
  std::vector<SumView> sums(levels.size() - 1);
  std::uint64_t tables = weights.cells();
  for (std::size_t level = levels.size() - 1; level > 0; --level) {
    tables /= levels[level];
    const TableRow row{tables, levels[level]};
    sums[level - 1] =
        level + 1 == levels.size()
            ? table_sums(space, weights, row)
            : table_sums(space, ExactWeights<Uint128>(sums[level], weights.exponent()), row);
  }
  return sums;
}

/// A table of the rows that weights are of; all_rows as of make_alias_table, or null if these are
/// all. build_level(weights, TableRow, sums) makes the buckets of a level's tables.
template <class Entry, class Weight, class BuildLevel>
AliasTableOf<Entry> build_levels(const Space& space, const ExactWeights<Weight>& weights,
                                 const std::vector<std::uint64_t>& extents, const RowRange& own,
                                 const SumView* all_rows, const BuildLevel& build_level) {
  const std::vector<std::uint64_t> levels = level_extents(extents);
  typename AliasTableOf<Entry>::Levels table;
  table.count = static_cast<int>(levels.size());
  table.first_row = own.first;
  table.rows = own.count;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    table.cells[level] = static_cast<std::uint32_t>(levels[level]);
    if (level > 0) table.row_cells *= levels[level];
  }
  require_cells(weights.cells(), own.count * table.row_cells);
  const auto build_first = [&](const auto& first) {
    const TableRow row{1, first.cells()};
    return build_level(first, row, table_sums(space, first, row));
  };
  if (levels.size() == 1) {
    table.entries[0] = build_first(weights);
    return {extents, table};
  }
  const std::vector<SumView> sums = level_sums(space, weights, levels);
  const SumView& rows = all_rows == nullptr ? sums[0] : *all_rows;
  table.entries[0] = build_first(ExactWeights<Uint128>(rows, weights.exponent()));
  std::uint64_t tables = own.count;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    const TableRow row{tables, levels[level]};
    table.entries[level] = level + 1 == levels.size()
                               ? build_level(weights, row, sums[level - 1])
                               : build_level(ExactWeights<Uint128>(sums[level], weights.exponent()),
                                             row, sums[level - 1]);
    tables *= levels[level];
  }
  return {extents, table};
}

}  // namespace rivulet::detail
