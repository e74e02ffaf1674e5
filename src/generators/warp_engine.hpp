// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "launching/for_each_stream.hpp"

// Interface of the engines with which lanes of a warp (a team thread on a device) draw a stream
// together. Streams that support this define a WarpEngine:
// - members: lanes per stream, a power of two up to team_lanes (a warp draws team_lanes / members
//   streams);
// - numbers_per_lane: numbers per lane and step;
// - run: how many of a lane's numbers are consecutive. A row consists of one run per member, one
//   after the other. A step makes numbers_per_lane / run rows;
// - steps_around: steps after which the registers rotate back to the initial assignment, or 1;
// - scratch_bytes: scratch memory per warp;
// - WarpEngine(lanes, streams, stream, scratch, back): begins `back` numbers (fewer than two rows)
//   before the stream's position. Every lane of the warp must call this, with its stream;
// - next(lanes, to): writes the lane's numbers of the next step to `to`. Every lane must call this;
// - store(lanes, ago, streams, stream): stores the state as it was `ago` numbers ago, with `ago`
//   less than the numbers per step. Every lane of a stream must call this.

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

/// Returns the number of lanes per stream in the team mapping.
template <class Streams>
constexpr int team_members() {
  if constexpr (StreamsByWarp<Streams>) {
    return Streams::WarpEngine::members;
  } else {
    return team_lanes;
  }
}

/// Streams that a team thread draws at a time.
template <class Streams>
inline constexpr int streams_per_warp = team_lanes / team_members<Streams>();

/// Returns the number of warps for `streams` streams.
template <class Streams>
constexpr std::uint64_t warps_for(std::uint64_t streams) {
  constexpr auto per_warp = static_cast<std::uint64_t>(streams_per_warp<Streams>);
  return (streams + per_warp - 1) / per_warp;
}

/// A lane's stream, counted from the kernel's first stream. Surplus lanes of the last warp repeat
/// the last stream and write nothing (is_active is false).
struct LaneStream {
  std::uint64_t index;
  bool is_active;

  KOKKOS_FUNCTION LaneStream(std::uint64_t warp, int lane, int members, std::uint64_t streams)
      : index(warp * static_cast<std::uint64_t>(team_lanes / members) +
              static_cast<std::uint64_t>(lane / members)),
        is_active(index < streams) {
    if (!is_active) index = streams - 1;
  }
};

}  // namespace rivulet
