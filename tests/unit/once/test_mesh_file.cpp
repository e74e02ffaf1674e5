// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "io/inputs/mesh_file.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

MeshFile read(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  std::ofstream(folder / name, std::ios::binary) << text;
  return read_mesh(folder / name);
}

std::string failure(const std::string& name, const std::string& text) {
  return message_of([&] { read(name, text); });
}

void expect_square(const MeshFile& mesh) {
  EXPECT_THAT(mesh.vertices, ElementsAre(ElementsAre(0, 0, 0), ElementsAre(1, 0, 0.5F),
                                         ElementsAre(1, 1, 0), ElementsAre(0, 1, -2)));
  EXPECT_THAT(mesh.triangles, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(0, 2, 3)));
}

const std::string square_obj =
    "# a square\n\nmtllib x.mtl\no square\nv 0 0 0\nv 1 0 .5 1.0\nvn 0 0 1\nvt 0 0\n"
    "v +1 1e0 1e-50 # here\nv 0 1 -2\ns off\n";

TEST(MeshFile, ReadsObj) {
  expect_square(read("a.obj", square_obj + "f 1 2 3 4\n"));
  expect_square(read("a.OBJ", square_obj + "f 1/1/1 2//1 3/1 4"));
  expect_square(read("a.obj", square_obj + "f -4 -3 -2\r\nf 1 3 4\r\n"));
}

/// Reads a file with a single face. Returns the number of triangles as text, or the error message.
std::string face_of(const std::vector<std::array<double, 3>>& corners) {
  std::string text;
  std::string face = "f";
  for (std::size_t i = 0; i < corners.size(); ++i) {
    text += fmt::format("v {} {} {}\n", corners[i][0], corners[i][1], corners[i][2]);
    face += fmt::format(" {}", i + 1);
  }
  std::size_t triangles = 0;
  const std::string refusal =
      message_of([&] { triangles = read("a.obj", text + face + "\n").triangles.size(); });
  return triangles > 0 ? fmt::format("{} triangles", triangles) : refusal;
}

