// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>

#include "generators/rank_starter.hpp"
#include "generators/ring_warp.hpp"
#include "generators/twister_streams.hpp"
#include "rivulet/detail/streams/mt19937_plan.hpp"
#include "rivulet/detail/streams/twister_starts.hpp"
#include "rivulet/generators.hpp"
#include "streams/generator.hpp"

namespace rivulet {

namespace detail {

/// A ring of four runs of 224 words, as one lane of a warp sees it. Each lane computes seven words
/// per run. Positions advance by whole runs, so offsets within a run are compile-time constants.
class Mt19937Ring {
 public:
  using Recurrence = Mt19937Words;
  static constexpr int n = Recurrence::n;
  static constexpr int m = Recurrence::shape.m;
  static constexpr int numbers = ring_numbers<Recurrence>;
  static constexpr int before = 0;
  static constexpr int size = 4 * numbers;
  static constexpr int after = 0;
  static constexpr int words_per_lane = numbers / team_lanes;

  KOKKOS_FORCEINLINE_FUNCTION explicit Mt19937Ring(int lane) : lane_(lane) {
    for (int r = 0; r < 4; ++r) begin_[r] = r * numbers + lane;
  }

  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_; }
  KOKKOS_FORCEINLINE_FUNCTION int oldest() const { return begin_[0] - lane_; }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, const Recurrence& recurrence,
                                        std::uint32_t* x, std::uint32_t* to) {
    std::uint32_t words[words_per_lane];
    make(x, words);
    lanes.sync();
    for (int i = 0; i < words_per_lane; ++i) to[i] = recurrence.number(words[i], NoWords{}, {});
  }

 private:
  struct NoWords {};

  /// Computes the lane's share of the next 224 words: word 32 i + lane is stored in words[i] and in
  /// the ring.
  KOKKOS_FORCEINLINE_FUNCTION void make(std::uint32_t* x, std::uint32_t (&words)[words_per_lane]) {
    // In three accesses the lanes straddle the end of a run, so each lane computes its own index
    // there.
    const int last =
        lane_ + 1 < team_lanes ? begin_[0] + numbers - team_lanes + 1 : begin_[1] - team_lanes + 1;
    const int middle = place(1, m + team_lanes);
    const int written = place(2, n + team_lanes);
    for (int i = 0; i < words_per_lane; ++i) {
      const int k = begin_[0] + i * team_lanes;
      words[i] = Mt19937Recurrence::twist(x[k], x[i + 1 < words_per_lane ? k + 1 : last],
                                          x[i == 1 ? middle : inside(m + i * team_lanes)]);
    }
    for (int i = 0; i < words_per_lane; ++i)
      x[i == 1 ? written : inside(n + i * team_lanes)] = words[i];
    const int first = begin_[0];
    for (int r = 0; r < 3; ++r) begin_[r] = begin_[r + 1];
    begin_[3] = first;
  }

  /// Returns the index of the lane's word that is `offset` words after its oldest, if all lanes
  /// fall into one run.
  KOKKOS_FORCEINLINE_FUNCTION int inside(int offset) const {
    return begin_[offset / numbers] + offset % numbers;
  }
  /// Returns the same index if the lower lanes fall into run r and the higher lanes into the next
  /// run.
  KOKKOS_FORCEINLINE_FUNCTION int place(int r, int offset) const {
    const int in_run = offset - r * numbers;
    return lane_ + in_run < numbers ? begin_[r] + in_run : begin_[r + 1] + in_run - numbers;
  }

  int lane_;
  int begin_[4];  ///< start of each run plus the lane, oldest run first
};

}  // namespace detail

/// The MT19937 streams of one rank in device memory. Only the highest bit of the oldest word is
/// state. The lane mapping exists on CPUs only: a GPU thread has too few registers for 624 words.
class Mt19937Streams : public detail::TwisterStreams<Mt19937, !device_build> {
 public:
  using Plan = Mt19937Plan;
  using Recurrence = Mt19937Recurrence;
  /// Cost of a jump (about 10000 additions of states) in rounds. The value for a CPU was measured;
  /// the value for a device is an estimate.
  static constexpr std::uint64_t jump_rounds = device_build ? 1u << 15 : 1u << 14;

  /// Allocates the states; the starter fills them.
  Mt19937Streams(const Mt19937Plan&, StreamRange range) : TwisterStreams(range, {}) {}

#if RIVULET_LANES_SHUFFLE
  using WarpEngine = detail::RingWarp<detail::Mt19937Ring>;
#endif
};

/// The original Mersenne Twister, the usual reference for comparisons.
struct Mt19937Generator
    : GeneratorBase<Mt19937Streams, RankStarter<Mt19937Streams, detail::TwisterStarts>> {
  using Library = Mt19937;

  static Generator facts() {
    Generator facts;
    facts.name = "mt19937";
    facts.doc = "the Mersenne Twister, 624 words of state";
    facts.period = "2^19937 - 1";
    facts.disjoint = "jump-ahead on one cycle, at least 2^128 steps apart";
    facts.published = "mt19937 init_genrand(seed), as std::mt19937";
    facts.fails = "LinearComp";
    facts.published_seed = true;
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return detail::mt19937_starts.log2_distance();
    };
    return facts;
  }
};

}  // namespace rivulet
