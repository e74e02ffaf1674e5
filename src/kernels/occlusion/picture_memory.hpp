// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/occlusion/occlusion_renderer.hpp"
#include "machine/device_bytes.hpp"

namespace rivulet {

/// Ray counts (PixelCounts) of a rank's pixels, in memory that kernels can access.
class PictureMemory {
 public:
  static constexpr std::uint32_t max_pictures = 16;

  PictureMemory() = default;
  /// Fills the memory with zeros, because kernels do not write every element that counts() copies.
  PictureMemory(std::uint64_t pixels, const std::vector<std::uint32_t>& passes)
      : count_(static_cast<std::uint32_t>(passes.size())),
        open_(zeros("rivulet::open_rays", pixels * passes.size())),
        hits_(zeros("rivulet::camera_hits", pixels)) {
    std::copy(passes.begin(), passes.end(), passes_);
  }

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
  OcclusionCounts counts() const { return {to_host(open_), to_host(hits_)}; }
  std::uint64_t bytes() const { return 4 * (open_.extent(0) + hits_.extent(0)); }

 private:
  using Counts = Kokkos::View<std::uint32_t*, Space>;

  static Counts zeros(const std::string& label, std::size_t count) {
    const Counts counts(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
    fill_with_zeros(counts.data(), count * sizeof(std::uint32_t));
    return counts;
  }

  std::uint32_t count_ = 0;
  std::uint32_t passes_[max_pictures] = {};
  Counts open_;
  Counts hits_;
};

}  // namespace rivulet
