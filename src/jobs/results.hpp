// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "io/results_file.hpp"
#include "jobs/job.hpp"

namespace rivulet {

/// What a run ran on, as report and results file tell it.
struct Machine {
  std::string backend;        ///< Kokkos execution space
  std::uint64_t threads = 1;  ///< its concurrency on this rank
  std::string kokkos_version;
};
Machine machine();

/// Writes the group /config: resolved deck, versions, machine, ranks and hosts. Collective.
void write_config(io::ResultsFile& file, const RunContext& context);

/// Ends a results file: the group /timing (seconds by phase, one value a rank, the total being
/// total_seconds, and the figure of merit), and the file's name. Collective.
void complete(io::ResultsFile& file, RunContext& context, double total_seconds,
              double figure_of_merit, const std::string& unit);

/// SHA-256 over every rank's words in rank order, little-endian, on all ranks. Collective.
std::string digest_in_rank_order(const io::Communicator& communicator,
                                 std::span<const std::uint64_t> local);

}  // namespace rivulet
