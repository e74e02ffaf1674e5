// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <KokkosBlas1_sum.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "error.hpp"
#include "io/progress.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/results.hpp"
#include "jobs/pi/pi_options.hpp"
#include "jobs/pi/pi_result.hpp"
#include "version.hpp"

namespace rivulet {
namespace {

using io::Phase;

/// Seconds that one launch should take, so that progress is seen on runs of hours.
constexpr double slice_seconds = 0.5;

class PiJob final : public Job {
 public:
  const io::Schema& schema() override { return schema_; }
  const std::string& output() const override { return options_.output; }

  void check(const io::Communicator& communicator) override {
    const StreamOptions& streams = options_.streams;
    streams.require_streams_for(communicator);
    share_ = {options_.points, streams.count};
    if (streams.names_a_file()) return;  // what it holds is seen, and proved, in the run
    plan_ = streams.plan(communicator, numbers_per_stream());
  }

  void run(RunContext& context) override {
    set_up(context);
    open_output(context);
    std::optional<std::uint64_t> first_total;
    for (std::uint64_t i = 0; i < options_.iterations; ++i) {
      iterate(context);
      require_same(context, first_total);
    }
    finish(context);
  }

 private:
  void set_up(RunContext& context) {
    const auto scope = context.timer.scope(Phase::setup);
    const StreamOptions& streams = options_.streams;
    const io::Communicator& ranks = context.communicator;
    range_ = stream_range(streams.count, static_cast<std::uint64_t>(ranks.rank()),
                          static_cast<std::uint64_t>(ranks.size()));
    ranks.together([&] {
      if (streams.names_a_file()) plan_ = streams.plan(ranks, numbers_per_stream());
      counter_ = make_pi_counter(Space(), *plan_, range_, streams.mapping(), options_.choice);
      counter_->warm_up();
    });
    running_.points.resize(batches());
    running_.hits.resize(batches());
  }

  std::uint64_t numbers_per_stream() const {
    return share_.most() * options_.words_per_point() * options_.streams.numbers_per_word();
  }

  /// Before the work, so that a path that cannot be written costs no time.
  void open_output(RunContext& context) {
    if (context.output.empty()) return;
    const auto scope = context.timer.scope(Phase::io);
    file_.emplace(context.communicator, context.output, "results", version);
  }

  void iterate(RunContext& context) {
    {
      const auto scope = context.timer.scope(Phase::setup);
      counter_->restart();
    }
    context.communicator.barrier();
    const io::Stopwatch watch;
    io::Progress progress(context.communicator, options_.points, "points");
    std::uint64_t begin = 0;
    for (std::uint64_t b = 0; b < batches(); ++b) {
      const std::uint64_t end = batch_end(b);
      count_slices(begin, end, progress);
      begin = end;
      const auto scope = context.timer.scope(Phase::reduction);
      running_.points[b] = local_points(end);
      running_.hits[b] = KokkosBlas::sum(counter_->hits());
    }
    {
      const auto scope = context.timer.scope(Phase::reduction);
      context.communicator.sum(std::span(running_.points));
      context.communicator.sum(std::span(running_.hits));
    }
    seconds_ += context.communicator.max(watch.seconds());
  }

  /// Points begin .. end-1 of every stream in launches of about slice_seconds.
  void count_slices(std::uint64_t begin, std::uint64_t end, io::Progress& progress) {
    const std::uint64_t round = counter_->round_points();
    while (begin < end) {
      const std::uint64_t upto = std::min(end, begin + slice_rounds_ * round);
      const io::Stopwatch watch;
      counter_->count({share_, begin, upto});
      const bool whole_slice = upto - begin == slice_rounds_ * round;
      if (whole_slice && watch.seconds() < slice_seconds / 2) slice_rounds_ *= 2;
      progress.advance((upto - begin) * options_.streams.count);
      begin = upto;
    }
  }

  void require_same(const RunContext& context, std::optional<std::uint64_t>& first) const {
    const std::uint64_t total = running_.hits.back();
    if (!first) first = total;
    if (*first == total) return;
    context.communicator.together([&] {
      throw Error(fmt::format("an iteration counted {} hits, the first {}", total, *first),
                  "the same streams must give the same hits, so this machine or build computes "
                  "wrongly",
                  "Test the memory and the compiler; do not trust this run.");
    });
  }

  void finish(RunContext& context) {
    const PiCounter::Seconds seconds = counter_->seconds();
    context.timer.add(Phase::rng, seconds.rng);
    context.timer.add(Phase::compute, seconds.compute);
    std::vector<std::uint64_t> hits;
    {
      const auto scope = context.timer.scope(Phase::transfer);
      hits = copy_hits();
    }
    const std::string digest = digest_of(context.communicator, hits);
    if (file_) write(context, hits);
    const RunEnd end{total_.seconds(), figure_of_merit(), "points/s", digest};
    complete(context, end, file_);
    report(context, end);
  }

