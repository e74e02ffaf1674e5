// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/results/results_file.hpp"
#include "jobs/alias/alias_deck_table.hpp"
#include "jobs/alias/alias_options.hpp"
#include "jobs/alias/alias_result.hpp"
#include "jobs/alias/alias_weights.hpp"
#include "jobs/common/merge_input.hpp"
#include "jobs/common/results.hpp"

namespace rivulet {

inline constexpr const char* alias_group = "/results/alias";

/// The table of merged parts. Parts must have the same table, because statistics compare the
/// samples with the table.
struct MergedTable {
  AliasGrid shape = {};
  std::vector<double> requested = {};
  std::vector<double> drawn = {};
};

/// Reads a part's table. Throws Error unless the table has `cells` cells.
MergedTable table_of(const MergeInput& part, std::uint64_t cells);
/// Throws Error if the tables of two parts differ. `path` and `other_path`: paths of the parts, for
/// the message.
void require_same_table(const MergedTable& one, const std::string& path, const MergedTable& other,
                        const std::string& other_path);

/// Declares the results of comparing the samples with the table.
void declare_alias(Results& out, const AliasOptions& options, const AliasGrid& shape,
                   const AliasResult& result);
/// Declares the table's properties. Warnings become notes if the expected number of samples in lost
/// and changed cells is below 0.001. `samples`: the total number of samples.
void declare_table(Results& out, const TableFacts& table, double samples);
/// Declares the datasets of stored samples (AliasSampleWriter).
void declare_stored_samples(Results& out, const AliasOptions& options,
                            const std::vector<AliasAxis>& axes);

}  // namespace rivulet
