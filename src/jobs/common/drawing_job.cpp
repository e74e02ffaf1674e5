// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/drawing_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jobs/common/merge_input.hpp"
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

namespace {

std::string why_whole(const Demand& asked) {
  const Generator& generator = asked.streams.generator_facts();
  if (!asked.why_whole.empty() || generator.jumps) return asked.why_whole;
  return fmt::format("{} would draw again all numbers up to where it goes on", generator.name);
}

}  // namespace

void DrawingJob::check(const io::Communicator& communicator) const {
  const Demand asked = demand();
  asked.streams.require_streams_for(communicator);
  output().check();
  check_options();
  if (checkpoint() != nullptr) check_checkpoint(*checkpoint(), why_whole(asked));
  if (asked.writes_as_it_draws && checkpoint()->asked() && checkpoint()->keep) {
    throw Error("checkpoint.keep=true with results that are written as they are drawn",
                "at the run's end what it goes on with becomes its results",
                "Leave checkpoint.keep out.");
  }
  if (asked.numbers) require_plan(asked.planned, communicator, *asked.numbers);
}

void DrawingJob::run(JobContext& context) {
  ranks_ = context.communicator;
  take_up(context);
  open_output(context);
  prepare(context);
  if (file_) lay_out_output(context);
  const Demand asked = demand();
  for (; iteration_ < asked.iterations; ++iteration_) {
    const std::string one = iterate(context);
    if (iteration_ == 0) digest_ = one;
    require_same(context.communicator, one, digest_, asked.differs);
  }
  evaluate(context);
  Results out(ranks(), results_group(schema().job()));
  results(out);
  if (file_) write(context, out);
  const Ending end{total_.seconds(), figure_of_merit(), asked.unit + "/s", digest_};
  complete(context, end, file_);
  if (checkpoints_) checkpoints_->end();
  report(context, out, end);
}

Results DrawingJob::description() {
  ranks_ = io::Communicator::self();
  Results out(ranks(), results_group(schema().job()), Results::Of::description);
  results(out);
  return out;
}

std::vector<std::string> DrawingJob::free_keys() const {
  std::vector<std::string> keys{"streams.mapping", "streams.segments"};
  const Demand asked = demand();
  keys.insert(keys.end(), asked.free_keys.begin(), asked.free_keys.end());
  return keys;
}

Portion DrawingJob::portion(const MergeInput& part) const { return part.portion; }

std::vector<std::string> DrawingJob::settings(const Portion& all) const {
  const StreamRange streams = all.ids.front();
  return {fmt::format("streams.first={}", streams.first),
          fmt::format("streams.count={}", streams.count)};
}

std::string DrawingJob::end_merge(JobContext& context) {
  ranks_ = context.communicator;
  std::string digest = collect(context);
  evaluate(context);
  return digest;
}

void DrawingJob::take_up(JobContext& context) {
  if (checkpoint() == nullptr || !checkpoint()->asked()) return;
  try {
    checkpoints_.emplace(*checkpoint(), context);
  } catch (AlreadyDone& done) {
    int of_results = 0;
    ranks().on_root([&] { of_results = status_of({context.output, "results"}); });
    const std::uint64_t greatest = ranks().max(static_cast<std::uint64_t>(of_results));
    done.status = std::max(done.status, static_cast<int>(greatest));
    throw;
  }
  if (context.saved == nullptr) return;
  iteration_ = context.saved->number("iteration");
  context.saved->require(
      iteration_ < demand().iterations,
      fmt::format("it is of iteration {} of {}", iteration_ + 1, demand().iterations));
  digest_ = context.saved->text("digest");
  seconds_ = context.saved->real("seconds");
  done_ = context.saved->real("done");
  at_ = context.saved->number("at");
}

void DrawingJob::prepare(JobContext& context) {
  read_input(context);
  const auto scope = context.timer.scope(Phase::setup);
  const Demand asked = demand();
  range_ = asked.planned.range_on(ranks());
  ranks().together([&] {
    if (asked.numbers) plan_ = asked.planned.plan(ranks(), *asked.numbers);
    set_up(context);
  });
  ranks().together([&] {
    warm_up(context);
    Space().fence();
  });
}

/// Opens the file before the work, so that an unwritable path costs no time.
void DrawingJob::open_output(JobContext& context) {
  if (context.output.empty()) return;
  const auto scope = context.timer.scope(Phase::io);
  const bool outlasts = checkpoints_ && demand().writes_as_it_draws;
  if (outlasts && context.saved != nullptr) {
    file_.emplace(context.communicator, context.output, "results", saved_output(*context.saved),
                  output().layout);
  } else {
    file_.emplace(context.communicator, context.output, "results", version,
                  outlasts ? io::FileForm::resumable : io::FileForm::plain, output().layout);
  }
  if (checkpoints_) file_->made_by(checkpoints_->run());
}

