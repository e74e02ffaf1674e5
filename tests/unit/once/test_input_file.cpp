// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/input_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "io/words/messages.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::HasSubstr;

constexpr std::uint64_t most = 4096;

std::string read(const std::string& path, bool may_be_a_pipe = false) {
  return read_input({path, "cannot read it", "Look.", may_be_a_pipe}, most);
}

/// Returns the message of read() and open_input(). If their messages differ, returns both.
std::string refusal(const std::string& path) {
  const std::string one = message_of([&] { read(path); });
  const std::string other = message_of([&] { open_input({path, "cannot read it", "Look."}); });
  return one == other ? one : one + " / " + other;
}

TEST(InputFile, IsReadWhole) {
  const TemporaryFolder folder;
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{most}}) {
    std::ofstream(folder / "a", std::ios::binary) << std::string(length, '\0');
    EXPECT_EQ(read(folder / "a"), std::string(length, '\0'));
  }
  std::ofstream(folder / "a") << std::string(most + 1, 'x');
  EXPECT_EQ(message_of([&] { read(folder / "a"); }),
            "cannot read it (it is longer than 4 KiB). Check its name.");
}

TEST(InputFile, LosesItsByteOrderMark) {
  const TemporaryFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  for (const auto& [text, rest] : {std::pair<std::string, std::string>{mark, ""},
                                   {mark + "a\n", "a\n"},
                                   {mark + mark, mark},
                                   {"a" + mark, "a" + mark},
                                   {"\xef\xbb", "\xef\xbb"}}) {
    std::ofstream(folder / "a", std::ios::binary) << text;
    EXPECT_EQ(read(folder / "a"), rest);
  }
}

/// A sparse file is refused because of its length, before anything is read.
TEST(InputFile, IsRefusedByItsLength) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a") << "x";
  const std::uint64_t eight_tebibytes = std::uint64_t{1} << 43;
  std::filesystem::resize_file(folder / "a", eight_tebibytes);
  EXPECT_THAT(message_of([&] { read(folder / "a"); }), HasSubstr("(it is longer than 4 KiB)"));
  EXPECT_EQ(message_of([&] {
              read_input({folder / "a", "cannot read it", "Look."}, eight_tebibytes);
            }),
            "cannot read it (no memory is left for it). Give a smaller file, or use a machine with "
            "more memory.");
}

TEST(InputFile, ThatIsNoneHasItsReason) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder / "none"), "cannot read it (there is no such file). Look.");
  EXPECT_EQ(refusal(""), "cannot read it (there is no such file). Look.");
  EXPECT_EQ(refusal(folder.path()), "cannot read it (it is a directory). Name a file.");
  EXPECT_EQ(refusal("/dev/zero"), "cannot read it (it is a device). Name a regular file.");
  EXPECT_THAT(refusal(folder / std::string(300, 'x')),
              HasSubstr("(File name too long). Give a shorter name."));
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_THAT(refusal(folder / "loop"), HasSubstr("Too many levels of symbolic links"));
  std::ofstream(folder / "file") << "x";
  EXPECT_THAT(refusal(folder / "file/x"), HasSubstr("there is no such file"));
  if (::geteuid() == 0) return;  // root may read everything
  ::chmod((folder / "file").c_str(), 0);
  EXPECT_THAT(refusal(folder / "file"), HasSubstr("(Permission denied). Check the permissions"));
}

/// Reading /proc/self/mem fails with EIO, because it begins at address 0, which is not mapped.
TEST(InputFile, ThatFailsHalfWayHasItsReason) {
  if (!std::filesystem::exists("/proc/self/mem")) GTEST_SKIP() << "no /proc";
  EXPECT_EQ(message_of([] { read("/proc/self/mem"); }),
            "cannot read it (Input/output error). Check the disk and the file system.");
}

TEST(InputFile, MayBeAPipeWhereItIsAllowed) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("it is a pipe"));
  std::thread writer([&] { std::ofstream(pipe) << "job: pi\n"; });
  EXPECT_EQ(read(pipe, true), "job: pi\n");
  writer.join();
}

TEST(Printable, ShowsWhatSteersATerminal) {
  EXPECT_EQ(printable("a \xc3\xa9 \xc2\xa0 z\n"), "a \xc3\xa9 \xc2\xa0 z\n");
  EXPECT_EQ(printable({"a\0b", 3}), "a\\x00b");
  EXPECT_EQ(printable("\x1b[2J\r\t\x7f"), "\\x1b[2J\\x0d\\x09\\x7f");
  EXPECT_EQ(printable("\xc2\x9b 2J \xc2"), "\\x9b 2J \\xc2");
  // printable() keeps characters of three and four bytes. It escapes a surrogate, an overlong
  // slash, a truncated character, and a character beyond U+10FFFF.
  EXPECT_EQ(printable("\xe2\x82\xac \xf0\x9f\x8e\xb2"), "\xe2\x82\xac \xf0\x9f\x8e\xb2");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xc0\xaf\xe2\x82z\xf4\x90\x80\x80"),
            "\\xc0\\xaf\\xe2\\x82z\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable_line("a\nb"), "a\\x0ab");
}

TEST(FailureText, IsOfMemoryWhereMoreIsAskedForThanThereCanBe) {
  EXPECT_THAT(failure_text(std::make_exception_ptr(std::length_error("vector::reserve"))),
              HasSubstr("out of memory (no room for numbers). Use more ranks"));
}

}  // namespace
}  // namespace rivulet::io
