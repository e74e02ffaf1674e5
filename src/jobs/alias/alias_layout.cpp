// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_layout.hpp"

#include <fmt/format.h>

#include "io/mpi/node.hpp"
#include "io/words/scalar_text.hpp"
#include "machine/devices.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

StreamRange alias_part(std::uint64_t cells, const io::Communicator& ranks) {
  const StreamRange bundles = range_on(ranks, ceil_divide(cells, bundle_cells));
  const std::uint64_t first = std::min(bundles.first * bundle_cells, cells);
  return {first, std::min(first + bundles.count * bundle_cells, cells) - first};
}

std::uint64_t alias_bytes_per_cell(const TableOptions& options, std::uint64_t cells) {
  return options.may_be_wide(cells) ? 80 : 48;
}

void require_table_memory(const TableOptions& options, std::uint64_t cells,
                          const io::Communicator& ranks) {
  const std::uint64_t free_memory =
      std::min(io::host_memory_per_rank(ranks), ranks.min(free_memory_for_kernels().bytes));
  const bool is_given = options.memory != 0;
  const std::uint64_t limit = is_given ? options.memory : free_memory / 4 * 3;
  const std::uint64_t each = alias_bytes_per_cell(options, cells);
  if (cells <= limit / each) return;
  throw Error(fmt::format("no memory for a table of {} cells", cells),
              fmt::format("each rank needs {} B per cell, {}, and {} {}", each,
                          io::about_bytes(cells * each),
                          is_given ? "table.memory is" : "three quarters of its free memory are",
                          io::about_bytes(limit)),
              is_given ? "Raise table.memory, or join neighbouring cells." : smaller_table(ranks));
}

}  // namespace rivulet
