// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/occlusion/triangle.hpp"

namespace rivulet {

/// A node of a bounding volume hierarchy, in 32 bytes. Nodes lie in depth-first order,
/// the first child first: a ray that hits the box continues with the next node; otherwise it skips
/// the subtree, to node `skip`.
struct BvhNode {
  static constexpr std::uint32_t count_bits = 4;
  static constexpr std::uint32_t most_triangles = (1u << count_bits) - 1;

  Vector3 low;
  std::uint32_t skip = 0;
  Vector3 high;
  std::uint32_t leaf = 0;  ///< of a leaf: first triangle * 2^count_bits + triangles; else 0

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t first() const { return leaf >> count_bits; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t count() const { return leaf & most_triangles; }
};

/// Triangles in the order of the leaves that hold them.
struct Bvh {
  std::vector<BvhNode> nodes;
  std::vector<Triangle> triangles;
};

/// The largest number of triangles whose indices fit in a leaf.
inline constexpr std::uint64_t most_triangles = (std::uint64_t{1} << 28) - 1;

/// Builds the hierarchy by the surface area heuristic over bins (I. Wald, IEEE Symposium on
/// Interactive Ray Tracing, 2007). The result is the same on every machine. 1 .. most_triangles
/// triangles, of finite corners.
Bvh make_bvh(const std::vector<Corners>& triangles);

}  // namespace rivulet
