// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/drawing_job.hpp"

#include <algorithm>

#include "jobs/common/saved_output.hpp"
#include "kokkos_compat.hpp"
#include "parameters/parameter_file.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {

using io::Phase;

void require_plan(const StreamOptions& streams, const io::Communicator& communicator,
                  std::uint64_t numbers_per_stream) {
  if (streams.names_a_file()) {
    communicator.on_root([&] { const io::ReadFile readable(streams.parameters, parameters_kind); });
    return;
  }
  static_cast<void>(streams.plan(communicator, numbers_per_stream));
}

void DrawingJob::check(const io::Communicator& communicator) const {
  streams().require_streams_for(communicator);
  output().check();
  check_options();
  if (checkpoint() != nullptr) check_checkpoint(*checkpoint(), why_whole());
  if (writes_as_it_draws() && checkpoint()->asked() && checkpoint()->keep) {
    throw Error("checkpoint.keep=true with results that are written as they are drawn",
                "at the run's end what it goes on with becomes its results",
                "Leave checkpoint.keep out.");
  }
  if (const auto numbers = numbers_per_stream()) {
    require_plan(planned_streams(), communicator, *numbers);
  }
}

void DrawingJob::run(RunContext& context) {
  take_up(context);
  open_output(context);
  prepare(context);
  if (file_) lay_out_output(context);
  for (; iteration_ < iterations(); ++iteration_) {
    const std::string one = iterate(context);
    if (iteration_ == 0) digest_ = one;
    require_same(context.communicator, one, digest_, work().differs);
  }
  evaluate(context);
  if (file_) write(context);
  const RunEnd end{total_.seconds(), figure_of_merit(), work().unit + "/s", digest_};
  complete(context, end, file_);
  if (checkpoints_) checkpoints_->end();
  report(context, end);
}

/// What a run with checkpoints begins with, before any work.
void DrawingJob::take_up(RunContext& context) {
  if (checkpoint() == nullptr || !checkpoint()->asked()) return;
  checkpoints_.emplace(*checkpoint(), context);
  if (context.saved == nullptr) return;
  iteration_ = context.saved->number("iteration");
  digest_ = context.saved->text("digest");
  seconds_ = context.saved->real("seconds");
  done_ = context.saved->real("done");
}

void DrawingJob::prepare(RunContext& context) {
  read_input(context);
  const auto scope = context.timer.scope(Phase::setup);
  const io::Communicator& ranks = context.communicator;
  const StreamOptions planned = planned_streams();
  range_ = planned.range_on(ranks);
  ranks.together([&] {
    plan_ = planned.plan(ranks, numbers_per_stream().value());
    set_up(context);
  });
  ranks.together([&] {
    warm_up(context);
    Space().fence();
  });
}

/// Before the work, so that a path that cannot be written costs no time.
void DrawingJob::open_output(RunContext& context) {
  if (context.output.empty()) return;
  const auto scope = context.timer.scope(Phase::io);
  const bool outlasts = checkpoints_ && writes_as_it_draws();
  if (outlasts && context.saved != nullptr) {
    file_.emplace(context.communicator, context.output, "results", saved_output(*context.saved),
                  output().layout);
  } else {
    file_.emplace(context.communicator, context.output, "results", version,
                  outlasts ? io::FileForm::resumable : io::FileForm::plain, output().layout);
  }
  if (checkpoints_) file_->made_by(checkpoints_->run());
}

void DrawingJob::lay_out_output(RunContext& context) {
  const auto scope = context.timer.scope(Phase::io);
  const bool outlasts = checkpoints_ && writes_as_it_draws();
  const bool is_new = !outlasts || context.saved == nullptr;
  if (is_new) create_datasets(*file_);
  if (outlasts && is_new) file_->lay_out();
  if (outlasts) checkpoints_->cover(*file_);
}

/// Draws, and times what the figure of merit counts; the digest.
std::string DrawingJob::iterate(RunContext& context) {
  const io::Communicator& ranks = context.communicator;
  {
    const auto scope = context.timer.scope(Phase::setup);
    ranks.together([&] {
      restart();
      Space().fence();
    });
    if (context.saved != nullptr) resume(*context.saved);
    context.saved = nullptr;
  }
  const auto phase = counted_phase();
  const double before = phase ? context.timer.seconds(*phase) : 0;
  ranks.barrier();
  watch_.restart();
  checkpoints_ ? draw_in_pieces(context) : draw(context);
  seconds_ += ranks.max(phase ? context.timer.seconds(*phase) - before : watch_.seconds());
  return collect(context);
}

void DrawingJob::draw_in_pieces(RunContext& context) {
  // What a core draws in some hundredths of a second, or a slow disk takes in one.
  const std::uint64_t numbers_at_first = std::uint64_t{1} << (writes_as_it_draws() ? 22 : 25);
  const std::uint64_t all = steps();
  // From before the last step on there is room for more points.
  const bool is_kept = checkpoint()->keep && iteration_ + 1 == iterations();
  PieceLength length(numbers_at_first / std::max(numbers_per_step(), std::uint64_t{1}),
                     checkpoints_->piece_seconds());
  checkpoints_->begin();
  const auto part_at = [&](std::uint64_t step) {
    const double part = static_cast<double>(step) / static_cast<double>(all);
    return done_ + (1 - done_) * part;
  };
  if (is_kept && all == 1) {
    checkpoints_->keep([&](io::ResultsFile& file) { save_run(file, part_at(0)); });
  }
  for (std::uint64_t step = 0; step < all;) {
    std::uint64_t upto = std::min(all, step + std::max(length.steps(), std::uint64_t{1}));
    if (is_kept && step + 1 < all) upto = std::min(upto, all - 1);
    const io::Stopwatch watch;
    draw_steps(context, step, upto);
    if (writes_as_it_draws()) {
      const auto scope = context.timer.scope(Phase::io);
      file_->begin_flush();
    }
    const std::uint64_t steps_done = upto - step;
    step = upto;
    if (step == all) break;
    const double done = part_at(step);
    const auto save = [&](io::ResultsFile& file) { save_run(file, done); };
    if (is_kept && step + 1 == all) checkpoints_->keep(save);
    const double of_all =
        (static_cast<double>(iteration_) + done) / static_cast<double>(iterations());
    length.learn(steps_done, checkpoints_->after_piece(watch.seconds(), of_all, save));
  }
  done_ = 0;
}

void DrawingJob::save_run(io::ResultsFile& file, double done) {
  file.attribute(state_group, "iteration", iteration_);
  file.attribute(state_group, "digest", digest_);
  file.attribute(state_group, "seconds", seconds_ + watch_.seconds(), "s");
  file.attribute(state_group, "done", done);
  save(file);
}

void DrawingJob::write(RunContext& context) {
  const auto scope = context.timer.scope(Phase::io);
  write_config(*file_, context);
  write_streams(*file_, planned_streams(), *plan_, range_);
  write_results(*file_);
}

void DrawingJob::report(RunContext& context, const RunEnd& end) {
  context.report.section("Result");
  report_results(context);
  report_streams(context.report, planned_streams(), *plan_);
  report_memory(context);
  end_report(context, end);
}

double DrawingJob::figure_of_merit() const {
  return work().amount * static_cast<double>(iterations()) / seconds_;
}

}  // namespace rivulet
