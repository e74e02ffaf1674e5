// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/launcher_rank.hpp"

#include <array>
#include <utility>

#include "io/command_line.hpp"
#include "io/launcher_variables.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// The innermost first, as mpiexec may run within a job of Slurm's.
constexpr std::array launchers{open_mpi_variables, pmix_variables, pmi_variables, flux_variables,
                               slurm_variables};

/// Negative where the variable is not set, or to no number that a rank has.
int rank_in(const Environment& variable, const char* name) {
  const auto number = number_in(variable, name);
  return number && std::in_range<int>(*number) ? static_cast<int>(*number) : -1;
}

}  // namespace

LauncherPlace launcher_place() {
  const Environment variable = process_environment();
  for (const LauncherVariables& one : launchers) {
    const int rank = rank_in(variable, one.rank);
    if (rank < 0) continue;
    const int ranks = rank_in(variable, one.ranks);
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
