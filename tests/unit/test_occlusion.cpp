// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "generators/generators.hpp"
#include "jobs/occlusion/picture_error.hpp"
#include "kernels/occlusion/occlusion_pass.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/rivulet.hpp"

namespace rivulet {
namespace {

std::unique_ptr<StreamPlan> plan_of(std::string_view name, std::uint64_t streams) {
  StreamRequest request;
  request.streams = streams;
  request.seed = 1;
  request.numbers_per_stream = 1 << 20;
  for (const Generator* one : generators()) {
    if (one->name == name) return one->plan(request, io::Communicator::self());
  }
  throw std::logic_error("no such generator");
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

// A sphere of radius r at the height h hides from a point of the plane below, at a distance d from
// its foot, the share (r / D)^2 cos(theta) of a sky weighted with the cosine, where D^2 = d^2 + h^2
// and cos(theta) = h / D: the form factor from a surface element to a sphere that is all above its
// horizon, h > r (J. R. Howell, "A Catalog of Radiation Heat Transfer Configuration Factors",
// B-38). That is r^2 / h times h^2 / D^3, and h / D^3 integrated over a rectangle is the solid
// angle Omega in which it is seen from the sphere's centre. So the mean over a rectangle of area A
// below the centre is r^2 Omega / A, with Omega = 4 atan(a b / (h sqrt(a^2 + b^2 + h^2))) for half
// sides a and b. A camera between plane and sphere that looks straight down sees a rectangle, and
// its rays are uniform on it.
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
  EXPECT_NEAR(expected, 0.2, 0.1);  // not an edge of what is possible

  const double samples = static_cast<double>(size.pixels()) * passes;
  const auto open = std::accumulate(counts.open.begin(), counts.open.end(), std::uint64_t{0});
  const double found = 1 - static_cast<double>(open) / (4 * samples);
  // The four rays of a hit share its place, whose variance is less than all of it: a pass has the
  // variance p (1 - p) / 4 of four rays and at most the variance of p over the rectangle besides.
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
  const Hit hit = Spheres({sphere}).first_hit({{0, 0, 5}, {0, 0, -1}});
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

TEST(PictureError, IsThatOfIndependentPasses) {
  // Each pass's radiance 0 or 1 with the probability 1/4: the variance of a pass is 3/16.
  Stream<Philox4x32> rng(3, 4);
  constexpr std::size_t pixels = 20000;
  const std::vector<std::uint64_t> passes{1, 4, 16, 64};
  PictureCounts pictures{passes, {}, {0, std::vector<std::uint32_t>(pixels, 64)}};
  pictures.open.assign(4, {0, std::vector<std::uint32_t>(pixels)});
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
    // A mean of squares of 20000 numbers is known to 1 per cent or so.
    EXPECT_NEAR(errors[k] / expected, 1, 0.03) << passes[k];
  }
  EXPECT_NEAR(error_slope(passes, errors), -0.5, 0.01);
  EXPECT_NEAR(mean_radiance(pictures, 3), 0.25, 0.003);
}

TEST(PictureError, NeedsTwoPictures) {
  EXPECT_TRUE(picture_errors({{8}, {{0, {1, 2}}}, {0, {8, 8}}}).empty());
}

}  // namespace
}  // namespace rivulet
