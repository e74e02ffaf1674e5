// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rounded.hpp"

// Vectors of three single-precision coordinates. Operations are never fused, so a ray has the same
// hits on every machine.

namespace rivulet {

struct Vector3 {
  float x = 0;
  float y = 0;
  float z = 0;
};

KOKKOS_FORCEINLINE_FUNCTION Vector3 operator+(const Vector3& a, const Vector3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
KOKKOS_FORCEINLINE_FUNCTION Vector3 operator-(const Vector3& a, const Vector3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
KOKKOS_FORCEINLINE_FUNCTION Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }

KOKKOS_FORCEINLINE_FUNCTION Vector3 scaled(const Vector3& a, float factor) {
  return {detail::product(a.x, factor), detail::product(a.y, factor), detail::product(a.z, factor)};
}

KOKKOS_FORCEINLINE_FUNCTION float dot(const Vector3& a, const Vector3& b) {
  return detail::product(a.x, b.x) + detail::product(a.y, b.y) + detail::product(a.z, b.z);
}

KOKKOS_FORCEINLINE_FUNCTION Vector3 cross(const Vector3& a, const Vector3& b) {
  return {detail::product(a.y, b.z) - detail::product(a.z, b.y),
          detail::product(a.z, b.x) - detail::product(a.x, b.z),
          detail::product(a.x, b.y) - detail::product(a.y, b.x)};
}

/// Returns `a` scaled to length 1, up to rounding. `a` must not be 0.
KOKKOS_FORCEINLINE_FUNCTION Vector3 normalised(const Vector3& a) {
  return scaled(a, detail::quotient(1.0F, detail::square_root(dot(a, a))));
}

KOKKOS_FORCEINLINE_FUNCTION float absolute(float x) { return x < 0 ? -x : x; }

/// A half-line; the direction has length 1.
struct Ray {
  Vector3 origin;
  Vector3 direction;

  KOKKOS_FORCEINLINE_FUNCTION Vector3 at(float distance) const {
    return origin + scaled(direction, distance);
  }
};

/// The largest distance; no hit is farther.
inline constexpr float farthest = 3.0e38F;

/// The first hit of a ray.
struct Hit {
  float distance = farthest;
  Vector3 normal;  ///< length 1; points to the side of the ray's origin

  KOKKOS_FORCEINLINE_FUNCTION bool found() const { return distance < farthest; }
};

/// Returns the ray's point at a hit, moved off the surface. Rays from the moved point thus do not
/// hit the surface at their origin. A coordinate's rounding error is a few units, where a unit is
/// 2^-24 of the largest number in the computation. The point moves by 2^-18 of `size`, which is at
/// least the largest number, and thus by at least 64 units.
KOKKOS_FORCEINLINE_FUNCTION Vector3 point_off_surface(const Ray& ray, const Hit& hit) {
  constexpr float relative = 1.0F / (1 << 18);
  const Vector3 point = ray.at(hit.distance);
  const float size = absolute(point.x) + absolute(point.y) + absolute(point.z) + hit.distance;
  return point + scaled(hit.normal, detail::product(size, relative));
}

}  // namespace rivulet
