// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/occlusion/mesh.hpp"

#include "machine/device_bytes.hpp"

namespace rivulet {

Mesh::Mesh(const Bvh& bvh)
    : nodes_(to_device("rivulet::bvh_nodes", bvh.nodes)),
      triangles_(to_device("rivulet::triangles", bvh.triangles)) {}

}  // namespace rivulet
