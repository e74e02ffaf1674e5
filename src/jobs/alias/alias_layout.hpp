// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_options.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

/// The rows (indices of the first axis) of a table that each rank keeps and writes. Rows form
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

/// Calls body(first, end) for stretches of 0 .. n - 1 on the host's threads.
inline constexpr std::uint64_t stretch_length = std::uint64_t{1} << 16;
template <class Body>
void in_stretches(const std::string& label, std::uint64_t n, const Body& body) {
  for_each_on_host(label, (n + stretch_length - 1) / stretch_length, [&](std::size_t i) {
    body(i * stretch_length, std::min((i + 1) * stretch_length, n));
  });
}

/// Most bytes per cell that a rank needs at a time: weights, table, counts, their sum, and
/// probabilities, each with a helper of its size; wide buckets take 16, and during construction a
/// quota 32, a mass 16 and its order 4.
std::uint64_t alias_bytes_per_cell(const TableOptions& options, std::uint64_t cells);

/// The layout of a table that one process keeps.
AliasLayout whole_alias_layout(const std::vector<std::uint64_t>& extents);

/// Collective. Throws the same Error on all ranks if they lack memory for the table, even divided.
AliasLayout alias_layout(const AliasOptions& options, const std::vector<std::uint64_t>& extents,
                         const io::Communicator& ranks);

}  // namespace rivulet
