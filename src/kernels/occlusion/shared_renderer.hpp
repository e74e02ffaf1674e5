// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "kernels/generators/generator_type.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "kernels/occlusion/shared_kernels.hpp"
#include "machine/device_bytes.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace detail {

template <class Plan>
StreamsOptions streams_options(const Plan& plan, StreamRange range) {
  StreamsOptions options{range.count, plan.request().seed, range.first, {}};
  if constexpr (requires { plan.parameter_sets(); }) options.sets = plan.parameter_sets();
  return options;
}

/// One stream for each team, shared by its warps.
template <class Tag>
class SharedRenderer final : public OcclusionRenderer {
 public:
  SharedRenderer(const Space& space, const StreamsOptions& options, const SharedChoice& choice,
                 const OcclusionWork& work)
      : space_(space),
        streams_(space, options),
        choice_(choice),
        rows_(choice.on_demand ? 0 : rows_that_fit(choice.warps)),
        dealt_(choice.dealt(tiles_of(work.size.pixels()))),
        pixels_(work.size.pixels()),
        picture_(slots(), work.passes),
        scene_(scene_on_device(work.scene)),
        scene_bytes_(bytes_of(work.scene)),
        camera_(work.camera),
        distance_(work.distance),
        used_("rivulet::used_numbers", options.count),
        queue_("rivulet::tile_queue") {}

  void restart() override {
    streams_.restart(space_);
    fill_with_zeros(used_.data(), used_.extent(0) * sizeof(std::uint64_t));
  }
  void warm_up() override { launch(picture_.without_pictures(), 0, 0); }

  /// Tiles of a queue; otherwise turns, each of which opens the streams anew on every machine.
  std::uint64_t pieces() const override {
    return choice_.on_demand ? choice_.tiles.count : dealt_.turns();
  }
  std::uint64_t pieces_at_once() const override {
    return !choice_.on_demand ? 1 : device_build ? 1 << 15 : 64;
  }
  void render(std::uint64_t from, std::uint64_t upto) override {
    if (choice_.on_demand) {
      launch(picture_, from, upto);
    } else {
      for (std::uint64_t turn = from; turn < upto; ++turn) launch(picture_, turn, turn);
    }
  }

  OcclusionCounts counts() const override { return picture_.counts(); }
  /// Elements without a tile, and pixels beyond the last, are no_pixel.
  std::vector<std::uint64_t> pixels() const override {
    std::vector<std::uint64_t> all;
    const auto add = [&](std::uint64_t tile) {
      for (std::uint64_t pixel = tile * tile_pixels; pixel < (tile + 1) * tile_pixels; ++pixel) {
        all.push_back(pixel < pixels_ ? pixel : no_pixel);
      }
    };
    if (choice_.on_demand) {
      for (std::uint64_t t = 0; t < choice_.tiles.count; ++t) add(choice_.tiles.first + t);
      return all;
    }
    for (std::uint64_t turn = 0; turn < dealt_.turns(); ++turn) {
      const auto [first, end] = groups(turn);
      for (std::uint64_t j = first; j < end; ++j) {
        for (std::uint64_t warp = 0; warp < dealt_.warps; ++warp) add(dealt_.tile(turn, j, warp));
      }
    }
    return all;
  }
  std::vector<std::uint64_t> used_numbers() const override {
    std::vector<std::uint64_t> used(used_.extent(0));
    copy_to_host(used.data(), used_.data(), used.size() * sizeof(std::uint64_t));
    return used;
  }
  std::uint64_t state_bytes() const override { return streams_.bytes(); }
  std::uint64_t picture_bytes() const override { return picture_.bytes() + scene_bytes_; }

 private:
  struct Range {
    std::uint64_t first;
    std::uint64_t end;
  };
  /// This rank's groups of a turn; every turn but the last has one for each team.
  Range groups(std::uint64_t turn) const {
    return {dealt_.first_from(turn, streams_.first()),
            dealt_.first_from(turn, streams_.first() + streams_.count())};
  }
  std::uint64_t slots() const {
    if (choice_.on_demand) return choice_.tiles.count * tile_pixels;
    const std::uint64_t last = dealt_.turns() - 1;
    const auto [first, end] = groups(last);
    return (last * streams_.count() + end - first) * dealt_.warps * tile_pixels;
  }

  /// Rows of numbers that a team keeps: those of two directions, or fewer where a device's scratch
  /// memory is too small. Numbers do not depend on it.
  static int rows_that_fit(int warps) {
    const auto bytes = [warps](int rows) {
      return Streams<Tag>::shared_scratch_bytes(reserved{warps, rows});
    };
    int rows = 2 * direction_numbers;
    if (!device_build) return rows;
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Space>::scratch_size_max(0));
    while (rows > 1 && bytes(rows) > most) rows /= 2;
    if (bytes(rows) <= most) return rows;
    throw Error(fmt::format("no scratch memory for {} warps that share a stream", warps),
                fmt::format("they take {} B, and a team has {} B", bytes(rows), most),
                "Use fewer occlusion.warps, or a generator with a smaller state.");
  }

  /// Launches tiles from .. end-1 of a queue; otherwise turn `from`.
  void launch(const PictureMemory& picture, std::uint64_t from, std::uint64_t end) {
    if (streams_.count() == 0) return;
    if (choice_.on_demand) copy_to_device(queue_.data(), &from, sizeof from);
    std::visit(
        [&](const auto& scene) {
          using OneScene = std::decay_t<decltype(scene)>;
          const RenderTile<OneScene> render{scene, camera_, picture, distance_, pixels_};
          choice_.on_demand ? launch_queued(render, end) : launch_dealt(render, from);
        },
        scene_);
    space_.fence();
  }
  template <class OneScene>
  void launch_queued(const RenderTile<OneScene>& render, std::uint64_t end) {
    Kokkos::parallel_for("rivulet::occlusion_on_demand",
                         streams_.shared_policy(space_, choice_.warps),
                         RenderQueued<OneScene, Streams<Tag>>{render, streams_, used_, queue_,
                                                              choice_.tiles.first, end});
  }
  template <class OneScene>
  void launch_dealt(const RenderTile<OneScene>& render, std::uint64_t turn) {
    Kokkos::parallel_for("rivulet::occlusion_reserved",
                         streams_.shared_policy(space_, reserved{choice_.warps, rows_}),
                         RenderDealt<OneScene, Streams<Tag>>{render, streams_, used_, dealt_, turn,
                                                             choice_.warps, rows_});
  }

  Space space_;
  Streams<Tag> streams_;
  SharedChoice choice_;
  int rows_;
  DealtTiles dealt_;
  std::uint64_t pixels_;
  PictureMemory picture_;
  DeviceScene scene_;
  std::uint64_t scene_bytes_;
  Camera camera_;
  float distance_;
  UsedNumbers used_;
  Kokkos::View<std::uint64_t, Space> queue_;
};

}  // namespace detail

/// nullptr if its streams cannot be shared.
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
