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

/// A variable's value, or nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// This process among those that mpiexec or srun started with it, as their environment variables
/// say; 0 of 1 where there are none. MPI need not be started for it.
struct LauncherPlace {
  int rank = 0;
  int ranks = 1;  ///< 0 where they do not say
};
LauncherPlace launcher_place();

/// What a launcher's variable says, such as "OMPI_COMM_WORLD_SIZE=4", where it says that this
/// process is one of several; empty if none does. Of several launchers the innermost counts: an
/// MPI's own before a batch system's. Being within an allocation says nothing: batch scripts and
/// interactive shells have SLURM_NTASKS without being tasks of a step.
std::string launched_with_others(const Environment& variable);

/// Variables, and values for them, with which Open MPI starts in a third of the time where no
/// launcher started this process: without a daemon for processes to come, without looking for
/// networks, and, of version 4, without folders in /tmp, which processes that start and end at the
/// same time remove from each other (open-mpi/ompi issue 8510). Where MPI opens files these are
/// needed: one process opens its files without MPI. Empty where a launcher did.
std::vector<std::pair<const char*, const char*>> variables_of_one_process(
    const Environment& variable);
/// Sets these, unless the environment has them. Called before MPI starts.
void prepare_one_process();

/// Throws Error if a launcher started this process with others and MPI knows of this one alone:
/// each would then do all of the work.
void require_launchers_world(const Communicator& world);

/// Throws Error, on all ranks and naming the first rank that differs, unless the text is the same
/// on all. `what` is of the form "a build"; of texts of several lines the message has the first
/// that differs. Collective.
void require_alike(const Communicator& world, const std::string& what, const std::string& text,
                   const std::string& advice);

}  // namespace rivulet::io
