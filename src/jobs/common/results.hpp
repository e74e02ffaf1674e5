// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/results/results_file.hpp"
#include "jobs/common/job.hpp"

namespace rivulet {

/// The machine of a run, for report and results file.
struct Machine {
  std::string backend;        ///< Kokkos execution space
  std::uint64_t threads = 1;  ///< its concurrency on this rank
  std::string kokkos_version;
};
Machine machine();

/// Writes the group /config: resolved deck, versions, machine, ranks and hosts. Collective.
void write_config(io::ResultsFile& file, const JobContext& context);

/// "/results/JOB".
inline std::string results_group(const std::string& job) { return "/results/" + job; }

/// The data of a run's end.
struct Ending {
  double seconds = 0;  ///< in all, on this rank
  double figure_of_merit = 0;
  std::string unit;  ///< of the figure of merit
  std::string digest;
};

/// Ends the run's timing and completes its results file, if there is one: writes the digest and the
/// group /timing (seconds by phase, one value per rank, and the figure of merit), and renames the
/// file. Collective.
void complete(JobContext& context, const Ending& end, std::optional<io::ResultsFile>& file);

/// The report's last lines, the same for every job: times, the file, figure of merit and digest.
void end_report(JobContext& context, const Ending& end);

/// Throws Error on all ranks if an iteration's digest differs from the first one: the machine or
/// the build computes wrongly. what: the text after "made" in its message. Collective.
void require_same(const io::Communicator& communicator, const std::string& digest,
                  const std::string& first, const std::string& what);

/// SHA-256 over every rank's words in rank order, little-endian, on all ranks. Collective.
std::string digest_in_rank_order(const io::Communicator& communicator,
                                 std::span<const std::uint64_t> local);

}  // namespace rivulet