TEST(MeshFile, SaysWhatIsWrongWithAnObj) {
  EXPECT_THAT(failure("a.obj", ""), HasSubstr("(it is empty). Give a file with triangles."));
  EXPECT_THAT(failure("a.obj", square_obj), HasSubstr("(it has 4 vertices and no face)"));
  EXPECT_THAT(failure("a.obj", std::string("v 0 0\0", 6)), HasSubstr("(it is not text)"));
  EXPECT_THAT(failure("a.obj", "v 0 0\n"), HasSubstr("(line 1: '' is not a coordinate)"));
  EXPECT_THAT(failure("a.obj", "\nv 0 x 0\n"), HasSubstr("(line 2: 'x' is not a coordinate)"));
  EXPECT_THAT(failure("a.obj", "v 0 nan 0\n"),
              HasSubstr("(line 1: the vertex (0, nan, 0) is not finite)"));
  EXPECT_THAT(failure("a.obj", "v 0 inf 0\n"), HasSubstr("is not finite"));
  EXPECT_THAT(failure("a.obj", "v 0 1e99 0\n"),
              HasSubstr("(line 1: the vertex (0, inf, 0) is not finite)"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2\n"),
              HasSubstr("(line 12: a face has 2 vertices)"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2 0\n"),
              HasSubstr("'0' is not a vertex of a face"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2 5\n"),
              HasSubstr("(line 12: a face refers to vertex 5, and 4 precede it)"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2 -5/1\n"),
              HasSubstr("(line 12: a face refers to vertex -5, and 4 precede it)"));
}

TEST(MeshFile, ConvexFacesBecomeFans) {
  EXPECT_EQ(face_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), "2 triangles");
  EXPECT_EQ(face_of({{0, 1, 0}, {1, 1, 0}, {1, 0, 0}, {0, 0, 0}}), "2 triangles");
  // Reads faces that are nearly planar or far from planar.
  EXPECT_EQ(face_of({{0, 0, 0}, {1, 0, 0.01}, {1, 1, -0.01}, {0, 1, 0.01}}), "2 triangles");
  EXPECT_EQ(face_of({{0, 0, 0}, {1, 0, 0.5}, {1, 1, 0}, {0, 1, -2}}), "2 triangles");
  EXPECT_EQ(face_of({{3, 0, 0}, {3, 2, 0}, {3, 3, 1}, {3, 1, 3}, {3, -1, 1}}), "3 triangles");
  // Reads faces with corners that repeat or lie on a side, either exactly or before rounding.
  EXPECT_EQ(face_of({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}}),
            "4 triangles");
  EXPECT_EQ(face_of({{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), "3 triangles");
  EXPECT_EQ(face_of({{0, 0, 0}, {1, 0, 3}, {0.666667, 1, 2}, {0.333333, 1, 1}, {0.1, 0.3, 0.3}}),
            "3 triangles");
  EXPECT_EQ(face_of({{0, 0, 0}, {1, 0, 0}, {0.499995, 0.499995, 0}, {0, 1, 0}}), "2 triangles");
  // Reads faces that are 10000 times their size away from the origin. Single precision moves their
  // corners by 5e-4.
  EXPECT_EQ(
      face_of(
          {{10000, 10000, 7}, {10000.3, 10000.1001, 7}, {10000.6, 10000.2, 7}, {10000, 10001, 7}}),
      "2 triangles");
  EXPECT_EQ(
      face_of({{10000, 0, 0}, {10001.001, 0, 0}, {10001, 0, 0}, {10001, 1, 0}, {10000, 1, 0}}),
      "3 triangles");
  // Reads faces with zero area.
  EXPECT_EQ(face_of({{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {3, 0, 0}}), "2 triangles");
  EXPECT_EQ(face_of({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}), "2 triangles");
}

TEST(MeshFile, OtherFacesAreRefused) {
  const auto refused = [](std::size_t corners) {
    return testing::EndsWith(fmt::format(
        "(line {}: a face of {} corners is not convex: a fan of triangles would not cover it "
        "exactly). Split it into triangles; if it was convex before rounding, write more digits.",
        corners + 1, corners));
  };
  // Reads darts: an ordinary one, one that its fan covers exactly, a shallow one, and one that is
  // not quite planar.
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 0, 0}, {0.2, 0.2, 0}, {0, 1, 0}}), refused(4));
  EXPECT_THAT(face_of({{0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0.2, 0.2, 0}}), refused(4));
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 0, 0}, {0.4999, 0.4999, 0}, {0, 1, 0}}), refused(4));
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 0, 0.1}, {0.2, 0.2, 0}, {0, 1, 0.1}}), refused(4));
  // Reads bow ties. The first has unequal parts. The second and the third have equal parts; their
  // vector area is zero or lies in their plane. The last is narrow.
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 3, 0}}), refused(4));
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}), refused(4));
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 1, 1e-9}, {1, 0, 0}, {0, 1, 0}}), refused(4));
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 0.001, 0}, {1, 0, 0}, {0, 0.001, 0}}), refused(4));
  // Reads faces with exact corners far from the origin. The first has a notch of 26 units in the
  // last place. The second has a dent of depth 3, where the tolerance for rounding is about 2.
  EXPECT_THAT(face_of({{500000, 5000000, 100},
                       {500020, 5000000, 100},
                       {500020, 5000007, 100},
                       {500007, 5000007, 100},
                       {500007, 5000020, 100},
                       {500000, 5000020, 100}}),
              refused(6));
  EXPECT_THAT(face_of({{0, 8388508, 0},
                       {50, 8388511, 0},
                       {100, 8388508, 0},
                       {100, 8388607, 0},
                       {0, 8388607, 0}}),
              refused(5));
  // Reads a triangle that goes round three times. Its hull repeats a corner if products and sums
  // are fused.
  std::vector<std::array<double, 3>> rounds;
  for (int i = 0; i < 9; ++i) {
    const double angle = i * 2 * 3.14159265358979 * 6 / 9;
    rounds.push_back({std::cos(angle), std::sin(angle), 0});
  }
  EXPECT_THAT(face_of(rounds), refused(9));
  // Reads a face with two rounds. Each round covers a part of the rectangle.
  EXPECT_THAT(
      face_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {1, 0, 0}, {-1, 1, 0}, {-1, 0, 0}}),
      refused(7));
  // Reads stars with 5 and 8 corners. Each corner turns left. The second star is as large as its
  // hull.
  EXPECT_THAT(face_of({{10, 0, 5}, {-8, 6, 5}, {3, -9.5, 5}, {3, 9.5, 5}, {-8, -6, 5}}),
              refused(5));
  EXPECT_THAT(face_of({{1, 0, 0},
                       {-0.7, 0.7, 0},
                       {0, -1, 0},
                       {0.7, 0.7, 0},
                       {-1, 0, 0},
                       {0.7, -0.7, 0},
                       {0, 1, 0},
                       {-0.7, -0.7, 0}}),
              refused(8));
  // Reads a spike, and a square that goes round twice.
  EXPECT_THAT(face_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}),
              refused(6));
  EXPECT_THAT(
      face_of(
          {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}),
      refused(8));
}

