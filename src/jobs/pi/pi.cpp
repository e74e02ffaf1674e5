// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "io/terminal/progress.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/slices.hpp"
#include "jobs/common/stream_amount.hpp"
#include "jobs/pi/pi_options.hpp"
#include "jobs/pi/pi_pieces.hpp"
#include "jobs/pi/pi_report.hpp"
#include "jobs/pi/pi_result.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

class PiJob final : public DrawingJob {
 public:
  const io::Schema& schema() override { return schema_; }
  const OutputOptions& output() const override { return options_.output; }
  const CheckpointOptions* checkpoint() const override { return &options_.checkpoint; }

 private:
  const StreamOptions& streams() const override { return options_.streams; }
  std::uint64_t iterations() const override { return options_.iterations; }
  std::optional<std::uint64_t> numbers_per_stream() const override {
    return share().most() * options_.words_per_point() * streams().numbers_per_word();
  }
  StreamShare share() const { return {options_.points, streams().family()}; }

  void check_options() const override {
    const StreamRange all{streams().first, streams().count};
    if (amount_of(share(), all) >= least_points) return;
    throw Error(fmt::format("pi.points={} over a family of {} streams", options_.points,
                            streams().family()),
                fmt::format("streams {} to {} of them would make fewer than {} points", all.first,
                            all.first + all.count - 1, least_points),
                "Throw more points, or give this run more of the streams.");
  }

  void set_up(RunContext& context) override {
    ranks_ = context.communicator;
    PiChoice choice = options_.choice;
    choice.segments = streams().segments;
    counter_ = make_pi_counter(Space(), plan(), range(), streams().mapping(), choice);
    running_.points.resize(batches());
    running_.hits.resize(batches());
    if (options_.checkpoint.asked()) return;
    stretches_ = counter_->stretches(share(), batch_ends());
  }

  void warm_up(RunContext&) override { counter_->warm_up(); }

  void restart() override {
    counter_->restart();
    if (!stretches_.empty()) counter_->place(stretches_.front());
    pieces_ = PiPieces(batch_ends());
  }

  void draw(RunContext& context) override {
    io::Progress progress(context.communicator, own_points(), "points");
    std::vector<std::uint64_t> hits;  // of each batch
    for (const PiStretch& stretch : stretches_) {
      if (stretch.begin > 0) counter_->place(stretch);
      count(stretch, progress);
      const auto scope = context.timer.scope(Phase::reduction);
      std::ranges::copy(counter_->batch_hits(), std::back_inserter(hits));
    }
    take_batches(context, hits);
  }

  /// The running estimate, of this rank's hits in each batch.
  void take_batches(RunContext& context, const std::vector<std::uint64_t>& hits) {
    const auto scope = context.timer.scope(Phase::reduction);
    std::partial_sum(hits.begin(), hits.end(), running_.hits.begin());
    for (std::uint64_t b = 0; b < batches(); ++b) running_.points[b] = local_points(batch_end(b));
    context.communicator.sum(std::span(running_.points));
    context.communicator.sum(std::span(running_.hits));
  }

  void count(const PiStretch& stretch, io::Progress& progress) {
    const std::uint64_t points = counter_->segment_points();
    const std::uint64_t round = counter_->round_points();
    // Of all segments; streams' last ones are shorter.
    const std::uint64_t at_once = (stretch.end() - stretch.begin + points - 1) / points;
    slices_.run(0, points, round, round * at_once * range().count,
                [&](std::uint64_t from, std::uint64_t to) {
                  counter_->count_segments(from, to);
                  progress.advance((to - from) * at_once * streams().count);
                });
  }

  /// Over (points, hits) of every stream, 64-bit little-endian, in stream order.
  std::string collect(RunContext& context) override {
    if (options_.checkpoint.asked()) running_ = running(context.communicator);
    {
      const auto scope = context.timer.scope(Phase::transfer);
      copy_hits();
    }
    std::vector<std::uint64_t> rows;
    rows.reserve(2 * hits_.size());
    for (std::uint64_t i = 0; i < hits_.size(); ++i) {
      rows.push_back(share().of(range().first + i));
      rows.push_back(hits_[i]);
    }
    return digest_in_rank_order(context.communicator, rows);
  }

