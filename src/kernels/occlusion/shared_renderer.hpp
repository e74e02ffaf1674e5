// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "generators/generator_type.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/scene_renderer.hpp"
#include "launching/stream_lanes.hpp"
#include "machine/device_bytes.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/streams.hpp"

namespace rivulet {
namespace detail {

/// Values for the lanes of a warp, one value per lane. On a device, each lane has an object that
/// holds the lane's value. On a CPU, one object holds the values of all lanes.
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

/// Renders a tile with one warp, which draws numbers on demand.
template <class OneScene>
struct RenderTile {
  OneScene scene;
  Camera camera;
  PictureMemory picture;
  float distance;
  std::uint64_t pixels;  ///< pixels of the picture

  /// Runs one pass over a tile. take.template numbers<K>() returns the warp's next 32 * K numbers.
  /// Numbers for directions are drawn only if at least one camera ray of the tile hits something.
  template <class Team, class Take>
  KOKKOS_FORCEINLINE_FUNCTION void pass(const Team& team, std::uint64_t tile, Take& take,
                                        TileCounts& counts) const {
    const auto lanes = Kokkos::ThreadVectorRange(team, int{tile_pixels});
    PerLane<Ray> rays;
    PerLane<Hit> hits;
    const auto jitter = take.template numbers<camera_numbers>();
    int tile_hits = 0;
    Kokkos::parallel_reduce(
        lanes,
        [&](int lane, int& met) {
          auto engine = jitter.engine(lane);
          const float u = detail::draw_number<float>(engine);
          const float v = detail::draw_number<float>(engine);
          const std::uint64_t pixel = tile * tile_pixels + static_cast<std::uint64_t>(lane);
          hits[lane] = Hit{};
          if (pixel >= pixels) return;
          rays[lane] = camera.ray(pixel, u, v);
          hits[lane] = scene.closest_hit(rays[lane]);
          met += hits[lane].found() ? 1 : 0;
        },
        tile_hits);
    if (tile_hits == 0) {
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

  /// Stores a tile's counts as part of picture `number`. `slot`: index of the tile's first pixel in
  /// `picture`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store_counts(const Team& team, std::uint64_t slot,
                                                std::uint32_t number, TileCounts& counts) const {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, int{tile_pixels}), [&](int lane) {
      const std::uint64_t place = slot + static_cast<std::uint64_t>(lane);
      picture.open(place, number) = counts[lane].open;
      picture.hits(place) = counts[lane].hits;
    });
  }
};

/// Draws numbers from a team's stream, and counts the drawn numbers.
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

using UsedNumbers = Kokkos::View<std::uint64_t*, Space>;

/// Renders tiles from a queue until the queue is empty. Each warp draws numbers from its team's
/// stream on demand.
template <class OneScene, class Streams>
struct RenderQueued {
  RenderTile<OneScene> render;
  Streams streams;
  UsedNumbers used;
  Kokkos::View<std::uint64_t, Space> queue;  ///< the next tile, relative to the rank's first
  std::uint64_t first_tile;
  std::uint64_t end;  ///< end of the queue

  KOKKOS_FUNCTION void operator()(const StreamTeam& team) const {
    const auto stream = streams.open_shared(team);
    OnDemandTake<decltype(stream)> take{stream};
    for (std::uint64_t tile = next(team); tile < end; tile = next(team)) {
      TileCounts counts;
      std::uint32_t done = 0;
      for (std::uint32_t k = 0; k < render.picture.count(); ++k) {
        for (; done < render.picture.passes(k); ++done) {
          render.pass(team, first_tile + tile, take, counts);
        }
        render.store_counts(team, tile * tile_pixels, k, counts);
      }
    }
    Kokkos::single(Kokkos::PerThread(team), [&] {
      Kokkos::atomic_add(&used(static_cast<std::uint64_t>(team.league_rank())), take.used);
    });
    streams.close(team, stream);
  }

