// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/occlusion/bvh.hpp"
#include "machine/device_bytes.hpp"

namespace rivulet {

/// The triangles of a bounding volume hierarchy, in device memory. If two triangles are at the same
/// distance, a ray hits the triangle with the lower index, regardless of the boxes.
class Mesh {
 public:
  Mesh() = default;
  /// Throws Kokkos's exception if memory is insufficient.
  explicit Mesh(const Bvh& bvh)
      : nodes_(to_device("rivulet::bvh_nodes", bvh.nodes)),
        triangles_(to_device("rivulet::triangles", bvh.triangles)) {}

  static std::uint64_t bytes(const Bvh& bvh) {
    return bvh.nodes.size() * sizeof(BvhNode) + bvh.triangles.size() * sizeof(Triangle);
  }

  KOKKOS_FUNCTION Hit closest_hit(const Ray& ray) const {
    Hit hit;
    std::uint32_t nearest = 0;
    walk(ray, hit.distance, [&](std::uint32_t triangle, float distance) {
      hit.distance = distance;
      nearest = triangle;
      return false;
    });
    if (hit.found()) hit.normal = triangles_(nearest).normal_against(ray.direction);
    return hit;
  }

  /// True if the ray hits a triangle nearer than `distance`.
  KOKKOS_FUNCTION bool any_hit(const Ray& ray, float distance) const {
    bool met = false;
    walk(ray, distance, [&](std::uint32_t, float) {
      met = true;
      return true;
    });
    return met;
  }

 private:
  /// Factor by which far distances are enlarged, so rounding never makes a ray miss a box. The
  /// enlargement exceeds the 2 gamma_3 of T. Ize, J. Computer Graphics Techniques 2 (2013) 12.
  static constexpr float far_scale = 1 + 1.0F / (1 << 20);

  /// Returns 1 / x. If |x| is less than 1e-20, the function uses 1e-20 with the sign of x.
  KOKKOS_FORCEINLINE_FUNCTION static float inverse(float x) {
    constexpr float smallest = 1e-20F;
    if (absolute(x) < smallest) return x < 0 ? -1 / smallest : 1 / smallest;
    return detail::quotient(1.0F, x);
  }

  /// Clips a ray's interval `t_min` .. `t_max` to the part between the planes at `low` and `high`
  /// on one axis.
  KOKKOS_FORCEINLINE_FUNCTION static void clip(float low, float high, float origin, float inverse,
                                               float& t_min, float& t_max) {
    const float a = detail::product(low - origin, inverse);
    const float b = detail::product(high - origin, inverse);
    const float near = a < b ? a : b;
    const float far = detail::product(a < b ? b : a, float{far_scale});
    if (near > t_min) t_min = near;
    if (far < t_max) t_max = far;
  }

  /// Calls met(triangle, its distance) for each triangle that the ray hits nearer than `distance`,
  /// in ascending order of the index. Stops when met() returns true. met() may reduce `distance`.
  template <class Met>
  KOKKOS_FORCEINLINE_FUNCTION void walk(const Ray& ray, const float& distance,
                                        const Met& met) const {
    const Vector3 inverses{inverse(ray.direction.x), inverse(ray.direction.y),
                           inverse(ray.direction.z)};
    const auto count = static_cast<std::uint32_t>(nodes_.extent(0));
    for (std::uint32_t i = 0; i < count;) {
      const BvhNode node = nodes_(i);
      float t_min = 0;
      float t_max = detail::product(distance, float{far_scale});
      clip(node.low.x, node.high.x, ray.origin.x, inverses.x, t_min, t_max);
      clip(node.low.y, node.high.y, ray.origin.y, inverses.y, t_min, t_max);
      clip(node.low.z, node.high.z, ray.origin.z, inverses.z, t_min, t_max);
      if (t_min > t_max) {
        i = node.skip;
        continue;
      }
      for (std::uint32_t t = node.first(); t < node.first() + node.count(); ++t) {
        const float hit_distance = triangles_(t).distance(ray);
        if (hit_distance < distance && met(t, hit_distance)) return;
      }
      ++i;
    }
  }

  Kokkos::View<const BvhNode*, Space> nodes_;
  Kokkos::View<const Triangle*, Space> triangles_;
};

}  // namespace rivulet