  std::string why_whole() const override { return ""; }
  std::uint64_t steps() const override {
    const std::uint64_t round = counter_->round_points();
    return (share().most() - pieces_.at() + round - 1) / round;
  }
  std::uint64_t numbers_per_step() const override {
    return counter_->round_points() * streams().count;
  }

  void draw_steps(RunContext& context, std::uint64_t from, std::uint64_t upto) override {
    if (from == 0) {
      begin_ = pieces_.at();
      progress_.emplace(context.communicator, own_points(), "points");
    }
    const std::uint64_t end = std::min(share().most(), begin_ + upto * counter_->round_points());
    for (const std::vector<std::uint64_t>& marks : pieces_.marks_to(end)) {
      for (const PiStretch& stretch : counter_->stretches(share(), marks, pieces_.at())) {
        counter_->place(stretch);
        count(stretch, *progress_);
        const auto scope = context.timer.scope(Phase::reduction);
        pieces_.add(stretch.marks, counter_->batch_hits());
      }
    }
  }

  void save(io::ResultsFile& file) override {
    copy_hits();
    const PiRunning so_far = running(*ranks_);
    const auto root = [this](const std::vector<std::uint64_t>& values) {
      return std::span(values.data(), ranks_->is_root() ? values.size() : 0);
    };
    const std::uint64_t ended = so_far.points.size();
    file.attribute(state_group, "points", options_.points, "points");
    file.attribute(state_group, "points_of_each", pieces_.at(), "points");
    file.dataset(state_group + "/hits", hits_, range().first - streams().first, streams().count,
                 "hits of each stream so far", "points");
    file.dataset(state_group + "/running_points", root(so_far.points), 0, ended,
                 "points of all streams after each batch", "points");
    file.dataset(state_group + "/running_hits", root(so_far.hits), 0, ended, "hits among them",
                 "points");
  }

  void resume(const SavedRun& saved) override {
    const std::uint64_t points = saved.number("points");
    const std::uint64_t at = saved.number("points_of_each");
    std::vector<std::uint64_t> hits =
        saved.rows("hits", {range().first - streams().first, range().count}, streams().count);
    PiRunning ended{saved.all("running_points"), saved.all("running_hits")};
    std::uint64_t whole = 0;
    ranks_->together([&] {
      check_points(points, at);
      const std::uint64_t round = counter_->round_points();
      whole = at / round * round;
      if (whole < at) {  // another mapping's rounds: the rest of one is counted again
        counter_->resume(whole, std::vector<std::uint64_t>(hits.size()));
        counter_->count({share(), whole, at});
        copy_hits();
        std::ranges::transform(hits, hits_, hits.begin(), std::minus<>());
      }
      counter_->restart();
      counter_->resume(whole, hits);
    });
    const std::uint64_t before =
        ranks_->sum(std::accumulate(hits.begin(), hits.end(), std::uint64_t{0}));
    pieces_ = PiPieces(batch_ends(), whole, at, std::move(ended), before);
  }
  /// What points may be at a resume.
  void check_points(std::uint64_t before, std::uint64_t at) const {
    const bool fewer = options_.points < before || share().of(streams().family() - 1) < at;
    const bool after_one = iteration() > 0 && options_.points != before;
    if (!fewer && !after_one) return;
    throw Error(fmt::format("pi.points={} at the resume of a run of {}", options_.points, before),
                fewer ? "points may grow, not shrink" : "an iteration was counted already",
                fmt::format("Give {}{}.", before, fewer ? " or more" : ""));
  }

