// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "build.hpp"
#include "generators/generators.hpp"
#include "io/deck/command_line.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/replaced_file.hpp"
#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"
#include "io/mpi/launcher.hpp"
#include "io/mpi/node.hpp"
#include "io/mpi/report.hpp"
#include "io/mpi/stop_signals.hpp"
#include "io/results/hdf5_writer.hpp"
#include "io/words/messages.hpp"
#include "io/words/standard_streams.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/common/run_options.hpp"
#include "kokkos_compat.hpp"
#include "machine/default_arithmetic.hpp"
#include "machine/devices.hpp"
#include "machine/kokkos_start.hpp"
#include "machine/processor.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace {

using namespace rivulet;

std::string version_line() { return fmt::format("{} (git {})", version, git_hash); }

void print(const io::Communicator& world, const std::string& text) {
  if (world.is_root()) io::print(text);
}

/// Reports why Rivulet ends.
void report_exit(const std::string& why) {
  io::write_message("rivulet: " + io::printable(why) + "\n");
}

std::string list() {
  std::string text = "Jobs\n";
  for (const JobEntry& job : jobs()) text += fmt::format("  {:<10} {}\n", job.name, job.doc);
  text += "\nGenerators\n";
  for (const Generator* generator : generators()) {
    const std::string streams = generator->disjoint.empty()
                                    ? "repeat and merge"
                                    : fmt::format("disjoint by {}", generator->disjoint);
    text += fmt::format(
        "  {:<26} {}; state {} B, period {}; by {}; streams {}{}\n", generator->name,
        generator->doc, generator->state_bytes, generator->period, mappings_text(*generator),
        streams,
        generator->fails.empty() ? "" : fmt::format("; one stream fails {}", generator->fails));
  }
  return text + "\nBackends\n" + list_of(backends()) +
         fmt::format(
             "\nWhich generator to choose: docs/choosing.md. Default: {} in decks, {} in C, "
             "Fortran and Python.\n",
             default_generator, default_sequence_generator);
}

bool is_job(const std::string& name) {
  return std::ranges::count(jobs(), name, &JobEntry::name) > 0;
}

io::Deck load_deck(const io::Communicator& world, const io::CommandLine& line) {
  if (is_job(line.deck)) return io::Deck::parse("job: " + line.deck, "default deck");
  world.on_root([&] {  // the name may be a misspelt job
    const bool is_path = line.deck.find_first_of("./") != std::string::npos;
    std::error_code unreadable;  // reported when the deck is read
    if (!is_path && !std::filesystem::exists(line.deck, unreadable) && !unreadable) {
      static_cast<void>(make_job(line.deck, "command line"));
    }
  });
  return io::Deck::load(line.deck, world);
}

/// Returns the resumed run's deck. Sets checkpoint.file to the checkpoint's path, because the run
/// keeps writing the same checkpoint.
io::Deck saved_deck(const CheckpointReader& saved) {
  io::Deck deck = io::Deck::parse(saved.deck(), "checkpoint '" + saved.path() + "'");
  deck.override_with("checkpoint.file=" + saved.path());
  return deck;
}

/// Throws Error for overrides of keys that are fixed when a run starts, such as keys that would
/// change the resumed run's result.
void require_resumable(const std::vector<std::string>& overrides, const io::Schema& schema) {
  using enum io::Effect;
  for (const std::string& override_text : with_effect(schema, overrides, {result, id, speed})) {
    throw Error(fmt::format("--resume with {}", override_text),
                "this key is fixed when a run starts", "Omit it, or start a new run.");
  }
}

/// Throws Error if an override leaves a resumed run without an output file. A resumed run deletes
/// its checkpoint at the end. Without an output file, its results would be lost.
void require_results(const std::vector<std::string>& overrides, const std::string& file) {
  if (!file.empty() || !io::assigns(overrides, "output.file=")) return;
  throw Error("--resume with an empty output.file",
              "the run deletes its checkpoint at the end, so its results would be lost",
              "Set output.file=FILE, or omit it.");
}

constexpr const char* no_expectation = "output.expect=";

/// Returns the digest to compare. A digest on the command line is always compared. The deck's
/// digest is ignored if another override may change the result.
ExpectedDigest expected_digest(const std::vector<std::string>& overrides, Job& job) {
  using enum io::Effect;
  const std::string& digest = job.output().expect;
  const bool is_given = io::assigns(overrides, no_expectation);
  const auto changing_overrides = with_effect(job.schema(), overrides, {result, amount, id});
  if (digest.empty() || is_given || changing_overrides.empty()) return {digest, ""};
  const std::string& first = changing_overrides.front();
  return {"", first.substr(0, first.find('='))};
}

