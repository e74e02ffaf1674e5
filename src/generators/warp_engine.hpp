// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "launching/for_each_stream.hpp"

// How the lanes of a device's team thread, a warp, draw from streams with registers of their own.
// Streams that can be drawn from so name a WarpEngine:
// - members: lanes of a stream, a power of two, team_lanes at most; a warp has as many streams as
//   fit;
// - numbers_per_lane: that each lane makes in a step; run: consecutive ones of these. A row
//   is what the members make of a run each, side by side; a step makes numbers_per_lane / run rows,
//   one behind the other;
// - steps_around: steps after which each register has the place that it had, or 1;
// - scratch_bytes: that a warp needs;
// - WarpEngine(lanes, streams, stream, scratch, back): begins `back` numbers before where the
//   stream is, fewer than two rows; all lanes of the warp call together, each with its stream;
// - next(lanes, to): the lane's numbers of the next step to to[0 ..], all lanes together;
// - store(lanes, ago, streams, stream): the state of less than a step's numbers ago; all lanes of a
//   stream call together.

namespace rivulet {

#if RIVULET_LANES_SHUFFLE
template <class S>
concept StreamsByWarp = requires {
  typename S::WarpEngine;
};
#else
template <class S>
concept StreamsByWarp = false;
#endif

/// Lanes that draw a stream in the team mapping.
template <class Streams>
constexpr int team_members() {
  if constexpr (StreamsByWarp<Streams>) {
    return Streams::WarpEngine::members;
  } else {
    return team_lanes;
  }
}

/// Streams that a team's thread draws at a time.
template <class Streams>
inline constexpr int streams_per_warp = team_lanes / team_members<Streams>();

/// Warps for `streams` streams.
template <class Streams>
constexpr std::uint64_t warps_for(std::uint64_t streams) {
  constexpr auto per_warp = static_cast<std::uint64_t>(streams_per_warp<Streams>);
  return (streams + per_warp - 1) / per_warp;
}

/// A lane's stream, counted from those that the kernel draws; where the last warp has fewer, lanes
/// without a stream go along with the last one and leave no trace.
struct LaneStream {
  std::uint64_t index;
  bool live;

  KOKKOS_FUNCTION LaneStream(std::uint64_t warp, int lane, int members, std::uint64_t streams)
      : index(warp * static_cast<std::uint64_t>(team_lanes / members) +
              static_cast<std::uint64_t>(lane / members)),
        live(index < streams) {
    if (!live) index = streams - 1;
  }
};

}  // namespace rivulet
