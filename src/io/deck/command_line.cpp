// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/deck/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "io/mpi/launcher.hpp"
#include "io/words/messages.hpp"
#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

constexpr const char* description =
    "Random streams and Monte Carlo, bitwise the same on any number of ranks and threads.\n"
    "\n"
    "Usage: rivulet DECK.yaml [section.key=value ...] [--output FILE] [--validate] [--kokkos-...]\n"
    "       rivulet JOB [section.key=value ...]    the same with the job's default deck\n"
    "       rivulet --resume CHECKPOINT [--output FILE]   continues a run that was stopped\n"
    "       rivulet stream DECK [section.key=value ...] [--count N]   a fill deck's numbers, raw\n"
    "       rivulet merge RESULTS.h5 RESULTS.h5 ... --output FILE    parts of a result, together\n"
    "       rivulet --list\n"
    "       rivulet --dump-default JOB     or: rivulet help JOB\n"
    "       rivulet --describe-results JOB";

/// The key of a fill deck that --count sets.
const std::string stream_count = "fill.numbers=";

/// Throws Error if output.expect is given, because `stream` and `merge` compare no digest.
void refuse_expected_digest(const CommandLine& line, const std::string& reason,
                            const std::string& remedy) {
  if (!assigns(line.overrides, "output.expect=")) return;
  throw Error("output.expect does not apply here", reason, remedy);
}

/// Handles `stream DECK`. The stream is endless unless the command line limits it: the deck's
/// fill.numbers limits only the fill job.
void handle_stream(CommandLine& line, bool with_output) {
  if (line.overrides.empty() || line.overrides.front().find('=') != std::string::npos) {
    throw Error("nothing to stream", "`rivulet stream` was given no deck",
                "Try `rivulet stream fill | head -c 64 | xxd`.");
  }
  if (with_output) {
    throw Error("--output does not apply here", "`rivulet stream` writes to standard output only",
                "Omit it, or run the deck without `stream`.");
  }
  refuse_expected_digest(line, "`rivulet stream` has no digest to compare",
                         "Omit it, or run the deck without `stream`.");
  line.stream = true;
  line.deck = line.overrides.front();
  line.overrides.erase(line.overrides.begin());
}

/// Handles `merge FILE ...`. Treats every other positional argument as a file, whatever its name
/// looks like.
void handle_merge(CommandLine& line) {
  const std::string example = "Run, for example, `rivulet merge a.h5 b.h5 --output all.h5`.";
  refuse_expected_digest(line, "`rivulet merge` compares no digest",
                         "Omit it, and compare the digest that the merge prints.");
  if (line.overrides.size() < 2) {
    throw Error("nothing to merge",
                line.overrides.empty() ? "`rivulet merge` was given no results files"
                                       : "'" + line.overrides.front() + "' is a single file",
                example);
  }
  if (line.output.empty()) {
    throw Error("`rivulet merge` without --output", "the merged result would have nowhere to go",
                example);
  }
  if (line.validate) {
    throw Error("--validate does not apply here", "`rivulet merge` has no deck", "Omit it.");
  }
  line.merged = std::move(line.overrides);
  line.overrides.clear();
}

void handle_count(CommandLine& line, const std::string& count) {
  if (!line.stream) {
    throw Error("--count without `rivulet stream`", "it limits a stream of numbers",
                "Set the deck's own count, for example fill.numbers=" + count + ".");
  }
  line.overrides.push_back(stream_count + count);
}

/// Returns advice for an option that users know from other programs, or an empty text for any other
/// option.
std::string advice_for_foreign_option(const std::string& option) {
  static const std::map<std::string, std::string> foreign_options{
      {"-o", "Use --output FILE."},
      {"-c", "Use --count N."},
      {"-v", "Use --version, or -V."},
      {"-q", "Use --quiet."},
      {"--silent", "Use --quiet."},
      {"-t", "Set OMP_NUM_THREADS=N before the command."},
      {"--threads", "Set OMP_NUM_THREADS=N before the command."},
      {"-n", "Start more MPI ranks with `mpiexec -n N rivulet ...`."},
      {"--jobs", "Use --list."},
      {"--generators", "Use --list."},
      {"--nodes", "Start more MPI ranks with `mpiexec -n N rivulet ...`."},
  };
  const auto found = foreign_options.find(option);
  return found == foreign_options.end() ? "" : found->second;
}