void require_checkpoint(const Job& job) {
  if (job.checkpoint() != nullptr && job.checkpoint()->enabled()) return;
  throw Error("a run with a time limit or --resume needs a checkpoint",
              "its deck names no checkpoint.file",
              "Set a file, such as checkpoint.file=run.ckpt. If the run reads a pipe, omit "
              "--time-limit.");
}

std::string heading(const io::Communicator& world) {
  const Machine here = machine();
  return fmt::format("Rivulet {}, Kokkos {} {}, {} rank{} x {} thread{}", version_line(),
                     here.kokkos_version, here.backend, world.size(), world.size() == 1 ? "" : "s",
                     here.threads, here.threads == 1 ? "" : "s");
}

/// Warns, before the work begins, if ranks share devices or cores. Sharing is not an error, because
/// the result is the same.
void warn_of_sharing(const io::Communicator& world) {
  const std::vector<std::string> hosts = world.gather(io::host_name());
  for (const auto& [resource, names] : {std::pair(device_resource, world.gather(name_of_device())),
                                        std::pair(core_resource, world.gather(bound_cores()))}) {
    const std::string warning = sharing_warning(resource, hosts, names);
    if (!warning.empty()) io::warn(warning);
  }
}

/// Throws Error if the ranks' builds or arguments differ, because the run would deadlock or return
/// a wrong result.
void require_same_program(const io::Communicator& world, int argc, char** argv) {
  io::require_same_on_all_ranks(world, "build differs",
                                fmt::format("{}, {}, {}, Kokkos {} {}", version_line(), compiler,
                                            build_type, KOKKOS_VERSION, Space::name()),
                                "Start the same program on every node.");
  std::string arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--kokkos-")) continue;  // may differ between ranks, e.g. the device
    arguments += (arguments.empty() ? "" : " ") + argument;
  }
  io::require_same_on_all_ranks(world, "arguments differ", arguments,
                                "Give every rank the same arguments.");
}

/// Returns Rivulet's exit status.
int merge(const io::Communicator& world, const io::CommandLine& line) {
  int status = 0;
  world.together([&] {
    io::require_launchers_world(world);
    io::Report report(world, line.quiet);
    status = merge_results(world, line.merged, line.output, report);
  });
  return status;
}

/// Returns Rivulet's exit status.
int run(const io::Communicator& world, const io::CommandLine& line, const char* program) {
  std::optional<KokkosSession> kokkos;  // outlives the job, which holds device memory

  const io::Stopwatch since_start;
  std::optional<CheckpointReader> saved;
  if (!line.resume.empty()) world.together([&] { saved.emplace(world, line.resume); });

  // 1. Read and check the deck, with the command line's overrides.
  std::unique_ptr<Job> job;
  ExpectedDigest expected;
  world.together([&] {
    check_backends(line.kokkos, backends());
    io::Deck deck = saved ? saved_deck(*saved) : load_deck(world, line);
    for (const std::string& override_text : line.overrides) deck.override_with(override_text);
    job = line.stream ? make_stream_job(deck.job(), deck.location("job"), line.stream_ends)
                      : make_job(deck.job(), deck.location("job"));
    if (saved) require_resumable(line.overrides, job->schema());
    deck.read_into(job->schema());
    expected = expected_digest(line.overrides, *job);
    // The stored deck must not keep the digest: a later run of this deck, or a resumed run, would
    // fail.
    if (!expected.changed.empty()) {
      deck.override_with(no_expectation);
      deck.read_into(job->schema());
    }
    job->check(world);
    io::check_named_files(world, job->schema(), is_job(line.deck) ? "" : line.deck);
    if (saved) require_results(line.overrides, job->output().file);
    if (saved || (line.time_limit > 0 && !job->ends_early())) require_checkpoint(*job);
  });
  const std::string resolved = io::resolved(job->schema());
  io::require_same_on_all_ranks(world, "deck differs", resolved, "Give every rank the same deck.");
  if (line.validate) {
    print(world, resolved + "# valid\n");
    return 0;
  }
  world.together([&] { io::require_launchers_world(world); });

  // 2. Start Kokkos, and run the job.
  std::optional<io::RawOutput> raw;
  const io::NodePlace place = io::place_on_node(world);
  world.together([&] {
    if (line.stream) raw.emplace(line.stream_ends);
    kokkos.emplace(program, line.kokkos, place);
  });
  warn_of_sharing(world);
  std::ostream nowhere(nullptr);
  io::Report report(world, line.stream ? nowhere : std::cout, line.quiet);
  io::PhaseTimer timer;
  if (!line.quiet) report.text(heading(world));
  world.on_root(io::require_printed);  // fails here instead of after hours of work
  const auto grown = with_effect(job->schema(), line.overrides, {io::Effect::amount});
  JobContext context{world,
                     report,
                     timer,
                     job->output().file,
                     resolved,
                     raw ? &*raw : nullptr,
                     saved ? &*saved : nullptr,
                     saved && !grown.empty(),
                     line.time_limit,
                     since_start,
                     expected};
  job->run(context);
  return context.status;
}

