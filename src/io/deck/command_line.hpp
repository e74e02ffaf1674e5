// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace rivulet::io {

struct CommandLine {
  std::string deck;                    ///< a file, or the name of a job for its default deck
  std::vector<std::string> overrides;  ///< "section.key=value", --output and --count included
  bool stream = false;                 ///< `stream DECK`: its numbers to standard output
  bool stream_ends = false;            ///< they were counted here, by --count or fill.numbers=
  std::vector<std::string> merged;     ///< `merge FILE ...`: results files to put together
  std::string output;                  ///< of --output; empty if it was not given
  std::string resume;                  ///< checkpoint to be continued; empty for none
  double time_limit = 0;               ///< seconds; 0 for none
  bool validate = false;
  bool quiet = false;
  bool list = false;
  bool kokkos_help = false;
  std::string dump_default;         ///< job whose default deck is asked for; empty for none
  std::string described;            ///< job whose results are asked for; empty for none
  std::vector<std::string> kokkos;  ///< "--kokkos-..." as they were given
  std::string answer;               ///< to --help or --version; empty for none
};

/// Throws Error for what the program does not know. `version` answers -V and --version.
CommandLine parse_command_line(int argc, const char* const* argv, const std::string& version);

/// Whether what was asked for takes MPI: answers (help, lists, default decks) do not, nor do, on
/// one process, the check of a deck and the refusal of a command line.
bool takes_mpi(int argc, const char* const* argv);

}  // namespace rivulet::io
