// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "jobs/common/counting_job.hpp"
#include "jobs/common/hit_counts.hpp"
#include "kernels/pi/hit_counter.hpp"
#include "rivulet/error.hpp"

namespace rivulet {

/// A job that counts the points that lie inside, as pi does: positions are points of each stream. A
/// derived class has demand(), make_counter(), results() and, as a part of a family of streams may
/// have no point, check_options(). Options has, besides what all decks have, `points` (of the whole
/// family, in the deck's key JOB.points) and `checkpoint`. A run may be resumed with more points.
template <class Options>
class HitJob : public CountingJob<Options, HitCounts> {
 public:
  std::string growing_key() const final { return this->schema_.job() + ".points"; }

 protected:
  /// Makes the counter of this rank's streams. Alone.
  virtual std::unique_ptr<HitCounter> make_counter() = 0;

  StreamShare share() const { return {this->options_.points, this->options_.streams.family()}; }
  /// Points of this run: all of JOB.points, if the run's streams are the whole family.
  std::uint64_t points() const { return this->options_.streams.part_of(this->options_.points); }
  /// Hits of all ranks, or parts.
  std::uint64_t all_hits() const { return all_hits_; }

  /// Declares points and hits.
  void declare_points(Results& out) {
    out.value("points", points(), "points", "all points, N", {.unit = ""});
    out.value("hits", all_hits_, "points", "points inside", {.unit = ""});
  }
  /// Declares the hits of each stream, and the memory of a run.
  void declare_hits(Results& out) {
    this->declare_counts(out);
    if (!counter_) return;  // parts are merged
    out.memory("state", counter_->state_bytes());
    if (const auto bytes = counter_->buffer_bytes()) out.memory("word buffer", *bytes);
  }

 private:
  void set_up(JobContext&) override { counter_ = make_counter(); }
  void warm_up(JobContext&) override { counter_->warm_up(); }

  Extent extent() const override {
    const std::uint64_t round = counter_->round_points();
    return {share().most(), round, round * this->options_.streams.count, points(), "points"};
  }

  void restart() override {
    this->forget_counts();
    counter_->restart();
    if (!this->options_.checkpoint.asked()) counter_->prepare(share(), 0, share().most());
  }

  void draw(JobContext&, std::uint64_t from, std::uint64_t upto) override {
    counter_->count(share(), from, upto, [this](std::uint64_t points) {
      this->progress().advance(points * this->options_.streams.count);
    });
  }

  HitCounts none(StreamRange ids) const override {
    return {share(), NumbersById<std::uint64_t>(ids)};
  }

  HitCounts count(io::PhaseTimer& timer) override {
    const auto scope = timer.scope(io::Phase::transfer);
    HitCounts now = none(this->range());
    now.hits.values = counter_->hits_of_streams();
    return now;
  }

  std::uint64_t go_on(std::uint64_t at, HitCounts& then) override {
    const std::uint64_t round = counter_->round_points();
    const std::uint64_t whole = at / round * round;
    this->ranks().together([&] {
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
  void check_points(std::uint64_t before, std::uint64_t at) {
    const std::uint64_t now = this->options_.points;
    const bool fewer = now < before || share().of(this->options_.streams.family() - 1) < at;
    const bool after_one = this->iteration() > 0 && now != before;
    if (!fewer && !after_one) return;
    throw Error(fmt::format("{}={} at the resume of a run of {}", growing_key(), now, before),
                fewer ? "points may grow, not shrink" : "an iteration was counted already",
                fmt::format("Give {}{}.", before, fewer ? " or more" : ""));
  }

  void evaluate(JobContext& context) override {
    all_hits_ = this->ranks().sum(this->counts().all_hits());
    if (!counter_) return;  // parts are merged
    const HitCounter::Seconds seconds = counter_->seconds();
    context.timer.add(io::Phase::rng, seconds.rng);
    context.timer.add(io::Phase::compute, seconds.compute);
  }

  std::unique_ptr<HitCounter> counter_;
  std::uint64_t all_hits_ = 0;
};

}  // namespace rivulet
