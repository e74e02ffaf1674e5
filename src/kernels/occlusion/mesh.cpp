// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/occlusion/mesh.hpp"

#include "machine/device_bytes.hpp"

namespace rivulet {
namespace {

template <class T>
Kokkos::View<const T*, Space> on_device(const std::string& label, const std::vector<T>& host) {
  const Kokkos::View<T*, Space> device(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                       host.size());
  copy_to_device(device.data(), host.data(), host.size() * sizeof(T));
  return device;
}

}  // namespace

Mesh::Mesh(const Bvh& bvh)
    : nodes_(on_device("rivulet::bvh_nodes", bvh.nodes)),
      triangles_(on_device("rivulet::triangles", bvh.triangles)) {}

}  // namespace rivulet
