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

#include "io/outputs/file_space.hpp"
#include "io/results/results_file.hpp"
#include "io/terminal/timing.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/run_options.hpp"

namespace rivulet {

/// The status of a run that was left and can be continued: sysexits.h's EX_TEMPFAIL, "try again
/// later", which no shell, MPI or batch system uses for anything else.
constexpr int left_status = 75;

/// Ends a run, on all ranks alike, that was left and can be continued.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

/// Ends a resumed run, on all ranks alike, whose results are there already: it was killed between
/// giving them their name and removing its checkpoint.
class AlreadyDone : public Interrupted {
 public:
  using Interrupted::Interrupted;
};

/// Throws Error if the deck asks for checkpoints, but the job says why it has none.
void check_checkpoint(const CheckpointOptions& options, const std::string& why_whole);

/// How many steps of work take a second or so. The same on all ranks that learn the same. What a
/// piece costs besides its steps stays a tenth of its time, where that takes no longer pieces than
/// those of runs with rare checkpoints; and pieces stay above a part of the first.
class PieceLength {
 public:
  PieceLength(std::uint64_t first, double seconds)
      : steps_(first), least_(first / least_part), wanted_(seconds) {}

  std::uint64_t steps() const { return steps_; }
  /// Learns from a piece: its steps, and the seconds that it took.
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

/// When a run with checkpoints writes one, and when it is left. Everything is collective.
class Checkpoints {
 public:
  /// Adds to the group /state what a run is continued from.
  using Save = std::function<void(io::ResultsFile&)>;

  /// Throws Error where the checkpoint of another run, or a file that is not of a resumed run's,
  /// would be replaced; AlreadyDone where that run's results are there already.
  Checkpoints(const CheckpointOptions& options, JobContext& context);

  /// Which run this is, also of those that continue it: 32 hexadecimal digits.
  const std::string& run() const { return run_; }

  /// From now on, each checkpoint also covers the partially written results file, which was laid
  /// out and exists until end().
  void cover(io::ResultsFile& output) { output_ = &output; }

  /// Seconds that a piece should take: signals are answered after one.
  double piece_seconds() const;
  /// Before the first piece: signals are from now on answered after a piece.
  void begin() const;
  /// After a piece, with the seconds that it took here and how much of the work is done: writes a
  /// checkpoint if it is time. Throws Interrupted if the run is to end. The seconds of the slowest
  /// rank.
  double after_piece(double seconds, double done, const Save& save);
  /// After the last piece of a run whose checkpoint is kept.
  void keep(const Save& save);
  /// After the results have their name.
  void end();

 private:
  std::string run_continued() const;
  void require_free_names() const;
  void require_unfinished() const;
  bool is_result(const std::string& path) const;
  void exists_now();
  void require_own() const;
  bool write(const Save& save);
  [[noreturn]] void leave(std::uint64_t signal, double done, const Save& save);
  bool is_out_of_time() const;

  CheckpointOptions options_;
  JobContext& context_;
  std::vector<int> signals_;
  std::string run_;
  io::ResultsFile* output_ = nullptr;
  io::Stopwatch since_last_;
  double longest_piece_ = 0;
  double longest_write_ = 0;
  bool exists_ = false;                  ///< a checkpoint of this run
  std::string resumed_from_;             ///< empty where it began anew
  std::optional<io::FileIdentity> own_;  ///< root's: of that checkpoint
};

}  // namespace rivulet
