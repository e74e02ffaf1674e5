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

/// A ring of four runs of 224 words, as a lane of a warp sees it. A lane makes seven of a run, and
/// places in the ring are counted in whole runs, so that addresses within them are constants.
class Mt19937Ring {
 public:
  using Recurrence = Mt19937Words;
  static constexpr int n = Recurrence::n;
  static constexpr int m = Recurrence::shape.m;
  static constexpr int numbers = ring_numbers<Recurrence>;
  static constexpr int before = 0;
  static constexpr int size = 4 * numbers;
  static constexpr int behind = 0;
  static constexpr int own = numbers / team_lanes;

  KOKKOS_FORCEINLINE_FUNCTION explicit Mt19937Ring(int lane) : lane_(lane) {
    for (int r = 0; r < 4; ++r) begin_[r] = r * numbers + lane;
  }

  KOKKOS_FORCEINLINE_FUNCTION int lane() const { return lane_; }
  KOKKOS_FORCEINLINE_FUNCTION int oldest() const { return begin_[0] - lane_; }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& lanes, const Recurrence& recurrence,
                                        std::uint32_t* x, std::uint32_t* to) {
    std::uint32_t words[own];
    make(x, words);
    lanes.meet();
    for (int i = 0; i < own; ++i) to[i] = recurrence.number(words[i], NoWords{}, {});
  }

 private:
  struct NoWords {};

  /// The lane's words of the next 224: number 32 i + lane to words[i], and into the ring.
  KOKKOS_FORCEINLINE_FUNCTION void make(std::uint32_t* x, std::uint32_t (&words)[own]) {
    // Where the lanes' words go over the end of a run, each has a place of its own.
    const int last =
        lane_ + 1 < team_lanes ? begin_[0] + numbers - team_lanes + 1 : begin_[1] - team_lanes + 1;
    const int middle = place(1, m + team_lanes);
    const int written = place(2, n + team_lanes);
    for (int i = 0; i < own; ++i) {
      const int k = begin_[0] + i * team_lanes;
      words[i] = Mt19937Recurrence::twist(x[k], x[i + 1 < own ? k + 1 : last],
                                          x[i == 1 ? middle : inside(m + i * team_lanes)]);
    }
    for (int i = 0; i < own; ++i) x[i == 1 ? written : inside(n + i * team_lanes)] = words[i];
    const int first = begin_[0];
    for (int r = 0; r < 3; ++r) begin_[r] = begin_[r + 1];
    begin_[3] = first;
  }

  /// The lane's place `offset` words behind the oldest, where all lanes' are in one run.
  KOKKOS_FORCEINLINE_FUNCTION int inside(int offset) const {
    return begin_[offset / numbers] + offset % numbers;
  }
  /// The same where lanes are in run r or, the higher ones, in the next.
  KOKKOS_FORCEINLINE_FUNCTION int place(int r, int offset) const {
    const int in_run = offset - r * numbers;
    return lane_ + in_run < numbers ? begin_[r] + in_run : begin_[r + 1] + in_run - numbers;
  }

  int lane_;
  int begin_[4];  ///< of the runs, in the order of their words, plus the lane
};

}  // namespace detail

/// The MT19937 streams of one rank in device memory. Of the oldest word only the highest bit
/// counts. By lane on CPUs alone: 624 words a thread are too many for a GPU's registers.
class Mt19937Streams : public detail::TwisterStreams<Mt19937, !device_build> {
 public:
  using Plan = Mt19937Plan;
  using Recurrence = Mt19937Recurrence;
  /// Rounds that a stream draws in the time of a jump, some 10000 sums of states. Measured on a
  /// CPU, estimated for a device.
  static constexpr std::uint64_t jump_rounds = device_build ? 1u << 15 : 1u << 14;

  /// Allocates; the states are for the starter to fill.
  Mt19937Streams(const Mt19937Plan&, StreamRange range) : TwisterStreams(range, {}) {}

#if RIVULET_LANES_SHUFFLE
  using WarpEngine = detail::RingWarp<detail::Mt19937Ring>;
#endif
};

/// The Mersenne Twister that everybody compares with.
struct Mt19937Generator
    : GeneratorOf<Mt19937Streams, RankStarter<Mt19937Streams, detail::TwisterStarts>> {
  using Library = Mt19937;

  static Generator facts() {
    Generator facts;
    facts.name = "mt19937";
    facts.doc = "the Mersenne Twister, 624 words of state";
    facts.period = "2^19937 - 1";
    facts.disjoint = "jump-ahead on one cycle, at least 2^128 steps apart";
    facts.published =
        "mt19937 init_genrand(seed), as std::mt19937 and, except for seed 0, ROOT's TRandom3";
    facts.fails = "LinearComp";
    facts.published_seed = true;
    facts.log2_distance = [](const StreamRequest&) -> std::optional<unsigned> {
      return detail::mt19937_starts.log2_distance();
    };
    return facts;
  }
};

}  // namespace rivulet
