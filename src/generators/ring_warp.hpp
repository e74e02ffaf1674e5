// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "generators/team_engine.hpp"
#include "launching/stream_lanes.hpp"

namespace rivulet::detail {

/// Numbers of a recurrence that whole warps make at once.
template <class Recurrence>
inline constexpr int ring_numbers = Recurrence::independent / team_lanes* team_lanes;

/// Draws from one twister of many words with the lanes of a warp, a multiple of 32 numbers at a
/// time, which stay in registers. The words are in a ring in scratch memory. Ring: a lane's places
/// in it:
/// - Recurrence; size: words of the ring; before, behind: room on both sides of these;
/// - numbers: that a draw draws; new words replace none that the same draw reads;
/// - Ring(lane): the oldest word in place 0; lane(); oldest(): its place;
/// - draw(lanes, recurrence, x, to): the lane's numbers, number 32 i + lane to to[i].
/// Lanes: those of a warp, as StreamLanes has them. All of them call each function together.
template <class Ring>
class RingWarp {
 public:
  using Recurrence = typename Ring::Recurrence;
  using InScratch = ScratchRecurrence<Recurrence>;
  static constexpr bool in_scratch = true;  ///< are the words
  static constexpr int n = Recurrence::n;
  static constexpr int members = team_lanes;
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = Ring::numbers / team_lanes;
  static constexpr int steps_around = 1;
  static constexpr std::size_t scratch_bytes =
      InScratch::bytes + (Ring::before + Ring::size + Ring::behind) * sizeof(std::uint32_t);

  /// Begins `back` numbers, 0 .. 64, before where the stream is.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION RingWarp(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                           void* scratch, int back = 0)
      : recurrence_(InScratch::load(lanes, streams.recurrence(stream), scratch)),
        x_(static_cast<std::uint32_t*>(scratch) + InScratch::bytes / sizeof(std::uint32_t) +
           Ring::before),
        ring_(lanes.lane()) {
    std::uint32_t* const x = x_ + back;
    lanes.each(n, [&](int k) { x[k] = streams.word(k, stream); });
    if (back > 0) lanes.once([&] { step_back(recurrence_, WordsInARow{x}, back); });
  }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void next(const Lanes& lanes, std::uint32_t* to) {
    ring_.draw(lanes, recurrence_, x_, to);
  }

  /// Puts back the state of fewer numbers ago than a draw has.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const int oldest = ring_.oldest() + Ring::size - ago;
    for (int k = ring_.lane(); k < n; k += team_lanes) {
      streams.put_word(k, stream, x_[(oldest + k) % Ring::size]);
    }
    lanes.meet();  // the next draw replaces words of past ones
  }

 private:
  typename InScratch::type recurrence_;
  std::uint32_t* x_;
  Ring ring_;
};

}  // namespace rivulet::detail
