// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rivulet::io {

/// A mesh: vertices, and triangles of three vertex indices each.
struct MeshFile {
  using Vertex = std::array<float, 3>;
  using Triangle = std::array<std::uint32_t, 3>;

  std::vector<Vertex> vertices;
  std::vector<Triangle> triangles;
};

/// Reads the vertices and faces (lines v and f) of a Wavefront OBJ file (.obj). Local: root calls
/// this function and broadcasts the mesh. Convex polygons become fans of triangles. Throws Error
/// for other polygons, for missing or non-finite vertices, and for a file without triangles.
MeshFile read_mesh(const std::string& path);

[[noreturn]] void throw_bad_mesh(const std::string& path, const std::string& why,
                                 const std::string& what_to_do);

}  // namespace rivulet::io
