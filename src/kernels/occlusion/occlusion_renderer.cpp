// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/occlusion/occlusion_renderer.hpp"

#include <fmt/format.h>

#include "generators/with_generator.hpp"
#include "kernels/occlusion/pixel_renderer.hpp"
#include "machine/out_of_memory.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// An engine that hashes the sum of a pixel's base value and a number's index to 32 bits. The hash
/// is C. Wellons's lowbias32, found with his "hash prospector" (2018).
class HashEngine {
 public:
  KOKKOS_FUNCTION explicit HashEngine(std::uint64_t pixel)
      : counter_(static_cast<std::uint32_t>(pixel) * golden) {}
  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return 0xffffffff; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()() {
    std::uint32_t x = counter_++;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
  }

 private:
  static constexpr std::uint32_t golden = 0x9e3779b9u;  // 2^32 / golden ratio

  std::uint32_t counter_;
};

struct HashEngines {
  std::uint64_t first_pixel;
  KOKKOS_FUNCTION HashEngine operator()(std::uint64_t pixel) const {
    return HashEngine(first_pixel + pixel);
  }
};

class HashRenderer final : public detail::PixelRendererOf<HashEngines> {
 public:
  HashRenderer(const Space& space, StreamRange range, const OcclusionWork& work)
      : PixelRendererOf<HashEngines>(space, range, work), first_(range.first) {}
  void restart() override {}
  std::uint64_t state_bytes() const override { return 0; }

 private:
  HashEngines engines() const override { return {first_}; }
  std::uint64_t first_;
};

/// Bytes of counts per pixel.
std::uint64_t count_bytes(const OcclusionWork& work) {
  return sizeof(std::uint32_t) * (work.passes.size() + 1);
}

}  // namespace

template <GeneratorType G>
std::unique_ptr<OcclusionRenderer> make_pixel_renderer_of(const Space&, const typename G::Plan&,
                                                          StreamRange, const OcclusionWork&);

template <GeneratorType G>
std::unique_ptr<OcclusionRenderer> make_shared_renderer_of(const Space&, const typename G::Plan&,
                                                           StreamRange, const SharedChoice&,
                                                           const OcclusionWork&);

std::unique_ptr<OcclusionRenderer> make_pixel_renderer(const Space& space, const StreamPlan& plan,
                                                       StreamRange range,
                                                       const OcclusionWork& work) {
  return require_memory_for(
      fmt::format("{} pixels with a stream each on one rank", range.count),
      range.count * (plan.generator().state_bytes + count_bytes(work)) + bytes_of(work.scene),
      "Lower occlusion.width or occlusion.height, choose a streams.generator with a smaller state, "
      "or start more ranks on more nodes.",
      [&] {
        return with_generator(plan, [&](auto type, const auto& typed_plan) {
          return make_pixel_renderer_of<typename decltype(type)::type>(space, typed_plan, range,
                                                                       work);
        });
      });
}

std::unique_ptr<OcclusionRenderer> make_shared_renderer(const Space& space, const StreamPlan& plan,
                                                        StreamRange range,
                                                        const SharedChoice& choice,
                                                        const OcclusionWork& work) {
  const std::uint64_t tiles = choice.tiles.count;
  auto renderer = require_memory_for(
      fmt::format("{} tiles of 32 pixels by {} streams on one rank", tiles, range.count),
      range.count * plan.generator().state_bytes + 32 * tiles * count_bytes(work) +
          bytes_of(work.scene),
      "Lower occlusion.width or occlusion.height, or start more ranks on more nodes.", [&] {
        return with_generator(plan, [&](auto type, const auto& typed_plan) {
          return make_shared_renderer_of<typename decltype(type)::type>(space, typed_plan, range,
                                                                        choice, work);
        });
      });
  if (renderer) return renderer;
  throw Error(fmt::format("teams cannot share streams of {}", plan.generator().name),
              "its state is too small to share",
              "Set occlusion.numbers=pixel, or, for example, streams.generator=dcmt521, ranmar48 "
              "or philox4x32.");
}

std::unique_ptr<OcclusionRenderer> make_hash_renderer(const Space& space, StreamRange range,
                                                      const OcclusionWork& work) {
  return require_memory_for(fmt::format("{} pixels on one rank", range.count),
                            range.count * count_bytes(work) + bytes_of(work.scene),
                            "Lower occlusion.width or occlusion.height, or start more ranks on "
                            "more nodes.",
                            [&]() -> std::unique_ptr<OcclusionRenderer> {
                              return std::make_unique<HashRenderer>(space, range, work);
                            });
}

}  // namespace rivulet
