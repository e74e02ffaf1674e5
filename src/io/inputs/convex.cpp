// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/inputs/convex.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <ranges>
#include <vector>

namespace rivulet::io {
namespace {

using Point2 = std::array<double, 2>;

Point3 minus(const Point3& a, const Point3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double length(const Point3& a) { return std::hypot(a[0], a[1], a[2]); }
Point3 unit(const Point3& a) {
  const double one = length(a);
  return {a[0] / one, a[1] / one, a[2] / one};
}

/// Twice the area of a triangle, positive if its corners are anticlockwise.
double area_twice(const Point2& a, const Point2& b, const Point2& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The corners of the convex hull, anticlockwise: A. M. Andrew, Inf. Process. Lett. 9 (1979) 216.
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

double perimeter(const std::vector<Point2>& outline) {
  double sum = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point2& a = outline[i];
    const Point2& b = outline[(i + 1) % outline.size()];
    sum += std::hypot(b[0] - a[0], b[1] - a[1]);
  }
  return sum;
}

double area_twice(const std::vector<Point2>& outline) {
  double sum = 0;
  for (std::size_t i = 2; i < outline.size(); ++i) {
    sum += area_twice(outline[0], outline[i - 1], outline[i]);
  }
  return sum;
}

/// Twice the vector area: its direction is the polygon's normal, also if it is not quite planar.
Point3 vector_area_twice(std::span<const Point3> corners) {
  Point3 sum{};
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Point3 one = cross(minus(corners[i - 1], corners[0]), minus(corners[i], corners[0]));
    for (std::size_t k = 0; k < 3; ++k) sum[k] += one[k];
  }
  return sum;
}

/// The corners as seen along the normal.
std::vector<Point2> projected(std::span<const Point3> corners, const Point3& normal) {
  const auto least = std::ranges::min_element(normal, {}, [](double x) { return std::abs(x); });
  Point3 axis{};
  axis[static_cast<std::size_t>(least - normal.begin())] = 1;
  const Point3 right = unit(cross(axis, normal));
  const Point3 up = unit(cross(normal, right));
  std::vector<Point2> all;
  for (const Point3& one : corners) {
    const Point3 from_first = minus(one, corners[0]);
    all.push_back({dot(from_first, right), dot(from_first, up)});
  }
  return all;
}

}  // namespace

// A closed polygon is convex if and only if it is as long as the boundary of its convex hull. A
// shallow dent hardly lengthens it: so its area is compared with the hull's, too. Both are those of
// the projection along the vector area. Rounded coordinates must not decide: `blur` allows for text
// of six digits, and for single precision far from the origin.
bool is_convex(std::span<const Point3> corners) {
  double largest = 0;
  Point3 far{};
  for (const Point3& one : corners) {
    for (const double x : one) largest = std::max(largest, std::abs(x));
    const Point3 from_first = minus(one, corners[0]);
    if (length(from_first) > length(far)) far = from_first;
  }
  const double size = length(far);
  const double blur = 1e-5 * size + 4 * double{std::numeric_limits<float>::epsilon()} * largest;

  // Triangles of corners on one line cover nothing.
  if (std::ranges::all_of(corners, [&](const Point3& one) {
        return length(cross(minus(one, corners[0]), far)) <= blur * size;
      })) {
    return true;
  }
  const Point3 area = vector_area_twice(corners);
  if (length(area) <= blur * size) return false;  // such as a bow tie of two equal parts
  const std::vector<Point2> outline = projected(corners, unit(area));
  const std::vector<Point2> hull = hull_of(outline);
  const double around = perimeter(hull);
  return perimeter(outline) <= 1.0001 * around + 4 * blur &&
         area_twice(hull) - length(area) <= blur * around;
}

}  // namespace rivulet::io
