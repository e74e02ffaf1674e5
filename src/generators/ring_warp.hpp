// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "generators/team_engine.hpp"
#include "launching/stream_lanes.hpp"

namespace rivulet::detail {

/// Numbers that a warp computes per draw: a multiple of its number of lanes.
template <class Recurrence>
inline constexpr int ring_numbers = Recurrence::independent / team_lanes* team_lanes;

/// Draws from one stream of a twister whose state has many words, using the lanes of a warp. A draw
/// computes a multiple of 32 numbers, which stay in registers. The state's words are in a ring in
/// scratch memory. The class Ring computes a lane's positions in the ring. Its members are:
/// - Recurrence;
/// - size: words in the ring;
/// - before, after: extra words before and after the ring;
/// - numbers: numbers per draw, so few that a draw overwrites no word that it reads;
/// - Ring(lane): starts with the oldest word at position 0;
/// - lane(), oldest(): the lane's number, and the oldest word's position;
/// - draw(lanes, recurrence, x, to): stores number 32 i + lane in to[i].
/// `lanes` stands for the lanes of a warp (StreamLanes), all of which must call each function.
template <class Ring>
class RingWarp {
 public:
  using Recurrence = typename Ring::Recurrence;
  using InScratch = ScratchRecurrence<Recurrence>;
  static constexpr bool in_scratch = true;  ///< the words are in scratch memory
  static constexpr int n = Recurrence::n;
  static constexpr int members = team_lanes;
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = Ring::numbers / team_lanes;
  static constexpr int steps_around = 1;
  static constexpr std::size_t scratch_bytes =
      InScratch::bytes + (Ring::before + Ring::size + Ring::after) * sizeof(std::uint32_t);

  /// Starts `back` numbers (0 .. 64) before the stream's position.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION RingWarp(const Lanes& lanes, const Streams& streams, std::uint64_t stream,
                           void* scratch, int back = 0)
      : recurrence_(InScratch::load(lanes, streams.recurrence(stream), scratch)),
        x_(static_cast<std::uint32_t*>(scratch) + InScratch::bytes / sizeof(std::uint32_t) +
           Ring::before),
        ring_(lanes.lane()) {
    std::uint32_t* const x = x_ + back;
    lanes.each(n, [&](int k) { x[k] = streams.word(k, stream); });
    if (back > 0) lanes.once([&] { step_back(recurrence_, ContiguousWords{x}, back); });
  }

  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void next(const Lanes& lanes, std::uint32_t* to) {
    ring_.draw(lanes, recurrence_, x_, to);
  }

  /// Stores the state as it was `ago` numbers ago, with `ago` less than the numbers per draw.
  template <class Lanes, class Streams>
  KOKKOS_FUNCTION void store(const Lanes& lanes, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const int oldest = ring_.oldest() + Ring::size - ago;
    for (int k = ring_.lane(); k < n; k += team_lanes) {
      streams.put_word(k, stream, x_[(oldest + k) % Ring::size]);
    }
    lanes.sync();  // the next draw overwrites old words
  }

 private:
  typename InScratch::type recurrence_;
  std::uint32_t* x_;
  Ring ring_;
};

}  // namespace rivulet::detail
