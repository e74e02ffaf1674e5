// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "jobs/alias/alias_deck_table.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/alias/alias_weights.hpp"

namespace rivulet {

inline constexpr const char* alias_group = "/results/alias";

/// Writes the attributes and small datasets of /results/alias, which is there. Collective.
void write_alias(io::ResultsFile& file, const AliasOptions& options, const AliasShape& shape,
                 const AliasLayout& layout, const AliasResult& result);
/// Which cells of the table a rank writes: from the first on, of so many.
struct CellsWritten {
  std::uint64_t first = 0;
  std::uint64_t total = 0;
};
/// Writes what each cell has. Collective.
void write_cells(io::ResultsFile& file, CellsWritten cells,
                 const std::vector<std::uint64_t>& counts, std::span<const double> asked,
                 std::span<const double> drawn);
/// Likewise what there is to say of the table itself.
void write_table(io::ResultsFile& file, const AliasDeckTable& table);

/// Tells of the table.
void report_table(io::Report& report, const AliasWeights& weights, const AliasDeckTable& table);
/// Tells how well the samples fit it.
void report_alias(io::Report& report, const AliasShape& shape, const AliasResult& result);

}  // namespace rivulet
