// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <memory>

#include "kernels/generators/generator_type.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "kernels/occlusion/shared_kernels.hpp"
#include "machine/device_bytes.hpp"

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
        pixels_(work.size.pixels()),
        picture_(choice.tiles.count * tile_pixels, work.passes),
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

  std::uint64_t pieces() const override { return choice_.tiles.count; }
  std::uint64_t pieces_at_once() const override { return device_build ? 1 << 15 : 64; }
  void render(std::uint64_t from, std::uint64_t upto) override { launch(picture_, from, upto); }

  /// The last tile may reach beyond the picture.
  OcclusionCounts counts() const override {
    OcclusionCounts counts = picture_.counts();
    const std::uint64_t left = pixels_ - choice_.tiles.first * tile_pixels;
    const std::uint64_t pixels = std::min(choice_.tiles.count * tile_pixels, left);
    counts.hits.resize(pixels);
    counts.open.resize(pixels * picture_.count());
    return counts;
  }
  std::vector<std::uint64_t> used_numbers() const override {
    std::vector<std::uint64_t> used(used_.extent(0));
    copy_to_host(used.data(), used_.data(), used.size() * sizeof(std::uint64_t));
    return used;
  }
  std::uint64_t state_bytes() const override { return streams_.bytes(); }
  std::uint64_t picture_bytes() const override { return picture_.bytes() + scene_bytes_; }

 private:
  /// Launches tiles from .. end-1 of the queue.
  void launch(const PictureMemory& picture, std::uint64_t from, std::uint64_t end) {
    if (streams_.count() == 0) return;
    copy_to_device(queue_.data(), &from, sizeof from);
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

  Space space_;
  Streams<Tag> streams_;
  SharedChoice choice_;
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