/// Returns Rivulet's exit status.
int program(const io::Communicator& world, int argc, char** argv) {
  require_same_program(world, argc, argv);
  io::CommandLine line;
  world.together([&] { line = io::parse_command_line(argc, argv, version_line()); });
  if (!line.answer.empty()) {
    print(world, line.answer);
  } else if (line.kokkos_help) {
    world.on_root([&] { const KokkosSession prints_help(argv[0], {"--kokkos-help"}, {}); });
  } else if (line.list) {
    print(world, list());
  } else if (!line.dump_default.empty()) {
    world.together([&] {
      const auto job = make_job(line.dump_default, "command line: --dump-default");
      print(world, io::default_deck(job->schema()));
    });
  } else if (!line.described.empty()) {
    world.together([&] {
      const auto job = make_job(line.described, "command line: --describe-results");
      print(world, job->description().lines());
    });
  } else if (!line.merged.empty()) {
    return merge(world, line);
  } else {
    return run(world, line, argv[0]);
  }
  return 0;
}

/// True if --resume names an existing checkpoint. A signal before the first piece of work leaves
/// the checkpoint intact, so the user can resume again. Scans argv only, because C++ streams may
/// not be initialised yet.
bool continues_a_run(int argc, const char* const* argv) {
  constexpr std::string_view option = "--resume";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with(option)) continue;
    const char* path = nullptr;
    if (word == option) path = argv[i + 1];  // null after the last argument
    if (word.substr(option.size()).starts_with('=')) path = argv[i] + option.size() + 1;
    if (path != nullptr && ::access(path, F_OK) == 0) return true;
  }
  return false;
}

void install_exit_handlers(int argc, char** argv) {
  io::exit_on_signals(io::signals_from(CheckpointOptions().signals),
                      continues_a_run(argc, argv) ? interrupted_status : 0);
}

#if defined(__GLIBC__) && !defined(__HIP_DEVICE_COMPILE__)
void before_constructors(int argc, char** argv, char** environment) {
  require_processor(compiled_features);
  install_exit_handlers(argc, argv);
  // The signals stay blocked during the exec in restart_with_short_spins().
  io::block_signals(io::signals_from(CheckpointOptions().signals));
  restart_with_short_spins(argv, environment);
  install_exit_handlers(argc, argv);
}
/// Runs before all libraries' constructors, so that signals are handled early. The constructors
/// take longer than the part of main() before MPI starts.
[[gnu::section(".preinit_array"),
  gnu::used]] void (*const preinit_entry)(int, char**, char**) = before_constructors;
#endif

}  // namespace

#if RIVULET_ENABLE_MPI
/// Wraps MPI's function (through PMPI) to detect short writes: Open MPI 4.1 does not report write
/// errors, but it reports the number of bytes written.
extern "C" int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* from, int count,
                                 MPI_Datatype type, MPI_Status* status) {
  const int code = PMPI_File_write_at(file, at, from, count, type, status);
  int element = 0;
  int bytes = 0;
  MPI_Type_size(type, &element);
  MPI_Get_elements(status, MPI_BYTE, &bytes);
  if (code == MPI_SUCCESS && bytes < std::int64_t{element} * count) {
    rivulet::io::abort_unless_hdf5_returns("a write failed");
  }
  return code;
}
#endif

int main(int argc, char** argv) {
  const DefaultArithmetic ours;  // a library compiled with -ffast-math may have changed the mode
  // The user's value of this variable would override io::file_access().
  ::setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
  io::open_standard_streams();
  install_exit_handlers(argc, argv);  // before MPI and Kokkos, which start slowly
  std::optional<io::MpiSession> mpi;
  if (io::needs_mpi(argc, argv)) {
    io::start_hdf5();
    mpi.emplace(argc, argv);
  } else if (io::launcher_place().rank > 0) {
    return 0;  // rank 0 does the work, and the launcher returns rank 0's status
  }
  const io::Communicator world = io::Communicator::world();
  int status = 0;
  try {
    status = program(world, argc, argv);
    world.on_root(io::require_printed);
  } catch (const AlreadyDone& finished) {
    if (world.is_root()) report_exit(finished.what());
    status = finished.status;
  } catch (const Interrupted& left) {  // on all ranks alike
    if (world.is_root()) report_exit(left.what());
    return interrupted_status;
  } catch (const io::AgreedError& error) {  // on all ranks alike, so root reports it
    if (error.ranks() != world.size()) world.abort(error.what());
    if (world.is_root()) report_exit(error.what());
    return 1;
  } catch (const std::exception&) {  // on this rank alone, so the other ranks must not wait for it
    const std::string why = io::failure_text(std::current_exception());
    if (world.size() > 1) world.abort(why);
    report_exit("rank 0: " + why);
    return 1;
  }
  return status;
}
