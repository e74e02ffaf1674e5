// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <variant>
#include <vector>

#include "kernels/occlusion/bvh.hpp"
#include "kernels/occlusion/camera.hpp"
#include "kernels/occlusion/ray.hpp"

namespace rivulet {

struct Sphere {
  Vector3 centre;
  float radius = 1;

  /// Returns the distance from the ray's origin to the first intersection, or `farthest` if the ray
  /// misses the sphere. The discriminant follows E. Haines et al., "Precision Improvements for
  /// Ray/Sphere Intersection" (Ray Tracing Gems, 2019, chapter 7).
  KOKKOS_FORCEINLINE_FUNCTION float distance(const Ray& ray) const {
    const Vector3 from = ray.origin - centre;
    const float square = detail::product(radius, radius);
    const float outside = dot(from, from) - square;
    const float ahead = -dot(from, ray.direction);
    if (outside > 0 && ahead <= 0) return farthest;
    const Vector3 nearest = from + scaled(ray.direction, ahead);
    const float discriminant = square - dot(nearest, nearest);
    if (discriminant < 0) return farthest;
    const float root = detail::square_root(discriminant);
    if (outside > 0) return detail::quotient(outside, ahead + root);
    return ahead + root;
  }
};

/// Up to 16 spheres and the plane z = 0. Kernels receive the object by value.
class Spheres {
 public:
  static constexpr int max_spheres = 16;

  Spheres() = default;
  /// `all` must have at most `max_spheres` spheres.
  explicit Spheres(const std::vector<Sphere>& all) : count_(static_cast<int>(all.size())) {
    for (int i = 0; i < count_; ++i) all_[i] = all[static_cast<std::size_t>(i)];
  }

  KOKKOS_FORCEINLINE_FUNCTION Hit closest_hit(const Ray& ray) const {
    Hit hit;
    hit.distance = plane_distance(ray);
    int nearest = -1;
    for (int i = 0; i < count_; ++i) {
      const float distance = all_[i].distance(ray);
      if (distance < hit.distance) {
        hit.distance = distance;
        nearest = i;
      }
    }
    if (nearest < 0) {
      hit.normal = {0, 0, ray.origin.z < 0 ? -1.0F : 1.0F};
    } else {
      const Vector3 outwards = normalised(ray.at(hit.distance) - all_[nearest].centre);
      hit.normal = dot(outwards, ray.direction) > 0 ? -outwards : outwards;
    }
    return hit;
  }

  /// True if the ray hits a surface nearer than `distance`.
  KOKKOS_FORCEINLINE_FUNCTION bool any_hit(const Ray& ray, float distance) const {
    if (plane_distance(ray) < distance) return true;
    for (int i = 0; i < count_; ++i) {
      if (all_[i].distance(ray) < distance) return true;
    }
    return false;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static float plane_distance(const Ray& ray) {
    const float distance = detail::quotient(-ray.origin.z, ray.direction.z);
    // If the ray is parallel to the plane, `distance` is infinite or NaN.
    return distance > 0 && distance < farthest ? distance : farthest;
  }

  int count_ = 0;
  Sphere all_[max_spheres];
};

/// A scene on the host: spheres on a plane, or a hierarchy of triangles.
using Scene = std::variant<Spheres, Bvh>;

/// A scene with its default view.
struct SceneView {
  Scene scene;
  View3 view;
  float distance = 1;  ///< default maximum distance of occlusion
};

/// Returns a scene of nine spheres on a plane.
SceneView spheres_scene();
/// Returns a furnished room of 154 triangles, without a front wall.
SceneView room_scene();
/// Returns a scene of the given triangles, seen from the upper front right. Throws Error if the
/// scene's diagonal is not between 1e-12 and 1e12.
SceneView triangles_scene(const std::vector<Corners>& triangles);

}  // namespace rivulet
