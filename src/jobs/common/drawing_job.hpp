// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/results/results_file.hpp"
#include "io/terminal/progress.hpp"
#include "io/terminal/timing.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"

namespace rivulet {

struct MergeInput;
struct Portion;

/// The requirements of a job's deck.
struct Demand {
  const StreamOptions& streams;
  StreamOptions planned = streams;  ///< the streams of the plan, where there are more
  /// Most numbers that a stream draws; nullopt until read_input() knows, or if there are none.
  std::optional<std::uint64_t> numbers = {};
  std::uint64_t iterations = 1;
  std::string unit = {};     ///< of the work, of which the figure of merit counts so much a second
  std::string differs = {};  ///< what an iteration did that disagrees with the first, such as "made
                             ///< other numbers"
  /// The only phase that the figure of merit counts; nullopt for all of draw().
  std::optional<io::Phase> counted = {};
  /// The reason why the work cannot be interrupted and continued (docs/checkpoint.md); empty if it
  /// can.
  std::string why_whole = {};
  /// Whether draw() writes to the results file, which then survives an interruption: a resumed run
  /// finds the datasets of create_datasets() with the data written so far.
  bool writes_as_it_draws = false;
  /// The job's own keys that change no result: they may differ between merged parts.
  std::vector<std::string> free_keys = {};
};

/// The work of an iteration: positions 0 .. end - 1, such as points of each stream, which draw()
/// goes through in order.
struct Extent {
  std::uint64_t end = 1;
  std::uint64_t round = 1;          ///< pieces between checkpoints end at multiples of it
  std::uint64_t numbers = 1;        ///< that all ranks draw in a round, or could in its time
  std::uint64_t amount = 1;         ///< of all of it, as progress is told
  std::string unit = {};            ///< of the amount
  std::optional<double> work = {};  ///< as the figure of merit counts it, if otherwise than amount
};

/// The sequence of a run, common to all jobs that draw numbers from streams: the plan of the
/// streams, set-up, the results file, iterations that must give identical results, results and
/// report. A job implements the functions below. All ranks call all functions; "alone" means that a
/// rank may throw by itself, "collective" that ranks may communicate.
class DrawingJob : public Job {
 public:
  void check(const io::Communicator& communicator) const final;
  void run(JobContext& context) final;
  Results description() final;
  std::vector<std::string> free_keys() const final;

  // For merging the results of several runs, without plan and set-up (src/jobs/merge).

  /// Of a part whose deck this job has; by default its streams. Throws Error if the part's results
  /// cannot be merged.
  virtual Portion portion(const MergeInput& part) const;
  /// "key=value" for each of the portion's keys.
  virtual std::vector<std::string> settings(const Portion& all) const;
  /// Most numbers that a stream draws, as far as the deck tells.
  std::uint64_t most_numbers() const { return demand().numbers.value_or(0); }
  /// Adds the counts of a part, whose ids follow those of the parts before. Throws Error if the
  /// part's data do not give its digest.
  virtual void add(const MergeInput& part) = 0;
  /// Called after the last part: evaluates the sum of all; returns its digest.
  std::string end_merge(JobContext& context);
  /// Declares the results: once, after evaluate(); or for a description, without a run. Collective.
  virtual void results(Results& out) = 0;

 protected:
  virtual Demand demand() const = 0;
  /// Throws Error for invalid or inconsistent values of the deck.
  virtual void check_options() const {}

  // The work, in the order of the run.

  /// Reads what a run needs besides its deck. Collective.
  virtual void read_input(JobContext&) {}
  /// Allocates memory and makes the object that draws. Alone.
  virtual void set_up(JobContext& context) = 0;
  /// Runs every kernel once, so that measured times contain no first launch. Alone.
  virtual void warm_up(JobContext&) {}
  /// Creates datasets that are written during the run. Collective.
  virtual void create_datasets(io::ResultsFile&) {}
  /// Valid after set_up(); the amount of work after collect().
  virtual Extent extent() const = 0;
  /// Moves streams to their starts and resets counts. Alone.
  virtual void restart() = 0;
  /// Draws positions from .. upto - 1, after those before: all of them, or a piece. Waits.
  /// Collective.
  virtual void draw(JobContext& context, std::uint64_t from, std::uint64_t upto) = 0;
  /// Copies an iteration's counts to the host, unless parts were merged; returns their digest.
  /// Collective.
  virtual std::string collect(JobContext& context) = 0;
  /// Evaluates the counts of the last iteration, or of all parts. Collective.
  virtual void evaluate(JobContext&) {}

  // For runs with checkpoints: between two pieces a job's state is its counts and its position.

  /// Writes the counts into the group /state. Collective.
  virtual void save(io::ResultsFile&) {}
  /// Called after restart(): loads the counts of a run that was interrupted at a position. Returns
  /// the position at which this run continues, there or a little before. Collective.
  virtual std::uint64_t resume(const CheckpointReader&, std::uint64_t at) { return at; }
  /// The status with which the run of these results ended.
  virtual int status_of(const io::ReadFile&) const { return 0; }

  // Available to a job from set_up() on.

  const io::Communicator& ranks() const { return *ranks_; }
  const StreamPlan& plan() const { return *plan_; }
  /// This rank's share of the planned streams.
  StreamRange range() const { return range_; }
  /// Number of the current iteration, from 0.
  std::uint64_t iteration() const { return iteration_; }
  /// The position reached by draw().
  std::uint64_t at() const { return at_; }
  io::Progress& progress() { return *progress_; }
  /// Only if the run has a file, as in create_datasets().
  io::ResultsFile& file() { return *file_; }

 private:
  void prepare(JobContext& context);
  void open_output(JobContext& context);
  void lay_out_output(JobContext& context);
  void take_up(JobContext& context);
  std::string iterate(JobContext& context);
  void draw_in_pieces(JobContext& context, const Extent& extent);
  void save_run(io::ResultsFile& file, double done);
  void write(JobContext& context, const Results& out);
  void report(JobContext& context, const Results& out, const Ending& end);
  double figure_of_merit() const;

  std::optional<io::Communicator> ranks_;
  std::unique_ptr<StreamPlan> plan_;
  StreamRange range_;
  std::optional<io::ResultsFile> file_;
  std::optional<Checkpoints> checkpoints_;
  std::optional<io::Progress> progress_;
  std::uint64_t iteration_ = 0;
  std::uint64_t at_ = 0;  ///< position in it
  std::string digest_;    ///< of the first iteration
  double done_ = 0;       ///< part of the present iteration that was done where it was taken up
  double seconds_ = 0;    ///< that the figure of merit counts, of all iterations
  io::Stopwatch watch_;   ///< of the present one
  io::Stopwatch total_;
};

/// Throws Error if streams that draw at most this many numbers could overlap. A parameter file is
/// read and proved later, during the run. Collective.
void require_plan(const StreamOptions& streams, const io::Communicator& communicator,
                  std::uint64_t numbers_per_stream);

}  // namespace rivulet
