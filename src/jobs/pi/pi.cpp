// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "jobs/common/counting_job.hpp"
#include "jobs/pi/pi_result.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using io::Phase;

constexpr std::uint64_t most_points = 1000000000000000000;  // 10^18

struct PiOptions {
  StreamOptions streams;
  std::uint64_t points = 10000000000;
  PiChoice choice;
  std::uint64_t batches = 100;
  std::uint64_t iterations = 1;
  CheckpointOptions checkpoint;
  OutputOptions output{"pi.h5"};

  std::uint64_t words_per_point() const { return choice.point == PointKind::packed ? 1 : 2; }
  void bind(io::Binder& binder);
  io::Schema schema() {
    return {"pi",
            "Monte Carlo estimate of pi: points in a quarter circle, counted exactly.",
            {streams.schema(),
             {"pi", "The integration.", [this](io::Binder& binder) { bind(binder); }},
             checkpoint.schema(),
             output.schema()}};
  }
};

void PiOptions::bind(io::Binder& binder) {
  binder.integer("points", points, {2, most_points}, "random points in the unit square", "points");
  binder.choice<PiKernel>("kernel", choice.kernel,
                          {{"fused", PiKernel::fused, "generate and count in one kernel"},
                           {"stored", PiKernel::stored, "generate into memory, then count"}},
                          "how numbers get from the generator to the test");
  binder.choice<PointMapping>(
      "mapping", choice.mapping,
      {{"centred", PointMapping::centred, "coordinates are cell centres, (i + 1/2) / 2^bits"},
       {"published", PointMapping::published,
        "the single-precision arithmetic of the published programs"}},
      "how integers become coordinates");
  binder.choice<PointKind>("point", choice.point,
                           {{"packed", PointKind::packed, "16 + 16 bits of one word"},
                            {"pair", PointKind::pair, "two words of 32 bits"}},
                           "which bits form a point");
  binder.integer(
      "batches", batches, {1, 100000},
      "batches of streams, or one a stream; the running estimate is recorded after each");
  binder.integer("iterations", iterations, {1, 1000000},
                 "repeats from the same streams, for timing; all must agree");
  binder.bytes("memory", choice.memory, {0, std::uint64_t{1} << 50},
               "limit per rank on the stored kernel's buffer of words; auto: what stays in cache "
               "(CPU) or 4 GiB (GPU)",
               io::Zero::means_auto);
}

/// Positions are points of each stream.
class PiJob final : public CountingJob<PiOptions, PiCounts> {
  Demand demand() const override {
    const StreamOptions& streams = options_.streams;
    return {.streams = streams,
            .numbers = share().most() * options_.words_per_point() * streams.numbers_per_word(),
            .iterations = options_.iterations,
            .unit = "points",
            .differs = "counted different hits",
            .free_keys = {"pi.kernel", "pi.memory", "pi.iterations"}};
  }

  void check_options() const override {
    if (points() >= least_points) return;
    const StreamOptions& all = options_.streams;
    throw Error(
        fmt::format("pi.points={} over a family of {} streams", options_.points, all.family()),
        fmt::format("streams {} to {} of them would make fewer than {} points", all.first,
                    all.first + all.count - 1, least_points),
        "Throw more points, or give this run more of the streams.");
  }

  void set_up(JobContext&) override {
    PiChoice choice = options_.choice;
    choice.segments = options_.streams.segments;
    counter_ = make_pi_counter(Space(), plan(), range(), options_.streams.mapping(), choice);
  }
  void warm_up(JobContext&) override { counter_->warm_up(); }

  Extent extent() const override {
    const std::uint64_t round = counter_->round_points();
    return {share().most(), round, round * options_.streams.count, points(), "points"};
  }

  void restart() override {
    forget_counts();
    counter_->restart();
    if (!options_.checkpoint.asked()) counter_->prepare(share(), 0, share().most());
  }

