// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "launching/for_each_stream.hpp"

// How the lanes of a warp (a team thread on a device) draw from streams in registers. Streams that
// support this define a WarpEngine:
// - members: lanes per stream, a power of two, at most team_lanes; a warp holds as many streams as
//   fit;
// - numbers_per_lane: numbers that each lane makes per step;
// - run: consecutive numbers among these. A row is one run of each member, side by side. A step
//   makes numbers_per_lane / run rows, one after the other;
// - steps_around: steps after which the registers rotate back to the initial assignment, or 1;
// - scratch_bytes: scratch memory per warp;
// - WarpEngine(lanes, streams, stream, scratch, back): begins `back` numbers (fewer than two rows)
//   before the stream's position; all lanes of the warp call together, each with its stream;
// - next(lanes, to): writes the lane's numbers of the next step to to[0 ..]; all lanes call
//   together;
// - store(lanes, ago, streams, stream): stores the state of `ago` numbers ago, fewer than a step's;
//   all lanes of a stream call together.

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

/// Number of lanes that draw a stream in the team mapping.
template <class Streams>
constexpr int team_members() {
  if constexpr (StreamsByWarp<Streams>) {
    return Streams::WarpEngine::members;
  } else {
    return team_lanes;
  }
}

/// Number of streams that a team's thread draws at a time.
template <class Streams>
inline constexpr int streams_per_warp = team_lanes / team_members<Streams>();

/// Number of warps for `streams` streams.
template <class Streams>
constexpr std::uint64_t warps_for(std::uint64_t streams) {
  constexpr auto per_warp = static_cast<std::uint64_t>(streams_per_warp<Streams>);
  return (streams + per_warp - 1) / per_warp;
}

/// A lane's stream, counted from the kernel's first stream. Surplus lanes of the last warp repeat
/// the last stream and write nothing (live is false).
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
