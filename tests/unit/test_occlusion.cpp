// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "jobs/occlusion/picture_error.hpp"
#include "jobs/occlusion/pixel_shares.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/rivulet.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t seed = 1;

std::unique_ptr<StreamPlan> plan_of(std::string_view name, std::uint64_t streams) {
  return built_generator(name).plan(
      {.streams = streams, .seed = seed, .numbers_per_stream = 1 << 20}, io::Communicator::self());
}

OcclusionWork work_of(const SceneView& view, PictureSize size, std::vector<std::uint32_t> passes) {
  return {view.scene, Camera(view.view, size), size, view.distance, std::move(passes)};
}

OcclusionCounts rendered(const OcclusionWork& work, StreamRange range, std::uint64_t piece,
                         std::string_view generator = "philox4x32") {
  const auto plan = plan_of(generator, work.size.pixels());
  const auto renderer = make_pixel_renderer(Space(), *plan, range, work);
  renderer->restart();
  for (std::uint64_t from = 0; from < range.count; from += piece) {
    renderer->render(from, std::min(range.count, from + piece));
  }
  return renderer->counts();
}

// A sphere of radius r at height h above a plane darkens a point of the plane at distance d from
// the sphere's foot. With D^2 = d^2 + h^2 and cos(theta) = h / D, the sphere hides the share (r /
// D)^2 cos(theta) of a cosine-weighted sky. This is the form factor from a surface element to a
// sphere that lies entirely above the element's horizon, so h > r (J. R. Howell, "A Catalog of
// Radiation Heat Transfer Configuration Factors", B-38). The share is r^2 times h / D^3. The
// integral of h / D^3 over a rectangle is the solid angle Omega of the rectangle, seen from the
// sphere's centre. The mean share over a rectangle of area A below the centre is thus r^2 Omega /
// A. For half sides a and b, Omega = 4 atan(a b / (h sqrt(a^2 + b^2 + h^2))). The camera is between
// the plane and the sphere and looks straight down. The camera sees a rectangle, and the camera
// rays are uniformly distributed on this rectangle. The test compares the mean darkness with this
// share.
TEST(Occlusion, APlaneUnderASphereIsAsDarkAsTheFormFactorSays) {
  constexpr float radius = 1;
  constexpr float height = 1.5F;
  constexpr float eye = 0.25F;
  constexpr PictureSize size{64, 48};
  constexpr float zoom = 0.125F;
  const SceneView view{
      Spheres({Sphere{{0, 0, height}, radius}}), {{0, 0, eye}, {0, 0, 0}, zoom}, 1e6F};
  constexpr std::uint32_t passes = 400;
  const OcclusionCounts counts =
      rendered(work_of(view, size, {passes}), {0, size.pixels()}, size.pixels());
  ASSERT_EQ(std::accumulate(counts.hits.begin(), counts.hits.end(), std::uint64_t{0}),
            size.pixels() * passes);

  const double b = eye / zoom;
  const double a = b * size.width / size.height;
  const double omega = 4 * std::atan(a * b / (height * std::sqrt(a * a + b * b + height * height)));
  const double expected = radius * radius * omega / (4 * a * b);
  EXPECT_NEAR(expected, 0.2, 0.1);  // neither nearly 0 nor nearly 1

  const double samples = static_cast<double>(size.pixels()) * passes;
  const auto open = std::accumulate(counts.open.begin(), counts.open.end(), std::uint64_t{0});
  const double found = 1 - static_cast<double>(open) / (4 * samples);
  // The four rays of a hit start at the same point, from which each meets the sphere with
  // probability p. The variance of a pass is the variance p (1 - p) / 4 of four rays, plus at most
  // the variance of p over the rectangle.
  const double most = radius * radius / (height * height);  // below the centre
  const double variance = expected * (1 - expected) / 4 + most * most / 4;
  EXPECT_LT(std::abs(found - expected), 4 * std::sqrt(variance / samples))
      << found << " instead of " << expected;
}