  void draw(JobContext&, std::uint64_t from, std::uint64_t upto) override {
    counter_->count(share(), from, upto, [this](std::uint64_t points) {
      progress().advance(points * options_.streams.count);
    });
  }

  PiCounts none(StreamRange ids) const override {
    return {share(), NumbersById<std::uint64_t>(ids)};
  }

  PiCounts count(io::PhaseTimer& timer) override {
    const auto scope = timer.scope(Phase::transfer);
    PiCounts now = none(range());
    now.hits.values = counter_->hits_of_streams();
    return now;
  }

  std::uint64_t go_on(std::uint64_t at, PiCounts& then) override {
    const std::uint64_t round = counter_->round_points();
    const std::uint64_t whole = at / round * round;
    ranks().together([&] {
      check_points(then.share.total, at);
      std::vector<std::uint64_t>& hits = then.hits.values;
      if (whole < at) {  // the points ended within a round, whose first ones are counted again
        counter_->resume(whole, std::vector<std::uint64_t>(hits.size()));
        counter_->count(share(), whole, at);
        std::ranges::transform(hits, counter_->hits_of_streams(), hits.begin(), std::minus<>());
        counter_->restart();
      }
      counter_->resume(whole, hits);
    });
    then.share = share();
    return whole;
  }
  void check_points(std::uint64_t before, std::uint64_t at) const {
    const bool fewer = options_.points < before || share().of(options_.streams.family() - 1) < at;
    const bool after_one = iteration() > 0 && options_.points != before;
    if (!fewer && !after_one) return;
    throw Error(fmt::format("pi.points={} at the resume of a run of {}", options_.points, before),
                fewer ? "points may grow, not shrink" : "an iteration was counted already",
                fmt::format("Give {}{}.", before, fewer ? " or more" : ""));
  }

  void evaluate(JobContext& context) override {
    all_hits_ = ranks().sum(counts().all_hits());
    if (!counter_) return;  // parts are merged
    const PiCounter::Seconds seconds = counter_->seconds();
    context.timer.add(Phase::rng, seconds.rng);
    context.timer.add(Phase::compute, seconds.compute);
  }

  void results(Results& out) override {
    const PiEstimate estimate = pi_estimate(all_hits_, points());
    out.group("Monte Carlo estimate of pi");
    out.value("points", points(), "points", {.unit = ""});
    out.value("hits", all_hits_, "points", {.unit = ""});
    out.value("pi", estimate.pi, "1");
    out.value("mean", estimate.mean, "1");
    out.value("variance", estimate.variance, "1");
    out.value("standard_error", estimate.standard_error, "1");
    out.value("deviation", estimate.deviation, "standard errors", {.digits = 4});
    declare_counts(out);
    declare_running_sums(out);
    if (!counter_) return;
    out.memory("state", counter_->state_bytes());
    if (options_.choice.kernel == PiKernel::stored) {
      out.memory("word buffer", counter_->buffer_bytes());
    }
  }

  StreamShare share() const { return {options_.points, options_.streams.family()}; }
  /// Points of this run: all of pi.points, if the run's streams are the whole family.
  std::uint64_t points() const { return options_.streams.part_of(options_.points); }
  void declare_running_sums(Results& out) const {
    const StreamOptions& streams = options_.streams;
    const std::uint64_t batches = std::min(options_.batches, streams.count);
    PiRunning sums = running_sums(counts(), {streams.first, streams.count}, batches);
    ranks().sum(std::span(sums.points));
    ranks().sum(std::span(sums.hits));
    out.dataset("running_points", sums.points, "points of all streams up to each batch", "points");
    out.dataset("running_hits", sums.hits, "hits among them", "points");
  }

  std::unique_ptr<PiCounter> counter_;
  std::uint64_t all_hits_ = 0;
};

}  // namespace

std::unique_ptr<Job> make_pi_job() { return std::make_unique<PiJob>(); }

}  // namespace rivulet
