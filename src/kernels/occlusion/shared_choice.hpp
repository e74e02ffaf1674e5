// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "streams/stream_request.hpp"

namespace rivulet {

/// The warps of a team on a device; a CPU's thread plays them.
inline constexpr std::uint64_t most_warps = 16;

/// How warps of teams, a stream to each team, share a picture's tiles.
struct SharedChoice {
  bool on_demand = false;   ///< tiles from a queue; otherwise dealt
  int warps = 8;            ///< of a team; most_warps at most
  std::uint64_t teams = 1;  ///< of all ranks
  /// Of a queue, the tiles of this rank.
  StreamRange tiles = {};
};

/// Tiles of a picture of so many pixels.
constexpr std::uint64_t tiles_of(std::uint64_t pixels) { return (pixels + 31) / 32; }

/// Tile t is dealt to team t % teams, of which it is number t / teams; that to warp
/// number % warps, in its turn number / warps.
constexpr std::uint64_t turns_of(std::uint64_t tiles, std::uint64_t teams, std::uint64_t warps) {
  return (tiles + teams * warps - 1) / (teams * warps);
}

}  // namespace rivulet
