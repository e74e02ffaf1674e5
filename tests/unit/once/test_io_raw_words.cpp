// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "io/inputs/raw_words.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Words = std::vector<std::uint32_t>;

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

Words read(RawWords& words, std::uint64_t position, std::uint64_t count) {
  Words found(count);
  found.resize(words.read(position, found));
  return found;
}

TEST(RawWords, AreOfEitherLengthAndOrder) {
  const test::TemporaryFolder folder;
  write(folder / "w", "abcdefghijklmnop");
  RawWords little(folder / "w", {1, false}), big(folder / "w", {1, true});
  RawWords long_little(folder / "w", {2, false}), long_big(folder / "w", {2, true});
  EXPECT_THAT(read(little, 0, 4), ElementsAre(0x64636261, 0x68676665, 0x6c6b6a69, 0x706f6e6d));
  EXPECT_THAT(read(big, 0, 4), ElementsAre(0x61626364, 0x65666768, 0x696a6b6c, 0x6d6e6f70));
  EXPECT_THAT(read(long_little, 0, 4), ElementsAre(0x64636261, 0x68676665, 0x6c6b6a69, 0x706f6e6d));
  EXPECT_THAT(read(long_big, 0, 4), ElementsAre(0x65666768, 0x61626364, 0x6d6e6f70, 0x696a6b6c));
  EXPECT_THAT(read(long_big, 2, 2), ElementsAre(0x6d6e6f70, 0x696a6b6c));
  EXPECT_THAT(read(little, 3, 5), ElementsAre(0x706f6e6d));
  EXPECT_THAT(read(little, 1, 1), ElementsAre(0x68676665));
  EXPECT_THAT(read(little, 4, 1), ElementsAre());
  EXPECT_EQ(little.half_count(), 4U);
  EXPECT_FALSE(little.is_sequential());
}

TEST(RawWords, OfAPipeComeOnce) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { write(folder / "pipe", "abcdefghijklmnopqrstuvwxyz"); });
  RawWords words(folder / "pipe", {});
  EXPECT_TRUE(words.is_sequential());
  EXPECT_GT(words.half_count(), std::uint64_t{1} << 62);
  EXPECT_THAT(read(words, 1, 1), ElementsAre(0x68676665));
  EXPECT_THAT(read(words, 3, 1), ElementsAre(0x706f6e6d));
  EXPECT_THAT(test::message_of([&] { read(words, 3, 1); }),
              HasSubstr("a pipe can be read only once, and a test reads its words again"));
  // Two bytes after the last word are not a word.
  testing::internal::CaptureStderr();
  EXPECT_THAT(read(words, 5, 5), ElementsAre(0x78777675));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "rivulet: warning: the input ended within a word (the last 2 B are ignored). Check "
            "battery.word_bits.\n");
  EXPECT_EQ(words.half_count(), 6U);
  EXPECT_THAT(read(words, 20, 1), ElementsAre());
  EXPECT_EQ(words.half_count(), 6U);
  writer.join();
}

/// Another process that shares standard input may have made it non-blocking.
TEST(RawWords, OfANonBlockingPipeAreWaitedFor) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const int before = ::dup(STDIN_FILENO);
  ASSERT_EQ(::dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  ASSERT_EQ(::write(ends[1], "abcd", 4), 4);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(::write(ends[1], "efgh", 4), 4);
    ::close(ends[1]);
  });
  RawWords words("stdin", {});
  EXPECT_THAT(read(words, 0, 3), ElementsAre(0x64636261, 0x68676665));
  writer.join();
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ::close(ends[0]);
}

TEST(RawWords, OfAPipeThatEndsBeforeAPosition) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { write(folder / "pipe", "abcdefgh"); });
  RawWords words(folder / "pipe", {});
  EXPECT_THAT(read(words, 100, 10), ElementsAre());
  EXPECT_EQ(words.half_count(), 2U);
  writer.join();
}

TEST(RawWords, OfBadFilesAreRefused) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const WordForm& form, std::uint64_t count = 1) {
    return test::message_of([&] {
      RawWords words(folder / "w", form);
      read(words, 0, count);
    });
  };
  EXPECT_THAT(refusal({}), HasSubstr("there is no such file). Check battery.source."));
  write(folder / "w", "");
  EXPECT_THAT(refusal({}), HasSubstr("/w' (it is empty)"));
  write(folder / "w", "abcdefghijkl");
  EXPECT_EQ(refusal({}), "nothing was thrown");
  EXPECT_THAT(refusal({2, false}), HasSubstr("12 B is not a whole number of words of 8 B"));
  write(folder / "w", "abcdefghijklm");
  EXPECT_THAT(refusal({}), HasSubstr("13 B is not a whole number of words of 4 B"));
  // In a short file, equal words are found at its end.
  write(folder / "w", "abcdabcd");
  EXPECT_EQ(refusal({}, 1), "nothing was thrown");
  EXPECT_THAT(refusal({}, 2), HasSubstr("its words are all equal: 0x64636261). Check"));
  write(folder / "w", "abcdefghabcdefgh");
  EXPECT_EQ(refusal({}, 4), "nothing was thrown");
  EXPECT_THAT(refusal({2, false}, 4), HasSubstr("all equal: 0x6867666564636261)"));
  // In a long file, equal words are found early.
  std::string long_one(1 << 20, 'z');
  long_one.append("abcd");
  write(folder / "w", long_one);
  EXPECT_EQ(refusal({}, 1000), "nothing was thrown");
  EXPECT_THAT(refusal({}, 1 << 16), HasSubstr("(its first 65536 words are all equal: 0x7a7a"));
}

TEST(RawWords, HaveASealOfFirstWordsAndLength) {
  const test::TemporaryFolder folder;
  const auto seal = [&](const std::string& bytes) {
    write(folder / "w", bytes);
    return RawWords(folder / "w", {}).fingerprint();
  };
  const std::string one = seal("abcdefgh");
  EXPECT_EQ(one.size(), 64U);
  EXPECT_EQ(seal("abcdefgh"), one);
  EXPECT_NE(seal("abcdefgi"), one);
  EXPECT_NE(seal("abcdefghabcd"), one);
}

TEST(RawWords, OfAFileThatBecomesShorter) {
  const test::TemporaryFolder folder;
  write(folder / "w", "abcdefgh");
  RawWords words(folder / "w", {});
  write(folder / "w", "abcd");
  EXPECT_THAT(test::message_of([&] { read(words, 0, 2); }),
              HasSubstr("it was cut short while it was read"));
}

}  // namespace
}  // namespace rivulet::io
