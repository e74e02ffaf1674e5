// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/results/results_file.hpp"
#include "io/terminal/timing.hpp"
#include "jobs/common/checkpoints.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/output_options.hpp"
#include "jobs/common/results.hpp"
#include "jobs/common/saved_run.hpp"
#include "jobs/common/stream_options.hpp"

namespace rivulet {

/// What an iteration of a job does.
struct Work {
  double amount = 0;    ///< as the figure of merit counts it
  std::string unit;     ///< of the amount; the figure of merit is so many per second
  std::string differs;  ///< what it did if it disagrees with the first, say "made other numbers"
};

/// The order of a run of every job that draws numbers from streams: the plan of the streams,
/// set-up, the results file, iterations that must all give the same, results and report. What is a
/// job's own are the functions below. All are called on every rank; "alone" says that a rank may
/// throw there while others do not, and "collective" that ranks may talk to each other.
class DrawingJob : public Job {
 public:
  void check(const io::Communicator& communicator) const final;
  void run(RunContext& context) final;

 protected:
  // What the deck says.

  virtual const StreamOptions& streams() const = 0;
  /// The streams of the plan, where there are more than the deck's count.
  virtual StreamOptions planned_streams() const { return streams(); }
  /// Numbers that a stream draws at most; nothing as long as it takes read_input() to know.
  virtual std::optional<std::uint64_t> numbers_per_stream() const = 0;
  virtual std::uint64_t iterations() const { return 1; }
  /// Throws Error for what the deck says that cannot be.
  virtual void check_options() const {}

  // The work, in the order of the run.

  /// Reads what a run needs besides its deck. Collective.
  virtual void read_input(RunContext&) {}
  /// Takes memory and makes what draws. Alone.
  virtual void set_up(RunContext& context) = 0;
  /// Runs every kernel for the sake of what happens only the first time. Alone.
  virtual void warm_up(RunContext&) {}
  /// Makes what is written while numbers are drawn. Collective.
  virtual void create_datasets(io::ResultsFile&) {}
  /// Puts streams and sums to their starts. Alone.
  virtual void restart() = 0;
  /// An iteration. Waits for what it launches. Collective.
  virtual void draw(RunContext& context) = 0;
  /// Brings an iteration's results to the host; their digest. Collective.
  virtual std::string collect(RunContext& context) = 0;
  /// What the last iteration's results say. Collective.
  virtual void evaluate(RunContext&) {}

  // What a run with checkpoints asks for besides (docs/checkpoint.md): its iterations are drawn in
  // pieces of so many steps, and between two of them the job is a function of what it saves.

  /// Why the deck's work cannot be left and continued; empty if it can.
  virtual std::string why_whole() const { return "this job's work is not cut into pieces"; }
  /// Steps from restart(), or from resume(), to the iteration's end.
  virtual std::uint64_t steps() const { return 1; }
  /// Numbers that all ranks draw in a step.
  virtual std::uint64_t numbers_per_step() const { return 1; }
  /// In the place of draw(): steps from .. upto-1, after those before. Waits. Collective.
  virtual void draw_steps(RunContext&, std::uint64_t /*from*/, std::uint64_t /*upto*/) {}
  /// Whether draw_steps() writes to the results file, which then outlasts a run that is left: a
  /// resumed one finds there what create_datasets() made, and what was written.
  virtual bool writes_as_it_draws() const { return false; }
  /// Writes what resume() needs into the group /state. Collective.
  virtual void save(io::ResultsFile&) {}
  /// After restart(): to where a run was that saved. Collective.
  virtual void resume(const SavedRun&) {}

  // What comes of it.

  /// Writes the group /results/JOB. Collective.
  virtual void write_results(io::ResultsFile& file) = 0;
  /// Tells results. Collective.
  virtual void report_results(RunContext& context) = 0;
  /// Tells the memory that it took, after the streams. Collective.
  virtual void report_memory(RunContext& context) = 0;
  virtual Work work() const = 0;
  /// The phase that alone the figure of merit counts; nothing for all of draw().
  virtual std::optional<io::Phase> counted_phase() const { return std::nullopt; }

  // What a job finds from set_up() on.

  const StreamPlan& plan() const { return *plan_; }
  /// The planned streams that are this rank's.
  StreamRange range() const { return range_; }
  /// Which one is drawn, counted from 0.
  std::uint64_t iteration() const { return iteration_; }
  /// Only where the run has one, as in create_datasets().
  io::ResultsFile& file() { return *file_; }

 private:
  void prepare(RunContext& context);
  void open_output(RunContext& context);
  void lay_out_output(RunContext& context);
  void take_up(RunContext& context);
  std::string iterate(RunContext& context);
  void draw_in_pieces(RunContext& context);
  void save_run(io::ResultsFile& file, double done);
  void write(RunContext& context);
  void report(RunContext& context, const RunEnd& end);
  double figure_of_merit() const;

  std::unique_ptr<StreamPlan> plan_;
  StreamRange range_;
  std::optional<io::ResultsFile> file_;
  std::optional<Checkpoints> checkpoints_;
  std::uint64_t iteration_ = 0;
  std::string digest_;   ///< of the first iteration
  double done_ = 0;      ///< part of the present iteration that was done where it was taken up
  double seconds_ = 0;   ///< that the figure of merit counts, of all iterations
  io::Stopwatch watch_;  ///< of the present one
  io::Stopwatch total_;
};

/// Throws Error where streams that draw so many numbers at most could not be kept apart. What a
/// parameter file holds is seen, and proved, in the run. Collective.
void require_plan(const StreamOptions& streams, const io::Communicator& communicator,
                  std::uint64_t numbers_per_stream);

}  // namespace rivulet
