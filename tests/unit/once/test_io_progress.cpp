// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/terminal/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>

namespace rivulet::io {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// A file that remembers what was written to it.
class Captured {
 public:
  Captured() : file_(std::tmpfile()) {}
  ~Captured() { std::fclose(file_); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  int descriptor() const { return ::fileno(file_); }
  std::string text() const {
    std::array<char, 4096> all{};
    const ssize_t size = ::pread(descriptor(), all.data(), all.size(), 0);
    return {all.data(), static_cast<std::size_t>(size)};
  }

 private:
  std::FILE* file_;
};

TEST(Progress, WritesLinesToABatchLog) {
  const Captured log;
  {
    Progress progress(Communicator::self(), 400, "points", {log.descriptor(), std::nullopt, 0.0});
    progress.advance(100);
    progress.advance(200);
  }
  EXPECT_THAT(log.text(), StartsWith(" 25.0 %: 100 of 400 points, "));
  EXPECT_THAT(log.text(),
              ContainsRegex("\n 75.0 %: 300 of 400 points, [^ ]+ points/s, 0:01 left\n"));
  EXPECT_THAT(log.text(), testing::Not(HasSubstr("\r")));
}

TEST(Progress, WaitsAMinuteBetweenLines) {
  const Captured log;
  Progress progress(Communicator::self(), 1000, "points",
                    {log.descriptor(), std::nullopt, std::nullopt});
  for (int i = 0; i < 1000; ++i) progress.advance(1);
  EXPECT_EQ(log.text(), "");
}

TEST(Progress, DrawsABarAndClearsIt) {
  const Captured screen;
  {
    Progress progress(Communicator::self(), 4, "sets", {screen.descriptor(), true, 0.0});
    progress.advance(1);
    EXPECT_THAT(screen.text(),
                StartsWith("\r[#######.......................]  25.0 % 1 of 4 sets"));
  }
  EXPECT_THAT(screen.text(), EndsWith(" \r"));
  EXPECT_THAT(screen.text(), testing::Not(HasSubstr("\n")));
}

TEST(Progress, DrawsFewTimesASecond) {
  const Captured screen;
  {
    Progress progress(Communicator::self(), 1000, "sets",
                      {screen.descriptor(), true, std::nullopt});
    for (int i = 0; i < 1000; ++i) progress.advance(1);
  }
  EXPECT_EQ(screen.text(), "");
}

TEST(Progress, SurvivesNothingToDoAndTooMuchDone) {
  const Captured log;
  Progress none(Communicator::self(), 0, "sets", {log.descriptor(), false, 0.0});
  none.advance(1);
  EXPECT_EQ(log.text(), "");
  Progress few(Communicator::self(), 1, "sets", {log.descriptor(), false, 0.0});
  few.advance(5);
  EXPECT_THAT(log.text(), StartsWith("100.0 %"));
}

}  // namespace
}  // namespace rivulet::io
