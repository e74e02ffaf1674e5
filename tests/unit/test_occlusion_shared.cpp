// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/generators/generators.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/rivulet.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t seed = 1;

std::unique_ptr<StreamPlan> plan_of(std::string_view name, std::uint64_t streams) {
  StreamRequest request;
  request.streams = streams;
  request.seed = seed;
  request.numbers_per_stream = 1 << 20;
  for (const Generator* one : generators()) {
    if (one->name == name) return one->plan(request, io::Communicator::self());
  }
  throw std::logic_error("no such generator");
}

struct Picture {
  std::vector<std::uint32_t> open, hits;  ///< of each pixel; all pictures of one side by side
  std::vector<std::uint64_t> used;
};

/// Renders by ranks one after the other, each of which has a part of the teams or of the queue.
Picture rendered(std::string_view generator, const OcclusionWork& work, SharedChoice choice,
                 std::uint64_t ranks = 1) {
  const std::size_t kept = work.passes.size();
  Picture all{std::vector<std::uint32_t>(work.size.pixels() * kept),
              std::vector<std::uint32_t>(work.size.pixels()),
              {}};
  const auto plan = plan_of(generator, choice.teams);
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    choice.tiles = stream_range(tiles_of(work.size.pixels()), rank, ranks);
    const auto renderer =
        make_shared_renderer(Space(), *plan, stream_range(choice.teams, rank, ranks), choice, work);
    renderer->warm_up();
    renderer->restart();
    for (std::uint64_t from = 0; from < renderer->pieces(); from += 3) {
      renderer->render(from, std::min(from + 3, renderer->pieces()));
    }
    const OcclusionCounts counts = renderer->counts();
    const auto pixels = renderer->pixels();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (pixels[i] == no_pixel) continue;
      EXPECT_EQ(all.hits[pixels[i]], 0U) << "a pixel of two tiles";
      all.hits[pixels[i]] = counts.hits[i];
      for (std::size_t k = 0; k < kept; ++k) {
        all.open[pixels[i] * kept + k] = counts.open[i * kept + k];
      }
    }
    const auto used = renderer->used_numbers();
    all.used.insert(all.used.end(), used.begin(), used.end());
  }
  return all;
}

OcclusionWork spheres(PictureSize size, std::vector<std::uint32_t> passes) {
  const SceneView view = spheres_scene();
  return {view.scene, Camera(view.view, size), size, view.distance, std::move(passes)};
}

/// Numbers of one stream in their order, as floats.
template <class Tag>
std::vector<float> numbers_of(std::uint64_t stream, std::size_t count) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const Streams<Tag, Host> streams(Host(), {1, seed, stream, {}});
  std::vector<float> all(count);
  auto engine = streams.open(0);
  for (float& one : all) one = detail::draw_number<float>(engine);
  streams.close(0, engine);
  return all;
}

/// Numbers that are so far apart.
struct EveryNth {
  const float* numbers;
  std::uint64_t stride;
  KOKKOS_FUNCTION float operator()(int k) const {
    return numbers[static_cast<std::uint64_t>(k) * stride];
  }
};

/// What the documentation says of dealt tiles, step by step: block b of warp w of W has the numbers
/// 32 (w + b W) .. of the team's stream, counted from where a turn begins. Groups of W tiles go to
/// the teams, one to each in a turn, the last turn's spread evenly.
template <class Tag>
class Dealt {
 public:
  Dealt(const OcclusionWork& work, std::uint64_t teams, std::uint64_t warps)
      : work_(work), teams_(teams), warps_(warps), open_(work.size.pixels()) {}

  std::uint64_t used() const { return used_; }
  std::vector<std::uint32_t> picture() {
    const std::uint64_t tiles = tiles_of(work_.size.pixels());
    for (std::uint64_t team = 0; team < teams_; ++team) {
      numbers_ = numbers_of<Tag>(team, 1 << 17);
      first_ = 0;
      const std::uint64_t groups = (tiles + warps_ - 1) / warps_;
      for (std::uint64_t turn = 0; turn * teams_ < groups; ++turn) {
        const std::uint64_t n = std::min(teams_, groups - turn * teams_);
        std::uint64_t j = 0;
        while (j < n && j * teams_ / n != team) ++j;
        if (j == n) continue;
        std::uint64_t rows = 0;
        for (warp_ = 0; warp_ < warps_; ++warp_) {
          row_ = 0;
          const std::uint64_t tile = (turn * teams_ + j) * warps_ + warp_;
          for (std::uint32_t p = 0; tile < tiles && p < work_.passes.back(); ++p) pass(tile);
          rows = std::max(rows, row_);
        }
        first_ += rows * warps_ * 32;
      }
    }
    return open_;
  }

