// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>

#include "kernels/occlusion/ray.hpp"

namespace rivulet {

using Corners = std::array<Vector3, 3>;

/// A corner and the edges from it to the other two.
struct Triangle {
  Vector3 corner;
  Vector3 edge1;
  Vector3 edge2;

  Triangle() = default;
  explicit Triangle(const Corners& of)
      : corner(of[0]), edge1(of[1] - of[0]), edge2(of[2] - of[0]) {}

  /// The distance of the ray's hit beyond its origin; farthest if there is none (T. Moeller and B.
  /// Trumbore, J. Graphics Tools 2 (1997) 21). Both sides count.
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

}  // namespace rivulet
