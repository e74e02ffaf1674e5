// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <string_view>

#include "io/inputs/mesh_file.hpp"

// Wavefront OBJ: lines "v x y z ..." and "f a/.../... b c ...", whose vertices count from 1, or
// backwards from the last one, -1, so far. Everything else (normals, textures, groups, materials)
// is passed over.

namespace rivulet::io {
namespace {

constexpr std::string_view obj_blanks = " \t\r";

class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : path_(path) {}

  void take(std::string_view line) {
    ++number_;
    line = line.substr(0, line.find('#'));
    const std::string_view kind = next_word(line, obj_blanks);
    if (kind == "v") take_vertex(line);
    if (kind == "f") take_face(line);
  }
  MeshFile mesh() && { return std::move(mesh_); }

 private:
  std::string where() const { return fmt::format("line {}", number_); }

  void take_vertex(std::string_view line) {
    MeshFile::Vertex vertex{};
    for (float& x : vertex) {
      const std::string_view word = next_word(line, obj_blanks);
      double value = 0;  // what is too small for a float is 0
      if (!number_from(word, value)) {
        throw_bad_mesh(path_, fmt::format("{}: '{}' is not a coordinate", where(), word),
                       "Repair the file: a vertex is three numbers.");
      }
      x = to_coordinate(value);
    }
    require_finite(path_, where(), vertex);
    mesh_.vertices.push_back(vertex);
  }

  void take_face(std::string_view line) {
    polygon_.clear();
    for (std::string_view word = next_word(line, obj_blanks); !word.empty();
         word = next_word(line, obj_blanks)) {
      std::int64_t vertex = 0;
      if (!number_from(word.substr(0, word.find('/')), vertex) || vertex == 0) {
        throw_bad_mesh(path_, fmt::format("{}: '{}' is not a vertex of a face", where(), word),
                       "Repair the file: vertices are numbers from 1 on.");
      }
      const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
      polygon_.push_back(vertex > 0 ? vertex - 1 : count + vertex);
    }
    add_polygon(path_, where(), polygon_, mesh_.vertices.size(), mesh_);
  }

  const std::string& path_;
  std::uint64_t number_ = 0;
  std::vector<std::int64_t> polygon_;
  MeshFile mesh_;
};

}  // namespace

MeshFile read_obj(const std::string& path, const std::string& text) {
  if (text.find('\0') != std::string::npos) {
    throw_bad_mesh(path, "it is not a text", "Give a Wavefront OBJ file.");
  }
  ObjReader reader(path);
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reader.take(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::move(reader).mesh();
}

}  // namespace rivulet::io
