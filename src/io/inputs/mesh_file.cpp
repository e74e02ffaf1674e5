// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/inputs/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <new>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>

#include "io/files/input_file.hpp"
#include "io/words/messages.hpp"
#include "io/words/scalar_text.hpp"
#include "rivulet/error.hpp"

// A Wavefront OBJ file has lines "v x y z ..." for vertices and "f a/.../... b c ..." for faces. A
// face refers to vertices by number: positive numbers count from 1, and negative ones count
// backwards from -1, the last vertex so far. The reader skips all other lines (normals, textures,
// groups, materials).

namespace rivulet::io {
namespace {

/// Maximum length of a file in bytes. It suffices for 2^32 vertices, the largest number allowed, of
/// 64 bytes each.
constexpr std::uint64_t max_mesh_bytes = std::uint64_t{1} << 38;
constexpr std::string_view obj_blanks = " \t\r";

Input input_of(const std::string& path) {
  return {path, "cannot read the scene '" + path + "'", "Name a file."};
}

/// Rounds to single precision; values beyond its range become infinite.
float to_coordinate(double value) {
  constexpr float max_float = std::numeric_limits<float>::max();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  if (value > double{max_float}) return infinite;
  return value < -double{max_float} ? -infinite : static_cast<float>(value);
}

using Point3 = std::array<double, 3>;
using Point2 = std::array<double, 2>;

Point3 minus(const Point3& a, const Point3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Point3& a) { return std::hypot(a[0], a[1], a[2]); }
Point3 unit(const Point3& a) {
  const double norm = length(a);
  return {a[0] / norm, a[1] / norm, a[2] / norm};
}

/// Returns twice the area of a triangle, positive if its corners are anticlockwise.
double area_twice(const Point2& a, const Point2& b, const Point2& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Returns the corners of the convex hull, anticlockwise, by the algorithm of A. M. Andrew, Inf.
/// Process. Lett. 9 (1979) 216.
std::vector<Point2> hull_of(std::vector<Point2> points) {
  std::ranges::sort(points);
  std::vector<Point2> hull;
  const auto add_chain = [&hull](const auto& sorted) {
    const std::size_t first = hull.size();
    for (const Point2& point : sorted) {
      while (hull.size() >= first + 2 && area_twice(*(hull.end() - 2), hull.back(), point) <= 0) {
        hull.pop_back();
      }
      hull.push_back(point);
    }
    hull.pop_back();  // the next chain begins there
  };
  add_chain(points);
  add_chain(std::views::reverse(points));
  return hull;
}

/// Returns twice the vector area of a polygon. The direction of the vector area is the polygon's
/// normal, even if the polygon is not quite planar.
Point3 vector_area_twice(std::span<const Point3> corners) {
  Point3 sum{};
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Point3 triangle_area =
        cross(minus(corners[i - 1], corners[0]), minus(corners[i], corners[0]));
    for (std::size_t k = 0; k < 3; ++k) sum[k] += triangle_area[k];
  }
  return sum;
}

/// Returns the corners projected along the normal.
std::vector<Point2> projected(std::span<const Point3> corners, const Point3& normal) {
  const auto smallest = std::ranges::min_element(normal, {}, [](double x) { return std::abs(x); });
  Point3 axis{};
  axis[static_cast<std::size_t>(smallest - normal.begin())] = 1;
  const Point3 right = unit(cross(axis, normal));
  const Point3 up = unit(cross(normal, right));
  std::vector<Point2> points;
  for (const Point3& corner : corners) {
    const Point3 offset = minus(corner, corners[0]);
    points.push_back({dot(offset, right), dot(offset, up)});
  }
  return points;
}

/// True if one walk along the hull passes all corners in order, within `tolerance` of each. The
/// walk advances no farther than each corner needs.
bool are_in_order(std::vector<Point2> corners, const std::vector<Point2>& hull, double tolerance) {
  std::ranges::rotate(corners, std::ranges::find(corners, hull[0]));
  std::size_t passed = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Point2& begin = hull[i];
    const Point2& end = hull[(i + 1) % hull.size()];
    const Point2 side{end[0] - begin[0], end[1] - begin[1]};
    const double side_length = std::hypot(side[0], side[1]);
    for (double walked = 0; passed < corners.size(); ++passed) {
      const auto& [x, y] = corners[passed];
      const double distance = area_twice(begin, end, corners[passed]) / side_length;
      const double projection = (side[0] * (x - begin[0]) + side[1] * (y - begin[1])) / side_length;
      const double reach = std::sqrt(std::max(0.0, tolerance * tolerance - distance * distance));
      walked = std::max(walked, projection - reach);
      const bool is_here =
          std::abs(distance) <= tolerance && walked <= std::min(side_length, projection + reach);
      if (!is_here) break;  // also for NaN, which a side of length 0 causes
    }
  }
  return passed == corners.size();
}

/// True if these corners, in this order, outline a convex polygon, which a fan of triangles covers.
/// Corners may repeat, lie on a side, or lie a little off the polygon's plane.
//
// Rounding to single precision moves each corner and the hull by less than one unit in the last
// place, so `tolerance` includes two units. The relative part allows for coordinates written with
// six digits.
bool is_convex(std::span<const Point3> corners) {
  double largest = 0;
  Point3 farthest{};
  for (const Point3& corner : corners) {
    for (const double x : corner) largest = std::max(largest, std::abs(x));
    const Point3 offset = minus(corner, corners[0]);
    if (length(offset) > length(farthest)) farthest = offset;
  }
  const double size = length(farthest);
  const double tolerance =
      1e-5 * size + 2 * double{std::numeric_limits<float>::epsilon()} * largest;

  // Collinear corners pass: their triangles cover nothing.
  if (std::ranges::all_of(corners, [&](const Point3& corner) {
        return length(cross(minus(corner, corners[0]), farthest)) <= tolerance * size;
      })) {
    return true;
  }
  const Point3 area = vector_area_twice(corners);
  if (length(area) <= tolerance * size) return false;  // such as a bow tie of two equal parts
  const std::vector<Point2> outline = projected(corners, unit(area));
  return are_in_order(outline, hull_of(outline), tolerance);
}

class ObjReader {
 public:
  explicit ObjReader(const std::string& path) : path_(path) {}

