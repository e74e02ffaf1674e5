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

/// Ends, on all ranks alike, an interrupted run that can be continued.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(const std::string& message) : message_(io::line_of(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Ends, on all ranks alike, a resumed run whose results exist already: it was killed between
/// renaming them and removing its checkpoint.
class AlreadyDone : public Interrupted {
 public:
  using Interrupted::Interrupted;
  int status = 0;  ///< of the run that made the results
};

/// Throws Error if the deck asks for checkpoints, but `why_whole` says why the job has none.
void check_checkpoint(const CheckpointOptions& options, const std::string& why_whole);

/// Number of steps of work that take a second or so; the same on all ranks that learn the same. The
/// fixed cost of a piece stays a tenth of its time, if that does not make pieces longer than those
/// of runs with rare checkpoints; and pieces stay above a fraction of the first.
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
  Piece shortest_;  ///< in seconds
  Piece fastest_;   ///< by steps a second
};

/// Decides when a run writes a checkpoint and when it is interrupted. All functions are collective.
class Checkpoints {
 public:
  /// Writes a run's state to the group /state.
  using Save = std::function<void(io::ResultsFile&)>;

  /// Throws Error if a file would be replaced that is not this run's own; AlreadyDone if the
  /// resumed run's results exist already.
  Checkpoints(const CheckpointOptions& options, JobContext& context);

  /// The id of a run and of all that continue it: 32 hexadecimal digits.
  const std::string& run() const { return run_; }

  /// From now on, each checkpoint also covers the partially written results file, which was laid
  /// out and exists until end().
  void cover(io::ResultsFile& output) { output_ = &output; }

  /// Seconds that a piece should take: signals are answered after one.
  double piece_seconds() const;
  /// Called before the first piece: from now on signals are answered after a piece.
  void begin() const;
  /// Called after a piece, with its seconds on this rank and the fraction of the work that is done:
  /// writes a checkpoint if it is time. Throws Interrupted if the run is to end. Returns the
  /// seconds of the slowest rank.
  double after_piece(double seconds, double done, const Save& save);
  /// Called after the last piece of a run whose checkpoint is kept.
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
  bool batch_is_over_ = false;           ///< at the start: the environment is of another job
  bool exists_ = false;                  ///< a checkpoint of this run
  std::string resumed_from_;             ///< empty where it began anew
  std::optional<io::FileIdentity> own_;  ///< root's: of that checkpoint
};

}  // namespace rivulet
