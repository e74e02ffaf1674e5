// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/occlusion/camera.hpp"
#include "kernels/occlusion/ray.hpp"

namespace rivulet {
namespace detail {

/// small_sine() and small_cosine() return the sine and cosine for |x| <= pi/4, with errors below
/// 1e-7. The polynomials are from the Cephes library (S. L. Moshier, sinf.c, 1992).
KOKKOS_FORCEINLINE_FUNCTION float small_sine(float x) {
  using detail::product;
  const float z = product(x, x);
  const float sum =
      -1.6666654611e-1F + product(z, 8.3321608736e-3F + product(z, -1.9515295891e-4F));
  return x + product(x, product(z, sum));
}
KOKKOS_FORCEINLINE_FUNCTION float small_cosine(float x) {
  using detail::product;
  const float z = product(x, x);
  const float last = -1.388731625493765e-3F + product(z, 2.443315711809948e-5F);
  return 1 + product(z, -0.5F + product(z, 4.166664568298827e-2F + product(z, last)));
}

/// Maps `u` and `v`, uniform in 0 .. 1, to a uniform point of the unit disk. The map is the
/// concentric map of P. Shirley and K. Chiu, J. Graphics Tools 2 (1997) 45.
KOKKOS_FORCEINLINE_FUNCTION void disk_point(float u, float v, float& x, float& y) {
  constexpr float quarter_pi = 0.785398163397448F;
  const float a = 2 * u - 1;  // exact
  const float b = 2 * v - 1;
  const bool wide = absolute(a) > absolute(b);
  const float radius = wide ? a : b;
  if (radius == 0) {
    x = 0;
    y = 0;
    return;
  }
  const float angle = detail::product(quarter_pi, detail::quotient(wide ? b : a, radius));
  const float along = detail::product(radius, small_cosine(angle));
  const float across = detail::product(radius, small_sine(angle));
  x = wide ? along : across;
  y = wide ? across : along;
}

}  // namespace detail

/// Two directions that form an orthonormal basis with a unit normal, computed without branches (T.
/// Duff et al., J. Computer Graphics Techniques 6 (2017) 1).
struct TangentPlane {
  Vector3 s;
  Vector3 t;

  KOKKOS_FORCEINLINE_FUNCTION explicit TangentPlane(const Vector3& n) {
    const float sign = n.z < 0 ? -1.0F : 1.0F;
    const float a = detail::quotient(-1.0F, sign + n.z);
    const float b = detail::product(detail::product(n.x, n.y), a);
    const float xx = detail::product(detail::product(n.x, n.x), a);
    const float yy = detail::product(detail::product(n.y, n.y), a);
    s = {1 + sign * xx, sign * b, -sign * n.x};
    t = {b, sign + yy, -n.y};
  }
};

/// Returns a direction whose density is proportional to the cosine of its angle to the normal.
/// Malley's method projects a uniform point of the unit disk onto the hemisphere. `u` and `v` must
/// be in 0 .. 1.
KOKKOS_FORCEINLINE_FUNCTION Vector3 cosine_direction(const Vector3& normal,
                                                     const TangentPlane& plane, float u, float v) {
  float x = 0;
  float y = 0;
  detail::disk_point(u, v, x, y);
  const float height_square = 1 - detail::product(x, x) - detail::product(y, y);
  const float height = detail::square_root(height_square > 0 ? height_square : 0.0F);
  return scaled(plane.s, x) + scaled(plane.t, y) + scaled(normal, height);
}

/// Occlusion rays per hit, as in Simon's Graphics Blog, "CUDA Mersenne Twister".
inline constexpr int occlusion_rays = 4;
/// Random numbers per pixel and pass, for the point of the camera ray within the pixel.
inline constexpr int camera_numbers = 2;
/// Further random numbers if the camera ray hits a surface, for the directions of the occlusion
/// rays.
inline constexpr int direction_numbers = 2 * occlusion_rays;

/// Returns the number of occlusion rays that hit nothing nearer than `distance`. number(k) must
/// return the hit's random number k, in 0 .. 1. The function calls number(k) for k = 0 ..
/// direction_numbers - 1, in this order.
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
    const Ray occlusion_ray{origin, cosine_direction(hit.normal, plane, u, v)};
    open += scene.any_hit(occlusion_ray, distance) ? 0 : 1;
  }
  return open;
}

/// Counts of a pixel, summed over passes. A camera ray that hits nothing sees the sky, and counts
/// as occlusion_rays open rays.
struct PixelCounts {
  std::uint32_t open = 0;  ///< occlusion rays that hit nothing; at most 4 per pass
  std::uint32_t hits = 0;  ///< camera rays that hit something

  KOKKOS_FORCEINLINE_FUNCTION void add_sky() { open += occlusion_rays; }
  KOKKOS_FORCEINLINE_FUNCTION void add_hit(std::uint32_t hit_open_rays) {
    open += hit_open_rays;
    hits += 1;
  }
};

}  // namespace rivulet