  void parse_line(std::string_view line) {
    ++line_number_;
    line = line.substr(0, line.find('#'));
    const std::string_view kind = next_word(line, obj_blanks);
    if (kind == "v") parse_vertex(line);
    if (kind == "f") parse_face(line);
  }
  MeshFile mesh() && { return std::move(mesh_); }

 private:
  [[noreturn]] void fail(const std::string& why, const std::string& what_to_do) const {
    throw_bad_mesh(path_, fmt::format("line {}: {}", line_number_, why), what_to_do);
  }

  void parse_vertex(std::string_view line) {
    MeshFile::Vertex vertex{};
    for (float& x : vertex) {
      const std::string_view word = next_word(line, obj_blanks);
      double value = 0;  // a value too small for a float rounds to 0
      if (!number_from(word, value)) {
        fail(fmt::format("'{}' is not a coordinate", word),
             "Repair the file: a vertex is three numbers.");
      }
      x = to_coordinate(value);
    }
    if (!std::ranges::all_of(vertex, [](float x) { return std::isfinite(x); })) {
      fail(fmt::format("the vertex ({}, {}, {}) is not finite", vertex[0], vertex[1], vertex[2]),
           "Repair the file: every coordinate is a number within single precision.");
    }
    mesh_.vertices.push_back(vertex);
  }

  void parse_face(std::string_view line) {
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    face_.clear();
    for (std::string_view word = next_word(line, obj_blanks); !word.empty();
         word = next_word(line, obj_blanks)) {
      std::int64_t vertex = 0;
      if (!number_from(word.substr(0, word.find('/')), vertex) || vertex == 0) {
        fail(fmt::format("'{}' is not a vertex of a face", word),
             "Repair the file: vertices are numbers from 1 on.");
      }
      vertex = vertex > 0 ? vertex - 1 : count + vertex;
      if (vertex < 0 || vertex >= count) {
        fail(fmt::format("a face refers to vertex {}, and {} precede it",
                         word.substr(0, word.find('/')), count),
             "Repair the file: a face refers to vertices above it.");
      }
      face_.push_back(static_cast<std::uint32_t>(vertex));
    }
    add_face();
  }

  void add_face() {
    if (face_.size() < 3) {
      fail(fmt::format("a face has {} vertices", face_.size()),
           "Repair the file: a face has three vertices or more.");
    }
    if (mesh_.vertices.size() > 0xffffffffu) {
      throw_bad_mesh(
          path_,
          fmt::format("it has {} vertices, more than 32 bits can count", mesh_.vertices.size()),
          "Split the scene into smaller files.");
    }
    if (face_.size() > 3) require_convex();
    for (std::size_t i = 2; i < face_.size(); ++i) {
      mesh_.triangles.push_back({face_[0], face_[i - 1], face_[i]});
    }
  }

  void require_convex() {
    corners_.clear();
    for (const std::uint32_t vertex : face_) {
      const auto& [x, y, z] = mesh_.vertices[vertex];
      corners_.push_back({double{x}, double{y}, double{z}});
    }
    if (is_convex(corners_)) return;
    fail(fmt::format(
             "a face of {} corners is not convex: a fan of triangles would not cover it exactly",
             face_.size()),
         "Split it into triangles; if it was convex before rounding, write more digits.");
  }

  const std::string& path_;
  std::uint64_t line_number_ = 0;
  std::vector<std::uint32_t> face_;
  std::vector<Point3> corners_;
  MeshFile mesh_;
};

MeshFile mesh_of(const std::string& path) {
  const std::string text = read_input(input_of(path), max_mesh_bytes);
  if (text.empty()) throw_bad_mesh(path, "it is empty", "Give a file with triangles.");
  if (text.find('\0') != std::string::npos) {
    throw_bad_mesh(path, "it is not text", "Give a Wavefront OBJ file.");
  }
  ObjReader reader(path);
  for (std::string_view remaining = text; !remaining.empty();) {
    const std::size_t end = std::min(remaining.find('\n'), remaining.size());
    reader.parse_line(remaining.substr(0, end));
    remaining.remove_prefix(std::min(end + 1, remaining.size()));
  }
  return std::move(reader).mesh();
}

}  // namespace

void throw_bad_mesh(const std::string& path, const std::string& why,
                    const std::string& what_to_do) {
  throw Error(input_of(path).problem, printable_line(why), what_to_do);
}

MeshFile read_mesh(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".ply") {
    throw_bad_mesh(
        path, "PLY files are no longer read",
        fmt::format("Convert it to Wavefront OBJ with `assimp export {} {}` or MeshLab.",
                    shell_quoted(path),
                    shell_quoted(std::filesystem::path(path).replace_extension(".obj").string())));
  }
  if (ending != ".obj") {
    throw_bad_mesh(path, "its name does not end in .obj", "Give a Wavefront OBJ file.");
  }
  MeshFile mesh;
  try {
    mesh = mesh_of(path);
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
