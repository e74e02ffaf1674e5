// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_options.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

/// Which rows (indices of the first axis) of a table each rank keeps and looks after. Rows go in
/// bundles, which depend on the table alone: sums over a bundle, and then over bundles in order,
/// are the same on any number of ranks.
struct AliasLayout {
  bool spread = false;        ///< every rank keeps its part alone; otherwise all of the table
  std::uint64_t bundle = 1;   ///< rows
  std::uint64_t bundles = 1;  ///< of all ranks
  AxisRange part;             ///< rows that this rank writes and sums over, whole bundles
  std::uint64_t row_cells = 1;

  std::uint64_t first_cell() const { return part.first * row_cells; }
  std::uint64_t cells() const { return part.count * row_cells; }
};

/// Bytes per cell that a rank takes at most at one time: weights, table, counts, their sum, and
/// probabilities, each with a helper of its size; wide buckets take 16, and while they are made
/// a share 32, a mass 16 and its order 4.
std::uint64_t alias_bytes_per_cell(const TableOptions& options, std::uint64_t cells);

/// A table that one process keeps and looks after.
AliasLayout whole_alias_layout(const std::vector<std::uint64_t>& extents);

/// Collective. Throws the same Error on all ranks if they have no room for the table, even spread.
AliasLayout alias_layout(const AliasOptions& options, const std::vector<std::uint64_t>& extents,
                         const io::Communicator& ranks);

}  // namespace rivulet
