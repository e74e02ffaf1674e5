// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/picture_memory.hpp"
#include "rivulet/detail/engine_numbers.hpp"

namespace rivulet::detail {

/// Pixels that a warp renders at a time, one a lane; they are consecutive in the picture.
inline constexpr int tile_pixels = 32;

/// A value for each lane of a warp: on a device each lane has its own, on a CPU one object has all.
template <class T>
class PerLane {
 public:
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int lane) { return values_[place(lane)]; }
  KOKKOS_FORCEINLINE_FUNCTION const T& operator[](int lane) const { return values_[place(lane)]; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place([[maybe_unused]] int lane) {
    return device_build ? 0 : lane;
  }
  T values_[device_build ? 1 : tile_pixels];
};

using TileCounts = PerLane<PixelCounts>;

/// Renders tiles by warps that draw numbers on demand.
template <class OneScene>
struct RenderTile {
  OneScene scene;
  Camera camera;
  PictureMemory picture;
  float distance;
  std::uint64_t pixels;  ///< of the picture

  /// One pass over a tile. take.template numbers<K>() returns the warp's next 32 K numbers. Numbers
  /// for directions are taken if any camera ray hit something, which all lanes then know.
  template <class Team, class Take>
  KOKKOS_FORCEINLINE_FUNCTION void pass(const Team& team, std::uint64_t tile, Take& take,
                                        TileCounts& counts) const {
    const auto lanes = Kokkos::ThreadVectorRange(team, int{tile_pixels});
    PerLane<Ray> rays;
    PerLane<Hit> hits;
    const auto places = take.template numbers<camera_numbers>();
    int any = 0;
    Kokkos::parallel_reduce(
        lanes,
        [&](int lane, int& met) {
          auto engine = places.engine(lane);
          const float u = detail::draw_number<float>(engine);
          const float v = detail::draw_number<float>(engine);
          const std::uint64_t pixel = tile * tile_pixels + static_cast<std::uint64_t>(lane);
          hits[lane] = Hit{};
          if (pixel >= pixels) return;
          rays[lane] = camera.ray(pixel, u, v);
          hits[lane] = scene.first_hit(rays[lane]);
          met += hits[lane].found() ? 1 : 0;
        },
        any);
    if (any == 0) {
      Kokkos::parallel_for(lanes, [&](int lane) { counts[lane].add_sky(); });
      return;
    }
    const auto directions = take.template numbers<direction_numbers>();
    Kokkos::parallel_for(lanes, [&](int lane) {
      if (!hits[lane].found()) {
        counts[lane].add_sky();
        return;
      }
      auto engine = directions.engine(lane);
      const auto next = [&engine](int) { return detail::draw_number<float>(engine); };
      counts[lane].add_hit(open_rays(scene, rays[lane], hits[lane], distance, next));
    });
  }

  /// Stores a picture of a tile, whose first pixel has the place `slot` in memory.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void keep(const Team& team, std::uint64_t slot, std::uint32_t number,
                                        TileCounts& counts) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, int{tile_pixels}), [&](int lane) {
      const std::uint64_t place = slot + static_cast<std::uint64_t>(lane);
      picture.open(place, number) = counts[lane].open;
      picture.hits(place) = counts[lane].hits;
    });
  }
};

/// Takes numbers of a team's stream, and counts them.
template <class Stream>
struct OnDemandTake {
  const Stream& stream;
  std::uint64_t used = 0;

  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION auto numbers() {
    used += tile_pixels * K;
    return stream.template take<K>();
  }
};

}  // namespace rivulet::detail
