// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/launcher_rank.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "io/command_line.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

struct Variables {
  const char* rank;
  const char* ranks;
  int ranks_unless_said;  ///< 0 for unknown
};
/// Of Open MPI, PMIx (Slurm's, PRRTE's), PMI (MPICH, Intel MPI), Flux, and Slurm without any of
/// them: the innermost first, as mpiexec may run within a job of Slurm's. Outside of its steps, in
/// the script of a batch job, Slurm has one process.
constexpr std::array<Variables, 5> launchers{{{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", 0},
                                              {"PMIX_RANK", "SLURM_STEP_NUM_TASKS", 0},
                                              {"PMI_RANK", "PMI_SIZE", 0},
                                              {"FLUX_TASK_RANK", "FLUX_JOB_SIZE", 0},
                                              {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", 1}}};

/// Negative where the variable is not set, or not to a number.
int number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return -1;
  const std::string_view text = value;
  int number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() ? number : -1;
}

}  // namespace

LauncherPlace launcher_place() {
  for (const Variables& one : launchers) {
    const int rank = number_in(one.rank);
    if (rank < 0) continue;
    const int ranks = number_in(one.ranks);
    return {rank, ranks < 0 ? one.ranks_unless_said : ranks};
  }
  return {};
}

bool takes_mpi(int argc, const char* const* argv) {
  try {
    const CommandLine line = parse_command_line(argc, argv, "");
    const bool answers =
        line.list || line.kokkos_help || !line.answer.empty() || !line.dump_default.empty();
    return !answers && (!line.validate || launcher_place().ranks != 1);
  } catch (const Error&) {  // is said again, by all ranks alike
    return launcher_place().ranks != 1;
  }
}

}  // namespace rivulet::io