  /// The running estimate of all ranks so far.
  PiRunning running(const io::Communicator& ranks) const {
    PiRunning since{pieces_.ends_so_far(), pieces_.hits_so_far()};
    for (std::uint64_t& points : since.points) points = local_points(points);
    ranks.sum(std::span(since.points));
    ranks.sum(std::span(since.hits));
    PiRunning all = pieces_.ended();
    for (std::size_t i = 0; i < since.hits.size(); ++i) {
      all.points.push_back(since.points[i]);
      all.hits.push_back(pieces_.hits_before() + since.hits[i]);
    }
    return all;
  }

  void copy_hits() {
    const auto host = Kokkos::create_mirror_view(counter_->hits());
    Kokkos::deep_copy(host, counter_->hits());
    hits_.assign(host.data(), host.data() + host.extent(0));
  }

  void evaluate(RunContext& context) override {
    const PiCounter::Seconds seconds = counter_->seconds();
    context.timer.add(Phase::rng, seconds.rng);
    context.timer.add(Phase::compute, seconds.compute);
  }

  void write_results(io::ResultsFile& file) override {
    const std::string where = pi_group;
    file.group(where, "Monte Carlo estimate of pi");
    write_pi_estimate(file, running_.hits.back(), own_points());
    file.dataset(where + "/hits", hits_, range().first - streams().first, streams().count,
                 "points inside the quarter circle, stream by stream", "points");
    write_pi_running(file, running_, range().first == streams().first);
  }

  void report_results(RunContext& context) override {
    report_pi_estimate(context.report, running_.hits.back(), own_points());
  }

  void report_memory(RunContext& context) override {
    io::Report& out = context.report;
    const io::Communicator& ranks = context.communicator;
    out.result("state", ranks.sum(counter_->state_bytes()), "B");
    if (options_.choice.kernel == PiKernel::stored) {
      out.result("word buffer", ranks.sum(counter_->buffer_bytes()), "B");
    }
  }

  Work work() const override {
    return {static_cast<double>(own_points()), "points", "counted different hits"};
  }

  std::uint64_t batches() const { return std::min(options_.batches, most_rounds()); }
  std::uint64_t most_rounds() const {
    const std::uint64_t round = counter_->round_points();
    return (share().most() + round - 1) / round;
  }
  /// Batches end at whole rounds, the last one with the points.
  std::uint64_t batch_end(std::uint64_t batch) const {
    if (batch + 1 == batches()) return share().most();
    const std::uint64_t rounds = most_rounds();
    const std::uint64_t whole =
        rounds / batches() * (batch + 1) + rounds % batches() * (batch + 1) / batches();
    return whole * counter_->round_points();
  }
  std::vector<std::uint64_t> batch_ends() const {
    std::vector<std::uint64_t> ends;
    for (std::uint64_t b = 0; b < batches(); ++b) ends.push_back(batch_end(b));
    return ends;
  }
  /// Points that this rank's streams have made when each has reached `end`.
  std::uint64_t local_points(std::uint64_t end) const {
    const StreamBatch so_far{share(), 0, end};
    const std::uint64_t extra = options_.points % share().streams;
    const std::uint64_t longer =
        std::clamp(extra, range().first, range().first + range().count) - range().first;
    return longer * so_far.points(0) +
           (range().count - longer) * so_far.points(share().streams - 1);
  }
  /// Of all ranks: all of pi.points, where the run's streams are the whole family.
  std::uint64_t own_points() const {
    return amount_of(share(), {streams().first, streams().count});
  }

  PiOptions options_;
  io::Schema schema_ = options_.schema();
  std::unique_ptr<PiCounter> counter_;
  std::vector<PiStretch> stretches_;
  Slices slices_;
  PiRunning running_;
  std::optional<io::Communicator> ranks_;
  PiPieces pieces_;
  std::uint64_t begin_ = 0;  ///< points of each stream where the pieces begin
  std::optional<io::Progress> progress_;
  std::vector<std::uint64_t> hits_;  ///< of each local stream
};

}  // namespace

std::unique_ptr<Job> make_pi_job() { return std::make_unique<PiJob>(); }

}  // namespace rivulet
