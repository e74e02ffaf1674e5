// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
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
/// The next word of a text, which it takes off; "" at the end.
inline std::string_view next_word(std::string_view& text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text.remove_prefix(word.size());
  return word;
}
/// False for what is not a number of type T alone.
template <class T>
bool number_from(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}
/// Nearest in single precision; what is too large is infinite.
float to_coordinate(double value);
void require_finite(const std::string& path, const std::string& where,
                    const MeshFile::Vertex& vertex);
/// Adds a polygon to a mesh that has, or will have, `vertices` vertices.
void add_polygon(const std::string& path, const std::string& where,
                 const std::vector<std::int64_t>& polygon, std::uint64_t vertices, MeshFile& mesh);

}  // namespace rivulet::io
