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
  binder.integer("batches", batches, {1, 100000},
                 "batches of points; the running estimate is recorded after each");
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
    begin_batches(0);
    if (!options_.checkpoint.asked()) counter_->prepare({share(), 0, ends_});
  }

  void draw(JobContext&, std::uint64_t from, std::uint64_t upto) override {
    std::vector<std::uint64_t> marks(std::ranges::upper_bound(ends_, from),
                                     std::ranges::upper_bound(ends_, upto));
    if (marks.empty() || marks.back() < upto) marks.push_back(upto);
    const auto hits = counter_->count({share(), from, marks}, [this](std::uint64_t points) {
      progress().advance(points * options_.streams.count);
    });
    auto batch = std::ranges::lower_bound(ends_, marks.front()) - ends_.begin();
    for (const std::uint64_t one : hits) hits_of_[static_cast<std::size_t>(batch++)] += one;
  }

  PiCounts none(StreamRange ids) const override {
    return {share(), NumbersById<std::uint64_t>(ids)};
  }

  PiCounts count(io::PhaseTimer& timer) override {
    const auto scope = timer.scope(Phase::transfer);
    PiCounts now = before();  // its hits are the counter's, too
    std::uint64_t hits = now.all_hits();
    now.hits.values = hits_of_streams();
    for (std::size_t b = 0; b < ends_.size() && ends_[b] <= at(); ++b) {
      now.running_points.push_back(points_upto(ends_[b]));
      now.running_hits.push_back(hits += hits_of_[b]);
    }
    return now;
  }

  std::uint64_t go_on(std::uint64_t at, PiCounts& then) override {
    const std::uint64_t round = counter_->round_points();
    const std::uint64_t whole = at / round * round;
    ranks().together([&] {
      check_points(then.share.total, at);
      std::vector<std::uint64_t>& hits = then.hits.values;
      if (whole <
          at) {  // rounds of another mapping may differ: the rest of a round is counted again
        counter_->resume(whole, std::vector<std::uint64_t>(hits.size()));
        counter_->count({share(), whole, at});
        std::ranges::transform(hits, hits_of_streams(), hits.begin(), std::minus<>());
        counter_->restart();
      }
      counter_->resume(whole, hits);
    });
    then.share = share();
    begin_batches(at);
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
    if (counts().running_hits.empty()) {
      out.told("running estimate",
               "none: the parts' batches end at other points, as other machines or kernels made "
               "them");
    }
    if (!counter_) return;
    out.memory("state", counter_->state_bytes());
    if (options_.choice.kernel == PiKernel::stored) {
      out.memory("word buffer", counter_->buffer_bytes());
    }
  }

  StreamShare share() const { return {options_.points, options_.streams.family()}; }
  /// Points of this run: all of pi.points, if the run's streams are the whole family.
  std::uint64_t points() const { return options_.streams.part_of(options_.points); }
  /// Points of this rank's streams when each is at `end`.
  std::uint64_t points_upto(std::uint64_t end) const {
    if (end < share().most()) return end * range().count;
    return options_.streams.part_of(options_.points, range());
  }

  /// The ends of the batches behind `at`, at whole rounds; the last one ends with the points.
  void begin_batches(std::uint64_t at) {
    const std::uint64_t round = counter_->round_points();
    const std::uint64_t rounds = (share().most() + round - 1) / round;
    const std::uint64_t batches = std::min(options_.batches, rounds);
    ends_.clear();
    for (std::uint64_t b = 1; b <= batches; ++b) {
      const std::uint64_t whole = rounds / batches * b + rounds % batches * b / batches;
      const std::uint64_t end = std::min(whole * round, share().most());
      if (end > at) ends_.push_back(end);
    }
    hits_of_.assign(ends_.size(), 0);
  }

  std::vector<std::uint64_t> hits_of_streams() const {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counter_->hits());
    return {host.data(), host.data() + host.extent(0)};
  }

  std::unique_ptr<PiCounter> counter_;
  // Ends of the batches that were not complete when this run began.
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint64_t> hits_of_;  ///< this rank's hits in each
  std::uint64_t all_hits_ = 0;
};

}  // namespace

std::unique_ptr<Job> make_pi_job() { return std::make_unique<PiJob>(); }

}  // namespace rivulet
