// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <string>

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

std::string ply_header(const std::string& format) {
  return "ply\nformat " + format +
         " 1.0\ncomment of a test\nelement vertex 4\nproperty float x\nproperty float y\n"
         "property uchar red\nproperty double z\nelement other 1\nproperty list uchar short a\n"
         "element face 2\nproperty list uchar int vertex_indices\nproperty char flag\n"
         "end_header\n";
}

class Bytes {
 public:
  explicit Bytes(std::endian order) : order_(order) {}
  template <class T>
  Bytes& add(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    std::string one(bytes, sizeof value);
    if (order_ != std::endian::native) one = {one.rbegin(), one.rend()};
    all_ += one;
    return *this;
  }
  Bytes& vertex(float x, float y, double z) { return add(x).add(y).add(std::uint8_t{9}).add(z); }
  Bytes& face(std::int32_t a, std::int32_t b, std::int32_t c) {
    return add(std::uint8_t{3}).add(a).add(b).add(c).add(std::int8_t{-1});
  }
  const std::string& all() const { return all_; }

 private:
  std::endian order_;
  std::string all_;
};

std::string square_ply(std::endian order) {
  Bytes bytes(order);
  bytes.vertex(0, 0, 0).vertex(1, 0, 0.5).vertex(1, 1, 0).vertex(0, 1, -2);
  bytes.add(std::uint8_t{2}).add(std::int16_t{-5}).add(std::int16_t{6});
  bytes.face(0, 1, 2).face(0, 2, 3);
  return bytes.all();
}

TEST(MeshFile, ReadsPly) {
  expect_square(read("a.ply", ply_header("ascii") +
                                  "0 0 9 0\n1 0 9 .5\n1 1 9 0\n0 1 9 -2\n2 -5 6\n3 0 1 2 -1\n"
                                  "3 0 2 3 -1\n"));
  expect_square(
      read("a.ply", ply_header("binary_little_endian") + square_ply(std::endian::little)));
  expect_square(read("a.ply", ply_header("binary_big_endian") + square_ply(std::endian::big)));
}

