// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/rng/cycle.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/text.hpp"

namespace rivulet {

/// Starts of the streams of generators with a small state and one long cycle. The least distance
/// suffices, because no stream can take more than 2^64 steps.
inline constexpr IrregularStarts cycle_starts{IrregularStarts::least_log2_distance};

/// Plan for native seeding with all streams on one cycle of valid states. Stream s begins start(s)
/// steps after the state hashed from the run's seed (see IrregularStarts). The term h(s) of
/// start(s) is a sum of powers of two. Streams are disjoint by construction.
class CyclePlan : public StreamPlan {
 public:
  static constexpr IrregularStarts starts() { return cycle_starts; }
  /// Returns log2 of the least distance between starts, in numbers.
  unsigned log2_distance() const { return starts().log2_distance() + log2_step_numbers_; }

  Certificate certificate() const override {
    return {{"method", "jump-ahead on one cycle"},
            {"period", period_},
            {"distance", starts().text()},
            {"proved", detail::text_of(streams(), " * 2^", starts().log2_room(),
                                       " is at most the period, and no stream draws more than ",
                                       request().numbers_text(), " numbers, which is at most 2^",
                                       log2_distance(), ": no two meet")}};
  }
  std::vector<StreamFact> facts() const override {
    return {{"run_seed", request().seed},
            {"log2_jump", std::uint64_t{starts().log2_distance()}, "log2 of steps"}};
  }

 protected:
  /// A step yields at least 2^log2_step_numbers numbers.
  CyclePlan(const StreamRequest& request, std::string period, unsigned log2_step_numbers)
      : StreamPlan(request), period_(std::move(period)), log2_step_numbers_(log2_step_numbers) {}

  /// Throws Error if there are more than `fit` streams.
  void require_fit(std::uint64_t fit) const {
    if (streams() <= fit) return;
    throw Error(detail::text_of(streams(), " streams do not fit on the generator's cycle"),
                detail::text_of("they start at least 2^", starts().log2_distance(),
                                " steps apart, and its period ", period_, " has room for ", fit),
                "Lower streams.first or streams.count.");
  }

 private:
  std::string period_;
  unsigned log2_step_numbers_;
};

namespace detail {

/// Number of streams that fit on a cycle of 2^128 states. Their starts also fit in 128 bits.
inline constexpr std::uint64_t max_cycle_streams = std::uint64_t{1}
                                                   << (128 - cycle_starts.log2_room());

/// log2 of the limit on the total number of steps that all streams take in a jump. The limit holds
/// for generators that jump by single steps.
inline constexpr unsigned log2_most_stepped = 44;

template <CycleGenerator G>
inline constexpr unsigned log2_step_numbers = std::bit_width(unsigned{step_numbers<G>}) - 1;

/// Returns true if a jump by 1000 steps equals 1000 single steps. (1000 is more than the degree of
/// any recurrence here.)
template <CycleGenerator G>
bool jumps_are_steps() {
  std::uint64_t z[2][G::words];
  for (auto& state : z) G::start(SeedHash(0, 0, G::tag), state);
  for (int i = 0; i < 1000; ++i) G::step(z[0]);
  G::jump(1000)(z[1]);
  return std::ranges::equal(z[0], z[1]);
}

template <CycleGenerator G>
class PlanOnCycle final : public CyclePlan {
 public:
  explicit PlanOnCycle(const StreamRequest& request)
      : CyclePlan(request, std::string(G::period), log2_step_numbers<G>) {
    static const bool are_steps = jumps_are_steps<G>();
    if (!are_steps) {
      throw Error(
          text_of("jump(1000) of ", G::name, " does not lead to the state after 1000 steps"),
          "streams could overlap", "Correct the generator's jump() or step().");
    }
    if constexpr (!CountsSteps<G>) require_fit(max_cycle_streams);
    require_native(G::name, "no published program fixes where its streams start");
  }
  Certificate certificate() const override {
    if constexpr (CountsSteps<G>) {
      return {{"method", "distinct (run seed, stream id), hashed into states that count steps"},
              {"period", std::string(G::period)},
              {"proved",
               text_of("all starts differ (the hash is a permutation of its 128 bits), with equal "
                       "counts; a step is a permutation, and no stream draws more than ",
                       request().numbers_text(), " numbers, which is at most 2^", log2_distance(),
                       ": no two meet")}};
    }
    Certificate all = CyclePlan::certificate();
    if constexpr (requires { G::assumed; }) all.push_back({"assumed", std::string(G::assumed)});
    return all;
  }
  std::vector<StreamFact> facts() const override {
    return CountsSteps<G> ? StreamPlan::facts() : CyclePlan::facts();
  }
};

}  // namespace detail
}  // namespace rivulet
