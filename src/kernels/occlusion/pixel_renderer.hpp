// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "generators/generator_type.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/scene_renderer.hpp"
#include "launching/for_each_stream.hpp"
#include "rivulet/detail/engine_numbers.hpp"

namespace rivulet {
namespace detail {

/// Runs all passes over a pixel. engines(i) returns the engine of the rank's pixel i.
template <class OneScene, class Engines>
struct RenderPixel {
  OneScene scene;
  Engines engines;
  Camera camera;
  PictureMemory picture;
  float distance;
  std::uint64_t first_pixel;  ///< first pixel of the rank
  std::uint64_t begin;        ///< first pixel of the launch, relative to first_pixel

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const std::uint64_t pixel = begin + offset;
    auto engine = engines(pixel);
    PixelCounts counts;
    std::uint32_t done = 0;
    for (std::uint32_t k = 0; k < picture.count(); ++k) {
      for (; done < picture.passes(k); ++done) pass(first_pixel + pixel, engine, counts);
      picture.open(pixel, k) = counts.open;
    }
    picture.hits(pixel) = counts.hits;
  }

 private:
  template <class Engine>
  KOKKOS_FORCEINLINE_FUNCTION void pass(std::uint64_t pixel, Engine& engine,
                                        PixelCounts& counts) const {
    const auto next = [&engine] { return detail::draw_number<float>(engine); };
    const float u = next();
    const float v = next();
    const Ray ray = camera.ray(pixel, u, v);
    const Hit hit = scene.closest_hit(ray);
    if (hit.found()) {
      counts.add_hit(open_rays(scene, ray, hit, distance, [&next](int) { return next(); }));
    } else {
      counts.add_sky();
    }
  }
};

/// Common base of the renderers with one engine per pixel. The engine draws from the pixel's stream
/// or is a hash.
template <class Engines>
class PixelRendererOf : public SceneRenderer {
 public:
  PixelRendererOf(const Space& space, StreamRange range, const OcclusionWork& work)
      : SceneRenderer(space, range.count, work), range_(range) {}

  void warm_up() override {
    restart();
    launch(picture_.without_pictures(), 0, std::min(range_.count, std::uint64_t{1}));
  }
  std::uint64_t pieces() const override { return range_.count; }
  /// A piece is one pixel. A large GPU runs about 2^18 threads.
  std::uint64_t pieces_at_once() const override { return device_build ? 1 << 18 : 256; }

 protected:
  virtual Engines engines() const = 0;

 private:
  void launch(const PictureMemory& picture, std::uint64_t begin, std::uint64_t end) override {
    std::visit(
        [&](const auto& scene) {
          const RenderPixel<std::decay_t<decltype(scene)>, Engines> kernel{
              scene, engines(), camera_, picture, distance_, range_.first, begin};
          for_each_stream(space_, "rivulet::occlusion", end - begin, kernel);
        },
        scene_);
    space_.fence();
  }

  StreamRange range_;
};

template <class Streams>
struct StreamEngines {
  Streams streams;
  KOKKOS_FUNCTION auto operator()(std::uint64_t stream) const { return streams.scalar(stream); }
};

template <GeneratorType G>
class StreamPixelRenderer final : public PixelRendererOf<StreamEngines<typename G::Streams>> {
 public:
  StreamPixelRenderer(const Space& space, const typename G::Plan& plan, StreamRange range,
                      const OcclusionWork& work)
      : PixelRendererOf<StreamEngines<typename G::Streams>>(space, range, work),
        streams_(plan, range),
        starter_(plan, range) {}

  void restart() override { starter_.seed(this->space_, streams_); }
  std::uint64_t state_bytes() const override { return streams_.state_bytes(); }

 private:
  StreamEngines<typename G::Streams> engines() const override { return {streams_}; }

  typename G::Streams streams_;
  typename G::Starter starter_;
};

}  // namespace detail

template <GeneratorType G>
std::unique_ptr<OcclusionRenderer> make_pixel_renderer_of(const Space& space,
                                                          const typename G::Plan& plan,
                                                          StreamRange range,
                                                          const OcclusionWork& work) {
  return std::make_unique<detail::StreamPixelRenderer<G>>(space, plan, range, work);
}

}  // namespace rivulet
