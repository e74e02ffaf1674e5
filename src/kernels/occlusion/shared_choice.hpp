// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstdint>

#include "rivulet/detail/streams/stream_request.hpp"

namespace rivulet {

/// The warps of a team on a device; a CPU's thread plays them.
inline constexpr std::uint64_t most_warps = 16;

/// The tiles of a picture of `pixels` pixels.
constexpr std::uint64_t tiles_of(std::uint64_t pixels) { return (pixels + 31) / 32; }

/// How tiles are dealt to the warps of teams, whatever the machine. Group g is the tiles from g
/// warps on, one for each warp of a team. Groups are dealt in turns of one to each team; of the
/// last turn's n groups, fewer than teams perhaps, number j goes to team j teams / n, rounded down:
/// those that have one are spread evenly over all, and so over ranks.
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
  /// May be beyond the last one.
  KOKKOS_FUNCTION constexpr std::uint64_t tile(std::uint64_t turn, std::uint64_t j,
                                               std::uint64_t warp) const {
    return (turn * teams + j) * warps + warp;
  }
};

/// How warps of teams, a stream to each team, share a picture's tiles.
struct SharedChoice {
  bool on_demand = false;   ///< tiles from a queue; otherwise dealt
  int warps = 8;            ///< of a team; most_warps at most
  std::uint64_t teams = 1;  ///< of all ranks
  /// Of a queue, the tiles of this rank.
  StreamRange tiles = {};

  DealtTiles dealt(std::uint64_t tiles_of_all) const {
    return {tiles_of_all, teams, static_cast<std::uint64_t>(warps)};
  }
};

}  // namespace rivulet
