// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "kernels/generators/generator_type.hpp"
#include "kernels/occlusion/pixel_renderer.hpp"

namespace rivulet {
namespace detail {

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

  void restart() override { starter_.seed(this->space(), streams_); }
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
