// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/drawing_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/common/merge_input.hpp"
#include "kokkos_compat.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {

using io::Phase;

namespace {

std::string why_not_resumable(const RunRequirements& run) {
  const Generator& generator = run.streams.generator_facts();
  if (!run.why_not_resumable.empty() || generator.jumps) return run.why_not_resumable;
  return fmt::format("{} cannot jump: a resumed run would draw all earlier numbers again",
                     generator.name);
}

/// The steps of a job's run, in order.
class DrawingRun {
 public:
  DrawingRun(const DrawingJob& job, const io::Schema& schema, JobContext& context)
      : context_(context),
        job_(job),
        name_(schema.job()),
        requirements_(job.requirements()),
        run_{.ranks = ranks(),
             .timer = context.timer,
             .planned = requirements_.planned,
             .range = requirements_.planned.range_on(ranks()),
             .saved = context.saved,
             .seconds_left = [&context] { return context.seconds_left(); }} {}

  void run();

 private:
  const io::Communicator& ranks() const { return context_.communicator; }
  /// True if the results file survives an interruption.
  bool survives_interruption() const { return checkpoints_ && requirements_.writes_as_it_draws; }
  void load_checkpoint();
  void open_output();
  void start();
  std::string iterate(bool is_resumed);
  void draw_in_pieces(const IterationExtent& extent);
  void save(io::ResultsFile& file, double done);
  void write(const Results& out);

