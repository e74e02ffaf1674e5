// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "rivulet/detail/streams/stream_request.hpp"

namespace rivulet {

/// The warps of a team on a device; on a CPU one thread runs them all.
inline constexpr std::uint64_t most_warps = 16;

/// Tiles of a picture of `pixels` pixels.
constexpr std::uint64_t tiles_of(std::uint64_t pixels) { return (pixels + 31) / 32; }

/// Distribution of tiles to the warps of teams, the same on every machine. Group g consists of
/// consecutive tiles, one for each warp of a team. A turn deals one group to each team; the last
/// turn may have fewer, n groups, and its group j goes to team j teams / n, rounded down, which
/// spreads them evenly over all teams, and so over ranks.
struct DealtTiles {
  std::uint64_t tiles = 1;
  std::uint64_t teams = 1;
  std::uint64_t warps = 1;

  KOKKOS_FUNCTION constexpr std::uint64_t groups() const { return (tiles + warps - 1) / warps; }
  KOKKOS_FUNCTION constexpr std::uint64_t turns() const { return (groups() + teams - 1) / teams; }
  KOKKOS_FUNCTION constexpr std::uint64_t groups_of(std::uint64_t turn) const {
    const std::uint64_t left = groups() - turn * teams;
    return left < teams ? left : teams;
  }
  /// The number within a turn of the first group that goes to this team or a later one.
  KOKKOS_FUNCTION constexpr std::uint64_t first_from(std::uint64_t turn, std::uint64_t team) const {
    return (team * groups_of(turn) + teams - 1) / teams;
  }
  /// Whether group j of a turn goes to this team.
  KOKKOS_FUNCTION constexpr bool is_of(std::uint64_t turn, std::uint64_t j,
                                       std::uint64_t team) const {
    return j < groups_of(turn) && j * teams / groups_of(turn) == team;
  }
  /// The tile's number; it may be beyond the last one.
  KOKKOS_FUNCTION constexpr std::uint64_t tile(std::uint64_t turn, std::uint64_t j,
                                               std::uint64_t warp) const {
    return (turn * teams + j) * warps + warp;
  }
};

/// How the warps of teams, with one stream for each team, share a picture's tiles.
struct SharedChoice {
  bool on_demand = false;   ///< tiles from a queue; otherwise dealt
  int warps = 8;            ///< of a team; most_warps at most
  std::uint64_t teams = 1;  ///< of all ranks
  /// The tiles of this rank, if they are in a queue.
  StreamRange tiles = {};

  DealtTiles dealt(std::uint64_t tiles_of_all) const {
    return {tiles_of_all, teams, static_cast<std::uint64_t>(warps)};
  }
};

}  // namespace rivulet