TEST(MeshFile, RoundingKeepsFacesConvex) {
  std::mt19937_64 bits(1);
  const auto random = [&bits] { return std::uniform_real_distribution<double>(-1, 1)(bits); };
  for (int i = 0; i < 500; ++i) {
    std::vector<double> angles(static_cast<std::size_t>(4 + i % 30));
    std::ranges::generate(angles, [&] { return 3.14 * random(); });
    std::ranges::sort(angles);
    const double x = 100 * random();
    const double y = 100 * random();
    const double slope = random();
    const double width = i % 2 == 0 ? 1 : 0.02;
    std::vector<std::array<double, 3>> corners;
    for (const double angle : angles) {  // on an ellipse whose centre is in (-100, 100)^2
      const double up = width * std::sin(angle);
      corners.push_back({x + std::cos(angle), y + up, slope * up});
    }
    EXPECT_EQ(face_of(corners), fmt::format("{} triangles", angles.size() - 2));
  }
}

TEST(MeshFile, DentsOfManySmallCornersAreRefused) {
  std::vector<std::array<double, 3>> crescent;
  constexpr int half = 3000;
  for (int i = 0; i < half; ++i) {
    crescent.push_back({std::cos(i * 3.14159 / half), std::sin(i * 3.14159 / half), 0});
  }
  EXPECT_EQ(face_of(crescent), "2998 triangles");
  for (int i = half; i > 0; --i) {
    crescent.push_back({std::cos(i * 3.14159 / half), 0.9 * std::sin(i * 3.14159 / half), 0});
  }
  EXPECT_THAT(face_of(crescent), HasSubstr("a face of 6000 corners is not convex"));
}

TEST(MeshFile, PlyIsNoLongerRead) {
  EXPECT_THAT(failure("a b's.PLY", "ply\n"),
              testing::AllOf(HasSubstr("a b's.PLY' (PLY files are no longer read). Convert it to "
                                       "Wavefront OBJ with `assimp export '"),
                             HasSubstr("/a b'\\''s.PLY' '"),
                             testing::EndsWith("/a b'\\''s.obj'` or MeshLab.")));
}

TEST(MeshFile, SaysWhatIsNoFile) {
  EXPECT_THAT(failure("a.stl", "solid\n"), HasSubstr("(its name does not end in .obj)"));
  EXPECT_THAT(message_of([] { read_mesh("no/such.obj"); }), HasSubstr("(there is no such file)"));
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.obj");
  EXPECT_THAT(message_of([&] { read_mesh(folder / "a.obj"); }), HasSubstr("(it is a directory)"));
}

}  // namespace
}  // namespace rivulet::io
