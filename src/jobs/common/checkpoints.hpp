// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/files/file_space.hpp"
#include "io/mpi/timing.hpp"
#include "io/results/results_file.hpp"
#include "io/words/messages.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/run_options.hpp"

namespace rivulet {

/// The exit status of an interrupted run that can be continued: EX_TEMPFAIL of sysexits.h, "try
/// again later". No shell, MPI or batch system uses this status for other purposes.
constexpr int interrupted_status = 75;

/// Thrown on all ranks to end an interrupted run that can be continued.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(const std::string& message) : message_(io::printable_line(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Thrown on all ranks to end a resumed run whose results already exist. The interrupted run was
/// killed after it renamed the results file and before it removed the checkpoint.
class AlreadyDone : public Interrupted {
 public:
  using Interrupted::Interrupted;
  int status = 0;  ///< exit status of the run that wrote the results
};

/// Throws Error for invalid options, or if the deck requests checkpoints but the job cannot write
/// any. `why_not_resumable`: the reason why the job cannot write checkpoints; empty if the job can.
void check_checkpoint(const CheckpointOptions& options, const std::string& why_not_resumable);

/// Chooses the number of steps per piece of work. A piece should take `seconds`. If the fixed cost
/// of a piece exceeds a tenth of this time, pieces become longer, up to seconds_per_piece
/// (checkpoints.cpp). A piece has at least 1 / max_reduction of the first piece's steps. Ranks that
/// learn the same times choose the same number.
class PieceLength {
 public:
  PieceLength(std::uint64_t first, double seconds)
      : steps_(first), min_steps_(first / max_reduction), target_seconds_(seconds) {}

  std::uint64_t steps() const { return steps_; }
  /// Updates steps() after a piece of `steps` steps that took `seconds`.
  void learn(std::uint64_t steps, double seconds);

 private:
  static constexpr std::uint64_t max_reduction = 16;

  struct Piece {
    double steps = 0;
    double seconds = 0;
  };
  double overhead() const;

  std::uint64_t steps_;
  std::uint64_t min_steps_;
  double target_seconds_;
  Piece shortest_;  ///< piece with the least seconds
  Piece fastest_;   ///< piece with the most steps per second
};

/// Decides when a run writes checkpoints and when the run is interrupted. All functions are
/// collective.
class Checkpoints {
 public:
  /// Writes a run's state to the group /state.
  using Save = std::function<void(io::ResultsFile&)>;

  /// Throws Error if the run would replace a file of another run, and AlreadyDone if the resumed
  /// run's results exist already.
  Checkpoints(const CheckpointOptions& options, JobContext& context);

  /// Returns the id of the run, which has 32 hexadecimal digits. A resumed run keeps the id of the
  /// interrupted run, unless it extends that run by more work.
  const std::string& run() const { return run_; }

  /// Includes the state of a partially written results file in later checkpoints. The file must
  /// have its final layout. The object `output` must exist until end().
  void include_output(io::ResultsFile& output) { output_ = &output; }

  /// Returns the seconds that a piece should take. A run responds to signals only between pieces.
  double piece_seconds() const;
  /// Starts to record signals. Must be called before the first piece.
  void begin() const;
  /// Writes a checkpoint if one is due. Throws Interrupted if the run must end. Returns the piece's
  /// time in seconds on the slowest rank. Must be called after each piece. `seconds`: the piece's
  /// time on this rank. `done`: the completed fraction of the work.
  double after_piece(double seconds, double done, const Save& save);
  /// Writes the checkpoint that remains after the run, if the deck requests one. Must be called
  /// before the last piece, so that a run with more work can continue from this checkpoint.
  void keep(const Save& save);
  /// Removes checkpoints that are no longer needed. Must be called after the results file has its
  /// final name.
  void end();

 private:
  std::string make_run_id() const;
  void require_free_names() const;
  void require_unfinished() const;
  bool is_result(const std::string& path) const;
  void record_checkpoint(const std::optional<io::FileIdentity>& identity);
  void require_own() const;
  bool write(const Save& save);
  [[noreturn]] void interrupt(std::uint64_t signal, double done, const Save& save);
  std::pair<double, std::string> limit() const;  ///< seconds left, and the name of the limit
  bool is_out_of_time() const;

  CheckpointOptions options_;
  JobContext& context_;
  std::vector<int> signals_;
  std::string run_;
  io::ResultsFile* output_ = nullptr;
  io::Stopwatch since_last_;
  double longest_piece_ = 0;
  double longest_write_ = 0;
  bool batch_is_over_ = false;                ///< true if SLURM_JOB_END_TIME preceded the start
  bool exists_ = false;                       ///< true if this run has a checkpoint
  std::string resumed_from_;                  ///< path of a checkpoint; empty for a new run
  std::optional<io::FileIdentity> identity_;  ///< identity of this run's checkpoint; on root
};

}  // namespace rivulet
