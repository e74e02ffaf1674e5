// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/occlusion/scene.hpp"
#include "kokkos_compat.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// The picture to be rendered.
struct OcclusionWork {
  Scene scene;
  Camera camera;
  PictureSize size;
  float distance = 1;                 ///< maximum distance of occlusion
  std::vector<std::uint32_t> passes;  ///< pass counts after which pictures are stored; ascending
};

/// Maximum number of warps per team. On a CPU, one thread runs all warps of a team.
inline constexpr std::uint64_t max_warps = 16;

/// Pixels per tile. A warp renders a tile, with one pixel per lane. A tile's pixels are consecutive
/// in the picture.
inline constexpr std::uint64_t tile_pixels = 32;

/// Returns the number of tiles in a picture of `pixels` pixels; the last tile may be partial.
constexpr std::uint64_t tiles_of(std::uint64_t pixels) { return ceil_divide(pixels, tile_pixels); }

/// The tiles of a rank, and the warps that render them. Each team of warps has one stream.
struct SharedChoice {
  int warps = 8;           ///< per team; at most max_warps
  StreamRange tiles = {};  ///< this rank's tiles
};

/// The counts (PixelCounts) of one rank's pixels.
struct OcclusionCounts {
  std::vector<std::uint32_t> open;  ///< element i * pictures + k is pixel i of picture k
  std::vector<std::uint32_t> hits;  ///< element i is pixel i, summed over all passes
};

/// Renders one rank's part of a picture by ambient occlusion, for any generator.
class OcclusionRenderer {
 public:
  virtual ~OcclusionRenderer() = default;

  /// Moves streams to their starts.
  virtual void restart() = 0;
  /// Runs every kernel once, so measured times exclude the cost of first launches. Call it before
  /// restart().
  virtual void warm_up() = 0;
  /// Returns the number of pieces of the work. A piece is a pixel or a tile.
  virtual std::uint64_t pieces() const = 0;
  /// Returns the number of pieces that keep the machine busy.
  virtual std::uint64_t pieces_at_once() const = 0;
  /// Renders pieces `begin` .. `end` - 1. Pieces must be rendered in order. Blocking.
  virtual void render(std::uint64_t begin, std::uint64_t end) = 0;
  /// Returns the counts of the rank's pixels. Ranks render consecutive ranges of the picture's
  /// pixels.
  virtual OcclusionCounts counts() const = 0;
  /// Returns how many numbers of each of the rank's streams were used, if teams share streams.
  /// Otherwise, returns an empty vector.
  virtual std::vector<std::uint64_t> used_numbers() const { return {}; }
  /// Returns the size of the generator state on this rank, in bytes.
  virtual std::uint64_t state_bytes() const = 0;
  /// Returns the size of the scene and the pictures on this rank, in bytes.
  virtual std::uint64_t picture_bytes() const = 0;
};

/// Creates a renderer with one stream per pixel. `range`: the rank's pixels. Throws Error if memory
/// is insufficient. `plan` must outlive the renderer.
std::unique_ptr<OcclusionRenderer> make_pixel_renderer(const Space& space, const StreamPlan& plan,
                                                       StreamRange range,
                                                       const OcclusionWork& work);
/// Creates a renderer with one stream per team, which the team's warps share. `range`: the rank's
/// teams. Throws Error if memory is insufficient, or if teams cannot share the generator's streams.
std::unique_ptr<OcclusionRenderer> make_shared_renderer(const Space& space, const StreamPlan& plan,
                                                        StreamRange range,
                                                        const SharedChoice& choice,
                                                        const OcclusionWork& work);
/// Creates a renderer with a cheap hash of pixel and index in place of random numbers. Use this
/// renderer to measure the cost of random numbers, not for pictures.
std::unique_ptr<OcclusionRenderer> make_hash_renderer(const Space& space, StreamRange range,
                                                      const OcclusionWork& work);

}  // namespace rivulet
