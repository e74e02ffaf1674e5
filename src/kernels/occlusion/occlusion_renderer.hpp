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
  std::vector<std::uint32_t> passes;  ///< pass counts after which a picture is kept; ascending
};

/// Most warps of a team on a device. On a CPU, one thread runs them all.
inline constexpr std::uint64_t most_warps = 16;

/// Pixels that a warp renders at a time, one per lane. A tile's pixels are consecutive in the
/// picture.
inline constexpr std::uint64_t tile_pixels = 32;

/// Returns the number of tiles of a picture of `pixels` pixels.
constexpr std::uint64_t tiles_of(std::uint64_t pixels) {
  return (pixels + tile_pixels - 1) / tile_pixels;
}

/// The distribution of a rank's tiles over the warps of teams. Each team has one stream.
struct SharedChoice {
  int warps = 8;           ///< of a team; at most most_warps
  StreamRange tiles = {};  ///< of this rank, in a queue
};

/// Counts of one rank's pixels. The pictures of a pixel are adjacent.
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
  /// Runs every kernel once, which keeps first launches out of measured times. Call it before
  /// restart().
  virtual void warm_up() = 0;
  /// Number of pieces of the work, and number of pieces that keep the machine busy.
  virtual std::uint64_t pieces() const = 0;
  virtual std::uint64_t pieces_at_once() const = 0;
  /// Renders pieces from .. upto-1. Pieces must be rendered in order. Waits.
  virtual void render(std::uint64_t from, std::uint64_t upto) = 0;
  /// Returns the counts of the rank's pixels. The next rank has the next pixels of the picture.
  virtual OcclusionCounts counts() const = 0;
  /// Returns how many numbers of each of the rank's streams were used, if teams share streams.
  virtual std::vector<std::uint64_t> used_numbers() const { return {}; }
  /// Bytes of generator state, and of scene and pictures, on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  virtual std::uint64_t picture_bytes() const = 0;
};

/// Makes a renderer with one stream for each pixel. `range`: the rank's pixels. Throws Error if
/// memory is insufficient. `plan` must outlive the renderer.
std::unique_ptr<OcclusionRenderer> make_pixel_renderer(const Space& space, const StreamPlan& plan,
                                                       StreamRange range,
                                                       const OcclusionWork& work);
/// Makes a renderer with one stream for each team, which the team's warps share. `range`: the
/// rank's teams. Also throws Error if teams cannot share streams of the generator.
std::unique_ptr<OcclusionRenderer> make_shared_renderer(const Space& space, const StreamPlan& plan,
                                                        StreamRange range,
                                                        const SharedChoice& choice,
                                                        const OcclusionWork& work);
/// Makes a renderer with a cheap hash of pixel and index in place of random numbers. Use it to
/// measure the cost of random numbers, not for pictures.
std::unique_ptr<OcclusionRenderer> make_hash_renderer(const Space& space, StreamRange range,
                                                      const OcclusionWork& work);

}  // namespace rivulet
