// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/checkpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "io/deck/replaced_file.hpp"
#include "io/files/output_lock.hpp"
#include "io/files/sealed_file.hpp"
#include "io/files/shared_file.hpp"
#include "io/mpi/stop_signals.hpp"
#include "io/words/standard_streams.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

/// Seconds per piece if checkpoints are rare. A piece of this length amortises the time to move the
/// streams to the piece's start. A run with such pieces still responds to signals within seconds.
constexpr double seconds_per_piece = 1.5;
/// Minimum interval between checkpoints, in units of the longest write so far. This limit matters
/// on slow disks.
constexpr double writes_apart = 4;
/// Seconds reserved at the end of a batch job for delays of the batch system and file systems.
constexpr double slurm_margin = 60;
constexpr const char* slurm_end = "SLURM_JOB_END_TIME";

/// Returns the seconds until the batch system ends the job, according to Slurm (22.05 or later).
double seconds_left_in_batch() {
  const char* const text = std::getenv(slurm_end);
  if (text == nullptr) return HUGE_VAL;
  const double end = std::strtod(text, nullptr);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return end > 0 ? end - std::chrono::duration<double>(now).count() : HUGE_VAL;
}

bool file_exists(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

/// Removes the lock file and the temporary file of a run that was killed during a write.
void remove_leftovers_of(const std::string& path) {
  const std::string end = io::resolve_symlinks(path);
  if (!file_exists(io::lock_of(end))) return;
  static_cast<void>(io::failure_of([&] { const io::OutputLock lock(end, path, ""); }));
}

void remove_file(const std::string& path) {
  std::error_code none;
  std::filesystem::remove(path, none);
}

}  // namespace

void check_checkpoint(const CheckpointOptions& options, const std::string& why_not_resumable) {
  if (!options.enabled()) return;
  static_cast<void>(io::signals_from(options.signals));  // throws Error for unknown signals
  if (why_not_resumable.empty()) return;
  throw Error("checkpoint.file for a run that cannot be resumed", why_not_resumable,
              "Omit checkpoint.file; docs/checkpoint.md lists the runs that can be resumed.");
}

/// Returns the fixed cost of a piece in seconds: the intercept of the line through the shortest and
/// the fastest piece.
double PieceLength::overhead() const {
  if (fastest_.steps <= shortest_.steps) return 0;
  const double a_step = (fastest_.seconds - shortest_.seconds) / (fastest_.steps - shortest_.steps);
  return std::max(shortest_.seconds - a_step * shortest_.steps, 0.0);
}

void PieceLength::learn(std::uint64_t steps, double seconds) {
  if (steps < steps_ && seconds < target_seconds_) return;  // ignores a short last piece
  constexpr double max_change = 4;
  constexpr double min_overheads = 10;
  const Piece piece{static_cast<double>(steps), std::max(seconds, 1e-9)};
  if (shortest_.steps == 0 || piece.seconds < shortest_.seconds) shortest_ = piece;
  if (piece.steps * fastest_.seconds >= fastest_.steps * piece.seconds) fastest_ = piece;
  const double target =
      std::max(target_seconds_, std::min(min_overheads * overhead(), seconds_per_piece));
  const double change = std::clamp(target / piece.seconds, 1 / max_change, max_change);
  steps_ =
      std::max({static_cast<std::uint64_t>(piece.steps * change), min_steps_, std::uint64_t{1}});
}

Checkpoints::Checkpoints(const CheckpointOptions& options, JobContext& context)
    : options_(options),
      context_(context),
      signals_(io::signals_from(options.signals)),
      resumed_from_(context.saved != nullptr ? context.saved->path() : "") {
  exists_ = context.saved != nullptr && resumed_from_ == options.file;
  run_ = make_run_id();
  if (context.saved != nullptr) require_unfinished();
  std::string end;
  context.communicator.on_root([&] {
    require_free_names();
    end = io::resolve_output_path(options_.file, checkpoint_kind);
    identity_ = io::identity_of(options_.file);
  });
  io::require_creatable(context.communicator, end, options_.file);
  if (exists_) io::exit_on_signals(signals_, interrupted_status);
  batch_is_over_ = seconds_left_in_batch() <= 0;
  if (batch_is_over_ && context_.communicator.is_root()) {
    io::warn(
        fmt::format("{0} is past (this shell belongs to a job that has ended). The run ignores it; "
                    "`unset {0}` silences this warning.",
                    slurm_end));
  }
}