TEST(Occlusion, RaysMeetSpheresFromBothSides) {
  const Sphere sphere{{0, 0, 5}, 2};
  EXPECT_FLOAT_EQ(sphere.distance({{0, 0, 0}, {0, 0, 1}}), 3);
  EXPECT_FLOAT_EQ(sphere.distance({{0, 0, 5}, {0, 1, 0}}), 2);
  EXPECT_FLOAT_EQ(sphere.distance({{0, 0, 4}, {0, 0, 1}}), 3);
  EXPECT_EQ(sphere.distance({{0, 0, 8}, {0, 0, 1}}), farthest);
  EXPECT_EQ(sphere.distance({{2.1F, 0, 0}, {0, 0, 1}}), farthest);
  const Hit hit = Spheres({sphere}).closest_hit({{0, 0, 5}, {0, 0, -1}});
  EXPECT_FLOAT_EQ(hit.distance, 2);
  EXPECT_FLOAT_EQ(hit.normal.z, 1);  // towards the ray's origin
}

TEST(Occlusion, PicturesDoNotDependOnHowTheWorkIsCut) {
  for (const SceneView& view : {spheres_scene(), room_scene()}) {
    const OcclusionWork work = work_of(view, {24, 18}, {1, 3, 8});
    const OcclusionCounts whole = rendered(work, {0, 432}, 432);
    EXPECT_EQ(rendered(work, {0, 432}, 7).open, whole.open);
    const OcclusionCounts part = rendered(work, {100, 50}, 50);
    EXPECT_EQ(part.open, std::vector(whole.open.begin() + 300, whole.open.begin() + 450));
    EXPECT_EQ(part.hits, std::vector(whole.hits.begin() + 100, whole.hits.begin() + 150));
    const OcclusionCounts fewer = rendered(work_of(view, {24, 18}, {3}), {0, 432}, 432);
    for (std::size_t i = 0; i < 432; ++i) EXPECT_EQ(fewer.open[i], whole.open[3 * i + 1]);
  }
}

/// Returns the shares of all ranks. Expects that they follow each other without a gap.
std::vector<StreamRange> all_shares(const PixelShares& shares, StreamRange tiles,
                                    std::uint64_t tile, std::uint64_t ranks) {
  std::vector<StreamRange> all;
  std::uint64_t next = tiles.first;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    all.push_back(shares.share(tile, rank, ranks));
    EXPECT_EQ(all.back().first, next) << rank;
    next += all.back().count;
  }
  EXPECT_EQ(next, tiles.first + tiles.count);
  return all;
}

TEST(PixelShares, TakeEqualTimes) {
  // There are four bands of 8 pixels. One pixel of the lower two bands takes as long as five pixels
  // of the upper two.
  const PixelShares shares({100, 32}, {1, 1, 5, 5});
  const auto two = all_shares(shares, {100, 32}, 1, 2);
  EXPECT_EQ(two[0].count, 23U);
  const auto three = all_shares(shares, {100, 32}, 1, 3);
  EXPECT_EQ(three[0].count, 20U);
  EXPECT_EQ(three[1].count, 6U);
  for (const StreamRange one : all_shares(shares, {100, 32}, 1, 32)) EXPECT_EQ(one.count, 1U);
}

TEST(PixelShares, AreOfWholeTiles) {
  const PixelShares shares({0, 30}, {1, 1, 5, 5});
  EXPECT_EQ(all_shares(shares, {0, 4}, 8, 2)[0].count, 3U);
  all_shares(shares, {0, 4}, 8, 4);
  EXPECT_EQ(shares.share(8, 6, 7).count, 0U);  // more ranks than tiles
}

TEST(PixelShares, AreNeverEmpty) {
  const PixelShares shares({0, 32}, {0, 0, 1000, 0});
  for (const StreamRange one : all_shares(shares, {0, 32}, 1, 13)) EXPECT_GT(one.count, 0U);
}

// Checks that the shares fit together if one rank measures all bands.
TEST(PixelShares, AreMeasured) {
  const SceneView view = spheres_scene();
  const OcclusionWork work = work_of(view, {64, 36}, {1, 300});
  const PixelShares shares(work, view.view, {10, 2000}, io::Communicator::self());
  for (const StreamRange one : all_shares(shares, {10, 2000}, 1, 5)) EXPECT_GT(one.count, 0U);
}

