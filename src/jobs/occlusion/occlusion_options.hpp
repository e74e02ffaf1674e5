// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/deck/schema.hpp"
#include "jobs/common/run_options.hpp"
#include "jobs/common/stream_options.hpp"
#include "kernels/occlusion/camera.hpp"
#include "kernels/occlusion/scene.hpp"

namespace rivulet {

enum class OcclusionScene { spheres, room, file };

/// The source of a pixel's numbers.
enum class OcclusionNumbers {
  pixel,      ///< one stream per pixel
  on_demand,  ///< one stream per team, in the order of the warps' requests
  hash        ///< a hash instead of a generator
};

struct OcclusionOptions {
  StreamOptions streams;
  OcclusionScene scene = OcclusionScene::spheres;
  std::string file;
  std::string eye;
  std::string target;
  double zoom = 0;      ///< 0 for the scene's value
  double distance = 0;  ///< 0 for the scene's value
  std::uint64_t width = 480;
  std::uint64_t height = 270;
  std::vector<std::uint64_t> passes{1, 8, 64};
  OcclusionNumbers numbers = OcclusionNumbers::pixel;
  std::uint64_t warps = 8;
  CheckpointOptions checkpoint;
  OutputOptions output{"occlusion.h5"};

  io::Schema schema();
  void check() const;

  PictureSize size() const {
    return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
  }
  std::uint64_t max_passes() const { return passes.back(); }
  bool shares_streams() const { return numbers == OcclusionNumbers::on_demand; }
  /// True if the deck's range of streams selects a part of the picture's pixels.
  bool selects_pixels() const {
    return !shares_streams() && (streams.first != 0 || streams.family_streams != 0);
  }
  /// Returns the streams to plan: one per pixel, or one per team.
  StreamOptions all_streams() const;
  /// Returns the range of pixels that this run renders. Pixels are numbered row by row.
  StreamRange pixels() const;
  bool has_all_pixels() const { return pixels().count == size().pixels(); }
  /// Returns an upper bound on the numbers per stream.
  std::uint64_t numbers_per_stream() const;
  /// Returns an upper bound on the numbers per pixel.
  std::uint64_t numbers_per_pixel() const;
  /// Overwrites the view's values with those that the deck sets. Throws Error if the camera is then
  /// at its target, or too far from it for single precision.
  void apply_to(SceneView& view) const;

 private:
  void check_part() const;
  void check_streams() const;
};

std::string name_of(OcclusionScene scene);
std::string name_of(OcclusionNumbers numbers);

}  // namespace rivulet