void Checkpoints::require_free_names() const {
  if (!exists_ && file_exists(options_.file)) {
    throw Error(fmt::format("checkpoint '{}' exists", options_.file),
                "it may belong to an unfinished run",
                fmt::format("Resume that run with `rivulet --resume {}`, remove the file, or set "
                            "another checkpoint.file.",
                            options_.file));
  }
  if (context_.saved != nullptr && !context_.output.empty() && file_exists(context_.output)) {
    throw Error(fmt::format("cannot write '{}'", context_.output),
                "it exists, and may hold the results of the run to be resumed",
                "Name another file with --output, or remove this one first.");
  }
}

/// Returns the id of the resumed run, or a new id for a new or extended run.
std::string Checkpoints::make_run_id() const {
  if (context_.saved != nullptr && !context_.extended) return context_.saved->text("run");
  std::string run;
  context_.communicator.on_root([&] {
    std::random_device random;
    for (int i = 0; i < 4; ++i) run += fmt::format("{:08x}", random());
  });
  return context_.communicator.broadcast(run);
}

bool Checkpoints::is_result(const std::string& path) const {
  const auto seal = io::seal_description(path);
  return seal && seal->run == run_ && io::check_seal(path);
}

void Checkpoints::require_unfinished() const {
  const io::Communicator& ranks = context_.communicator;
  const bool has_part = context_.saved->has("output_head");
  const std::string part = has_part ? context_.saved->text("output") : "";
  std::uint64_t is_done = 0;
  ranks.on_root([&] {
    is_done = is_result(context_.output) ? 1 : 0;
    const std::string other = has_part && !file_exists(part) ? io::output_of(part) : "";
    if (is_done == 0 && is_result(other)) {
      throw Error(fmt::format("the run of checkpoint '{}' is done", resumed_from_),
                  fmt::format("its results are in '{}'", other),
                  "Rename or copy that file, and remove the checkpoint.");
    }
    if (is_done == 0) return;
    remove_leftovers_of(context_.output);
    remove_leftovers_of(resumed_from_);
    if (!options_.keep) remove_file(resumed_from_);
  });
  if (ranks.max(is_done) == 0) return;
  AlreadyDone done(fmt::format("the run of '{}' is done: its results are in '{}'.", resumed_from_,
                               context_.output));
  std::string digest;
  ranks.on_root([&] {
    const io::ReadFile results(context_.output, io::seal_description(context_.output)->kind);
    digest = results.attribute<std::string>("/", "digest");
  });
  done.status = context_.expected.status_of(ranks.broadcast(digest), ranks);
  throw done;
}

/// Throws Error if the checkpoint file was written by another run since this run began.
void Checkpoints::require_own() const {
  const auto found = io::identity_of(options_.file);
  if (!found || io::is_same_file(found, identity_)) return;
  throw Error(fmt::format("cannot write '{}'", options_.file),
              "another run has since written a checkpoint of this name",
              "Give every run a checkpoint.file of its own.");
}

double Checkpoints::piece_seconds() const { return std::min(seconds_per_piece, options_.every); }

void Checkpoints::begin() const { io::record_signals(signals_); }

double Checkpoints::after_piece(double seconds, double done, const Save& save) {
  const io::Communicator& ranks = context_.communicator;
  const double slowest = ranks.max(seconds);
  longest_piece_ = std::max(longest_piece_, slowest);
  // Root's clock decides when time is up. A signal on any rank counts.
  constexpr std::uint64_t due = 1;
  constexpr std::uint64_t out_of_time = 2;
  constexpr std::uint64_t first_signal = 3;
  std::uint64_t action = 0;
  const double wait = std::max(options_.every, writes_apart * longest_write_);
  if (ranks.is_root() && since_last_.seconds() >= wait) action = due;
  if (ranks.is_root() && is_out_of_time()) action = out_of_time;
  if (const int signal = io::received_signal(); signal != 0) {
    action = first_signal + static_cast<std::uint64_t>(signal);
  }
  action = ranks.max(action);
  if (action == due) static_cast<void>(write(save));
  if (action >= out_of_time)
    interrupt(action > first_signal ? action - first_signal : 0, done, save);
  return slowest;
}

