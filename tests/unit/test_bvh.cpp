// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/occlusion/mesh.hpp"
#include "kernels/occlusion/scene.hpp"
#include "machine/device_bytes.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/rivulet.hpp"

namespace rivulet {
namespace {

using Triangles = Kokkos::View<Triangle*, Space>;

struct Differences {
  std::uint64_t hits = 0;         ///< rays that met something
  std::uint64_t closest_hit = 0;  ///< rays that differ in distance or normal
  std::uint64_t any_hit = 0;      ///< rays that differ in whether they meet something near
};

KOKKOS_INLINE_FUNCTION float between(Stream<Philox4x32>& rng, float low, float high) {
  return low + (high - low) * detail::draw_number<float>(rng);
}

KOKKOS_INLINE_FUNCTION bool same(const Hit& hit, float distance, const Vector3& normal) {
  if (!hit.found() || !(distance < farthest)) return hit.found() == (distance < farthest);
  return hit.distance == distance && hit.normal.x == normal.x && hit.normal.y == normal.y &&
         hit.normal.z == normal.z;
}

/// Compares the hits of rays that start inside or around a box with those found by a search of all
/// triangles.
Differences differences(const Bvh& bvh, const Vector3& size, std::uint64_t rays) {
  const Mesh mesh(bvh);
  const Triangles all("rivulet::test_triangles", bvh.triangles.size());
  copy_to_device(all.data(), bvh.triangles.data(), bvh.triangles.size() * sizeof(Triangle));
  Differences found;
  Kokkos::parallel_reduce(
      "rivulet::test_bvh", Kokkos::RangePolicy<Space>(0, rays),
      KOKKOS_LAMBDA(const std::uint64_t i, std::uint64_t& hits, std::uint64_t& closest_hit,
                    std::uint64_t& any_hit) {
        Stream<Philox4x32> rng(7, i);
        Vector3 direction{between(rng, -1, 1), between(rng, -1, 1), between(rng, -1, 1)};
        if (i % 5 == 0) direction.x = 0;  // parallel to walls
        if (i % 7 == 0) direction.z = 0;
        direction.y += direction.y == 0 ? 1 : 0;
        const Ray ray{{between(rng, -0.2F * size.x, 1.2F * size.x),
                       between(rng, -size.y, 1.2F * size.y), between(rng, 0, size.z)},
                      normalised(direction)};
        float distance = farthest;
        Vector3 normal;
        for (std::size_t t = 0; t < all.extent(0); ++t) {
          const float own = all(t).distance(ray);
          if (own < distance) {
            distance = own;
            normal = all(t).normal_against(ray.direction);
          }
        }
        const float near = between(rng, 0, size.x);
        hits += distance < farthest ? 1 : 0;
        closest_hit += same(mesh.closest_hit(ray), distance, normal) ? 0 : 1;
        any_hit += mesh.any_hit(ray, near) == (distance < near) ? 0 : 1;
      },
      found.hits, found.closest_hit, found.any_hit);
  return found;
}

void expect_none(const Bvh& bvh, const Vector3& size, std::uint64_t rays) {
  const Differences found = differences(bvh, size, rays);
  EXPECT_GT(found.hits, rays / 20);
  EXPECT_LT(found.hits, rays);
  EXPECT_EQ(found.closest_hit, 0U);
  EXPECT_EQ(found.any_hit, 0U);
}

/// Returns small triangles that are scattered over a box.
std::vector<Corners> soup(std::size_t count, const Vector3& size, float extent) {
  Stream<Philox4x32> rng(5, 6);
  std::vector<Corners> all;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector3 at{between(rng, 0, size.x), between(rng, 0, size.y), between(rng, 0, size.z)};
    const auto corner = [&] {
      return at +
             Vector3{between(rng, 0, extent), between(rng, 0, extent), between(rng, 0, extent)};
    };
    all.push_back({corner(), corner(), corner()});
  }
  return all;
}

TEST(Bvh, RoomsRaysMeetWhatTheyMeetAmongAllTriangles) {
  expect_none(std::get<Bvh>(room_scene().scene), {6, 5, 3}, 200000);
}

TEST(Bvh, ScatteredTrianglesToo) {
  expect_none(make_bvh(soup(2000, {3, 2, 1}, 0.2F)), {3, 2, 1}, 20000);
}

TEST(Bvh, ManyTrianglesAtOnePlace) {
  std::vector<Corners> all(100, Corners{Vector3{0, 0, 0}, Vector3{3, 0, 0.5F}, Vector3{0, 2, 1}});
  expect_none(make_bvh(all), {3, 2, 1}, 20000);
}

TEST(Bvh, OneTriangle) {
  expect_none(make_bvh({Corners{Vector3{0, 0, 0}, Vector3{3, 0, 0.5F}, Vector3{0, 2, 1}}}),
              {3, 2, 1}, 20000);
}

TEST(Bvh, HoldsEachTriangleOnceInLeavesThatAreSmall) {
  const auto corners = soup(5000, {3, 2, 1}, 0.1F);
  const Bvh bvh = make_bvh(corners);
  ASSERT_EQ(bvh.triangles.size(), corners.size());
  std::uint32_t next = 0;
  std::size_t leaves = 0;
  for (std::size_t i = 0; i < bvh.nodes.size(); ++i) {
    const BvhNode& node = bvh.nodes[i];
    EXPECT_GT(node.skip, i);
    if (node.count() == 0) continue;
    EXPECT_EQ(node.first(), next);
    EXPECT_EQ(node.skip, i + 1);
    next += node.count();
    ++leaves;
  }
  EXPECT_EQ(next, corners.size());
  EXPECT_EQ(bvh.nodes.size(), 2 * leaves - 1);
  EXPECT_GT(leaves, corners.size() / 4);
}

}  // namespace
}  // namespace rivulet
