// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "io/mpi/communicator.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "rivulet/detail/host_parallel.hpp"

namespace rivulet {

/// Cells that one thread sums. Sums over a bundle, and then over bundles in order, are the same on
/// any number of ranks.
inline constexpr std::uint64_t bundle_cells = 8192;

/// The cells that this rank writes and sums over: whole bundles. Every rank has the whole table.
StreamRange alias_part(std::uint64_t cells, const io::Communicator& ranks);

/// in_stretches() calls body(first, end) for stretches of 0 .. n - 1 on the host's threads.
inline constexpr std::uint64_t stretch_length = std::uint64_t{1} << 16;
template <class Body>
void in_stretches(const std::string& label, std::uint64_t n, const Body& body) {
  for_each_on_host(label, (n + stretch_length - 1) / stretch_length, [&](std::size_t i) {
    body(i * stretch_length, std::min((i + 1) * stretch_length, n));
  });
}

/// Most bytes per cell that a rank needs at a time. Memory holds weights, table, counts, their sum
/// and probabilities, each with a helper of its size. A wide bucket takes 16 bytes.
/// Construction takes 16 bytes for a place, 4 for an index, and 16 for the sum of each row.
std::uint64_t alias_bytes_per_cell(const TableOptions& options, std::uint64_t cells);

/// Advice for a table that does not fit.
inline const char* smaller_table(const io::Communicator& ranks) {
  return ranks.size() > 1 ? "Start fewer ranks on each node, or join neighbouring cells."
                          : "Join neighbouring cells.";
}

/// Throws Error if this rank lacks memory for the table. Collective.
void require_table_memory(const TableOptions& options, std::uint64_t cells,
                          const io::Communicator& ranks);

}  // namespace rivulet
