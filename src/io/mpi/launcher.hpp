// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/mpi/communicator.hpp"

namespace rivulet::io {

/// Returns an environment variable's value, or nullopt if it is unset.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// This process's rank among the processes that mpiexec or srun started, and their number. Both are
/// read from environment variables; without these variables, the process is rank 0 of 1. MPI need
/// not be running.
struct LauncherPlace {
  int rank = 0;
  int ranks = 1;  ///< 0 if unknown
};
LauncherPlace launcher_place();

/// Returns the variable that proves the launch of several processes, such as
/// "OMPI_COMM_WORLD_SIZE=4", or "" if there is none. Only the innermost launcher counts: an MPI's
/// launcher takes precedence over a batch system's. An allocation alone is no evidence, because
/// batch scripts and interactive shells have SLURM_NTASKS without being tasks of a step.
std::string launched_with_others(const Environment& variable);

/// Returns environment variables for a process that no launcher started, or none if a launcher did.
/// With these variables, Open MPI starts in a third of the time, because it starts no daemon for
/// later processes and does not search for networks. Open MPI 4 also creates no session directories
/// in /tmp. Processes that start and end at the same time would remove each other's directories
/// (open-mpi/ompi issue 8510). MPI-IO needs the directories, but a single process opens its files
/// without MPI.
std::vector<std::pair<const char*, const char*>> singleton_variables(const Environment& variable);
/// Sets the variables of singleton_variables() that are not set already. Must be called before
/// MPI starts.
void set_singleton_variables();

/// Throws Error if a launcher started several processes but MPI knows only this one. Each process
/// would then do all of the work.
void require_launchers_world(const Communicator& world);

/// Throws Error on all ranks unless the text is the same on all ranks. The message names the first
/// rank that differs, and shows the first line that differs. `what` has the form "build differs".
/// Collective.
void require_same_on_all_ranks(const Communicator& world, const std::string& what,
                               const std::string& text, const std::string& advice);

}  // namespace rivulet::io
