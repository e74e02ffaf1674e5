// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/occlusion/shared_choice.hpp"
#include "kernels/occlusion/tile_pass.hpp"
#include "rivulet/streams.hpp"

namespace rivulet::detail {

using Member = Kokkos::TeamPolicy<Space>::member_type;
using UsedNumbers = Kokkos::View<std::uint64_t*, Space>;

/// A turn of every warp: one dealt tile each. A CPU's thread runs the warps of a team pass by pass,
/// so that warps that share a stream stay side by side in it.
template <class OneScene, class Streams>
struct RenderDealt {
  RenderTile<OneScene> render;
  Streams streams;
  UsedNumbers used;  ///< of each local stream
  DealtTiles dealt;
  std::uint64_t turn;
  int warps;
  int rows;  ///< of numbers that a team keeps

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto stream = streams.open_shared(team, reserved{warps, rows});
    const auto local = static_cast<std::uint64_t>(team.league_rank());
    const WarpTiles group = group_of(local);
    // A device's thread is in one warp, a CPU's thread runs all.
    TileCounts counts[device_build ? 1 : most_warps];
    std::uint64_t all = 0;
    std::uint32_t done = 0;
    for (std::uint32_t k = 0; k < render.picture.count(); ++k) {
      for (; done < render.picture.passes(k); ++done) {
        for (int warp = team.team_rank(); warp < group.warps; warp += team.team_size()) {
          ReservedTake<decltype(stream)> take{stream, warp};
          render.pass(team, group.tile + static_cast<std::uint64_t>(warp), take,
                      counts[device_build ? 0 : warp]);
          all += take.used;
        }
      }
      for (int warp = team.team_rank(); warp < group.warps; warp += team.team_size()) {
        render.keep(team, (group.place + static_cast<std::uint64_t>(warp)) * tile_pixels, k,
                    counts[device_build ? 0 : warp]);
      }
    }
    Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(&used(local), all); });
    streams.close(team, stream);
  }

 private:
  /// A team's tiles in this turn, one for each of some warps from the first on, and the first
  /// tile's place among the rank's.
  struct WarpTiles {
    int warps = 0;
    std::uint64_t tile = 0;
    std::uint64_t place = 0;
  };
  KOKKOS_FUNCTION WarpTiles group_of(std::uint64_t local) const {
    const std::uint64_t first = streams.first();
    const std::uint64_t j = dealt.first_from(turn, first + local);
    if (!dealt.is_of(turn, j, first + local)) return {};
    const std::uint64_t tile = dealt.tile(turn, j, 0);
    const std::uint64_t left = dealt.tiles - tile;
    const std::uint64_t before = turn * streams.count() + j - dealt.first_from(turn, first);
    return {left < dealt.warps ? static_cast<int>(left) : warps, tile, before * dealt.warps};
  }
};

/// Warps that take tiles from a queue until it is empty, and numbers of their team's stream on
/// demand.
template <class OneScene, class Streams>
struct RenderQueued {
  RenderTile<OneScene> render;
  Streams streams;
  UsedNumbers used;
  Kokkos::View<std::uint64_t, Space> queue;  ///< the next tile, counted from the rank's first
  std::uint64_t first_tile;
  std::uint64_t end;  ///< of the queue

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto stream = streams.open_shared(team, on_demand{});
    OnDemandTake<decltype(stream)> take{stream};
    for (std::uint64_t tile = next(team); tile < end; tile = next(team)) {
      TileCounts counts;
      std::uint32_t done = 0;
      for (std::uint32_t k = 0; k < render.picture.count(); ++k) {
        for (; done < render.picture.passes(k); ++done) {
          render.pass(team, first_tile + tile, take, counts);
        }
        render.keep(team, tile * tile_pixels, k, counts);
      }
    }
    Kokkos::single(Kokkos::PerThread(team), [&] {
      Kokkos::atomic_add(&used(static_cast<std::uint64_t>(team.league_rank())), take.used);
    });
    streams.close(team, stream);
  }

 private:
  /// The next tile of a warp, on all its lanes.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next(const Member& team) const {
    std::uint64_t tile = 0;
    Kokkos::single(
        Kokkos::PerThread(team),
        [&](std::uint64_t& own) { own = Kokkos::atomic_fetch_add(&queue(), std::uint64_t{1}); },
        tile);
    return tile;
  }
};

}  // namespace rivulet::detail
