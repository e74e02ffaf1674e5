// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "io/deck/schema.hpp"
#include "io/mpi/communicator.hpp"
#include "io/mpi/report.hpp"
#include "io/mpi/timing.hpp"
#include "io/results/result_tree.hpp"
#include "io/words/standard_streams.hpp"

namespace rivulet {

using io::Results;
using io::RunMemory;

/// The exit status of a run whose digest is not the expected one.
constexpr int unexpected_status = 4;

/// The digest that a deck expects (output.expect).
struct ExpectedDigest {
  std::string digest;   ///< empty for no comparison
  std::string changed;  ///< command-line key that rules out the comparison; empty if none

  /// Returns the text that follows the digest in the report, such as "(as expected)". The text may
  /// be empty.
  std::string remark(const std::string& found) const;
  /// Returns unexpected_status if the digest `found` is not the expected one, otherwise 0. Root
  /// reports a mismatch.
  int status_of(const std::string& found, const io::Communicator& ranks) const;
};

class CheckpointReader;
struct CheckpointOptions;
struct OutputOptions;

/// The parts of a run besides its deck.
struct JobContext {
  io::Communicator communicator;
  io::Report& report;
  io::PhaseTimer& timer;
  std::string output;                       ///< path of the results file; empty for none
  std::string resolved_deck;                ///< text of the deck, as stored in the results file
  io::RawOutput* raw = nullptr;             ///< standard output of `rivulet stream`
  const CheckpointReader* saved = nullptr;  ///< checkpoint of the resumed run
  bool extended = false;                    ///< true if the deck adds work to the interrupted run
  double time_limit = 0;                    ///< seconds; 0 for none
  io::Stopwatch since_start = {};
  ExpectedDigest expected = {};
  int status = 0;  ///< exit status of `rivulet`, set by the job

  double seconds_left() const {
    return time_limit > 0 ? time_limit - since_start.seconds() : HUGE_VAL;
  }
};

/// One of Rivulet's jobs, from deck to results. Jobs report failures with Error. If a single rank
/// throws, Communicator::together makes the other ranks throw too.
class Job {
 public:
  virtual ~Job() = default;

  /// Returns the deck's sections, bound to this job's options.
  virtual const io::Schema& schema() = 0;
  virtual const OutputOptions& output() const = 0;
  /// Returns the deck's section `checkpoint`, or nullptr for jobs without one.
  virtual const CheckpointOptions* checkpoint() const { return nullptr; }
  /// True if a run that reaches its time limit ends normally, with the results of the work done so
  /// far.
  virtual bool ends_early() const { return false; }
  /// Throws Error, before any work, if values of several keys are inconsistent. Collective.
  virtual void check(const io::Communicator& communicator) const = 0;
  virtual void run(JobContext& context) = 0;
  /// Returns a description of the job's results without running the job.
  virtual Results description() = 0;
};

/// A job with its deck. `Options` has the function schema(), a member `output` and, for jobs with
/// checkpoints, a member `checkpoint`.
template <class Options, class Base>
class JobWithDeck : public Base {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override {
    if constexpr (requires(const Options& deck) { deck.checkpoint; }) return &options_.checkpoint;
    return nullptr;
  }

 protected:
  Options options_;
  io::Schema schema_ = options_.schema();
};

struct JobEntry {
  std::string name;
  std::string doc;
  std::unique_ptr<Job> (*make)();
};

const std::vector<JobEntry>& jobs();

/// Creates the job `name`. For an unknown name, throws Error with the known names and with `place`,
/// the origin of the name.
std::unique_ptr<Job> make_job(const std::string& name, const std::string& place);

std::unique_ptr<Job> make_pi_job();
std::unique_ptr<Job> make_create_job();
std::unique_ptr<Job> make_fill_job();
std::unique_ptr<Job> make_alias_job();
std::unique_ptr<Job> make_correlate_job();
std::unique_ptr<Job> make_occlusion_job();
std::unique_ptr<Job> make_battery_job();

/// Creates the job of `rivulet stream`, which writes a fill deck's numbers to standard output as
/// raw little-endian values. run() returns when the reader closes the pipe or, if `ends` is true,
/// after fill.numbers numbers. Throws Error for any job except fill.
std::unique_ptr<Job> make_stream_job(const std::string& job, const std::string& place, bool ends);

/// Implements `rivulet merge`: merges the results of several runs with otherwise equal decks. The
/// runs must have drawn different streams of one family (streams.first, streams.of), or executed
/// different parts of a divided job. Returns the exit status. The exit status and the digest equal
/// those of a single run. If the files do not match, throws Error and leaves no output.
int merge_results(const io::Communicator& world, const std::vector<std::string>& inputs,
                  const std::string& output, io::Report& report);

}  // namespace rivulet
