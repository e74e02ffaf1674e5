// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "io/mpi/communicator.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"

namespace rivulet {

/// Divides consecutive pixels, or tiles of pixels, among ranks, so that all ranks take about the
/// same time.
class PixelShares {
 public:
  /// `times`: times for rendering equal bands of the pixels, in any unit.
  PixelShares(StreamRange pixels, const std::vector<std::uint64_t>& times);
  /// Measures the times for rendering bands of a coarse picture. The measurement takes less than a
  /// hundredth of the work's time. Collective.
  PixelShares(const OcclusionWork& work, const View3& view, StreamRange pixels,
              const io::Communicator& ranks);

  /// Returns the range of tiles for a rank. A tile has `tile` pixels, and tile 0 begins at pixel 0.
  /// If there are fewer tiles than ranks, the first ranks have one tile each, and the other ranks
  /// none.
  StreamRange share(std::uint64_t tile, std::uint64_t rank, std::uint64_t ranks) const;

 private:
  /// Returns the time for the pixels before `pixel`.
  double time_before(std::uint64_t pixel) const;

  StreamRange pixels_;
  std::vector<double> cumulative_times_;  ///< element k: total time of bands 0 .. k - 1
};

}  // namespace rivulet