 private:
  /// Removes the warp's next tile from the queue, and returns it on all lanes.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next(const StreamTeam& team) const {
    std::uint64_t tile = 0;
    Kokkos::single(
        Kokkos::PerThread(team),
        [&](std::uint64_t& lane_tile) {
          lane_tile = Kokkos::atomic_fetch_add(&queue(), std::uint64_t{1});
        },
        tile);
    return tile;
  }
};

template <class Plan>
StreamsOptions streams_options(const Plan& plan, StreamRange range) {
  StreamsOptions options{range.count, plan.request().seed, range.first, {}};
  if constexpr (requires { plan.parameter_sets(); }) options.sets = plan.parameter_sets();
  return options;
}

/// A renderer with one stream per team, which the team's warps share.
template <class Tag>
class SharedRenderer final : public SceneRenderer {
 public:
  SharedRenderer(const Space& space, const StreamsOptions& options, const SharedChoice& choice,
                 const OcclusionWork& work)
      : SceneRenderer(space, choice.tiles.count * tile_pixels, work),
        streams_(space, options),
        choice_(choice),
        pixels_(work.size.pixels()),
        used_("rivulet::used_numbers", options.count),
        queue_("rivulet::tile_queue") {}

  void restart() override {
    streams_.restart(space_);
    fill_with_zeros(used_.data(), used_.extent(0) * sizeof(std::uint64_t));
  }
  void warm_up() override { launch(picture_.without_pictures(), 0, 0); }

  std::uint64_t pieces() const override { return choice_.tiles.count; }
  std::uint64_t pieces_at_once() const override { return device_build ? 1 << 15 : 64; }

  /// Returns the counts, except those of the last tile's pixels beyond the end of the picture.
  OcclusionCounts counts() const override {
    OcclusionCounts counts = SceneRenderer::counts();
    const std::uint64_t left = pixels_ - choice_.tiles.first * tile_pixels;
    const std::uint64_t pixels = std::min(choice_.tiles.count * tile_pixels, left);
    counts.hits.resize(pixels);
    counts.open.resize(pixels * picture_.count());
    return counts;
  }
  std::vector<std::uint64_t> used_numbers() const override { return to_host(used_); }
  std::uint64_t state_bytes() const override { return streams_.bytes(); }

 private:
  void launch(const PictureMemory& picture, std::uint64_t begin, std::uint64_t end) override {
    if (streams_.count() == 0) return;
    copy_to_device(queue_.data(), &begin, sizeof begin);
    std::visit(
        [&](const auto& scene) {
          using OneScene = std::decay_t<decltype(scene)>;
          const RenderQueued<OneScene, Streams<Tag>> kernel{
              {scene, camera_, picture, distance_, pixels_},
              streams_,
              used_,
              queue_,
              choice_.tiles.first,
              end};
          Kokkos::parallel_for("rivulet::occlusion_on_demand",
                               streams_.shared_policy(space_, choice_.warps), kernel);
        },
        scene_);
    space_.fence();
  }

  Streams<Tag> streams_;
  SharedChoice choice_;
  std::uint64_t pixels_;
  UsedNumbers used_;
  Kokkos::View<std::uint64_t, Space> queue_;
};

}  // namespace detail

/// Creates a renderer for a generator. Returns nullptr if teams cannot share the generator's
/// streams.
template <GeneratorType G>
std::unique_ptr<OcclusionRenderer> make_shared_renderer_of(
    [[maybe_unused]] const Space& space, [[maybe_unused]] const typename G::Plan& plan,
    [[maybe_unused]] StreamRange range, [[maybe_unused]] const SharedChoice& choice,
    [[maybe_unused]] const OcclusionWork& work) {
  if constexpr (requires { typename G::Library; }) {
    return std::make_unique<detail::SharedRenderer<typename G::Library>>(
        space, detail::streams_options(plan, range), choice, work);
  }
  return nullptr;
}

}  // namespace rivulet
