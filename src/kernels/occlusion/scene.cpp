// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/occlusion/scene.hpp"

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

using Triangles = std::vector<Corners>;

void add_quadrilateral(Triangles& to, const Vector3& a, const Vector3& b, const Vector3& c,
                       const Vector3& d) {
  to.push_back({a, b, c});
  to.push_back({a, c, d});
}

/// A box on the plane z = low.z. The base has a corner at `low`, and is rotated about this corner
/// by the angle with the given cosine and sine.
struct Block {
  Vector3 low;
  Vector3 size;
  float cosine = 1;
  float sine = 0;
};

void add_block(Triangles& to, const Block& block) {
  const auto corner = [&](int x, int y, int z) {
    const float along = x == 0 ? 0 : block.size.x;
    const float across = y == 0 ? 0 : block.size.y;
    const float up = z == 0 ? 0 : block.size.z;
    return block.low +
           Vector3{detail::product(along, block.cosine) - detail::product(across, block.sine),
                   detail::product(along, block.sine) + detail::product(across, block.cosine), up};
  };
  add_quadrilateral(to, corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1));
  add_quadrilateral(to, corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1));
  add_quadrilateral(to, corner(1, 1, 0), corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1));
  add_quadrilateral(to, corner(0, 1, 0), corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1));
  add_quadrilateral(to, corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1));
  add_quadrilateral(to, corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0));
}

/// Adds the floor, the ceiling, both sides and the back of a room with opposite corners 0 and
/// `size`.
void add_walls(Triangles& to, const Vector3& size) {
  const auto corner = [&](int x, int y, int z) {
    return Vector3{x == 0 ? 0 : size.x, y == 0 ? 0 : size.y, z == 0 ? 0 : size.z};
  };
  add_quadrilateral(to, corner(0, 0, 0), corner(1, 0, 0), corner(1, 1, 0), corner(0, 1, 0));
  add_quadrilateral(to, corner(0, 0, 1), corner(0, 1, 1), corner(1, 1, 1), corner(1, 0, 1));
  add_quadrilateral(to, corner(0, 0, 0), corner(0, 1, 0), corner(0, 1, 1), corner(0, 0, 1));
  add_quadrilateral(to, corner(1, 0, 0), corner(1, 0, 1), corner(1, 1, 1), corner(1, 1, 0));
  add_quadrilateral(to, corner(0, 1, 0), corner(1, 1, 0), corner(1, 1, 1), corner(0, 1, 1));
}

}  // namespace

SceneView spheres_scene() {
  // Each sphere touches the plane.
  const std::vector<Sphere> spheres{
      {{0, 0, 1.5F}, 1.5F},     {{2.6F, -0.9F, 1}, 1},        {{-2.5F, -1.1F, 1}, 1},
      {{1, -2.3F, 0.5F}, 0.5F}, {{-0.8F, -2.2F, 0.6F}, 0.6F}, {{2.3F, 1.9F, 1.2F}, 1.2F},
      {{-2.6F, 2, 1.3F}, 1.3F}, {{3.2F, -2.7F, 0.4F}, 0.4F},  {{-2.4F, -3, 0.45F}, 0.45F}};
  return {Spheres(spheres), {{0, -9, 4.5F}, {0, -0.2F, 0.7F}, 2}, 4};
}

SceneView room_scene() {
  Triangles all;
  add_walls(all, {6, 5, 3});
  // The blocks form a table with four legs, a cupboard, a shelf with two boxes, and boxes on the
  // floor. The cosines and sines of rotated boxes are from the Pythagorean triples (3, 4, 5) and
  // (5, 12, 13).
  const std::vector<Block> blocks{{{3.2F, 1.6F, 0.72F}, {1.8F, 1, 0.08F}},
                                  {{3.3F, 1.7F, 0}, {0.1F, 0.1F, 0.72F}},
                                  {{4.8F, 1.7F, 0}, {0.1F, 0.1F, 0.72F}},
                                  {{3.3F, 2.4F, 0}, {0.1F, 0.1F, 0.72F}},
                                  {{4.8F, 2.4F, 0}, {0.1F, 0.1F, 0.72F}},
                                  {{4.5F, 4.2F, 0}, {1.2F, 0.7F, 2}},
                                  {{0, 2.2F, 1.3F}, {0.4F, 2.4F, 0.06F}},
                                  {{0.06F, 2.5F, 1.36F}, {0.25F, 0.5F, 0.4F}},
                                  {{0.3F, 3.5F, 1.36F}, {0.3F, 0.25F, 0.25F}, 0.6F, 0.8F},
                                  {{1.6F, 2.5F, 0}, {0.9F, 0.8F, 0.9F}, 0.8F, 0.6F},
                                  {{1.7F, 2.9F, 0.9F}, {0.4F, 0.4F, 0.4F}, 12.0F / 13, 5.0F / 13},
                                  {{1.2F, 1.2F, 0}, {0.5F, 0.4F, 0.3F}, 12.0F / 13, -5.0F / 13}};
  for (const Block& block : blocks) add_block(all, block);
  return {make_bvh(all), {{3, -5.2F, 1.7F}, {3, 2.5F, 1.3F}, 2.6F}, 1.5F};
}

SceneView triangles_scene(const std::vector<Corners>& triangles) {
  Box box;
  for (const Corners& corners : triangles) {
    for (const Vector3& corner : corners) box.add(corner);
  }
  const Vector3 diagonal = box.high - box.low;
  const float size = detail::square_root(dot(diagonal, diagonal));
  // Squares of lengths must be finite and non-zero.
  if (!(size > 1e-12F && size < 1e12F)) {
    throw Error("the scene's diagonal is not between 1e-12 and 1e12",
                "single precision would overflow or underflow", "Scale its vertices.");
  }
  const Vector3 middle = box.low + scaled(diagonal, 0.5F);
  const Vector3 towards_eye = normalised({0.5F, -1, 0.6F});
  // The bounding sphere of the triangles fills the picture's height.
  return {
      make_bvh(triangles), {middle + scaled(towards_eye, 1.8F * size), middle, 3.4F}, 0.25F * size};
}

}  // namespace rivulet
