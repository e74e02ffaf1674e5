// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/drawing_job.hpp"

#include "kokkos_compat.hpp"
#include "parameters/parameter_file.hpp"
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
  check_options();
  if (const auto numbers = numbers_per_stream()) {
    require_plan(planned_streams(), communicator, *numbers);
  }
}

void DrawingJob::run(RunContext& context) {
  open_output(context);
  prepare(context);
  if (file_) {
    const auto scope = context.timer.scope(Phase::io);
    create_datasets(*file_);
  }
  std::string digest;
  for (std::uint64_t i = 0; i < iterations(); ++i) {
    const std::string one = iterate(context);
    if (i == 0) digest = one;
    require_same(context.communicator, one, digest, work().differs);
  }
  evaluate(context);
  if (file_) write(context);
  const RunEnd end{total_.seconds(), figure_of_merit(), work().unit + "/s", digest};
  complete(context, end, file_);
  report(context, end);
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
  file_.emplace(context.communicator, context.output, "results", version);
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
  }
  const auto phase = counted_phase();
  const double before = phase ? context.timer.seconds(*phase) : 0;
  ranks.barrier();
  const io::Stopwatch watch;
  draw(context);
  seconds_ += ranks.max(phase ? context.timer.seconds(*phase) - before : watch.seconds());
  return collect(context);
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
