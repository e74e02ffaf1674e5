// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/occlusion/occlusion_renderer.hpp"

namespace rivulet {

/// Divides consecutive pixels, or tiles of pixels, among ranks: each rank traces nearly the same
/// number of rays. A pixel that sees the sky costs one ray a pass, any other pixel five.
class PixelShares {
 public:
  /// Renders a coarse picture to estimate the rays of each row.
  PixelShares(const OcclusionWork& work, const View3& view);
  /// `rays_of_rows`: rays of each row of a coarse picture.
  PixelShares(const std::vector<double>& rays_of_rows, PictureSize size);

  /// A rank's share of the pixels, or of tiles of `tile` pixels. Without one for each rank, the
  /// first ranks have one each.
  StreamRange share(StreamRange tiles, std::uint64_t tile, std::uint64_t rank,
                    std::uint64_t ranks) const;

 private:
  /// Estimated rays of the pixels 0 .. pixel-1.
  double rays_before(std::uint64_t pixel) const;

  std::vector<double> before_;  ///< rays above each coarse row; in the end those of all rows
  PictureSize size_;
};

}  // namespace rivulet
