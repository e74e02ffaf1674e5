// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet::io {

/// This process among those that mpiexec or srun started with it, as their environment variables
/// say; 0 of 1 where there are none. MPI need not be started for it.
struct LauncherPlace {
  int rank = 0;
  int ranks = 1;  ///< 0 where they do not say
};
LauncherPlace launcher_place();

/// Whether what was asked for takes MPI: answers (help, lists, default decks) do not, nor do, on
/// one process, the check of a deck and the refusal of a command line.
bool takes_mpi(int argc, const char* const* argv);

}  // namespace rivulet::io
