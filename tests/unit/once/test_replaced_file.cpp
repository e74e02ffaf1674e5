// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/deck/replaced_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "io/results/hdf5_support.hpp"
#include "io/results/results_file.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::HasSubstr;

/// Writes a.h5 in the folder.
template <class F>
void write(const TemporaryFolder& folder, F&& fill) {
  ResultsFile file(Communicator::self(), folder / "a.h5", "results", "1");
  fill(file);
  file.commit();
}
void write(const TemporaryFolder& folder) {
  write(folder, [](ResultsFile&) {});
}

std::ptrdiff_t files_in(const std::string& path) {
  return std::distance(std::filesystem::directory_iterator(path), {});
}

TEST(ReplacedFile, IsOneOfRivulets) {
  const TemporaryFolder folder;
  write(folder, [](ResultsFile& file) { file.text("/old", "old"); });
  write(folder);
  EXPECT_FALSE(ReadFile(folder / "a.h5", "results").has("/old"));
  std::filesystem::resize_file(folder / "a.h5", 0);
  write(folder);
}

TEST(ReplacedFile, IsWhereLinksLead) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "scratch");
  std::filesystem::create_symlink("scratch/run.h5", folder / "a.h5");
  for (int run = 0; run < 2; ++run) {
    write(folder);
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "a.h5"));
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "scratch/run.h5"));
    EXPECT_EQ(files_in(folder / "scratch"), 1);
  }
}

std::string refusal(const std::string& path, const std::string& kind = "results") {
  return message_of([&] { ResultsFile(Communicator::self(), path, kind, "1"); });
}

TEST(ReplacedFile, IsOfTheSameKind) {
  const TemporaryFolder folder;
  write(folder);
  EXPECT_EQ(
      refusal(folder / "a.h5", "parameters"),
      "cannot write '" + folder / "a.h5" +
          "' (it exists and is a Rivulet file of kind 'results', not 'parameters'). Choose another "
          "path, or remove it first.");
}

/// The user may have changed the file, for example with h5py.
TEST(ReplacedFile, IsAsItWasWritten) {
  const TemporaryFolder folder;
  write(folder);
  std::filesystem::resize_file(folder / "a.h5", 600);
  EXPECT_THAT(refusal(folder / "a.h5"),
              HasSubstr("it exists and was changed or cut short since Rivulet wrote it"));
  std::fstream(folder / "a.h5", std::ios::in | std::ios::out) << "nothing that looks like a seal";
  EXPECT_THAT(refusal(folder / "a.h5"), HasSubstr("it exists and is not an HDF5 file"));
  EXPECT_EQ(std::filesystem::file_size(folder / "a.h5"), 600U);
}

TEST(ReplacedFile, IsNothingOfSomebodyElses) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.yaml") << "job: pi\n";
  EXPECT_EQ(refusal(folder / "a.yaml"),
            "cannot write '" + folder / "a.yaml" +
                "' (it exists and is not an HDF5 file). Choose another path, or remove it first.");
  EXPECT_EQ(std::filesystem::file_size(folder / "a.yaml"), 8U);
  ::mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_THAT(refusal(folder / "pipe"), HasSubstr("it exists and is not a regular file"));
  for (const char* format : {"", "somebody else's"}) {
    const hid_t file =
        H5Fcreate((folder / "b.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const Handle type = text_type();
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    if (*format != 0) {
      const Handle attribute(
          H5Acreate2(file, "format", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      H5Awrite(attribute.get(), type.get(), &format);
    }
    H5Fclose(file);
    EXPECT_THAT(refusal(folder / "b.h5"), HasSubstr("has no seal: it was changed"));
  }
  EXPECT_EQ(files_in(folder.path()), 3);
}

}  // namespace
}  // namespace rivulet::io
