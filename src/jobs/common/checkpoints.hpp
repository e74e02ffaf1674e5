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

/// The exit status of an interrupted run that can be continued: sysexits.h's EX_TEMPFAIL, "try
/// again later", which no shell, MPI or batch system uses for other purposes.
constexpr int left_status = 75;

/// Thrown on all ranks, to end an interrupted run that can be continued.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(const std::string& message) : message_(io::line_of(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Thrown on all ranks, to end a resumed run whose results exist already. The interrupted run was
/// killed between renaming them and removing its checkpoint.
class AlreadyDone : public Interrupted {
 public:
  using Interrupted::Interrupted;
  int status = 0;  ///< of the run that made the results
};

/// Throws Error for invalid options, or if the deck asks for checkpoints of a job without them.
/// why_whole: the reason why the job has none; empty if it has.
void check_checkpoint(const CheckpointOptions& options, const std::string& why_whole);

/// Chooses the number of steps in a piece of work, which should take `seconds`. Ranks that learn
/// the same times choose the same number. Longer pieces keep their fixed cost at a tenth of their
/// time, up to the length of pieces in runs with rare checkpoints. Pieces have at least a fraction
/// (1 / least_part) of the first one's steps.
class PieceLength {
 public:
  PieceLength(std::uint64_t first, double seconds)
      : steps_(first), least_(first / least_part), wanted_(seconds) {}

  std::uint64_t steps() const { return steps_; }
  /// Learns from a piece of `steps` steps that took `seconds`.
  void learn(std::uint64_t steps, double seconds);

 private:
  static constexpr std::uint64_t least_part = 16;

  struct Piece {
    double steps = 0;
    double seconds = 0;
  };
  double overhead() const;

  std::uint64_t steps_;
  std::uint64_t least_;
  double wanted_;
  Piece shortest_;  ///< least seconds
  Piece fastest_;   ///< most steps per second
};

/// Decides when a run writes a checkpoint and when it is interrupted. All functions are collective.
class Checkpoints {
 public:
  /// Writes a run's state to the group /state.
  using Save = std::function<void(io::ResultsFile&)>;

  /// Throws Error if the run would replace a file of another run, and AlreadyDone if the resumed
  /// run's results exist already.
  Checkpoints(const CheckpointOptions& options, JobContext& context);

  /// The id of a run and of all that continue it: 32 hexadecimal digits.
  const std::string& run() const { return run_; }

  /// Makes later checkpoints also cover the partially written results file, which has been laid out
  /// and must exist until end().
  void cover(io::ResultsFile& output) { output_ = &output; }

  /// Seconds that a piece should take. The run answers signals after a piece.
  double piece_seconds() const;
  /// Called before the first piece. Starts to note signals, which are answered after a piece.
  void begin() const;
  /// Called after a piece. seconds: the piece's time on this rank; done: the fraction of the work
  /// that is done. Writes a checkpoint if one is due. Throws Interrupted if the run must end.
  /// Returns the slowest rank's seconds.
  double after_piece(double seconds, double done, const Save& save);
  /// Called before the last round. Writes the checkpoint that the run keeps, if the deck asks for
  /// one.
  void keep(const Save& save);
  /// Called after the results have their final name.
  void end();

 private:
  std::string run_continued() const;
  void require_free_names() const;
  void require_unfinished() const;
  bool is_result(const std::string& path) const;
  void exists_now(const std::optional<io::FileIdentity>& own);
  void require_own() const;
  bool write(const Save& save);
  [[noreturn]] void leave(std::uint64_t signal, double done, const Save& save);
  std::pair<double, std::string> limit() const;  ///< seconds left, and its name
  bool is_out_of_time() const;

  CheckpointOptions options_;
  JobContext& context_;
  std::vector<int> signals_;
  std::string run_;
  io::ResultsFile* output_ = nullptr;
  io::Stopwatch since_last_;
  double longest_piece_ = 0;
  double longest_write_ = 0;
  bool batch_is_over_ = false;           ///< true if the environment is that of an ended batch job
  bool exists_ = false;                  ///< true if this run has a checkpoint
  std::string resumed_from_;             ///< path of a checkpoint; empty for a new run
  std::optional<io::FileIdentity> own_;  ///< of this run's checkpoint; on root
};

}  // namespace rivulet
