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

/// A file whose name ends in .obj (Wavefront; its lines v and f, of polygons too) or .ply (ascii
/// and binary, little-endian and big-endian), read by one process: root reads, and broadcasts.
/// Polygons become fans of triangles. Throws Error for whatever is not one triangle or more of
/// finite vertices that exist.
MeshFile read_mesh(const std::string& path);

/// The readers of the two, of a file's text.
MeshFile read_obj(const std::string& path, const std::string& text);
MeshFile read_ply(const std::string& path, const std::string& text);

/// The Error for a file that cannot be used, and the checks that both readers need. A polygon's
/// vertices count from 0; `where` says which it is: "line 7", "face 3".
[[noreturn]] void throw_bad_mesh(const std::string& path, const std::string& why,
                                 const std::string& what_to_do);
/// Nearest in single precision; what is too large is infinite.
float to_coordinate(double value);
void require_finite(const std::string& path, const std::string& where,
                    const MeshFile::Vertex& vertex);
/// Adds a polygon to a mesh that has, or will have, `vertices` vertices.
void add_polygon(const std::string& path, const std::string& where,
                 const std::vector<std::int64_t>& polygon, std::uint64_t vertices, MeshFile& mesh);

}  // namespace rivulet::io
