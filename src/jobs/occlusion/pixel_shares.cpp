// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/occlusion/pixel_shares.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <utility>

#include "kernels/occlusion/occlusion_pass.hpp"

namespace rivulet {
namespace {

/// Limits of the coarse picture. It resolves a horizon to a fraction of a percent of the height and
/// takes a core 0.2 s at most.
constexpr std::uint32_t coarse_rows = 128;
constexpr std::uint32_t coarse_columns = 512;
constexpr std::uint32_t coarse_passes = 4;

PictureSize coarse_size(PictureSize size) {
  const std::uint32_t rows = std::min(size.height, coarse_rows);
  const std::uint64_t columns = std::uint64_t{size.width} * rows / size.height;
  return {static_cast<std::uint32_t>(std::clamp<std::uint64_t>(columns, 1, coarse_columns)), rows};
}

std::vector<double> rays_of_rows(OcclusionWork work, const View3& view) {
  work.size = coarse_size(work.size);
  work.camera = Camera(view, work.size);
  work.passes = {coarse_passes};
  const auto renderer = make_hash_renderer(Space(), {0, work.size.pixels()}, work);
  renderer->restart();
  renderer->render(0, renderer->pieces());
  const std::vector<std::uint32_t> hits = renderer->counts().hits;
  std::vector<double> rays(work.size.height, double{coarse_passes} * work.size.width);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    rays[i / work.size.width] += double{occlusion_rays} * hits[i];
  }
  return rays;
}

}  // namespace

PixelShares::PixelShares(const OcclusionWork& work, const View3& view)
    : PixelShares(rays_of_rows(work, view), work.size) {}

PixelShares::PixelShares(const std::vector<double>& rays_of_rows, PictureSize size)
    : before_(rays_of_rows.size() + 1), size_(size) {
  std::partial_sum(rays_of_rows.begin(), rays_of_rows.end(), before_.begin() + 1);
}

double PixelShares::rays_before(std::uint64_t pixel) const {
  const std::size_t rows = before_.size() - 1;
  const double at =
      static_cast<double>(rows) * static_cast<double>(pixel) / static_cast<double>(size_.pixels());
  const auto row = std::min(static_cast<std::size_t>(at), rows - 1);
  return before_[row] + (at - static_cast<double>(row)) * (before_[row + 1] - before_[row]);
}

StreamRange PixelShares::share(StreamRange tiles, std::uint64_t tile, std::uint64_t rank,
                               std::uint64_t ranks) const {
  if (tiles.count < ranks) return stream_range(tiles.count, rank, ranks);
  const auto rays = [&](std::uint64_t i) {
    return rays_before(std::min(i * tile, size_.pixels()));
  };
  const std::uint64_t end = tiles.first + tiles.count;
  const double first = rays(tiles.first);
  const double part = (rays(end) - first) / static_cast<double>(ranks);
  std::uint64_t from = tiles.first;
  std::uint64_t upto = tiles.first;
  for (std::uint64_t one = 1; one <= rank + 1; ++one) {
    from = std::exchange(upto, end - (ranks - one));
    if (one == ranks) break;
    const auto candidates = std::views::iota(from + 1, upto);
    const double wanted = first + part * static_cast<double>(one);
    const auto found = std::ranges::lower_bound(candidates, wanted, {}, rays);
    if (found != candidates.end()) upto = *found;
  }
  return {from, upto - from};
}

}  // namespace rivulet
