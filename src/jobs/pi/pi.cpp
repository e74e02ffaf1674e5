// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "jobs/common/hit_job.hpp"
#include "jobs/pi/pi_result.hpp"
#include "kernels/pi/pi_counter.hpp"

namespace rivulet {
namespace {

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

class PiJob final : public HitJob<PiOptions> {
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

  std::unique_ptr<HitCounter> make_counter() override {
    PiChoice choice = options_.choice;
    choice.segments = options_.streams.segments;
    return make_pi_counter(Space(), plan(), range(), options_.streams.mapping(), choice);
  }

  void results(Results& out) override {
    const PiEstimate estimate = pi_estimate(all_hits(), points());
    out.group("Monte Carlo estimate of pi");
    declare_points(out);
    out.value("pi", estimate.pi, "1", "the estimate, 4 hits / N");
    out.value("mean", estimate.mean, "1", "m = hits / N");
    out.value("variance", estimate.variance, "1", "of the mean, (m - m^2) / (N - 1)");
    out.value("standard_error", estimate.standard_error, "1", "of the estimate, 4 sqrt(variance)");
    out.value("deviation", estimate.deviation, "standard errors",
              "(estimate - pi) / standard error", {.digits = 4});
    declare_running_sums(out);
    declare_hits(out);
  }

  void declare_running_sums(Results& out) const {
    const StreamOptions& streams = options_.streams;
    const std::uint64_t batches = std::min(options_.batches, streams.count);
    PiRunning sums = running_sums(counts(), {streams.first, streams.count}, batches);
    ranks().sum(std::span(sums.points));
    ranks().sum(std::span(sums.hits));
    out.dataset("running_points", sums.points, "batch", "points",
                "points of all streams up to each batch");
    out.dataset("running_hits", sums.hits, "batch", "points", "hits among them");
  }
};

}  // namespace

std::unique_ptr<Job> make_pi_job() { return std::make_unique<PiJob>(); }

}  // namespace rivulet
