// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/mpi/progress.hpp"
#include "io/mpi/timing.hpp"
#include "io/results/results_file.hpp"
#include "jobs/common/checkpoint_reader.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"

namespace rivulet {

struct MergeInput;
struct Portion;

/// The requirements of a job, from its deck.
struct RunRequirements {
  const StreamOptions& streams;
  StreamOptions planned = streams;  ///< streams to plan, if not those of the deck
  /// Upper limit of the numbers per stream. The value is nullopt if the job draws no numbers, or if
  /// the work plans the streams.
  std::optional<std::uint64_t> numbers = {};
  std::uint64_t iterations = 1;
  std::string unit = {};  ///< unit of the work; the figure of merit is in units per second
  /// Text for the error message if an iteration disagrees with the first, such as "made different
  /// numbers".
  std::string mismatch_text = {};
  /// The phase whose time determines the figure of merit; nullopt for the wall-clock time of the
  /// iterations, including checkpoints.
  std::optional<io::Phase> merit_phase = {};
  /// The reason why the work cannot be interrupted and continued (docs/checkpoint.md); empty if the
  /// work can.
  std::string why_not_resumable = {};
  /// True if draw() writes to the results file. The file then survives an interruption: a resumed
  /// run finds the datasets with the data written so far.
  bool writes_as_it_draws = false;
  /// True if draw() returns early when RunContext::seconds_left() reaches 0.
  bool ends_early = false;
};

/// The work of an iteration: positions 0 .. end - 1, such as points per stream. draw() processes
/// the positions in order.
struct IterationExtent {
  std::uint64_t end = 1;
  std::uint64_t round = 1;    ///< pieces between checkpoints end at multiples of `round`
  std::uint64_t numbers = 1;  ///< numbers that all ranks could draw in the time of a round
  std::uint64_t amount = 1;   ///< amount of work, for the progress bar
  std::string unit = {};      ///< unit of `amount`
};

/// The part of a run that is visible to the job's work. A RunContext outlives the work.
struct RunContext {
  io::Communicator ranks;
  io::PhaseTimer& timer;
  StreamOptions planned;
  StreamRange range;                          ///< this rank's share of the planned streams
  const CheckpointReader* saved = nullptr;    ///< checkpoint of the resumed run
  io::ResultsFile* file = nullptr;            ///< results file; nullptr for a run without one
  std::function<double()> seconds_left = {};  ///< seconds until the time limit
  std::unique_ptr<StreamPlan> plan = {};      ///< nullptr if RunRequirements::numbers is nullopt
  std::optional<io::Progress> progress = {};  ///< this iteration's bar; nullopt outside draw()
  std::uint64_t iteration = 0;                ///< current iteration, from 0

  /// Plans the streams. Called by the job's work if the deck alone does not determine the numbers
  /// per stream. Collective.
  void plan_streams(std::uint64_t numbers) { plan = planned.plan(ranks, numbers); }
};

/// The work of a job and its counts, with types erased (counting_job.hpp). All functions are
/// collective.
class CountedWork {
 public:
  virtual ~CountedWork() = default;

  virtual IterationExtent extent() const = 0;
  virtual void restart() = 0;
  virtual void draw(std::uint64_t begin, std::uint64_t end) = 0;
  /// Loads the counts of a run that was interrupted at position `at`. Called after restart().
  /// Returns the position where this run continues: `at` or a little before.
  virtual std::uint64_t resume(const CheckpointReader& saved, std::uint64_t at) = 0;
  /// Writes the counts to the group /state.
  virtual void save(io::ResultsFile& file) = 0;
  /// Sums an iteration's counts over the ranks and returns their digest.
  virtual std::string collect() = 0;
  /// Declares the results of the last iteration.
  virtual void results(Results& out) = 0;
};

/// A job that draws numbers from streams. Every run has the same steps: open the results file, plan
/// the streams, set up the work, run the iterations, write the results, and report. All iterations
/// must have identical results. JobOf (counting_job.hpp) implements such a job for a deck and a
/// work.
class DrawingJob : public Job {
 public:
  void check(const io::Communicator& communicator) const final;
  void run(JobContext& context) final;
  bool ends_early() const final { return requirements().ends_early; }
  Results description() final;

  virtual RunRequirements requirements() const = 0;
  /// Throws Error for invalid or inconsistent values of the deck.
  virtual void check_deck() const = 0;
  /// Creates the work. Collective.
  virtual std::unique_ptr<CountedWork> start(RunContext& run) const = 0;

  // Functions for merging the results of several runs (src/jobs/merge).

  /// Returns the portion that `part` covers. The default is the part's streams. Throws Error if the
  /// part's results cannot be merged.
  virtual Portion portion(const MergeInput& part) const = 0;
  /// Adds up all parts, which are in ascending order of ids, and declares the results. Returns the
  /// digest. Without parts, declares the results of no streams. Throws Error if a part's data do
  /// not match its digest or the other parts.
  virtual std::string merge(const std::vector<MergeInput>& parts, Results& out) const = 0;
};

/// Throws Error if streams of numbers_per_stream numbers could overlap. If the streams need a
/// parameter file, only checks that the file can be opened. The run then reads and proves the file
/// before it plans the streams. Collective.
void require_plan(const StreamOptions& streams, const io::Communicator& communicator,
                  std::uint64_t numbers_per_stream);

}  // namespace rivulet
