// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "jobs/common/drawing_job.hpp"
#include "jobs/common/hit_counts.hpp"
#include "kernels/pi/hit_counter.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// The deck of a job, such as pi, that counts points inside a body. A position in a run is the
/// number of points drawn from each stream so far. A derived deck adds schema(), requirements(),
/// results() and check(). Its check() throws Error if the run's part of the family of streams has
/// too few points. A resumed run may have more points if the key `points_key` has Effect::amount.
struct HitDeck {
  std::string points_key;  ///< the deck's key for `points`, such as "pi.points"
  std::uint64_t points;    ///< points of the whole family
  StreamOptions streams = {};
  CheckpointOptions checkpoint = {};

  StreamShare share() const { return {points, streams.family()}; }
  /// Returns the number of points in this run. If the run has only a part of the family's streams,
  /// it draws only their share of `points`.
  std::uint64_t own_points() const { return streams.share_of(points); }
  HitCounts zero_counts(StreamRange ids) const {
    return {share(), NumbersById<std::uint64_t>(ids)};
  }

  /// Declares the points and hits of all ranks.
  void declare_points(Results& out, std::uint64_t all_hits) const {
    out.value("points", own_points(), "points", "all points, N", {.unit = ""});
    out.value("hits", all_hits, "points", "points inside", {.unit = ""});
  }
  /// Declares the hits per stream, and the memory of a run.
  static void declare_hits(Results& out, const HitCounts& counts, const RunMemory* facts) {
    declare_counts(out, counts);
    out.memory(facts, "word buffer");
  }
};

/// The work of a job that counts points inside a body.
class HitWork {
 public:
  /// Runs the counter's kernels once. The deck must outlive this object.
  HitWork(const HitDeck& deck, RunContext& run, std::unique_ptr<HitCounter> counter)
      : deck_(deck), run_(run), counter_(std::move(counter)) {
    counter_->warm_up();
  }

  IterationExtent extent() const {
    const std::uint64_t round = counter_->round_points();
    return {deck_.share().max_items(), round, round * deck_.streams.count, deck_.own_points(),
            "points"};
  }

  void restart() {
    counter_->restart();
    if (!deck_.checkpoint.enabled()) counter_->prepare(deck_.share(), 0, deck_.share().max_items());
  }

  void draw(std::uint64_t begin, std::uint64_t end) {
    const HitCounter::Seconds before = counter_->seconds();
    counter_->count(deck_.share(), begin, end, [this](std::uint64_t points) {
      run_.progress->advance(points * deck_.streams.count);
    });
    run_.timer.add(io::Phase::rng, counter_->seconds().rng - before.rng);
    run_.timer.add(io::Phase::compute, counter_->seconds().compute - before.compute);
  }

  HitCounts count(io::PhaseTimer& timer) const {
    const auto scope = timer.scope(io::Phase::transfer);
    HitCounts now = deck_.zero_counts(run_.range);
    now.hits.values = counter_->hits_of_streams();
    return now;
  }

  std::uint64_t resume(std::uint64_t at, HitCounts& before) {
    const std::uint64_t round = counter_->round_points();
    const std::uint64_t round_begin = at / round * round;
    run_.ranks.together([&] {
      check_points(before.share.total, at);
      if (round_begin < at) {  // subtracts the partial round, to count it again
        counter_->resume(round_begin);
        counter_->count(deck_.share(), round_begin, at);
        std::vector<std::uint64_t>& hits = before.hits.values;
        std::ranges::transform(hits, counter_->hits_of_streams(), hits.begin(), std::minus<>());
        counter_->restart();
      }
      counter_->resume(round_begin);
    });
    return round_begin;
  }

  RunMemory facts() const { return {counter_->state_bytes(), counter_->buffer_bytes()}; }

 private:
  void check_points(std::uint64_t before, std::uint64_t at) const {
    const std::uint64_t now = deck_.points;
    const bool is_reduced = now < before || deck_.share().items(deck_.streams.family() - 1) < at;
    const bool is_after_iteration = run_.iteration > 0 && now != before;
    if (!is_reduced && !is_after_iteration) return;
    throw Error(
        fmt::format("{}={} for a resumed run of {}", deck_.points_key, now, before),
        is_reduced ? "points may grow, not shrink" : "an iteration has already been counted",
        fmt::format("Set {}={}{}.", deck_.points_key, before, is_reduced ? " or more" : ""));
  }

  const HitDeck& deck_;
  RunContext& run_;
  std::unique_ptr<HitCounter> counter_;
};

}  // namespace rivulet