std::string advice_for(const std::string& option, const CLI::App& app) {
  const std::string dashes = "--";  // not compared, because they would make all names similar
  if (const std::string advice = advice_for_foreign_option(option); !advice.empty()) return advice;
  std::vector<std::string> names;
  for (const CLI::Option* option_entry : app.get_options()) {
    for (const std::string& name : option_entry->get_lnames()) names.push_back(name);
  }
  const std::string word = option.starts_with(dashes) ? option.substr(dashes.size()) : "";
  if (word.find('.') != std::string::npos) return "Omit the dashes: " + word + "=VALUE.";
  const auto begins_with_word = [&](const std::string& name) { return name.starts_with(word); };
  const auto longer = std::ranges::find_if(names, begins_with_word);
  const bool is_prefix = word.size() > 1 && longer != names.end();
  const std::string meant = is_prefix ? *longer : nearest(word, names);
  if (!meant.empty()) return "Did you mean '--" + meant + "'?";
  return "Set deck values as section.key=value; `rivulet --help` lists the options.";
}

/// Throws Error for the first option among the arguments that CLI11 did not expect. The message
/// names the option without its value: "-o" for each of "-o x", "-ox" and "-o=x".
[[noreturn]] void fail_unknown(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining();
  const auto is_option = [](const std::string& argument_text) {
    return argument_text.starts_with('-');
  };
  const auto first = std::ranges::find_if(unknown, is_option);
  const std::string argument = first == unknown.end() ? unknown.front() : *first;
  const std::string option =
      argument.starts_with("--") ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
  throw Error("unknown option '" + option + "'", "rivulet has no such option",
              advice_for(option, app));
}

/// Throws Error if an option that only prints an answer is combined with others.
void check_alone(const CommandLine& line) {
  const bool runs =
      !line.resume.empty() || !line.deck.empty() || !line.overrides.empty() || line.validate;
  std::vector<std::string> query_options;
  if (line.list) query_options.emplace_back("--list");
  if (!line.dump_default.empty()) query_options.emplace_back("--dump-default");
  if (!line.described.empty()) query_options.emplace_back("--describe-results");
  if (query_options.empty() || (query_options.size() == 1 && !runs)) return;
  throw Error(query_options.front() + " with other arguments", "it prints its answer and exits",
              "Omit the other arguments.");
}

/// Handles --resume. After --resume, the first word is an override, not a deck.
void handle_resume(CommandLine& line) {
  if (line.resume.empty() || line.deck.empty()) return;
  if (line.deck.find('=') != std::string::npos && !line.stream) {
    line.overrides.insert(line.overrides.begin(), line.deck);
    line.deck.clear();
    return;
  }
  throw Error("--resume with a deck", "a checkpoint holds the deck of its run",
              "Give `rivulet --resume " + line.resume + "` alone.");
}

/// Throws Error for an option without its value.
[[noreturn]] void fail_without_value(const CLI::App& app, const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();  // such as "--resume: 1 required CHECKPOINT missing"
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr || option->get_type_name().empty()) {
    throw Error("invalid command line", text, "See `rivulet --help`.");
  }
  const std::string usage = name + " " + option->get_type_name();
  throw Error(name + " without a value", "the option is " + usage, "Write `" + usage + "`.");
}

double seconds_of(const std::string& limit) {
  try {
    const double seconds = duration_from(limit);
    if (seconds > 0) return seconds;
    throw NotANumber{"is not a positive time"};
  } catch (const NotANumber& failure) {
    throw Error("invalid --time-limit", "'" + limit + "' " + failure.why,
                "Give a time such as \"10 min\" or 36000, in seconds.");
  }
}

bool is_assignment(const std::string& word) {
  return word.find('=') != std::string::npos && word.find('/') == std::string::npos &&
         !word.ends_with(".yaml") && !word.ends_with(".yml");
}

bool only_answers(const CommandLine& line) {
  return line.list || line.kokkos_help || !line.dump_default.empty() || !line.described.empty();
}

void check_deck(const CommandLine& line) {
  const bool answers = !line.resume.empty() || only_answers(line);
  if (line.deck.empty() && !answers) {
    throw Error("nothing to do", "no deck was named",
                "Try `rivulet pi`, `rivulet inputs/pi.yaml` or `rivulet --help`.");
  }
  if (!is_assignment(line.deck)) return;
  throw Error("no deck was named", "'" + line.deck + "' is an assignment",
              "Name a deck or a job before it, for example `rivulet pi pi.points=1e9`.");
}

/// Values of --count and --time-limit, as the user wrote them.
struct OptionTexts {
  std::string count;
  std::string time_limit;
};

