// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sampling/alias_table.hpp"

namespace rivulet {

using detail::WideAliasEntry;
using WideAliasTable = AliasTableOf<WideAliasEntry>;

/// Each of some tables' masses, one table after another, of row.cells * 2^64 units a table: those
/// of alias_masses, with smaller units.
template <class Weight>
std::vector<Uint128> wide_alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                                       const TableRow& row, const SumView& sums);

/// make_alias_table of weights in units of 2^weight_exponent, with wide buckets. Throws Error where
/// that does.
WideAliasTable make_wide_alias_table(const Space& space, const ExactWeights<double>& weights,
                                     const std::vector<std::uint64_t>& extents);

/// Likewise a table whose rows several ranks share.
WideAliasTable make_wide_alias_table(const Space& space, const ExactWeights<double>& own_weights,
                                     const std::vector<std::uint64_t>& extents, const RowRange& own,
                                     std::span<const Uint128> sums_of_all_rows);

/// The probability of each cell kept here, as three random words a level draw it: how many of their
/// 2^96 values end in it, level after level, to double's rounding.
std::vector<double> cell_probabilities(const WideAliasTable& table);

}  // namespace rivulet
