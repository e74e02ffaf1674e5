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

}  // namespace

OcclusionCounts PictureMemory::counts() const { return {on_host(open_), on_host(hits_)}; }

}  // namespace rivulet
