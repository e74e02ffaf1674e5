// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "error.hpp"

namespace rivulet::io {
namespace {

constexpr const char* description =
    "Random streams and Monte Carlo, bitwise the same on any number of ranks and threads.\n"
    "\n"
    "       rivulet DECK.yaml [section.key=value ...] [--output FILE] [--validate] [--kokkos-...]\n"
    "       rivulet JOB [section.key=value ...]    the same with the job's default deck\n"
    "       rivulet stream DECK [section.key=value ...]   a fill deck's numbers, endless and raw\n"
    "       rivulet --list\n"
    "       rivulet --dump-default JOB";

constexpr const char* stream_word = "stream";

bool is_for_kokkos(const std::string& argument) { return argument.rfind("--kokkos-", 0) == 0; }

/// CLI11 takes arguments last first.
void parse(CLI::App& app, std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);
  app.parse(arguments);
}

/// `stream DECK`: the deck is the next word.
void take_stream(CommandLine& line, bool with_output) {
  if (line.overrides.empty() || line.overrides.front().find('=') != std::string::npos) {
    throw Error("nothing to stream", "`rivulet stream` was given no deck",
                "Try `rivulet stream fill | head -c 64 | xxd`.");
  }
  if (with_output) {
    throw Error("--output makes no sense here", "`rivulet stream` writes to standard output alone",
                "Leave it out, or run the deck without `stream`.");
  }
  line.stream = true;
  line.deck = line.overrides.front();
  line.overrides.erase(line.overrides.begin());
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, const std::string& version) {
  CommandLine line;
  std::vector<std::string> own;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    (is_for_kokkos(argument) ? line.kokkos : own).push_back(argument);
  }

  std::string output;
  CLI::App app(description, "rivulet");
  app.set_version_flag("--version", version);
  app.add_option("DECK", line.deck, "What to do: a YAML file, or a job's name for its default deck")
      ->type_name("");
  app.add_option("OVERRIDES", line.overrides, "section.key=value, in place of the deck's")
      ->type_name("");
  auto* const output_option =
      app.add_option("--output", output, "Results file (output.file=FILE)")->type_name("FILE");
  app.add_flag("--validate", line.validate, "Check the deck, print it resolved, and stop");
  app.add_flag("--list", line.list, "List jobs, generators and backends");
  app.add_option("--dump-default", line.dump_default, "Print a job's complete, commented deck")
      ->type_name("JOB");
  app.footer("Options that begin with --kokkos- go to Kokkos; --kokkos-help lists them.");
  try {
    parse(app, own);
  } catch (const CLI::CallForHelp&) {
    line.answer = app.help();
    return line;
  } catch (const CLI::CallForVersion&) {
    line.answer = "rivulet " + version + "\n";
    return line;
  } catch (const CLI::ParseError& error) {
    throw Error("the command line makes no sense", error.what(), "See `rivulet --help`.");
  }
  if (line.deck == stream_word) take_stream(line, output_option->count() > 0);
  if (output_option->count() > 0) line.overrides.push_back("output.file=" + output);
  if (line.deck.empty() && !line.list && line.dump_default.empty()) {
    throw Error("nothing to do", "no deck was named",
                "Try `rivulet pi`, `rivulet inputs/pi.yaml` or `rivulet --help`.");
  }
  return line;
}

}  // namespace rivulet::io
