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

/// Represents a distribution over the cells of a box by a chain of marginals with up to
/// `most_levels` levels. The first axis has one table. Each index of the first axis has a table for
/// the second axis, and so on. (Two axes give the four tables of Mohanty, Mohanty & Carminati, see
/// docs/alias.md.) With one axis, the table is flat. The last level merges all further axes. Cells
/// are numbered row by row, so the index of the last axis varies fastest. A draw needs two words
/// per level, or three with wide buckets (64-bit thresholds).
template <class Entry>
class AliasTableOf {
 public:
  static constexpr int most_levels = 4;

  /// The part of the table that kernels receive by value.
  struct Levels {
    Kokkos::View<Entry*, Space> entries[most_levels];
    /// The buckets with 64-bit thresholds. Empty unless upper_halves() made the table.
    Kokkos::View<WideAliasEntry*, Space> wide[most_levels];
    std::uint32_t cells[most_levels] = {};  ///< cells per table of the level
    int count = 0;

    /// Returns the words per draw and level.
    int level_words() const { return wide[0].extent(0) > 0 ? 3 : 2; }
    /// Returns the words per draw.
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

/// Returns the number of cells. Throws Error if there is no axis, an axis is empty, or there are
/// 2^32 or more cells.
std::uint64_t cells_of(std::span<const std::uint64_t> extents);

/// Returns the largest weight. Throws Error, naming the first weight that is negative, infinite or
/// not a number.
double largest_weight(const Space& space, const Kokkos::View<const double*, Space>& weights);
/// Throws Error if a table's largest weight is 0.
void require_weight(double largest);

/// Weights that are truncated to whole units of 2^exponent.
struct ExactWeights {
  Kokkos::View<const double*, Space> each;
  int exponent;
};

/// Builds the table from all cells' weights. Throws Error if cells_of(), largest_weight() or
/// require_weight() throws, or if the number of weights is not the product of the extents.
AliasTable make_alias_table(const Space& space, const Kokkos::View<const double*, Space>& weights,
                            const std::vector<std::uint64_t>& extents);
/// Builds the table, with either entry type, from weights in units of 2^detail::weight_exponent.
template <class Entry = AliasEntry>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights& weights,
                                     const std::vector<std::uint64_t>& extents);

/// Returns the exact sum of all weights, in units of 2^exponent.
Uint128 weight_sum(const Space& space, const ExactWeights& weights);

/// Returns a table that stores the upper halves of the thresholds in addition to the wide buckets.
/// Only one draw in 10^9 reads a wide bucket.
AliasTable upper_halves(const Space& space, const WideAliasTable& table);

/// Returns each cell's probability, exact up to the round-off of doubles. The probability is a
/// product over the levels. A level's factor is the fraction of word values that select the cell:
/// two words have 2^64 values, three have 2^96.
template <class Entry>
Kokkos::View<double*, Space> cell_probabilities(const Space& space,
                                                const AliasTableOf<Entry>& table);

}  // namespace rivulet
