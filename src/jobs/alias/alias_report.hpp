// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "io/report.hpp"
#include "io/results_file.hpp"
#include "jobs/alias/alias_deck_table.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/alias/alias_weights.hpp"

namespace rivulet {

inline constexpr const char* alias_group = "/results/alias";

/// Writes the attributes and small datasets of /results/alias, which is there. Collective.
void write_alias(io::ResultsFile& file, const AliasOptions& options, const AliasWeights& table,
                 const AliasLayout& layout, const AliasResult& result);
/// Likewise what there is to say of the table itself.
void write_table(io::ResultsFile& file, const AliasDeckTable& table);

void report_alias(io::Report& report, const AliasWeights& weights, const AliasDeckTable& table,
                  const AliasResult& result);

}  // namespace rivulet
