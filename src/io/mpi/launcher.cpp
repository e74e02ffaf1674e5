// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/mpi/launcher.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

/// Returns the variable's value, or nullopt if the variable is unset or not a whole number.
std::optional<std::uint64_t> number_in(const Environment& variable, const char* name) {
  const auto text = variable(name);
  std::uint64_t value = 0;
  return text && number_from(*text, value) ? std::optional(value) : std::nullopt;
}

/// Variables that a launcher sets for the processes that it starts.
struct LauncherVariables {
  const char* rank;
  const char* ranks;
  int default_ranks = 0;  ///< number of ranks if `ranks` is unset; 0 for unknown
};
constexpr const char* slurm_rank = "SLURM_PROCID";
constexpr const char* slurm_tasks = "SLURM_STEP_NUM_TASKS";

/// Known launchers, the innermost first, because mpiexec may run within a Slurm job.
constexpr std::array launchers{
    LauncherVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI's mpiexec
    LauncherVariables{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},    // MVAPICH
    LauncherVariables{"PMIX_RANK", slurm_tasks},  // Slurm and PRRTE: only srun sets the size
    LauncherVariables{"PMI_RANK", "PMI_SIZE"},    // MPICH, Intel MPI and Slurm
    LauncherVariables{"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},  // IBM's jsrun
    LauncherVariables{"PALS_RANKID", "PMI_SIZE"},  // HPE's mpiexec and aprun; may lack the size
    LauncherVariables{"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
    LauncherVariables{slurm_rank, slurm_tasks, 1}};  // a batch script (1 process) lacks the size

/// Returns a rank or a number of ranks, or -1 if the variable is unset or not valid.
int rank_in(const Environment& variable, const char* name) {
  const auto number = number_in(variable, name);
  return number && std::in_range<int>(*number) ? static_cast<int>(*number) : -1;
}

std::string assignment(const char* name, std::uint64_t value) {
  return fmt::format("{}={}", name, value);
}

/// Smallest SLURM_STEP_ID of a step that srun did not start, such as a batch script (slurm.h:
/// SLURM_MAX_NORMAL_STEP_ID).
constexpr std::uint64_t first_special_step = 0xfffffff0;

/// Implements launched_with_others() for Slurm. A SLURM_STEP_ID below first_special_step shows that
/// srun started this task. A task of `srun --pty` is ignored, because it is an interactive shell.
std::string launched_by_slurm(const Environment& variable) {
  const auto rank = number_in(variable, slurm_rank);
  if (variable("SLURM_PTY_PORT")) return {};
  const auto step = number_in(variable, "SLURM_STEP_ID");
  if (step && *step < first_special_step) {
    for (const char* const name : {slurm_tasks, "SLURM_NTASKS"}) {
      if (const auto tasks = number_in(variable, name))
        return *tasks > 1 ? assignment(name, *tasks) : "";
    }
  }
  return rank.value_or(0) > 0 ? assignment(slurm_rank, *rank) : "";
}

constexpr const char* duplicated_work =
    "each process would do all the work and write the same file";

std::string first_difference(const std::string& here, const std::string& there) {
  std::istringstream here_lines(here);
  std::istringstream there_lines(there);
  std::string here_line;
  std::string there_line;
  do {
    if (!std::getline(here_lines, here_line)) here_line.clear();
    if (!std::getline(there_lines, there_line)) there_line.clear();
  } while (here_line == there_line && here_lines && there_lines);
  return fmt::format("'{}' here, '{}' on rank 0", here_line, there_line);
}

}  // namespace

LauncherPlace launcher_place() {
  const Environment variable = process_environment();
  for (const LauncherVariables& launcher : launchers) {
    const int rank = rank_in(variable, launcher.rank);
    if (rank < 0) continue;
    const int ranks = rank_in(variable, launcher.ranks);
    return {rank, ranks < 0 ? launcher.default_ranks : ranks};
  }
  return {};
}

std::string launched_with_others(const Environment& variable) {
  for (const LauncherVariables& launcher : launchers) {
    if (launcher.ranks == slurm_tasks) continue;
    const auto size = number_in(variable, launcher.ranks);
    if (size) return *size > 1 ? assignment(launcher.ranks, *size) : "";
  }
  // A process whose rank is above 0 is not alone, even if the number of ranks is unknown.
  for (const LauncherVariables& launcher : launchers) {
    if (launcher.rank == slurm_rank) continue;
    const auto rank = number_in(variable, launcher.rank);
    if (rank.value_or(0) > 0) return assignment(launcher.rank, *rank);
  }
  return launched_by_slurm(variable);
}

std::vector<std::pair<const char*, const char*>> singleton_variables(const Environment& variable) {
  for (const LauncherVariables& launcher : launchers) {
    if (launcher.rank == slurm_rank) continue;  // batch scripts have slurm_rank, too
    if (variable(launcher.rank)) return {};
  }
  if (!launched_with_others(variable).empty()) return {};
  return {{"OMPI_MCA_ess_singleton_isolated", "1"},
          {"OMPI_MCA_orte_create_session_dirs", "0"},
          {"OMPI_MCA_pml", "ob1"},
          {"OMPI_MCA_btl", "self"}};
}

void set_singleton_variables() {
  for (const auto& [name, value] : singleton_variables(process_environment())) {
    setenv(name, value, 0);
  }
}

void require_launchers_world(const Communicator& world) {
  if (world.size() > 1) return;
  const std::string found = launched_with_others(process_environment());
  if (found.empty()) return;
  const std::string name = found.substr(0, found.find('='));
  if (RIVULET_ENABLE_MPI == 0) {
    throw Error(fmt::format("{} in a build without MPI", found), duplicated_work,
                fmt::format("Start one process, or use a build with MPI; for separate runs on "
                            "purpose, unset {}.",
                            name));
  }
  throw Error(fmt::format("{}, but MPI sees one process only", found),
              fmt::format("the launcher does not belong to the MPI that Rivulet was built with; {}",
                          duplicated_work),
              fmt::format("Use srun with the --mpi type of that MPI (`srun --mpi=list`; for Open "
                          "MPI, pmix), or its mpiexec; for separate runs on purpose, unset {}.",
                          name));
}

void require_same_on_all_ranks(const Communicator& world, const std::string& what,
                               const std::string& text, const std::string& advice) {
  if (world.size() == 1) return;
  const std::string root_text = world.broadcast(text);
  world.together([&] {
    if (text == root_text) return;
    throw Error(fmt::format("{} from rank 0's", what), first_difference(text, root_text), advice);
  });
}

}  // namespace rivulet::io
