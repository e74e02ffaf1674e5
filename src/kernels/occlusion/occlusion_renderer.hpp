// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/occlusion/scene.hpp"
#include "kokkos_compat.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The picture to be rendered.
struct OcclusionWork {
  Scene scene;
  Camera camera;
  PictureSize size;
  float distance = 1;                 ///< maximum distance of occlusion
  std::vector<std::uint32_t> passes;  ///< numbers of passes whose pictures are kept; ascending
};

/// The warps of a team on a device; on a CPU one thread runs them all.
inline constexpr std::uint64_t most_warps = 16;

/// Pixels that a warp renders at a time, one a lane; they are consecutive in the picture.
inline constexpr std::uint64_t tile_pixels = 32;

/// Tiles of a picture of `pixels` pixels.
constexpr std::uint64_t tiles_of(std::uint64_t pixels) {
  return (pixels + tile_pixels - 1) / tile_pixels;
}

/// How the warps of teams, with one stream for each team, share a rank's tiles.
struct SharedChoice {
  int warps = 8;           ///< of a team; most_warps at most
  StreamRange tiles = {};  ///< of this rank, in a queue
};

/// Counts of one rank's pixels. All pictures of a pixel lie side by side.
struct OcclusionCounts {
  std::vector<std::uint32_t> open;  ///< picture k of pixel i at i * pictures + k
  std::vector<std::uint32_t> hits;  ///< camera rays that hit something in all passes
};

/// Renders one rank's part of a picture by ambient occlusion, for any generator.
class OcclusionRenderer {
 public:
  virtual ~OcclusionRenderer() = default;

  /// Moves streams to their starts.
  virtual void restart() = 0;
  /// Runs every kernel once, before restart(), so that measured times contain no first launch.
  virtual void warm_up() = 0;
  /// Pieces that the work can be cut into, and the number that keeps the machine busy.
  virtual std::uint64_t pieces() const = 0;
  virtual std::uint64_t pieces_at_once() const = 0;
  /// Renders pieces from .. upto-1, after those before; waits.
  virtual void render(std::uint64_t from, std::uint64_t upto) = 0;
  /// Counts of consecutive pixels, which continue on the next rank.
  virtual OcclusionCounts counts() const = 0;
  /// Numbers used of each of the rank's streams that teams share.
  virtual std::vector<std::uint64_t> used_numbers() const { return {}; }
  /// Bytes of generator state, scene and pictures on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  virtual std::uint64_t picture_bytes() const = 0;
};

/// One stream for each pixel; the range's streams are the rank's pixels. Throws Error if there is
/// not enough memory. plan must outlive the renderer.
std::unique_ptr<OcclusionRenderer> make_pixel_renderer(const Space& space, const StreamPlan& plan,
                                                       StreamRange range,
                                                       const OcclusionWork& work);
/// One stream for each team, shared by its warps; the range's streams are this rank's teams. Also
/// throws Error if teams cannot share streams of the generator.
std::unique_ptr<OcclusionRenderer> make_shared_renderer(const Space& space, const StreamPlan& plan,
                                                        StreamRange range,
                                                        const SharedChoice& choice,
                                                        const OcclusionWork& work);
/// One stream for each pixel, with a cheap hash of pixel and index in place of the numbers: for
/// measuring the cost of numbers, not for pictures.
std::unique_ptr<OcclusionRenderer> make_hash_renderer(const Space& space, StreamRange range,
                                                      const OcclusionWork& work);

}  // namespace rivulet
