// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/deck/scalar_text.hpp"
#include "io/mpi/node.hpp"
#include "jobs/common/stream_options.hpp"
#include "machine/devices.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// Cells of a bundle, unless a row has more: few enough that bundles keep all threads busy.
constexpr std::uint64_t bundle_cells = 8192;

struct Need {
  std::uint64_t cells;
  std::uint64_t bytes_per_cell;
  std::uint64_t limit;
};

[[noreturn]] void refuse(const Need& need, const std::string& why_not,
                         const std::string& what_to_do) {
  throw Error(fmt::format("no memory for a table of {} cells", need.cells),
              fmt::format("each rank needs {} B per cell and has {}; {}", need.bytes_per_cell,
                          io::bytes_text(need.limit), why_not),
              what_to_do);
}

}  // namespace

std::uint64_t alias_bytes_per_cell(const TableOptions& options, std::uint64_t cells) {
  return options.may_be_wide(cells) ? 88 : 48;
}

AliasLayout whole_alias_layout(const std::vector<std::uint64_t>& extents) {
  AliasLayout layout;
  layout.row_cells = cells_of(extents) / extents[0];
  layout.bundle = std::clamp<std::uint64_t>(bundle_cells / layout.row_cells, 1, extents[0]);
  layout.bundles = (extents[0] + layout.bundle - 1) / layout.bundle;
  layout.part = {0, extents[0]};
  return layout;
}

AliasLayout alias_layout(const AliasOptions& options, const std::vector<std::uint64_t>& extents,
                         const io::Communicator& ranks) {
  const std::uint64_t free_memory =
      std::min(io::host_memory_a_rank(ranks), ranks.min(memory_left().bytes));
  const std::uint64_t limit =
      options.table.memory != 0 ? options.table.memory : free_memory / 4 * 3;
  const std::uint64_t cells = cells_of(extents);
  AliasLayout layout = whole_alias_layout(extents);
  const StreamRange own = range_on(ranks, layout.bundles);
  const std::uint64_t end = std::min((own.first + own.count) * layout.bundle, extents[0]);
  layout.part.first = std::min(own.first * layout.bundle, extents[0]);
  layout.part.count = end - layout.part.first;

  const Need need{cells, alias_bytes_per_cell(options.table, cells), limit};
  const std::uint64_t most = limit / need.bytes_per_cell;
  layout.spread = cells > most;
  if (!layout.spread) return layout;
  const std::uint64_t largest_part = ranks.max(layout.cells());
  const std::string advice =
      "Use a machine with more memory, raise table.memory, or join neighbouring cells.";
  if (extents.size() == 1) {
    refuse(need, "a table of one dimension has no rows to spread over ranks", advice);
  }
  if (options.table.layout == TableLayout::flat) {
    refuse(need, "a flat table has no rows to spread over ranks", "Set table.layout=conditional.");
  }
  if (ranks.min(layout.part.count) == 0 || largest_part > most) {
    refuse(
        need,
        fmt::format("spread over {} ranks by rows, one has {} cells", ranks.size(), largest_part),
        ranks.size() == 1 ? "Start more ranks, on more nodes, or raise table.memory." : advice);
  }
  return layout;
}

}  // namespace rivulet
