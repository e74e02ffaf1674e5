// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/detail/host_parallel.hpp"

namespace rivulet {

/// Cells per bundle. A single thread sums the cells of a bundle. The bundles' sums are then added
/// in order, so the total is the same on any number of ranks.
inline constexpr std::uint64_t bundle_cells = 8192;

/// Returns the range of cells whose results this rank writes and sums. The range consists of whole
/// bundles. (Every rank has the complete table.)
StreamRange alias_part(std::uint64_t cells, const io::Communicator& ranks);

/// Elements per stretch (in_stretches()); the last stretch may be shorter.
inline constexpr std::uint64_t stretch_length = std::uint64_t{1} << 16;
/// Calls body(first, end) for consecutive stretches of 0 .. n - 1, on the host's threads.
template <class Body>
void in_stretches(const std::string& label, std::uint64_t n, const Body& body) {
  for_each_on_host(label, ceil_divide(n, stretch_length), [&](std::size_t i) {
    body(i * stretch_length, std::min((i + 1) * stretch_length, n));
  });
}

/// Returns the peak memory of a rank in bytes per cell. Weights, table, counts, summed counts and
/// probabilities each need a temporary of the same size. A bucket with a 64-bit threshold has 16
/// bytes. The construction of the table needs 16 bytes per position, 4 bytes per index, and 16
/// bytes for the sum of each row.
std::uint64_t alias_bytes_per_cell(const TableOptions& options, std::uint64_t cells);

/// Returns the advice for messages about a table that does not fit in memory.
inline const char* smaller_table(const io::Communicator& ranks) {
  return ranks.size() > 1 ? "Start fewer ranks on each node, or join neighbouring cells."
                          : "Join neighbouring cells.";
}

/// Throws Error if this rank lacks memory for the table. Collective.
void require_table_memory(const TableOptions& options, std::uint64_t cells,
                          const io::Communicator& ranks);

}  // namespace rivulet
