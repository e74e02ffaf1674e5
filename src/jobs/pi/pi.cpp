// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "jobs/common/counting_job.hpp"
#include "jobs/common/hit_work.hpp"
#include "jobs/pi/pi_result.hpp"
#include "kernels/pi/pi_counter.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t max_points = 1000000000000000000;  // 10^18

struct PiDeck : HitDeck {
  PiChoice choice;
  std::uint64_t batches = 100;
  std::uint64_t iterations = 1;
  OutputOptions output{"pi.h5"};

  PiDeck() : HitDeck{"pi.points", 10000000000} {}
  void bind(io::Binder& binder);
  io::Schema schema() {
    return {"pi",
            "Monte Carlo estimate of pi: points in a quarter circle, counted exactly.",
            {streams.schema(),
             {"pi", "The integration.", [this](io::Binder& binder) { bind(binder); }},
             checkpoint.schema(),
             output.schema()}};
  }
  RunRequirements requirements() const {
    const auto words = static_cast<std::uint64_t>(words_of(choice));
    return {.streams = streams,
            .numbers = share().max_items() * words * streams.numbers_per_word(),
            .iterations = iterations,
            .unit = "points",
            .mismatch_text = "counted different hits"};
  }

  void check() const {
    if (own_points() >= min_points) return;
    throw Error(
        fmt::format("pi.points={} for {} streams of all runs together", points, streams.family()),
        fmt::format("streams {} to {} would make fewer than {} points", streams.first,
                    streams.first + streams.count - 1, min_points),
        "Raise pi.points or streams.count.");
  }

  void results(Results& out, const HitCounts& counts, const RunMemory* facts) const {
    const std::uint64_t hits = out.ranks().sum(counts.hits.total());
    const PiEstimate estimate = pi_estimate(hits, own_points());
    PiRunning sums =
        running_sums(counts, {streams.first, streams.count}, std::min(batches, streams.count));
    out.ranks().sum(std::span(sums.points));
    out.ranks().sum(std::span(sums.hits));
    out.group("Monte Carlo estimate of pi");
    declare_points(out, hits);
    out.value("pi", estimate.pi, "1", "the estimate, 4 hits / N");
    out.value("mean", estimate.mean, "1", "m = hits / N");
    out.value("variance", estimate.variance, "1", "of the mean, (m - m^2) / (N - 1)");
    out.value("standard_error", estimate.standard_error, "1", "of the estimate, 4 sqrt(variance)");
    out.value("deviation", estimate.deviation, "standard errors",
              "(estimate - pi) / standard error", {.digits = 4});
    out.dataset("running_points", sums.points, "batch", "points",
                "points up to each batch b = 0 .. B - 1, which has the streams s = 0 .. S - 1 with "
                "floor(s B / S) = b");
    out.dataset("running_hits", sums.hits, "batch", "points", "hits among them");
    declare_hits(out, counts, facts);
  }
};

void PiDeck::bind(io::Binder& binder) {
  binder.integer("points", points, {2, max_points}, "random points in the unit square", "points",
                 io::Effect::amount);
  binder.choice<PiKernel>("kernel", choice.kernel,
                          {{"fused", PiKernel::fused, "in the kernel that draws them"},
                           {"stored", PiKernel::stored, "in a second kernel, from memory"}},
                          "where numbers are tested", io::Effect::speed);
  binder.choice<PointMapping>(
      "mapping", choice.mapping,
      {{"centred", PointMapping::centred, "cell centres, (i + 1/2) / 2^bits"},
       {"published", PointMapping::published, "the published programs' single precision"}},
      "how integers become coordinates");
  binder.choice<PointKind>("point", choice.point,
                           {{"packed", PointKind::packed, "16 + 16 bits of one word"},
                            {"pair", PointKind::pair, "two words of 32 bits"}},
                           "which bits form a point");
  binder.integer("batches", batches, {1, 100000},
                 "batches of streams; the estimate is recorded after each");
  binder.integer("iterations", iterations, {1, 1000000}, "repeats, for timing; all must agree", "",
                 io::Effect::speed);
  binder.bytes("memory", choice.memory, {0, std::uint64_t{1} << 50},
               "limit per rank on stored words; auto: what stays in cache (CPU) or 4 GiB (GPU)",
               io::Effect::speed, io::Zero::means_auto);
}

struct PiWork : HitWork {
  PiWork(const PiDeck& deck, RunContext& run) : HitWork(deck, run, counter(deck, run)) {}

  static std::unique_ptr<HitCounter> counter(const PiDeck& deck, const RunContext& run) {
    PiChoice choice = deck.choice;
    choice.segments = deck.streams.segments;
    return make_pi_counter(Space(), *run.plan, run.range, deck.streams.mapping(), choice);
  }
};

}  // namespace

std::unique_ptr<Job> make_pi_job() { return std::make_unique<JobOf<PiDeck, PiWork>>(); }

}  // namespace rivulet
