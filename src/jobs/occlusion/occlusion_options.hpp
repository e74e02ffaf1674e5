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
  pixel,      ///< a stream for each pixel
  on_demand,  ///< of a team's stream, in the order of requests
  hash        ///< a hash instead of a generator
};

struct OcclusionOptions {
  StreamOptions streams;
  OcclusionScene scene = OcclusionScene::spheres;
  std::string file;
  std::string eye;
  std::string target;
  double zoom = 0;      ///< 0: the scene's own
  double distance = 0;  ///< likewise
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
  std::uint64_t most_passes() const { return passes.back(); }
  bool shares_streams() const { return numbers == OcclusionNumbers::on_demand; }
  /// Whether streams first .. first + count - 1 are pixels' streams, a part of the picture's.
  bool names_pixels() const { return !shares_streams() && (streams.first != 0 || streams.of != 0); }
  /// One stream for each pixel, or for each team.
  StreamOptions all_streams() const;
  /// The pixels that this run renders, row by row.
  StreamRange pixels() const;
  bool has_all_pixels() const { return pixels().count == size().pixels(); }
  /// Most numbers of a stream, and of a pixel.
  std::uint64_t numbers_per_stream() const;
  std::uint64_t numbers_per_pixel() const;
  /// Replaces the scene's view by the deck's values, as far as it gives any.
  void change(SceneView& view) const;

 private:
  void check_part() const;
  void check_streams() const;
};

std::string name_of(OcclusionScene scene);
std::string name_of(OcclusionNumbers numbers);

}  // namespace rivulet