 private:
  void pass(std::uint64_t tile) {
    const auto& scene = std::get<Spheres>(work_.scene);
    const std::uint64_t begin = row_;
    const std::uint64_t stride = 32 * warps_;
    bool any = false;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
      const std::uint64_t pixel = tile * 32 + lane;
      if (pixel >= open_.size()) continue;
      const std::uint64_t at = first_ + (begin * warps_ + warp_) * 32 + lane;
      ASSERT_LT(at + 9 * stride, numbers_.size());
      const float* const own = &numbers_[at];
      const Ray ray = work_.camera.ray(pixel, own[0], own[stride]);
      const Hit hit = scene.first_hit(ray);
      any = any || hit.found();
      open_[pixel] += !hit.found() ? 4
                                   : open_rays(scene, ray, hit, work_.distance,
                                               EveryNth{own + 2 * stride, stride});
    }
    row_ += any ? 10 : 2;
    used_ += any ? 320 : 64;
  }

  const OcclusionWork& work_;
  std::uint64_t teams_;
  std::uint64_t warps_;
  std::vector<std::uint32_t> open_;
  std::vector<float> numbers_;
  std::uint64_t used_ = 0;
  std::uint64_t first_ = 0;  ///< number of the turn
  std::uint64_t warp_ = 0;
  std::uint64_t row_ = 0;
};

template <class Tag>
void expect_as_documented(std::string_view name, std::uint64_t teams, int warps) {
  const OcclusionWork work = spheres({50, 37}, {9});
  const Picture found = rendered(name, work, {false, warps, teams, {}});
  Dealt<Tag> expected(work, teams, static_cast<std::uint64_t>(warps));
  EXPECT_EQ(found.open, expected.picture()) << name << ", " << warps << " warps";
  EXPECT_EQ(std::accumulate(found.used.begin(), found.used.end(), std::uint64_t{0}),
            expected.used());
}

TEST(OcclusionShared, DealtTilesHaveTheNumbersReservedForThem) {
  // 58 tiles, the last of which is cut short: of one turn, several, and the last without some
  // warps.
  expect_as_documented<Philox4x32>("philox4x32", 100, 8);
  expect_as_documented<Philox4x32>("philox4x32", 5, 4);
  expect_as_documented<Dcmt521>("dcmt521", 7, 3);
  expect_as_documented<Dcmt521>("dcmt521", 2, 16);
  expect_as_documented<Mt19937>("mt19937", 3, 8);
  expect_as_documented<Ranmar24>("ranmar24", 6, 5);
}

TEST(OcclusionShared, DealtPicturesDoNotDependOnTheRanks) {
  const OcclusionWork work = spheres({50, 37}, {1, 6});
  const SharedChoice choice{false, 4, 7, {}};
  const Picture one = rendered("dcmt521", work, choice);
  for (const std::uint64_t ranks : {2, 3}) {
    const Picture several = rendered("dcmt521", work, choice, ranks);
    EXPECT_EQ(several.open, one.open);
    EXPECT_EQ(several.hits, one.hits);
    EXPECT_EQ(several.used, one.used);
  }
}

// Two pictures by independent numbers, each of whose means over the pixels has a standard error of
// at most 1/2 / sqrt(samples) per camera ray: they differ by more than 5 of their difference's with
// a probability below 6e-7.
TEST(OcclusionShared, QueuedPicturesAreAsGood) {
  const OcclusionWork work = spheres({50, 37}, {20});
  const Picture dealt = rendered("philox4x32", work, {false, 8, 64, {}});
  for (const std::uint64_t ranks : {1, 2}) {
    const Picture queued = rendered("philox4x32", work, {true, 8, 64, {}}, ranks);
    const auto mean = [&](const Picture& picture) {
      return std::accumulate(picture.open.begin(), picture.open.end(), 0.0) /
             (80.0 * static_cast<double>(work.size.pixels()));
    };
    const double error = 0.5 / std::sqrt(20.0 * static_cast<double>(work.size.pixels()));
    EXPECT_LT(std::abs(mean(queued) - mean(dealt)), 5 * std::sqrt(2.0) * error);
    EXPECT_NEAR(mean(dealt), 0.87, 0.05);
    // Every tile once: 2 blocks a pass, and 8 more if anything is met.
    const auto used = [](const Picture& picture) {
      return std::accumulate(picture.used.begin(), picture.used.end(), std::uint64_t{0});
    };
    EXPECT_NEAR(static_cast<double>(used(queued)), static_cast<double>(used(dealt)),
                0.01 * static_cast<double>(used(dealt)));
  }
}

}  // namespace
}  // namespace rivulet