void declare_options(CLI::App& app, CommandLine& line, OptionTexts& texts,
                     const std::string& version) {
  app.set_version_flag("-V,--version", version);
  app.add_option("DECK", line.deck,
                 "Deck to run: a YAML file, or the name of a job for its default deck")
      ->type_name("");
  app.add_option("OVERRIDES", line.overrides, "section.key=value, overriding the deck")
      ->type_name("");
  app.add_option("--output", line.output, "Results file (output.file=FILE)")->type_name("FILE");
  app.add_option("--count", texts.count,
                 "End a stream after N numbers (fill.numbers=N); endless by default")
      ->type_name("N");
  app.add_option("--resume", line.resume,
                 "Continue the run that wrote this checkpoint (checkpoint.file); keys of the "
                 "effect `place` may change (docs/deck.md), and pi.points may grow")
      ->type_name("CHECKPOINT");
  app.add_option("--time-limit", texts.time_limit,
                 "Write a checkpoint and stop before this time has passed, such as \"8 h\"")
      ->type_name("TIME");
  app.add_flag("--validate", line.validate, "Check the deck, print it resolved, and exit");
  app.add_flag("--quiet", line.quiet, "Print only the result, the figure of merit and the digest");
  app.add_flag("--list", line.list, "List jobs, generators and backends");
  app.add_option("--dump-default", line.dump_default, "Print a job's complete, commented deck")
      ->type_name("JOB");
  app.add_option("--describe-results", line.described,
                 "List what a job's results file holds: place (PATH/DATASET or PATH@ATTRIBUTE), "
                 "type, axes, unit and meaning, separated by two blanks or more, - for none")
      ->type_name("JOB");
  app.footer(
      "Options that begin with --kokkos- are passed to Kokkos; --kokkos-help lists them.\n"
      "\n"
      "Exit status: 0 done; 1 refused or failed; 3 a battery's test fails; 4 the digest is not\n"
      "output.expect; 75 stopped with a checkpoint, which --resume continues.");
}

/// Handles `help JOB`, an alias of --dump-default JOB.
void handle_help(CommandLine& line) {
  line.deck.clear();
  line.dump_default = line.overrides.front();
  line.overrides.erase(line.overrides.begin());
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, const std::string& version) {
  CommandLine line;
  std::vector<std::string> own_arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    (argument.starts_with("--kokkos-") ? line.kokkos : own_arguments).push_back(argument);
    line.kokkos_help |= argument == "--kokkos-help";
  }
  std::ranges::reverse(own_arguments);  // as CLI11 expects

  OptionTexts texts;
  CLI::App app(description, "rivulet");
  declare_options(app, line, texts, version);
  const auto has_option = [&](const std::string& option) { return app.count(option) > 0; };
  try {
    app.parse(own_arguments);
  } catch (const CLI::CallForHelp&) {
    line.answer = app.help();
    return line;
  } catch (const CLI::CallForVersion&) {
    line.answer = "rivulet " + version + "\n";
    return line;
  } catch (const CLI::ExtrasError&) {
    fail_unknown(app);
  } catch (const CLI::ArgumentMismatch& error) {
    fail_without_value(app, error);
  } catch (const CLI::ParseError& error) {
    throw Error("invalid command line", error.what(), "See `rivulet --help`.");
  }
  if (line.deck == "help" && line.overrides.empty()) {
    line.answer = app.help();
    return line;
  }
  if (line.deck == "help") handle_help(line);
  if (has_option("--resume") && line.resume.empty()) {
    throw Error("--resume without a file", "it continues from a checkpoint",
                "Give the file that checkpoint.file named: `rivulet --resume FILE`.");
  }
  if (has_option("--time-limit")) line.time_limit = seconds_of(texts.time_limit);
  handle_resume(line);
  if (line.deck == "stream") handle_stream(line, has_option("--output"));
  if (has_option("--count")) handle_count(line, texts.count);
  if (line.deck == "merge") {
    check_alone(line);
    handle_merge(line);
    return line;
  }
  line.stream_ends = line.stream && assigns(line.overrides, stream_count);
  if (has_option("--output")) line.overrides.push_back("output.file=" + line.output);
  check_alone(line);
  check_deck(line);
  return line;
}

bool assigns(const std::vector<std::string>& overrides, std::string_view assignment) {
  return std::ranges::any_of(overrides, [assignment](const std::string& override_text) {
    return override_text.starts_with(assignment);
  });
}

bool needs_mpi(int argc, const char* const* argv) {
  try {
    const CommandLine line = parse_command_line(argc, argv, "");
    const bool answers = !line.answer.empty() || only_answers(line);
    return !answers && (!line.validate || launcher_place().ranks != 1);
  } catch (const Error&) {  // reported later, by all ranks alike
    return launcher_place().ranks != 1;
  }
}

}  // namespace rivulet::io
