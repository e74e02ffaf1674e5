// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rivulet::io {

struct CommandLine {
  std::string deck;  ///< a file, or the name of a job, which selects its default deck
  std::vector<std::string> overrides;  ///< "section.key=value"; includes --output and --count
  bool stream = false;                 ///< `stream DECK`: write its numbers to standard output
  bool stream_ends = false;            ///< true if --count or fill.numbers= limits the stream
  std::vector<std::string> merged;     ///< `merge FILE ...`: results files to merge
  std::string output;                  ///< value of --output; empty if not given
  std::string resume;                  ///< checkpoint to resume; empty for none
  double time_limit = 0;               ///< seconds; 0 for none
  bool validate = false;
  bool quiet = false;
  bool list = false;
  bool kokkos_help = false;
  std::string dump_default;         ///< job whose default deck to print; empty for none
  std::string described;            ///< job whose results to describe; empty for none
  std::vector<std::string> kokkos;  ///< options --kokkos-..., unchanged
  std::string answer;               ///< answer to --help or --version; empty for none
};

/// Parses the program's arguments. Throws Error for unknown, invalid or contradictory arguments.
/// `version` is the answer to -V and --version.
CommandLine parse_command_line(int argc, const char* const* argv, const std::string& version);

/// True if one of the overrides begins with `assignment`, which has the form "section.key=".
bool assigns(const std::vector<std::string>& overrides, std::string_view assignment);

/// True if the command needs MPI. Commands that only print an answer (help, lists, default decks)
/// do not need MPI. Neither do --validate and invalid command lines in a single process.
bool needs_mpi(int argc, const char* const* argv);

}  // namespace rivulet::io
