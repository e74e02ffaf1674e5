// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "jobs/correlate/correlate_options.hpp"
#include "jobs/correlate/correlate_result.hpp"

namespace rivulet {

inline constexpr const char* correlate_group = "/results/correlate";

/// SHA-256 over (m, upper, lower word of the sum of products), 64 bits each, little-endian, by lag.
std::string digest_of(const CorrelationSums& sums);

/// Writes the group: statistics, and all the sums that they are made of, so that those of other
/// streams may be added. Sums are the same on all ranks, of which root says which one writes them.
/// Collective.
void write_correlation(io::ResultsFile& file, const CorrelateOptions& options,
                       const CorrelationSums& sums, const CorrelationResult& result, bool root);

/// The sums that write_correlation() wrote, over so many streams. Datasets may have any length.
CorrelationSums read_correlation_sums(const io::ReadFile& file, const CorrelateOptions& options,
                                      std::uint64_t streams);

/// Numbers, and what was found. The method is none where sums come from several runs.
void report_correlation(io::Report& report, const CorrelateOptions& options,
                        const CorrelationSums& sums, const CorrelationResult& result,
                        const std::string& method = "");

}  // namespace rivulet
