// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sampling/exact_weights.hpp"

namespace rivulet {

using detail::AliasEntry;
using detail::WideAliasEntry;
using EntryView = Kokkos::View<AliasEntry*, Space>;

/// The rows (indices of the first axis) that a rank keeps: first .. first + count - 1.
struct AxisRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// A distribution over the cells of a box with up to `most_levels` axes as a chain of marginals: a
/// table for the first axis, for each of its indices a table for the second, and so on (with two
/// axes: the four tables of Mohanty, Mohanty & Carminati, see docs/alias.md). One axis is a flat
/// table. The last level comprises all further axes. Cells are numbered row by row, the last axis
/// the fastest. Entry: AliasEntry, of which a draw takes two words a level, or WideAliasEntry,
/// three.
template <class Entry>
class AliasTableOf {
 public:
  static constexpr int most_levels = 4;

  /// The part of the table that kernels get by value.
  struct Levels {
    Kokkos::View<Entry*, Space> entries[most_levels];
    /// Of a table that upper_halves() made: its buckets with thresholds of 64 bits.
    Kokkos::View<WideAliasEntry*, Space> wide[most_levels];
    std::uint32_t cells[most_levels] = {};  ///< of each table of the level
    int count = 0;
    std::uint64_t first_row = 0;  ///< level 1 begins with this row's table; 0 if there is one level
    std::uint64_t rows = 0;       ///< kept from there on
    std::uint64_t row_cells = 1;  ///< cells a row

    /// Words that a draw takes of each level, and of all.
    int level_words() const { return wide[0].extent(0) > 0 ? 3 : 2; }
    int sample_words() const { return level_words() * count; }
  };

  AliasTableOf(std::vector<std::uint64_t> extents, Levels levels)
      : extents_(std::move(extents)), levels_(std::move(levels)) {}

  const std::vector<std::uint64_t>& extents() const { return extents_; }
  const Levels& levels() const { return levels_; }
  /// Cells of the whole table.
  std::uint64_t cells() const { return levels_.cells[0] * levels_.row_cells; }
  /// Cells of the rows kept here, and the index of the first one.
  std::uint64_t own_cells() const { return levels_.rows * levels_.row_cells; }
  std::uint64_t first_cell() const { return levels_.first_row * levels_.row_cells; }
  std::uint64_t bytes() const {
    std::uint64_t total = 0;
    for (const auto& entries : levels_.entries) total += entries.extent(0) * sizeof(Entry);
    return total;
  }

 private:
  std::vector<std::uint64_t> extents_;
  Levels levels_;
};

using AliasTable = AliasTableOf<AliasEntry>;
using WideAliasTable = AliasTableOf<WideAliasEntry>;

/// The number of cells. Throws Error for no axis, an empty axis, or 2^32 cells and more.
std::uint64_t cells_of(std::span<const std::uint64_t> extents);

/// The largest weight. Throws Error that names the first weight which is negative, infinite or not
/// a number; the first cell has the index first_cell.
double largest_weight(const Space& space, const Kokkos::View<const double*, Space>& weights,
                      std::uint64_t first_cell = 0);
/// Throws Error if a table's largest weight is 0.
void require_weight(double largest);

/// Builds the table of all cells' weights. Throws Error where cells_of, largest_weight or
/// require_weight do, and if the number of weights is not the product of the extents.
AliasTable make_alias_table(const Space& space, const Kokkos::View<const double*, Space>& weights,
                            const std::vector<std::uint64_t>& extents);
/// The same for weights in units of 2^weight_exponent and either entry.
template <class Entry = AliasEntry>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights<double>& weights,
                                     const std::vector<std::uint64_t>& extents);

/// Tables whose rows are divided among ranks. Each rank calls largest_weight for its rows; the
/// maximum over ranks and weight_exponent(maximum, cells) give all ranks the same units. Each rank
/// sums its rows with row_sums and receives the sums of all rows, in order (16 bytes each); it
/// keeps the tables of its own rows and the first axis' table. The tables are therefore the same,
/// bit for bit, for any number of ranks.
std::vector<Uint128> row_sums(const Space& space, const ExactWeights<double>& own_weights,
                              std::uint64_t own_rows);
template <class Entry = AliasEntry>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights<double>& own_weights,
                                     const std::vector<std::uint64_t>& extents,
                                     const AxisRange& own,
                                     std::span<const Uint128> sums_of_all_rows);

/// The same cells in buckets with the upper halves of the thresholds, beside the wide ones: all
/// that a draw reads but for one in 10^9.
AliasTable upper_halves(const Space& space, const WideAliasTable& table);

/// The probability of each cell kept here under draws of two or three random words a level: the
/// number of their 2^64 or 2^96 values that select it, level after level, to double's rounding.
template <class Entry>
Kokkos::View<double*, Space> cell_probabilities(const Space& space,
                                                const AliasTableOf<Entry>& table);

}  // namespace rivulet
