// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/occlusion/tile_pass.hpp"
#include "rivulet/streams.hpp"

namespace rivulet::detail {

using Member = Kokkos::TeamPolicy<Space>::member_type;
using UsedNumbers = Kokkos::View<std::uint64_t*, Space>;

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
    const auto stream = streams.open_shared(team);
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
