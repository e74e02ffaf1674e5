// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "io/inputs/weights_file.hpp"
#include "io/results/hdf5_support.hpp"
#include "io_test_support.hpp"
#include "rivulet/error.hpp"

namespace rivulet::io {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class WeightsFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  /// Writes a dataset of elements 0, 1, 2, ... of any type. Without extents, it is a scalar.
  void dataset(const std::string& name, const std::vector<hsize_t>& extents, hid_t type) const {
    const Handle file(std::filesystem::exists(path("a.h5"))
                          ? H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                          : H5Fcreate(path("a.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT),
                      H5Fclose);
    const Handle space(extents.empty() ? H5Screate(H5S_SCALAR)
                                       : H5Screate_simple(static_cast<int>(extents.size()),
                                                          extents.data(), nullptr),
                       H5Sclose);
    const Handle set(H5Dcreate2(file.get(), name.c_str(), type, space.get(), H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
    const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get()));
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i);
    if (count > 0 && H5Tget_class(type) != H5T_STRING) {
      ASSERT_GE(
          H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
  }
  /// Writes the attribute `unit` of a dataset.
  void unit(const std::string& name, const Handle& type, const std::vector<hsize_t>& extents,
            const void* data) const {
    const Handle file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Handle set(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                       H5Sclose);
    const Handle attribute(
        H5Acreate2(set.get(), "unit", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    ASSERT_GE(H5Awrite(attribute.get(), type.get(), data), 0);
  }
  std::string refusal(const std::string& file, const std::string& name = "weights") const {
    return message_of([&] { open_weights(file, name); });
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(WeightsFiles, AnyNumbersOfAnyRankComeAsDoubles) {
  // HDF5's types are comma expressions, which nvcc's front end loses in initializer lists.
  const auto of = [](std::string name, hid_t type) { return std::pair(std::move(name), type); };
  for (const auto& [name, type] :
       {of("i8", H5T_STD_I8LE), of("u64", H5T_STD_U64BE), of("f32", H5T_IEEE_F32BE),
        of("f64", H5T_IEEE_F64LE), of("long", H5T_NATIVE_LDOUBLE)}) {
    dataset(name, {4, 3, 2}, type);
    const auto file = open_weights(path("a.h5"), name);
    EXPECT_THAT(file->extents(), ElementsAre(4, 3, 2));
    std::vector<double> rows(12);
    file->read(1, 2, rows.data());
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i], 6.0 + static_cast<double>(i));
  }
}

TEST_F(WeightsFiles, AxesAreDatasetsOfTheSameFile) {
  dataset("weights", {3}, H5T_NATIVE_INT);
  dataset("x", {4}, H5T_NATIVE_FLOAT);
  dataset("plane", {2, 2}, H5T_NATIVE_FLOAT);
  const auto file = open_weights(path("a.h5"), "weights");
  EXPECT_THAT(file->axis("x"), ElementsAre(0, 1, 2, 3));
  EXPECT_THROW(file->axis("plane"), Error);
  EXPECT_THROW(file->axis("y"), Error);
}

TEST_F(WeightsFiles, AxesMayHaveUnits) {
  for (const char* name : {"weights", "variable", "fixed", "padded", "number", "list", "none"}) {
    dataset(name, {3}, H5T_NATIVE_INT);
  }
  const std::vector<const char*> texts{"MeV", "cm"};
  unit("variable", text_type(), {1}, texts.data());
  unit("fixed", text_type(3), {1}, texts[0]);
  unit("padded", text_type(8), {1}, "m\0\0\0\0\0\0\0");
  const int number = 5;
  unit("number", Handle(H5Tcopy(H5T_NATIVE_INT), H5Tclose), {1}, &number);
  unit("list", text_type(), {2}, texts.data());
  const auto file = open_weights(path("a.h5"), "weights");
  EXPECT_EQ(file->unit("variable"), "MeV");
  EXPECT_EQ(file->unit("fixed"), "MeV");
  EXPECT_EQ(file->unit("padded"), "m");
  for (const char* name : {"number", "list", "none"}) EXPECT_EQ(file->unit(name), "") << name;
}

TEST_F(WeightsFiles, EmptyExtentsAreTold) {
  dataset("none", {3, 0}, H5T_NATIVE_INT);
  const auto file = open_weights(path("a.h5"), "none");
  EXPECT_THAT(file->extents(), ElementsAre(3, 0));
  file->read(0, 3, nullptr);
}

TEST_F(WeightsFiles, WhatCannotBeReadSaysWhy) {
  EXPECT_THAT(refusal(path("no.h5")), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal(path("")), HasSubstr("it is a directory"));
  std::ofstream(path("text.h5")) << "not HDF5";
  EXPECT_THAT(refusal(path("text.h5")),
              AllOf(HasSubstr("HDF5 says: "), HasSubstr("Give an HDF5 file (docs/alias.md")));
  dataset("one", {}, H5T_NATIVE_INT);
  dataset("word", {2}, text_type(4).get());
  EXPECT_THAT(refusal(path("a.h5"), "one"), HasSubstr("it has no dimension"));
  EXPECT_THAT(refusal(path("a.h5"), "word"), HasSubstr("its elements are not numbers"));
  EXPECT_THAT(refusal(path("a.h5"), "/"), HasSubstr("it is not a dataset"));
  EXPECT_THAT(refusal(path("a.h5"), "two"), HasSubstr("it holds one, word"));
  EXPECT_THAT(refusal(path("a.h5"), "one/two"), HasSubstr("there is no such dataset"));
  EXPECT_THAT(refusal(path("a.h5"), ""), HasSubstr("there is no such dataset"));
}

/// HDF5 reads zeros if the file of an external dataset is missing.
TEST_F(WeightsFiles, DataElsewhereAreRefused) {
  {
    const Handle file(H5Fcreate(path("a.h5").c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT),
                      H5Fclose);
    const hsize_t extent = 4;
    const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(properties.get(), "gone", 0, 32);
    const Handle made(H5Dcreate2(file.get(), "w", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT,
                                 properties.get(), H5P_DEFAULT),
                      H5Dclose);
    ASSERT_TRUE(made.valid());
  }
  EXPECT_THAT(refusal(path("a.h5"), "w"),
              HasSubstr("its data are in other files (a virtual or external dataset)"));
}

}  // namespace
}  // namespace rivulet::io
