// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace rivulet::io {

/// A variable's value, or nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// This process's own.
Environment process_environment();

/// Nothing where the variable is not set, or not to a whole number.
std::optional<std::uint64_t> number_in(const Environment& variable, const char* name);

/// What launchers tell the processes that they start.
struct LauncherVariables {
  const char* rank;
  const char* ranks;
  int ranks_unless_said = 0;  ///< 0 for unknown
};
/// Open MPI's mpiexec.
inline constexpr LauncherVariables open_mpi_variables{"OMPI_COMM_WORLD_RANK",
                                                      "OMPI_COMM_WORLD_SIZE"};
/// PMIx, of Slurm and PRRTE, has no variable of the size, and srun has.
inline constexpr LauncherVariables pmix_variables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS"};
/// PMI, of MPICH, Intel MPI and Slurm.
inline constexpr LauncherVariables pmi_variables{"PMI_RANK", "PMI_SIZE"};
inline constexpr LauncherVariables flux_variables{"FLUX_TASK_RANK", "FLUX_JOB_SIZE"};
/// Slurm without any of them. Outside of its steps, in the script of a batch job, it has one
/// process.
inline constexpr LauncherVariables slurm_variables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", 1};

}  // namespace rivulet::io
