// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <variant>

#include "kernels/occlusion/mesh.hpp"
#include "kernels/occlusion/occlusion_renderer.hpp"

namespace rivulet {

/// A scene in memory that kernels can access.
using DeviceScene = std::variant<Spheres, Mesh>;

inline DeviceScene scene_on_device(const Scene& scene) {
  if (const auto* bvh = std::get_if<Bvh>(&scene)) return Mesh(*bvh);
  return std::get<Spheres>(scene);
}

inline std::uint64_t bytes_of(const Scene& scene) {
  const auto* bvh = std::get_if<Bvh>(&scene);
  return bvh == nullptr ? 0 : Mesh::bytes(*bvh);
}

/// Ray counts (PixelCounts) of a rank's pixels, in memory that kernels can access.
class PictureMemory {
 public:
  static constexpr std::uint32_t max_pictures = 16;

  PictureMemory() = default;
  /// Fills the memory with zeros, because kernels do not write every element that counts() copies.
  PictureMemory(std::uint64_t pixels, const std::vector<std::uint32_t>& passes);

  /// Returns the number of stored pictures.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t count() const { return count_; }
  /// Returns the number of passes after which a picture is stored.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t passes(std::uint32_t picture) const {
    return passes_[picture];
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& open(std::uint64_t pixel,
                                                  std::uint32_t picture) const {
    return open_(pixel * count_ + picture);
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& hits(std::uint64_t pixel) const {
    return hits_(pixel);
  }

  /// Returns a shallow copy without pictures. A launch with this copy renders no pass.
  PictureMemory without_pictures() const {
    PictureMemory none = *this;
    none.count_ = 0;
    return none;
  }

  /// Copies the counts to the host and returns them.
  OcclusionCounts counts() const;
  std::uint64_t bytes() const { return 4 * (open_.extent(0) + hits_.extent(0)); }

 private:
  std::uint32_t count_ = 0;
  std::uint32_t passes_[max_pictures] = {};
  Kokkos::View<std::uint32_t*, Space> open_;
  Kokkos::View<std::uint32_t*, Space> hits_;
};

}  // namespace rivulet