std::pair<double, std::string> Checkpoints::limit() const {
  const double run_seconds = context_.seconds_left();
  const double batch_seconds = batch_is_over_ ? HUGE_VAL : seconds_left_in_batch() - slurm_margin;
  if (run_seconds <= batch_seconds) return {run_seconds, "--time-limit"};
  return {batch_seconds, fmt::format("a minute before {}", slurm_end)};
}

bool Checkpoints::is_out_of_time() const {
  // Reserves twice the longest piece and checkpoint times so far, because the next ones may be
  // longer.
  return limit().first < 2 * (longest_piece_ + longest_write_) + 1;
}

/// Returns false if the checkpoint could not be written. The run then continues, because a full
/// disk may later have space for a checkpoint.
bool Checkpoints::write(const Save& save) {
  const auto scope = context_.timer.scope(io::Phase::io);
  const io::Stopwatch watch;
  // If this flush fails, the run ends: written data may be lost, and no later flush would report
  // the loss. The previous checkpoint stays valid.
  if (output_ != nullptr) output_->flush();
  std::optional<io::ResultsFile> file;
  std::optional<io::FileIdentity> identity;
  try {
    file.emplace(context_.communicator, options_.file, checkpoint_kind, version,
                 io::FileForm::checksummed);
    file->text("/deck", context_.resolved_deck, "resolved deck (YAML) of the run");
    file->group(state_group, "What the run goes on from");
    file->attribute(state_group, "format", checkpoint_format);
    file->attribute(state_group, "run", run_);
    save(*file);
    context_.communicator.on_root([this] { require_own(); });
    if (output_ != nullptr) {
      output_->keep(true);  // before the checkpoint names the file
      save_output(context_.communicator, *file, *output_);
    }
    // The identity is read before the rename, because another run could replace the file
    // afterwards.
    if (context_.communicator.is_root()) identity = file->identity();
    file->commit(io::OnRenameFailure::remove);
    record_checkpoint(identity);
  } catch (const io::AgreedError& error) {
    const bool has_name = file && file->has_final_name();
    if (has_name) record_checkpoint(identity);
    if (context_.communicator.is_root()) {
      io::warn(fmt::format("{}: {}",
                           has_name ? "the checkpoint may not survive a crash of the machine"
                                    : "no checkpoint was written",
                           error.what()));
    }
    if (output_ != nullptr && !exists_ && resumed_from_.empty()) output_->keep(false);
    since_last_.restart();
    return has_name;
  }
  longest_write_ = std::max(longest_write_, context_.communicator.max(watch.seconds()));
  since_last_.restart();
  return true;
}

void Checkpoints::record_checkpoint(const std::optional<io::FileIdentity>& identity) {
  exists_ = true;
  identity_ = identity;
}

void Checkpoints::interrupt(std::uint64_t signal, double done, const Save& save) {
  const std::string why = signal == 0 ? fmt::format("at the time limit ({})", limit().second)
                                      : "by " + io::name_of_signal(static_cast<int>(signal));
  const bool written = write(save);
  if (!exists_) {
    context_.communicator.on_root([&] {
      throw Error(fmt::format("stopped {} without a checkpoint", why),
                  "none could be written, as the warning above says",
                  "Fix its cause, and run the deck again.");
    });
  }
  std::string message = fmt::format(
      "stopped {} with {:.3g} % of the work done{}. Continue with `rivulet --resume {}`", why,
      100 * done, written ? "" : "; the work since the last checkpoint is lost", options_.file);
  if (output_ != nullptr && context_.communicator.is_root()) {
    message += fmt::format("; the results so far are in '{}'", output_->unfinished().path);
  }
  throw Interrupted(message + ".");
}

void Checkpoints::keep(const Save& save) {
  if (options_.keep) static_cast<void>(write(save));
}

void Checkpoints::end() {
  context_.communicator.on_root([this] {
    remove_leftovers_of(options_.file);
    const bool is_own = io::is_same_file(io::identity_of(options_.file), identity_);
    if (!options_.keep && exists_ && is_own) remove_file(options_.file);
    // The resumed checkpoint is obsolete: its unfinished results file has become the results file.
    if (output_ != nullptr && !resumed_from_.empty()) remove_file(resumed_from_);
  });
}

}  // namespace rivulet
