// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/occlusion/camera.hpp"
#include "kernels/occlusion/cosine_direction.hpp"

namespace rivulet {

/// Occlusion rays from each hit, as in Simon's Graphics Blog, "CUDA Mersenne Twister".
inline constexpr int occlusion_rays = 4;
/// Numbers of a pass over a pixel: the point in the pixel and, if there is a hit, the direction of
/// each occlusion ray.
inline constexpr int camera_numbers = 2;
inline constexpr int direction_numbers = 2 * occlusion_rays;

/// Number of a hit's occlusion rays that hit nothing nearer than `distance`. number(k) is number k,
/// 0 .. direction_numbers - 1, of the hit, in 0 .. 1.
template <class Scene, class Number>
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t open_rays(const Scene& scene, const Ray& ray,
                                                    const Hit& hit, float distance,
                                                    const Number& number) {
  const Vector3 origin = point_off_surface(ray, hit);
  const TangentPlane plane(hit.normal);
  std::uint32_t open = 0;
  for (int i = 0; i < occlusion_rays; ++i) {
    const float u = number(2 * i);
    const float v = number(2 * i + 1);
    const Ray one{origin, cosine_direction(hit.normal, plane, u, v)};
    open += scene.meets(one, distance) ? 0 : 1;
  }
  return open;
}

/// Results of the passes over a pixel. A camera ray that hits nothing sees the sky, as if all its
/// occlusion rays had been open.
struct PixelCounts {
  std::uint32_t open = 0;  ///< of 4 a pass
  std::uint32_t hits = 0;  ///< camera rays that hit something

  KOKKOS_FORCEINLINE_FUNCTION void add_sky() { open += occlusion_rays; }
  KOKKOS_FORCEINLINE_FUNCTION void add_hit(std::uint32_t open_of_it) {
    open += open_of_it;
    hits += 1;
  }
};

}  // namespace rivulet
