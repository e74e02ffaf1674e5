// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/occlusion/picture_memory.hpp"

#include "machine/device_bytes.hpp"

namespace rivulet {
namespace {

std::vector<std::uint32_t> on_host(const Kokkos::View<std::uint32_t*, Space>& device) {
  std::vector<std::uint32_t> host(device.extent(0));
  copy_to_host(host.data(), device.data(), host.size() * sizeof(std::uint32_t));
  return host;
}

Kokkos::View<std::uint32_t*, Space> zeros(const std::string& label, std::size_t count) {
  const Kokkos::View<std::uint32_t*, Space> view(
      Kokkos::view_alloc(label, Kokkos::WithoutInitializing), count);
  fill_with_zeros(view.data(), count * sizeof(std::uint32_t));
  return view;
}

}  // namespace

PictureMemory::PictureMemory(std::uint64_t pixels, const std::vector<std::uint32_t>& passes)
    : count_(static_cast<std::uint32_t>(passes.size())),
      open_(zeros("rivulet::open_rays", pixels * passes.size())),
      hits_(zeros("rivulet::camera_hits", pixels)) {
  for (std::uint32_t k = 0; k < count_; ++k) passes_[k] = passes[k];
}

OcclusionCounts PictureMemory::counts() const { return {on_host(open_), on_host(hits_)}; }

}  // namespace rivulet