  std::vector<std::uint64_t> copy_hits() const {
    const auto host = Kokkos::create_mirror_view(counter_->hits());
    Kokkos::deep_copy(host, counter_->hits());
    return {host.data(), host.data() + host.extent(0)};
  }

  /// Over (points, hits) of every stream, 64-bit little-endian, in stream order.
  std::string digest_of(const io::Communicator& communicator,
                        const std::vector<std::uint64_t>& hits) const {
    std::vector<std::uint64_t> rows;
    rows.reserve(2 * hits.size());
    for (std::uint64_t i = 0; i < hits.size(); ++i) {
      rows.push_back(share_.of(range_.first + i));
      rows.push_back(hits[i]);
    }
    return digest_in_rank_order(communicator, rows);
  }

  void write(RunContext& context, const std::vector<std::uint64_t>& hits) {
    const auto started = io::Stopwatch();
    write_config(*file_, context);
    write_streams(*file_, options_.streams, *plan_, range_);
    write_results(hits);
    context.timer.add(Phase::io, started.seconds());
  }

  void write_results(const std::vector<std::uint64_t>& hits) {
    const std::string where = "/results/pi";
    const PiEstimate result = pi_estimate(running_.hits.back(), options_.points);
    io::ResultsFile& file = *file_;
    file.group(where, "Monte Carlo estimate of pi");
    file.attribute(where, "points", options_.points, "points");
    file.attribute(where, "hits", running_.hits.back(), "points");
    file.attribute(where, "pi", result.pi, "1");
    file.attribute(where, "mean", result.mean, "1");
    file.attribute(where, "variance", result.variance, "1");
    file.attribute(where, "standard_error", result.standard_error, "1");
    file.attribute(where, "deviation", result.deviation, "standard errors");
    file.dataset(where + "/hits", hits, range_.first, options_.streams.count,
                 "points inside the quarter circle, stream by stream", "points");
    const bool root = range_.first == 0;  // the running estimate is the same on all ranks
    const auto whole = [root](const std::vector<std::uint64_t>& values) {
      return std::span(values.data(), root ? values.size() : 0);
    };
    file.dataset(where + "/running_points", whole(running_.points), 0, batches(),
                 "points of all streams after each batch", "points");
    file.dataset(where + "/running_hits", whole(running_.hits), 0, batches(), "hits among them",
                 "points");
  }

  void report(RunContext& context, const RunEnd& end) {
    io::Report& out = context.report;
    const PiEstimate result = pi_estimate(running_.hits.back(), options_.points);
    out.section("Result");
    out.result("points", options_.points);
    out.result("hits", running_.hits.back());
    out.result("pi", result.pi);
    out.result("mean", result.mean);
    out.result("variance", result.variance);
    out.result("standard error", result.standard_error);
    out.result("deviation", result.deviation, "standard errors", 4);
    report_streams(out, *plan_);
    const io::Communicator& ranks = context.communicator;
    out.result("state", ranks.sum(counter_->state_bytes()), "B");
    if (options_.choice.kernel == PiKernel::stored) {
      out.result("word buffer", ranks.sum(counter_->buffer_bytes()), "B");
    }
    end_report(context, end);
  }

  std::uint64_t batches() const { return std::min(options_.batches, most_rounds()); }
  std::uint64_t most_rounds() const {
    const std::uint64_t round = counter_->round_points();
    return (share_.most() + round - 1) / round;
  }
  /// Batches end at whole rounds, the last one with the points.
  std::uint64_t batch_end(std::uint64_t batch) const {
    if (batch + 1 == batches()) return share_.most();
    const std::uint64_t rounds = most_rounds();
    const std::uint64_t whole =
        rounds / batches() * (batch + 1) + rounds % batches() * (batch + 1) / batches();
    return whole * counter_->round_points();
  }
  /// Points that this rank's streams have made when each has reached `end`.
  std::uint64_t local_points(std::uint64_t end) const {
    const StreamBatch so_far{share_, 0, end};
    const std::uint64_t extra = options_.points % options_.streams.count;
    const std::uint64_t longer =
        std::clamp(extra, range_.first, range_.first + range_.count) - range_.first;
    return longer * so_far.points(0) +
           (range_.count - longer) * so_far.points(options_.streams.count - 1);
  }

  double figure_of_merit() const {
    return static_cast<double>(options_.points) * static_cast<double>(options_.iterations) /
           seconds_;
  }

  PiOptions options_;
  io::Schema schema_ = options_.schema();
  StreamShare share_;
  std::unique_ptr<StreamPlan> plan_;
  StreamRange range_;
  std::unique_ptr<PiCounter> counter_;
  std::optional<io::ResultsFile> file_;
  PiRunning running_;
  std::uint64_t slice_rounds_ = 1;
  double seconds_ = 0;  ///< of counting, all iterations, set-up excluded
  io::Stopwatch total_;
};

}  // namespace

std::unique_ptr<Job> make_pi_job() { return std::make_unique<PiJob>(); }

}  // namespace rivulet
