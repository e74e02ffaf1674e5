// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/common/merge_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "io_test_support.hpp"
#include "job_test_support.hpp"

namespace rivulet {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::HasSubstr;

void run_pi(const std::string& path, const std::string& seed) {
  const auto job = make_job("pi", "test");
  test::report_of(*job, "job: pi\nstreams: {count: 2, seed: " + seed +
                            "}\npi: {points: 1000}\noutput: {file: " + path + "}\n");
}

TEST(MergeInput, IsOneFileAllAlong) {
  const TemporaryFolder folder;
  const std::string path = folder / "part.h5";
  run_pi(path, "1");
  run_pi(folder / "other.h5", "2");
  std::filesystem::create_symlink(path, folder / "link.h5");
  const MergeInput part = read_part(path);
  const MergeInput linked = read_part(folder / "link.h5");
  EXPECT_NO_THROW(part.open());
  EXPECT_NO_THROW(linked.open());
  std::filesystem::rename(folder / "other.h5", path);
  EXPECT_THAT(message_of([&] { part.open(); }),
              HasSubstr("part.h5' has changed (a run has replaced it during the merge). Merge "));
  EXPECT_THAT(message_of([&] { linked.open(); }), HasSubstr("link.h5' has changed"));
}

}  // namespace
}  // namespace rivulet
