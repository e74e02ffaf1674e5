// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/occlusion/pixel_shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

#include "io/mpi/timing.hpp"
#include "rivulet/detail/ceil_divide.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t max_bands = 64;
/// Minimum number of pixels per thread in a band. On a GPU, the slowest threads determine the time
/// of a band with fewer pixels.
constexpr std::uint64_t min_pixels = 4;
/// Number of trials per band. Each trial renders one pass; the shortest time counts.
constexpr int trials = 2;
/// Minimum ratio of the work's time to the total time of all trials with the coarse picture.
constexpr double min_ratio = 128;

/// Returns the size of the coarse picture, which has the same aspect ratio and so few pixels that
/// the trials satisfy min_ratio.
PictureSize coarse_size(const OcclusionWork& work) {
  const double passes = work.passes.back();
  const double side = std::max(std::ceil(std::sqrt(trials * min_ratio / passes)), 1.0);
  const auto smaller = [side](std::uint32_t pixels) {
    return std::max(static_cast<std::uint32_t>(pixels / side), 1U);
  };
  return {smaller(work.size.width), smaller(work.size.height)};
}

/// Returns the pixels of the coarse picture that show the same part of the scene as `pixels`.
StreamRange coarse_pixels(StreamRange pixels, PictureSize size, PictureSize coarse) {
  const double ratio = static_cast<double>(coarse.pixels()) / static_cast<double>(size.pixels());
  const auto scaled = [&](std::uint64_t pixel) {
    return static_cast<std::uint64_t>(static_cast<double>(pixel) * ratio);
  };
  const std::uint64_t first = std::min(scaled(pixels.first), coarse.pixels() - 1);
  const std::uint64_t end = std::min(scaled(pixels.first + pixels.count), coarse.pixels());
  return {first, std::max(end, first + 1) - first};
}

/// Returns the time of one pass over the pixels, in nanoseconds.
std::uint64_t time_of(const OcclusionWork& work, StreamRange pixels) {
  const auto renderer = make_hash_renderer(Space(), pixels, work);
  double min_seconds = 0;
  for (int trial = 0; trial < trials; ++trial) {
    renderer->restart();
    const io::Stopwatch watch;
    renderer->render(0, renderer->pieces());
    const double seconds = watch.seconds();
    min_seconds = trial == 0 ? seconds : std::min(min_seconds, seconds);
  }
  return static_cast<std::uint64_t>(min_seconds * 1e9) + 1;
}

/// Returns the times for equal bands of the pixels, in nanoseconds, without the time of a launch.
/// Each rank measures some of the bands. Collective.
std::vector<std::uint64_t> times_of_bands(OcclusionWork work, const View3& view, StreamRange pixels,
                                          const io::Communicator& ranks) {
  const PictureSize size = std::exchange(work.size, coarse_size(work));
  work.camera = Camera(view, work.size);
  work.passes = {1};
  pixels = coarse_pixels(pixels, size, work.size);
  const auto threads = static_cast<std::uint64_t>(Space().concurrency());
  const std::uint64_t bands =
      std::clamp<std::uint64_t>(pixels.count / (min_pixels * threads), 1, max_bands);
  if (bands == 1) return {1};
  std::vector<std::uint64_t> times(bands);
  ranks.together([&] {
    const auto all = static_cast<std::uint64_t>(ranks.size());
    const std::uint64_t launch = time_of(work, {pixels.first, 1});
    for (auto band = static_cast<std::uint64_t>(ranks.rank()); band < bands; band += all) {
      const StreamRange own = stream_range(pixels.count, band, bands);
      const std::uint64_t time = time_of(work, {pixels.first + own.first, own.count});
      times[band] = time > launch ? time - launch : 1;
    }
  });
  ranks.sum(std::span(times));
  return times;
}

}  // namespace

PixelShares::PixelShares(StreamRange pixels, const std::vector<std::uint64_t>& times)
    : pixels_(pixels), cumulative_times_(times.size() + 1) {
  std::partial_sum(times.begin(), times.end(), cumulative_times_.begin() + 1);
}

PixelShares::PixelShares(const OcclusionWork& work, const View3& view, StreamRange pixels,
                         const io::Communicator& ranks)
    : PixelShares(pixels, times_of_bands(work, view, pixels, ranks)) {}

double PixelShares::time_before(std::uint64_t pixel) const {
  const std::size_t bands = cumulative_times_.size() - 1;
  const double at = static_cast<double>(bands) * static_cast<double>(pixel - pixels_.first) /
                    static_cast<double>(pixels_.count);
  const auto band = std::min(static_cast<std::size_t>(at), bands - 1);
  return cumulative_times_[band] +
         (at - static_cast<double>(band)) * (cumulative_times_[band + 1] - cumulative_times_[band]);
}

StreamRange PixelShares::share(std::uint64_t tile, std::uint64_t rank, std::uint64_t ranks) const {
  const std::uint64_t first = pixels_.first / tile;
  const std::uint64_t pixel_end = pixels_.first + pixels_.count;
  const std::uint64_t end = ceil_divide(pixel_end, tile);
  if (end - first < ranks) {
    const StreamRange own = stream_range(end - first, rank, ranks);
    return {first + own.first, own.count};
  }
  const auto time = [&](std::uint64_t i) { return time_before(std::min(i * tile, pixel_end)); };
  std::uint64_t share_begin = first;
  std::uint64_t share_end = first;
  for (std::uint64_t next_rank = 1; next_rank <= rank + 1; ++next_rank) {
    share_begin = std::exchange(share_end, end - (ranks - next_rank));
    if (next_rank == ranks) break;
    const auto candidates = std::views::iota(share_begin + 1, share_end);
    const double target_time =
        cumulative_times_.back() * static_cast<double>(next_rank) / static_cast<double>(ranks);
    const auto found = std::ranges::lower_bound(candidates, target_time, {}, time);
    if (found != candidates.end()) share_end = *found;
  }
  return {share_begin, share_end - share_begin};
}

}  // namespace rivulet
