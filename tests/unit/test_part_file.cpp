// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/part_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "../io_test_support.hpp"
#include "io/results_file.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::HasSubstr;

constexpr const char* busy =
    "another program, or another rank, is writing it) Give each a path of its own.";

std::unique_ptr<ResultsFile> begun(const std::string& path) {
  return std::make_unique<ResultsFile>(Communicator::self(), path, "results", "1");
}

void write_to(const std::string& path, std::uint64_t value) {
  const auto file = begun(path);
  file->attribute("/", "value", value);
  file->commit();
}

std::uint64_t value_in(const std::string& path) {
  return ReadFile(path, "results").attribute<std::uint64_t>("/", "value");
}

TEST(PartFile, ASecondWriterIsToldAndTheFirstGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  write_to(path, 1);
  {
    const auto first = begun(path);
    first->attribute("/", "value", std::uint64_t{2});
    EXPECT_EQ(message_of([&] { begun(path); }), "cannot write '" + path + "' (" + busy);
    EXPECT_EQ(value_in(path), 1U);
    first->commit();
  }
  EXPECT_EQ(value_in(path), 2U);
  write_to(path, 3);
  EXPECT_EQ(value_in(path), 3U);
  std::filesystem::remove(path);
  EXPECT_TRUE(folder.is_empty());
}

TEST(PartFile, AWriterThatGaveUpLetsOthersWrite) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  begun(path).reset();
  write_to(path, 1);
  EXPECT_EQ(value_in(path), 1U);
}

TEST(PartFile, TheRestOfAKilledRunIsReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  std::ofstream(path + ".part") << "the rest of a file";
  write_to(path, 1);
  EXPECT_EQ(value_in(path), 1U);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

/// Where there are no locks, the second writer's file takes the place of the first's.
TEST(PartFile, WhatSomebodyElsePutThereIsNeitherRenamedNorRemoved) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5";
  write_to(path, 1);
  {
    PartFile first(path, true);
    const PartFile second(path, true);
    EXPECT_EQ(message_of([&] { first.commit(); }), "cannot write '" + path + "' (" + busy);
    first.remove();
    EXPECT_TRUE(std::filesystem::exists(path + ".part"));
    EXPECT_EQ(value_in(path), 1U);
    second.remove();
  }
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(PartFile, ACommitWaitsForNobodyWhoHoldsTheFile) {
  const TemporaryFolder folder;
  PartFile first(folder / "a.h5", false);
  EXPECT_THAT(message_of([&] { PartFile(folder / "a.h5", false); }), HasSubstr(busy));
  first.unlock();
  PartFile second(folder / "a.h5", false);
  EXPECT_THAT(message_of([&] { first.commit(); }), HasSubstr(busy));
  second.commit();
  EXPECT_TRUE(std::filesystem::exists(folder / "a.h5"));
}

}  // namespace
}  // namespace rivulet::io