TEST(MeshFile, SaysWhatIsWrongWithAnObj) {
  EXPECT_THAT(failure("a.obj", ""), HasSubstr("(it is empty). Give a file with triangles."));
  EXPECT_THAT(failure("a.obj", square_obj), HasSubstr("(it has 4 vertices and no face)"));
  EXPECT_THAT(failure("a.obj", std::string("v 0 0\0", 6)), HasSubstr("(it is not a text)"));
  EXPECT_THAT(failure("a.obj", "v 0 0\n"), HasSubstr("(line 1: '' is not a coordinate)"));
  EXPECT_THAT(failure("a.obj", "\nv 0 x 0\n"), HasSubstr("(line 2: 'x' is not a coordinate)"));
  EXPECT_THAT(failure("a.obj", "v 0 nan 0\n"),
              HasSubstr("(line 1: the vertex (0, nan, 0) is not finite)"));
  EXPECT_THAT(failure("a.obj", "v 0 inf 0\n"), HasSubstr("is not finite"));
  EXPECT_THAT(failure("a.obj", "v 0 1e99 0\n"),
              HasSubstr("(line 1: the vertex (0, inf, 0) is not finite)"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2\n"),
              HasSubstr("(line 12: a face of 2 vertices)"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2 0\n"),
              HasSubstr("'0' is not a vertex of a face"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2 5\n"),
              HasSubstr("(line 12: a face with vertex 4, counted from 0, of 4)"));
  EXPECT_THAT(failure("a.obj", square_obj + "f 1 2 -5\n"), HasSubstr("a face with vertex -1"));
}

TEST(MeshFile, SaysWhatIsWrongWithAPly) {
  const std::string ascii = ply_header("ascii");
  const std::string vertices = "0 0 9 0\n1 0 9 .5\n1 1 9 0\n0 1 9 -2\n2 -5 6\n";
  EXPECT_THAT(failure("a.ply", ""), HasSubstr("(it is empty)"));
  EXPECT_THAT(failure("a.ply", "solid\n"), HasSubstr("(it does not begin with 'ply')"));
  EXPECT_THAT(failure("a.ply", "ply\nformat ascii 1.0\n"), HasSubstr("(its header has no end)"));
  EXPECT_THAT(failure("a.ply", "ply\nend_header\n"), HasSubstr("(its header names no format)"));
  EXPECT_THAT(failure("a.ply", "ply\nformat odd 1.0\nend_header\n"),
              HasSubstr("(its header has the line 'format odd 1.0')"));
  EXPECT_THAT(failure("a.ply", "ply\nformat ascii 1.0\nend_header\n"),
              HasSubstr("(its header has no element 'vertex')"));
  EXPECT_THAT(failure("a.ply",
                      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                      "element face 0\nend_header\n"),
              HasSubstr("(its vertices have no 'y')"));
  EXPECT_THAT(failure("a.ply", ascii + vertices), HasSubstr("(it ends at face 0)"));
  EXPECT_THAT(failure("a.ply", ascii + "0 0 9 nan\n"),
              HasSubstr("(vertex 0: the vertex (0, 0, nan) is not finite)"));
  EXPECT_THAT(failure("a.ply", ascii + "0 0 9.5 0\n"),
              HasSubstr("(vertex 0: '9.5' is not of type uchar)"));
  EXPECT_THAT(failure("a.ply", ascii + vertices + "3 0 1 4 -1\n"),
              HasSubstr("(face 0: a face with vertex 4, counted from 0, of 4)"));
  EXPECT_THAT(failure("a.ply", ascii + vertices + "3 0 1 2 -1\n2 0 1 -1\n"),
              HasSubstr("(face 1: a face of 2 vertices)"));
  EXPECT_THAT(failure("a.ply", "ply\nformat ascii 1.0\nelement face 1\nelement face 1\n"),
              HasSubstr("(its header has two elements 'face')"));
  EXPECT_THAT(failure("a.ply", ascii + vertices + "3 0 1 2 -1\n3 0 2 3 -1\n3 0 1 3 -1\n"),
              HasSubstr("(it goes on behind the elements that its header counts)"));
  for (const auto* one : {"0 0 256 0", "0 0 -1 0"}) {
    EXPECT_THAT(failure("a.ply", ascii + one), HasSubstr("is not of type uchar)"));
  }
  EXPECT_THAT(failure("a.ply", ascii + vertices + "3 0 1 2 128\n"),
              HasSubstr("(face 0: '128' is not of type char)"));
  EXPECT_THAT(failure("a.ply", "ply\nformat ascii 2.0\n"),
              HasSubstr("(its header has the line 'format ascii 2.0')"));
  EXPECT_THAT(failure("a.ply", "ply\nelement vertex 1\nproperty float x\nproperty int x\n"),
              HasSubstr("(its header has two properties 'x' of 'vertex')"));
  const std::string binary = ply_header("binary_little_endian");
  EXPECT_THAT(failure("a.ply", binary + square_ply(std::endian::little) + "\n"),
              HasSubstr("(it goes on behind the elements"));
  const std::string square = square_ply(std::endian::little);
  EXPECT_THAT(failure("a.ply", binary + square.substr(0, square.size() - 1)),
              HasSubstr("(it ends at face 1)"));
  Bytes no_number(std::endian::little);
  no_number.vertex(0, std::numeric_limits<float>::quiet_NaN(), 0);
  EXPECT_THAT(failure("a.ply", binary + no_number.all()), HasSubstr("is not finite"));
}

TEST(MeshFile, ReadsPlyWhoseFacesComeFirst) {
  expect_square(read("a.ply",
                     "ply\nformat ascii 1.0\nelement face 2\nproperty list uchar int vertex_index\n"
                     "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
                     "end_header\n3 0 1 2\n3 0 2 3\n0 0 0\n1 0 .5\n1 1 0\n0 1 -2\n"));
}

TEST(MeshFile, SaysWhatIsNoFile) {
  EXPECT_THAT(failure("a.stl", "solid\n"), HasSubstr("(its name does not end in .obj or .ply)"));
  EXPECT_THAT(message_of([] { read_mesh("no/such.obj"); }), HasSubstr("(there is no such file)"));
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.obj");
  EXPECT_THAT(message_of([&] { read_mesh(folder / "a.obj"); }), HasSubstr("(it is a directory)"));
}

}  // namespace
}  // namespace rivulet::io
