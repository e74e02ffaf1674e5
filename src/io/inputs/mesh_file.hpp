// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rivulet::io {

/// Triangles of a file: vertices, and of each triangle the numbers of its three.
struct MeshFile {
  using Vertex = std::array<float, 3>;
  using Triangle = std::array<std::uint32_t, 3>;

  std::vector<Vertex> vertices;
  std::vector<Triangle> triangles;
};

/// A Wavefront OBJ file (.obj; its lines v and f), read by one process: root reads, and broadcasts.
/// Convex polygons become fans of triangles. Throws Error for other polygons, and for whatever is
/// not one triangle or more of finite vertices that exist.
MeshFile read_mesh(const std::string& path);

[[noreturn]] void throw_bad_mesh(const std::string& path, const std::string& why,
                                 const std::string& what_to_do);

}  // namespace rivulet::io
