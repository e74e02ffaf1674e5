// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/occlusion/ray.hpp"

namespace rivulet {

/// A view from `eye` towards `target`; z points up.
struct View3 {
  Vector3 eye;
  Vector3 target;
  float zoom = 1;  ///< distance of the image plane, divided by half the plane's height
};

/// Size of a picture in pixels. Pixels are numbered row by row, beginning at the upper left pixel.
struct PictureSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t pixels() const { return std::uint64_t{width} * height; }
};

/// A pinhole camera.
class Camera {
 public:
  Camera() = default;
  /// The eye and the target must differ.
  Camera(const View3& view, PictureSize size) : width_(size.width), eye_(view.eye) {
    const Vector3 ahead = normalised(view.target - view.eye);
    // In a vertical view, y is the up direction instead of z.
    const bool steep = dot(cross(ahead, {0, 0, 1}), cross(ahead, {0, 0, 1})) < 1e-8F;
    right_ = normalised(cross(ahead, steep ? Vector3{0, 1, 0} : Vector3{0, 0, 1}));
    up_ = cross(right_, ahead);
    ahead_ = scaled(ahead, view.zoom);
    pixel_ = detail::quotient(2.0F, static_cast<float>(size.height));
    aspect_ = detail::quotient(static_cast<float>(size.width), static_cast<float>(size.height));
  }

  /// Returns the ray through a point of a pixel. `u` and `v`, both in 0 .. 1, are the point's
  /// horizontal and vertical offsets from the pixel's upper left corner.
  KOKKOS_FORCEINLINE_FUNCTION Ray ray(std::uint64_t pixel, float u, float v) const {
    const auto column = static_cast<float>(static_cast<std::uint32_t>(pixel % width_));
    const auto row = static_cast<float>(static_cast<std::uint32_t>(pixel / width_));
    const float x = detail::product(column + u, pixel_) - aspect_;
    const float y = 1 - detail::product(row + v, pixel_);
    return {eye_, normalised(ahead_ + scaled(right_, x) + scaled(up_, y))};
  }

 private:
  std::uint64_t width_ = 1;
  Vector3 eye_;
  Vector3 right_;
  Vector3 up_;
  Vector3 ahead_;
  float pixel_ = 1;
  float aspect_ = 1;
};

}  // namespace rivulet
