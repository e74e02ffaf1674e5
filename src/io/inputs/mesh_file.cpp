// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/inputs/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "io/inputs/input_file.hpp"
#include "io/terminal/messages.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

/// 2^32 vertices, which is how many there may be, of 64 bytes each.
constexpr std::uint64_t longest_mesh = std::uint64_t{1} << 38;

Input input_of(const std::string& path) {
  return {path, "cannot read the scene '" + path + "'", "Name a file."};
}

MeshFile mesh_of(const std::string& path, bool is_obj) {
  const std::string text = read_input(input_of(path), longest_mesh);
  if (text.empty()) throw_bad_mesh(path, "it is empty", "Give a file with triangles.");
  return is_obj ? read_obj(path, text) : read_ply(path, text);
}

}  // namespace

void throw_bad_mesh(const std::string& path, const std::string& why,
                    const std::string& what_to_do) {
  throw Error(input_of(path).problem, line_of(why), what_to_do);
}

float to_coordinate(double value) {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  if (value > double{most}) return infinite;
  return value < -double{most} ? -infinite : static_cast<float>(value);
}

void require_finite(const std::string& path, const std::string& where,
                    const MeshFile::Vertex& vertex) {
  const bool finite = std::ranges::all_of(vertex, [](float x) { return std::isfinite(x); });
  if (finite) return;
  throw_bad_mesh(path,
                 fmt::format("{}: the vertex ({}, {}, {}) is not finite", where, vertex[0],
                             vertex[1], vertex[2]),
                 "Repair the file: every coordinate is a number within single precision.");
}

void add_polygon(const std::string& path, const std::string& where,
                 const std::vector<std::int64_t>& polygon, std::uint64_t vertices, MeshFile& mesh) {
  if (polygon.size() < 3) {
    throw_bad_mesh(path, fmt::format("{}: a face of {} vertices", where, polygon.size()),
                   "Repair the file: a face has three or more.");
  }
  if (vertices > 0xffffffffu) {
    throw_bad_mesh(path, fmt::format("it has {} vertices, which are counted in 32 bits", vertices),
                   "Cut the scene into smaller files.");
  }
  const auto count = static_cast<std::int64_t>(vertices);
  for (const std::int64_t vertex : polygon) {
    if (vertex >= 0 && vertex < count) continue;
    throw_bad_mesh(
        path, fmt::format("{}: a face with vertex {}, counted from 0, of {}", where, vertex, count),
        "Repair the file: faces are of vertices that it has.");
  }
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    mesh.triangles.push_back({static_cast<std::uint32_t>(polygon[0]),
                              static_cast<std::uint32_t>(polygon[i - 1]),
                              static_cast<std::uint32_t>(polygon[i])});
  }
}

MeshFile read_mesh(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending != ".obj" && ending != ".ply") {
    throw_bad_mesh(path, "its name does not end in .obj or .ply",
                   "Give a Wavefront OBJ or a PLY file.");
  }
  MeshFile mesh;
  try {
    mesh = mesh_of(path, ending == ".obj");
  } catch (const std::bad_alloc&) {
    throw_no_memory(input_of(path));
  }
  if (mesh.triangles.empty()) {
    throw_bad_mesh(path, fmt::format("it has {} vertices and no face", mesh.vertices.size()),
                   "Give a file with triangles.");
  }
  return mesh;
}

}  // namespace rivulet::io
