// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kokkos_compat.hpp"
#include "rivulet/detail/alias_table.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

using detail::AliasEntry;
using detail::WideAliasEntry;
using EntryView = Kokkos::View<AliasEntry*, Space>;

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

    /// Words that a draw takes of each level, and of all.
    int level_words() const { return wide[0].extent(0) > 0 ? 3 : 2; }
    int sample_words() const { return level_words() * count; }
  };

  AliasTableOf(std::vector<std::uint64_t> extents, Levels levels)
      : extents_(std::move(extents)), levels_(std::move(levels)) {}

  const std::vector<std::uint64_t>& extents() const { return extents_; }
  const Levels& levels() const { return levels_; }
  std::uint64_t cells() const { return levels_.entries[levels_.count - 1].extent(0); }
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
/// a number.
double largest_weight(const Space& space, const Kokkos::View<const double*, Space>& weights);
/// Throws Error if a table's largest weight is 0.
void require_weight(double largest);

/// Weights in whole units of 2^exponent, truncated.
struct ExactWeights {
  Kokkos::View<const double*, Space> each;
  int exponent;
};

/// Builds the table of all cells' weights. Throws Error where cells_of, largest_weight or
/// require_weight do, and if the number of weights is not the product of the extents.
AliasTable make_alias_table(const Space& space, const Kokkos::View<const double*, Space>& weights,
                            const std::vector<std::uint64_t>& extents);
/// Builds it of either entry from weights in units of 2^detail::weight_exponent.
template <class Entry = AliasEntry>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights& weights,
                                     const std::vector<std::uint64_t>& extents);

/// The sum of all weights, exactly.
Uint128 weight_sum(const Space& space, const ExactWeights& weights);

/// The same cells in buckets with the upper halves of the thresholds, beside the wide ones: all
/// that a draw reads but for one in 10^9.
AliasTable upper_halves(const Space& space, const WideAliasTable& table);

/// The probability of each cell under draws of two or three random words a level: the
/// number of their 2^64 or 2^96 values that select it, level after level, to double's rounding.
template <class Entry>
Kokkos::View<double*, Space> cell_probabilities(const Space& space,
                                                const AliasTableOf<Entry>& table);

}  // namespace rivulet