  JobContext& context_;
  const DrawingJob& job_;
  std::string name_;
  RunRequirements requirements_;
  std::optional<io::ResultsFile> file_;
  std::optional<Checkpoints> checkpoints_;
  RunContext run_;
  std::unique_ptr<CountedWork> work_;
  std::uint64_t first_iteration_ = 0;
  std::uint64_t position_ = 0;     ///< position in the current iteration
  std::string digest_;             ///< digest of the first iteration
  double resumed_fraction_ = 0;    ///< completed fraction of a resumed iteration
  double seconds_ = 0;             ///< seconds of all iterations, for the figure of merit
  io::Stopwatch iteration_watch_;  ///< time of the current iteration
  io::Stopwatch total_watch_;
};

void DrawingRun::run() {
  load_checkpoint();
  open_output();
  start();
  for (std::uint64_t i = first_iteration_; i < requirements_.iterations; ++i) {
    run_.iteration = i;
    const std::string iteration_digest =
        iterate(context_.saved != nullptr && i == first_iteration_);
    if (i == 0) digest_ = iteration_digest;
    require_same(ranks(), iteration_digest, digest_, requirements_.mismatch_text);
  }
  Results out(ranks(), results_group(name_));
  work_->results(out);
  if (file_) write(out);
  if (out.status() != 0) context_.status = out.status();
  const double work = out.work().value_or(static_cast<double>(work_->extent().amount));
  const Ending end{total_watch_.seconds(),
                   work * static_cast<double>(requirements_.iterations) / seconds_,
                   requirements_.unit + "/s", digest_};
  complete(context_, end, file_);
  if (checkpoints_) checkpoints_->end();
  context_.report.section("Result");
  out.write_lines(context_.report);
  if (run_.plan) report_streams(context_.report, requirements_.planned, *run_.plan);
  out.write_setup_lines(context_.report);
  end_report(context_, end);
}

void DrawingRun::load_checkpoint() {
  const CheckpointOptions* const options = job_.checkpoint();
  if (options == nullptr || !options->enabled()) return;
  try {
    checkpoints_.emplace(*options, context_);
  } catch (AlreadyDone& done) {
    std::uint64_t status = 0;  // stored exit status of the run that wrote the results
    ranks().on_root([&] {
      const io::ReadFile file(context_.output, "results");
      const std::string group = results_group(name_);
      if (!file.has_attribute(group, io::status_attribute)) return;
      status = file.attribute<std::uint64_t>(group, io::status_attribute);
    });
    done.status = std::max(done.status, static_cast<int>(ranks().max(status)));
    throw;
  }
  if (context_.saved == nullptr) return;
  first_iteration_ = context_.saved->number("iteration");
  context_.saved->require(
      first_iteration_ < requirements_.iterations,
      fmt::format("it is of iteration {} of {}", first_iteration_ + 1, requirements_.iterations));
  digest_ = context_.saved->text("digest");
  seconds_ = context_.saved->real("seconds");
  resumed_fraction_ = context_.saved->real("done");
  position_ = context_.saved->number("at");
}

/// Opens the results file. Called before the work starts, so an unwritable path fails early.
void DrawingRun::open_output() {
  if (context_.output.empty()) return;
  const auto scope = context_.timer.scope(Phase::io);
  const io::ChunkLayout& layout = job_.output().layout;
  if (survives_interruption() && context_.saved != nullptr) {
    file_.emplace(ranks(), context_.output, "results", saved_output(*context_.saved), layout);
  } else {
    file_.emplace(ranks(), context_.output, "results", version,
                  survives_interruption() ? io::FileForm::resumable : io::FileForm::plain, layout);
  }
  if (checkpoints_) file_->set_creator(checkpoints_->run());
}

void DrawingRun::start() {
  if (file_) run_.file = &*file_;
  {
    const auto scope = context_.timer.scope(Phase::setup);
    ranks().together([&] {
      if (requirements_.numbers) run_.plan_streams(*requirements_.numbers);
      work_ = job_.start(run_);
      Space().fence();
    });
  }
  if (!file_) return;
  const auto scope = context_.timer.scope(Phase::io);
  if (!survives_interruption() || context_.saved == nullptr) file_->lay_out();
  if (survives_interruption()) checkpoints_->include_output(*file_);
}

std::string DrawingRun::iterate(bool is_resumed) {
  {
    const auto scope = context_.timer.scope(Phase::setup);
    ranks().together([&] {
      work_->restart();
      Space().fence();
    });
    position_ = is_resumed ? work_->resume(*context_.saved, position_) : 0;
  }
  const auto phase = requirements_.merit_phase;
  const double before = phase ? context_.timer.seconds(*phase) : 0;
  const IterationExtent all = work_->extent();
  ranks().barrier();
  iteration_watch_.restart();
  run_.progress.emplace(ranks(), all.amount, all.unit,
                        io::ProgressOptions{.shown = !context_.report.quiet()});
  checkpoints_ ? draw_in_pieces(all) : work_->draw(0, all.end);
  run_.progress.reset();
  position_ = all.end;
  seconds_ +=
      ranks().max(phase ? context_.timer.seconds(*phase) - before : iteration_watch_.seconds());
  return work_->collect();
}

void DrawingRun::draw_in_pieces(const IterationExtent& extent) {
  // If the run writes its numbers, the first piece has 2^22 numbers, which a slow disk writes in a
  // second. Otherwise, the first piece has 2^25 numbers, which a core draws in a few hundredths of
  // a second.
  const std::uint64_t numbers_at_first = std::uint64_t{1}
                                         << (requirements_.writes_as_it_draws ? 22 : 25);
  const std::uint64_t begin = position_;
  const std::uint64_t rounds = ceil_divide(extent.end - begin, extent.round);
  // Before the last round, the run writes the checkpoint that remains after its end. A run with
  // more points can then continue from this checkpoint.
  const bool is_kept = job_.checkpoint()->keep && run_.iteration + 1 == requirements_.iterations;
  PieceLength length(numbers_at_first / std::max(extent.numbers, std::uint64_t{1}),
                     checkpoints_->piece_seconds());
  checkpoints_->begin();
  const auto fraction_at = [&](std::uint64_t round) {
    const double part = static_cast<double>(round) / static_cast<double>(rounds);
    return resumed_fraction_ + (1 - resumed_fraction_) * part;
  };
  if (is_kept && rounds == 1) {
    checkpoints_->keep([&](io::ResultsFile& file) { save(file, fraction_at(0)); });
  }
  for (std::uint64_t round = 0; round < rounds;) {
    std::uint64_t end_round = std::min(rounds, round + std::max(length.steps(), std::uint64_t{1}));
    if (is_kept && round + 1 < rounds) end_round = std::min(end_round, rounds - 1);
    const std::uint64_t end = std::min(extent.end, begin + end_round * extent.round);
    const io::Stopwatch watch;
    work_->draw(position_, end);
    if (requirements_.writes_as_it_draws) {
      const auto scope = context_.timer.scope(Phase::io);
      file_->begin_flush();
    }
    position_ = end;
    const std::uint64_t drawn_rounds = end_round - round;
    round = end_round;
    if (round == rounds) break;
    const double done = fraction_at(round);
    const auto save_now = [&](io::ResultsFile& file) { save(file, done); };
    if (is_kept && round + 1 == rounds) checkpoints_->keep(save_now);
    const double run_fraction = (static_cast<double>(run_.iteration) + done) /
                                static_cast<double>(requirements_.iterations);
    length.learn(drawn_rounds, checkpoints_->after_piece(watch.seconds(), run_fraction, save_now));
  }
  resumed_fraction_ = 0;
}

void DrawingRun::save(io::ResultsFile& file, double done) {
  file.attribute(state_group, "iteration", run_.iteration);
  file.attribute(state_group, "at", position_);
  file.attribute(state_group, "digest", digest_);
  file.attribute(state_group, "seconds", seconds_ + iteration_watch_.seconds(), "s");
  file.attribute(state_group, "done", done);
  work_->save(file);
}

void DrawingRun::write(const Results& out) {
  const auto scope = context_.timer.scope(Phase::io);
  write_config(*file_, context_);
  if (run_.plan) write_streams(*file_, requirements_.planned, *run_.plan, run_.range);
  out.write(*file_);
}

}  // namespace

void require_plan(const StreamOptions& streams, const io::Communicator& communicator,
                  std::uint64_t numbers_per_stream) {
  if (streams.names_a_file()) {
    communicator.on_root([&] { const io::ReadFile readable(streams.parameters, parameters_kind); });
    return;
  }
  static_cast<void>(streams.plan(communicator, numbers_per_stream));
}

void DrawingJob::check(const io::Communicator& communicator) const {
  const RunRequirements required = requirements();
  required.streams.require_streams_for(communicator);
  output().check();
  check_deck();
  if (checkpoint() != nullptr) check_checkpoint(*checkpoint(), why_not_resumable(required));
  if (required.writes_as_it_draws && checkpoint()->enabled() && checkpoint()->keep) {
    throw Error("checkpoint.keep=true for a run that writes its numbers as it draws them",
                "its unfinished file is renamed to the results file, so a kept checkpoint could "
                "not be resumed",
                "Omit checkpoint.keep.");
  }
  if (required.numbers) require_plan(required.planned, communicator, *required.numbers);
}

void DrawingJob::run(JobContext& context) { DrawingRun(*this, schema(), context).run(); }

Results DrawingJob::description() {
  Results out(io::Communicator::self(), results_group(schema().job()),
              Results::Purpose::description);
  merge({}, out);
  return out;
}

}  // namespace rivulet
