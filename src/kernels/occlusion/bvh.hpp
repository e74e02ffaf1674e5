// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/occlusion/ray.hpp"

namespace rivulet {

using Corners = std::array<Vector3, 3>;

/// The bounding box of the added points; empty at first.
struct Box {
  Vector3 low{farthest, farthest, farthest};
  Vector3 high{-farthest, -farthest, -farthest};

  void add(const Vector3& a) {
    low = {std::min(low.x, a.x), std::min(low.y, a.y), std::min(low.z, a.z)};
    high = {std::max(high.x, a.x), std::max(high.y, a.y), std::max(high.z, a.z)};
  }
  void add(const Box& other) {
    add(other.low);
    add(other.high);
  }
};

/// A triangle, stored as a corner and the edges to the other two corners.
struct Triangle {
  Vector3 corner;
  Vector3 edge1;
  Vector3 edge2;

  Triangle() = default;
  explicit Triangle(const Corners& corners)
      : corner(corners[0]), edge1(corners[1] - corners[0]), edge2(corners[2] - corners[0]) {}

  /// Returns the distance from the ray's origin to the hit, or `farthest` if the ray misses the
  /// triangle. A ray can hit either side. The method is from T. Moeller and B. Trumbore,
  /// J. Graphics Tools 2 (1997) 21.
  KOKKOS_FORCEINLINE_FUNCTION float distance(const Ray& ray) const {
    const Vector3 p = cross(ray.direction, edge2);
    const float determinant = dot(edge1, p);
    if (determinant == 0) return farthest;
    const float inverse = detail::quotient(1.0F, determinant);
    const Vector3 from = ray.origin - corner;
    const float u = detail::product(dot(from, p), inverse);
    if (!(u >= 0 && u <= 1)) return farthest;
    const Vector3 q = cross(from, edge1);
    const float v = detail::product(dot(ray.direction, q), inverse);
    if (!(v >= 0 && u + v <= 1)) return farthest;
    const float distance = detail::product(dot(edge2, q), inverse);
    return distance > 0 && distance < farthest ? distance : farthest;
  }

  KOKKOS_FORCEINLINE_FUNCTION Vector3 normal_against(const Vector3& direction) const {
    const Vector3 normal = normalised(cross(edge1, edge2));
    return dot(normal, direction) > 0 ? -normal : normal;
  }
};

/// A node of a bounding volume hierarchy, in 32 bytes. Nodes are in depth-first order. A ray that
/// hits the box continues with the next node. A ray that misses the box continues with node `skip`,
/// after the subtree.
struct BvhNode {
  static constexpr std::uint32_t count_bits = 4;
  static constexpr std::uint32_t max_leaf_triangles = (1u << count_bits) - 1;

  Vector3 low;
  std::uint32_t skip = 0;
  Vector3 high;
  std::uint32_t leaf = 0;  ///< first triangle * 2^count_bits + triangle count; 0: not a leaf

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t first() const { return leaf >> count_bits; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t count() const { return leaf & max_leaf_triangles; }
};

/// A hierarchy and its triangles. The triangles are in the order of the leaves.
struct Bvh {
  std::vector<BvhNode> nodes;
  std::vector<Triangle> triangles;
};

/// Maximum number of triangles whose indices fit in BvhNode::leaf.
inline constexpr std::uint64_t max_mesh_triangles = (std::uint64_t{1} << 28) - 1;

/// Builds a hierarchy with the binned surface area heuristic (I. Wald, IEEE Symposium on
/// Interactive Ray Tracing, 2007). The result is the same on every machine. The input must have
/// 1 .. max_mesh_triangles triangles, and all corners must be finite.
Bvh make_bvh(const std::vector<Corners>& triangles);

}  // namespace rivulet