TEST(PictureError, IsThatOfIndependentPasses) {
  // A pass's radiance is 1 with probability 1/4, otherwise 0, so its variance is 3/16.
  Stream<Philox4x32> rng(3, 4);
  constexpr std::size_t pixels = 20000;
  const std::vector<std::uint64_t> passes{1, 4, 16, 64};
  const NumbersById<std::uint32_t> rows({0, pixels});
  PictureCounts pictures{passes, {4, rows}, rows};
  for (std::size_t i = 0; i < pixels; ++i) {
    std::uint32_t open = 0;
    for (std::uint64_t p = 1, k = 0; p <= 64; ++p) {
      open += rng() % 4 == 0 ? 4 : 0;
      if (p == passes[k]) pictures.open[k++].values[i] = open;
    }
  }
  const std::vector<double> errors = picture_errors(pictures);
  ASSERT_EQ(errors.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    const double expected = std::sqrt(3.0 / 16 / static_cast<double>(passes[k]));
    // The relative error of a mean of 20000 squares is about 1 percent.
    EXPECT_NEAR(errors[k] / expected, 1, 0.03) << passes[k];
  }
  EXPECT_NEAR(error_slope(passes, errors), -0.5, 0.01);
  EXPECT_NEAR(mean_radiances(pictures)[3], 0.25, 0.003);
}

TEST(PictureError, NeedsTwoPictures) {
  EXPECT_TRUE(picture_errors({{8}, {{0, {1, 2}}}, {0, {8, 8}}}).empty());
}

struct Picture {
  std::vector<std::uint32_t> open, hits;  ///< per pixel; a pixel's pictures are adjacent
  std::vector<std::uint64_t> used;
};

/// Renders the picture rank by rank. Each rank has a part of the teams and a part of the tiles.
Picture rendered(std::string_view generator, const OcclusionWork& work, int warps,
                 std::uint64_t teams, std::uint64_t ranks) {
  Picture all;
  const auto add = [](auto& sum, const auto& part) {
    sum.insert(sum.end(), part.begin(), part.end());
  };
  const auto plan = plan_of(generator, teams);
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const SharedChoice choice{warps, stream_range(tiles_of(work.size.pixels()), rank, ranks)};
    const auto renderer =
        make_shared_renderer(Space(), *plan, stream_range(teams, rank, ranks), choice, work);
    renderer->warm_up();
    renderer->restart();
    for (std::uint64_t from = 0; from < renderer->pieces(); from += 3) {
      renderer->render(from, std::min(from + 3, renderer->pieces()));
    }
    const OcclusionCounts counts = renderer->counts();
    add(all.open, counts.open);
    add(all.hits, counts.hits);
    add(all.used, renderer->used_numbers());
  }
  return all;
}

/// Returns the first `count` numbers of a stream, in order, as floats.
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

/// Returns the numbers of a lane, which are every 32nd number.
struct LaneNumbers {
  const float* numbers;
  KOKKOS_FUNCTION float operator()(int k) const { return numbers[32 * k]; }
};

