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

/// This process's rank among the processes that mpiexec or srun started, by their environment
/// variables; 0 of 1 without these. Does not need a running MPI.
struct LauncherPlace {
  int rank = 0;
  int ranks = 1;  ///< 0 if unknown
};
LauncherPlace launcher_place();

/// Returns the variable that shows that a launcher started several processes, such as
/// "OMPI_COMM_WORLD_SIZE=4"; empty if none does. The innermost launcher counts: an MPI's before a
/// batch system's. An allocation alone is no evidence, because batch scripts and interactive shells
/// have SLURM_NTASKS without being tasks of a step.
std::string launched_with_others(const Environment& variable);

/// Returns environment variables that cut Open MPI's start to a third of the time if no launcher
/// started this process; empty if a launcher did. Open MPI then starts no daemon for later
/// processes and looks for no networks. Open MPI 4 also makes no folders in /tmp. Processes that
/// start and end at the same time remove these from each other (open-mpi/ompi issue 8510). MPI-IO
/// needs these folders, but a single process opens its files without MPI.
std::vector<std::pair<const char*, const char*>> variables_of_one_process(
    const Environment& variable);
/// Sets these variables, unless the environment has them. Must be called before MPI starts.
void prepare_one_process();

/// Throws Error if a launcher started several processes but MPI knows only this one. Each process
/// would then do all of the work.
void require_launchers_world(const Communicator& world);

/// Throws Error on all ranks unless the text is the same on all. The message names the first rank
/// that differs and, of several lines, shows the first that differs. `what` has the form
/// "build differs".
/// Collective.
void require_alike(const Communicator& world, const std::string& what, const std::string& text,
                   const std::string& advice);

}  // namespace rivulet::io
