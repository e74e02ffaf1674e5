// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/occlusion/scene.hpp"
#include "kernels/occlusion/shared_choice.hpp"
#include "kokkos_compat.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// What is rendered.
struct OcclusionWork {
  Scene scene;
  Camera camera;
  PictureSize size;
  float distance = 1;                 ///< within which things occlude each other
  std::vector<std::uint32_t> passes;  ///< after which pictures are kept; ascending
};

/// Pixels of one rank, with what was found in them. All pictures of a pixel lie side by side.
struct OcclusionCounts {
  std::vector<std::uint32_t>
      open;  ///< unoccluded rays: of pixel i, after the passes of picture k, at i * pictures + k
  std::vector<std::uint32_t> hits;  ///< camera rays that met something in all passes
};

/// What a renderer has room for, but the picture does not have.
inline constexpr std::uint64_t no_pixel = ~std::uint64_t{0};

/// Renders one rank's part of a picture by ambient occlusion, whatever the generator.
class OcclusionRenderer {
 public:
  virtual ~OcclusionRenderer() = default;

  /// Puts streams to their starts.
  virtual void restart() = 0;
  /// Runs every kernel for the sake of what happens only the first time. Before restart().
  virtual void warm_up() = 0;
  /// Pieces that the work may be cut into, and how many keep the machine busy.
  virtual std::uint64_t pieces() const = 0;
  virtual std::uint64_t pieces_at_once() const = 0;
  /// Renders pieces from .. upto-1, after those before; waits.
  virtual void render(std::uint64_t from, std::uint64_t upto) = 0;
  virtual OcclusionCounts counts() const = 0;
  /// The pixels that the counts are of, in their order; some may be no_pixel.
  virtual std::vector<std::uint64_t> pixels() const = 0;
  /// Numbers that were taken of each of the rank's streams that teams share.
  virtual std::vector<std::uint64_t> used_numbers() const { return {}; }
  /// Bytes of generator state, and of scene and pictures, on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  virtual std::uint64_t picture_bytes() const = 0;
};

/// A stream to each pixel; the range's streams are the rank's pixels. Throws Error if the machine
/// has no room. plan must outlive the renderer.
std::unique_ptr<OcclusionRenderer> make_pixel_renderer(const Space& space, const StreamPlan& plan,
                                                       StreamRange range,
                                                       const OcclusionWork& work);
/// A stream to each team, the range's to this rank's, whose warps share it. Throws Error besides if
/// teams cannot share streams of the generator.
std::unique_ptr<OcclusionRenderer> make_shared_renderer(const Space& space, const StreamPlan& plan,
                                                        StreamRange range,
                                                        const SharedChoice& choice,
                                                        const OcclusionWork& work);
/// A stream to each pixel, but a cheap hash of pixel and index in place of the numbers: for
/// measuring what these cost, not for pictures.
std::unique_ptr<OcclusionRenderer> make_hash_renderer(const Space& space, StreamRange range,
                                                      const OcclusionWork& work);

}  // namespace rivulet