/// Computes the picture for one team of one warp per rank. The warp processes tiles and uses
/// numbers in order.
template <class Tag>
class InOrder {
 public:
  InOrder(const OcclusionWork& work, std::uint64_t ranks) : work_(work) {
    const std::uint64_t all = tiles_of(work.size.pixels());
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      const StreamRange tiles = stream_range(all, rank, ranks);
      numbers_ = numbers_of<Tag>(rank, tiles.count * work.passes.back() * 320);
      next_ = numbers_.data();
      for (std::uint64_t t = 0; t < tiles.count; ++t) render(tiles.first + t);
      picture_.used.push_back(static_cast<std::uint64_t>(next_ - numbers_.data()));
    }
  }
  const Picture& picture() const { return picture_; }

 private:
  void render(std::uint64_t tile) {
    const std::uint64_t first = tile * 32;
    const std::uint64_t count = std::min<std::uint64_t>(32, work_.size.pixels() - first);
    const std::size_t kept = work_.passes.size();
    picture_.open.resize((first + count) * kept);
    picture_.hits.resize(first + count);
    std::vector<std::uint32_t> open(count);
    std::uint32_t done = 0;
    for (std::size_t k = 0; k < kept; ++k) {
      for (; done < work_.passes[k]; ++done) pass(first, open);
      for (std::uint64_t i = 0; i < count; ++i) picture_.open[(first + i) * kept + k] = open[i];
    }
  }
  void pass(std::uint64_t first, std::vector<std::uint32_t>& open) {
    const auto& scene = std::get<Spheres>(work_.scene);
    bool any = false;
    for (std::uint64_t lane = 0; lane < open.size(); ++lane) {
      const float* const own = next_ + lane;
      const Ray ray = work_.camera.ray(first + lane, own[0], own[32]);
      const Hit hit = scene.closest_hit(ray);
      picture_.hits[first + lane] += hit.found() ? 1 : 0;
      any = any || hit.found();
      open[lane] +=
          hit.found() ? open_rays(scene, ray, hit, work_.distance, LaneNumbers{own + 64}) : 4;
    }
    next_ += any ? 320 : 64;
  }

  const OcclusionWork& work_;
  Picture picture_;
  std::vector<float> numbers_;
  const float* next_ = nullptr;
};

template <class Tag>
void expect_in_order(std::string_view name) {
  // 58 tiles; the last has fewer pixels
  const OcclusionWork work = work_of(spheres_scene(), {50, 37}, {2, 9});
  for (const std::uint64_t ranks : {1, 3}) {
    const Picture found = rendered(name, work, 1, ranks, ranks);
    const Picture expected = InOrder<Tag>(work, ranks).picture();
    EXPECT_EQ(found.open, expected.open) << name << ", " << ranks << " ranks";
    EXPECT_EQ(found.hits, expected.hits) << name << ", " << ranks << " ranks";
    EXPECT_EQ(found.used, expected.used) << name << ", " << ranks << " ranks";
  }
}

TEST(OcclusionShared, AloneAWarpTakesTilesAndNumbersInOrder) {
  expect_in_order<Philox4x32>("philox4x32");
  expect_in_order<Dcmt521>("dcmt521");
  expect_in_order<Mt19937>("mt19937");
  expect_in_order<Ranmar24>("ranmar24");
}

// Compares the means of two pictures that use independent numbers. The mean over a picture's pixels
// has a standard error of at most 1/2 / sqrt(camera rays). The probability that the means differ by
// more than 5 standard errors of their difference is below 6e-7.
TEST(OcclusionShared, PicturesOfManyTeamsAreAsGood) {
  const OcclusionWork work = work_of(spheres_scene(), {50, 37}, {20});
  const Picture ordered = rendered("dcmt521", work, 1, 1, 1);
  for (const std::uint64_t ranks : {1, 2}) {
    const Picture queued = rendered("philox4x32", work, 8, 64, ranks);
    const auto mean = [&](const Picture& picture) {
      return std::accumulate(picture.open.begin(), picture.open.end(), 0.0) /
             (80.0 * static_cast<double>(work.size.pixels()));
    };
    const double error = 0.5 / std::sqrt(20.0 * static_cast<double>(work.size.pixels()));
    EXPECT_LT(std::abs(mean(queued) - mean(ordered)), 5 * std::sqrt(2.0) * error);
    EXPECT_NEAR(mean(ordered), 0.87, 0.05);
    // Every tile is drawn once. A pass uses 2 blocks of 32 numbers, and 8 more blocks if a ray
    // meets anything.
    const auto used = [](const Picture& picture) {
      return std::accumulate(picture.used.begin(), picture.used.end(), std::uint64_t{0});
    };
    EXPECT_NEAR(static_cast<double>(used(queued)), static_cast<double>(used(ordered)),
                0.01 * static_cast<double>(used(ordered)));
  }
}

}  // namespace
}  // namespace rivulet