void DrawingJob::lay_out_output(JobContext& context) {
  const auto scope = context.timer.scope(Phase::io);
  const bool outlasts = checkpoints_ && demand().writes_as_it_draws;
  const bool is_new = !outlasts || context.saved == nullptr;
  if (is_new) create_datasets(*file_);
  if (is_new) file_->lay_out();
  if (outlasts) checkpoints_->cover(*file_);
}

std::string DrawingJob::iterate(JobContext& context) {
  {
    const auto scope = context.timer.scope(Phase::setup);
    ranks().together([&] {
      restart();
      Space().fence();
    });
    at_ = context.saved != nullptr ? resume(*context.saved, at_) : 0;
    context.saved = nullptr;
  }
  const auto phase = demand().counted;
  const double before = phase ? context.timer.seconds(*phase) : 0;
  const Extent all = extent();
  ranks().barrier();
  watch_.restart();
  progress_.emplace(ranks(), all.amount, all.unit,
                    io::ProgressOptions{.shown = !context.report.quiet()});
  checkpoints_ ? draw_in_pieces(context, all) : draw(context, 0, all.end);
  progress_.reset();
  at_ = all.end;
  seconds_ += ranks().max(phase ? context.timer.seconds(*phase) - before : watch_.seconds());
  return collect(context);
}

void DrawingJob::draw_in_pieces(JobContext& context, const Extent& extent) {
  const Demand asked = demand();
  // The numbers that a core draws in some hundredths of a second, or a slow disk writes in one.
  const std::uint64_t numbers_at_first = std::uint64_t{1} << (asked.writes_as_it_draws ? 22 : 25);
  const std::uint64_t begin = at_;
  const std::uint64_t rounds = (extent.end - begin + extent.round - 1) / extent.round;
  // A kept checkpoint comes before the last round, which leaves room for more points.
  const bool is_kept = checkpoint()->keep && iteration_ + 1 == asked.iterations;
  PieceLength length(numbers_at_first / std::max(extent.numbers, std::uint64_t{1}),
                     checkpoints_->piece_seconds());
  checkpoints_->begin();
  const auto part_at = [&](std::uint64_t round) {
    const double part = static_cast<double>(round) / static_cast<double>(rounds);
    return done_ + (1 - done_) * part;
  };
  if (is_kept && rounds == 1) {
    checkpoints_->keep([&](io::ResultsFile& file) { save_run(file, part_at(0)); });
  }
  for (std::uint64_t round = 0; round < rounds;) {
    std::uint64_t upto = std::min(rounds, round + std::max(length.steps(), std::uint64_t{1}));
    if (is_kept && round + 1 < rounds) upto = std::min(upto, rounds - 1);
    const std::uint64_t end = std::min(extent.end, begin + upto * extent.round);
    const io::Stopwatch watch;
    draw(context, at_, end);
    if (asked.writes_as_it_draws) {
      const auto scope = context.timer.scope(Phase::io);
      file_->begin_flush();
    }
    at_ = end;
    const std::uint64_t drawn = upto - round;
    round = upto;
    if (round == rounds) break;
    const double done = part_at(round);
    const auto save = [&](io::ResultsFile& file) { save_run(file, done); };
    if (is_kept && round + 1 == rounds) checkpoints_->keep(save);
    const double of_all =
        (static_cast<double>(iteration_) + done) / static_cast<double>(asked.iterations);
    length.learn(drawn, checkpoints_->after_piece(watch.seconds(), of_all, save));
  }
  done_ = 0;
}

void DrawingJob::save_run(io::ResultsFile& file, double done) {
  file.attribute(state_group, "iteration", iteration_);
  file.attribute(state_group, "at", at_);
  file.attribute(state_group, "digest", digest_);
  file.attribute(state_group, "seconds", seconds_ + watch_.seconds(), "s");
  file.attribute(state_group, "done", done);
  save(file);
}

void DrawingJob::write(JobContext& context, const Results& out) {
  const auto scope = context.timer.scope(Phase::io);
  write_config(*file_, context);
  if (plan_) write_streams(*file_, demand().planned, *plan_, range_);
  out.write(*file_);
}

void DrawingJob::report(JobContext& context, const Results& out, const Ending& end) {
  context.report.section("Result");
  out.tell(context.report);
  if (plan_) report_streams(context.report, demand().planned, *plan_);
  out.tell_late(context.report);
  end_report(context, end);
}

double DrawingJob::figure_of_merit() const {
  const Extent done = extent();
  const double work = done.work.value_or(static_cast<double>(done.amount));
  return work * static_cast<double>(demand().iterations) / seconds_;
}

}  // namespace rivulet
