// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/sealed_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "io/outputs/replaced_file.hpp"
#include "io/results/results_file.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::contents;
using test::message_of;
using test::TemporaryFolder;
using testing::AnyOf;
using testing::HasSubstr;

void write(const std::string& path, FileForm form) {
  ResultsFile file(Communicator::self(), path, "checkpoint", "1.2.3", form);
  file.attribute("/", "name", std::string("a name"));
  file.attribute("/", "names", std::vector<std::string>{"one", "", "three"});
  file.text("/deck", "job: pi");
  file.dataset("/hits", std::vector<std::uint64_t>{1, 2, 3}, 0, 3);
  file.commit();
}

void put(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string refusal(const std::string& path) {
  return message_of([&] { ReadFile(path, "checkpoint", Seal::required); });
}

TEST(SealedFile, IsReadLikeAnyOther) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  EXPECT_TRUE(check_seal(folder / "a"));
  EXPECT_THAT(contents(folder / "a").substr(0, 200), HasSubstr("rivulet sealed file: SHA-256 "));
  const ReadFile file(folder / "a", "checkpoint", Seal::required);
  EXPECT_EQ(file.attribute<std::string>("/", "version"), "1.2.3");
  EXPECT_EQ(file.attribute<std::string>("/", "name"), "a name");
  EXPECT_EQ(file.attribute<std::vector<std::string>>("/", "names"),
            (std::vector<std::string>{"one", "", "three"}));
  EXPECT_EQ(file.text("/deck"), "job: pi");
  EXPECT_EQ(file.dataset<std::uint64_t>("/hits"), (std::vector<std::uint64_t>{1, 2, 3}));
}

/// A file that has taken the temporary file's name meanwhile is not written to.
TEST(SealedFile, IsNotSealedThroughALink) {
  const TemporaryFolder folder;
  const std::string bytes(1000, 'x');
  put(folder / "another", bytes);
  std::filesystem::create_symlink(folder / "another", folder / "link");
  EXPECT_THAT(message_of([&] { seal_before(folder / "link", {}); }), HasSubstr("cannot write"));
  EXPECT_THAT(message_of([&] { seal_behind(folder / "link", {}, {}); }), HasSubstr("cannot write"));
  EXPECT_EQ(contents(folder / "another"), bytes);
}

TEST(SealedFile, RefusesBytesChanged) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  const std::string whole = contents(folder / "a");
  for (std::size_t i = 0; i < whole.size(); i += i < seal_bytes ? 1 : 13) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    put(folder / "b", changed);
    ASSERT_THAT(refusal(folder / "b"), HasSubstr("is damaged")) << i;
  }
}

TEST(SealedFile, RefusesOtherLengths) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  const std::string whole = contents(folder / "a");
  for (std::size_t length = 0; length < whole.size(); length += length < seal_bytes ? 1 : 13) {
    put(folder / "b", whole.substr(0, length));
    ASSERT_THAT(refusal(folder / "b"),
                AnyOf(HasSubstr("is damaged"), HasSubstr("not an HDF5 file")))
        << length;
  }
  put(folder / "b", whole + '\0');
  EXPECT_THAT(refusal(folder / "b"), HasSubstr("is damaged"));
}

TEST(SealedFile, IsToldFromOthers) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::plain);
  const std::string whole = contents(folder / "a");
  put(folder / "plain", whole.substr(0, whole.size() - seal_bytes));
  EXPECT_FALSE(check_seal(folder / "plain"));
  EXPECT_FALSE(sealed_as(folder / "plain").has_value());
  EXPECT_EQ(ReadFile(folder / "plain", "checkpoint").text("/deck"), "job: pi");
  EXPECT_THAT(refusal(folder / "plain"), HasSubstr("it has no seal"));
  put(folder / "text", std::string(600, 'x'));
  EXPECT_FALSE(check_seal(folder / "text"));
  EXPECT_FALSE(check_seal(folder / "none"));
  EXPECT_FALSE(check_seal(folder.path()));
}

/// HDF5 is not asked, so that the rest may be as it likes.
TEST(SealedFile, MayBeReplaced) {
  const TemporaryFolder folder;
  for (const FileForm form : {FileForm::sealed, FileForm::plain}) {
    write(folder / "a", form);
    EXPECT_EQ(replaced_file(folder / "a", "checkpoint"), folder / "a");
    std::string damaged = contents(folder / "a");
    std::fill_n(damaged.begin() + seal_bytes, 600, '\0');
    put(folder / "a", damaged);
    EXPECT_EQ(replaced_file(folder / "a", "checkpoint"), folder / "a");
    EXPECT_THAT(message_of([&] { replaced_file(folder / "a", "results"); }),
                HasSubstr("is a Rivulet file of checkpoint, not of results"));
  }
}

TEST(SealedFile, OfAVersionThatDidNotSayItsKindIsReadAndNotReplaced) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  seal_before(folder / "a", {});
  EXPECT_EQ(ReadFile(folder / "a", "checkpoint", Seal::required).text("/deck"), "job: pi");
  EXPECT_THAT(contents(folder / "a").substr(0, 180),
              HasSubstr("bytes that follow the first 512\n "));
  EXPECT_THAT(message_of([&] { replaced_file(folder / "a", "checkpoint"); }),
              HasSubstr("has no seal that says what it is"));
}

constexpr std::uint64_t numbers = 300'000;  // some chunks, and more than one node of their index

/// Writes elements that are not under the seal; they begin with `first`.
void write_with_elements(const std::string& path, std::uint64_t first) {
  ResultsFile file(Communicator::self(), path, "results", "1.2.3", FileForm::plain,
                   {least_chunk / 64, 0});
  file.dataset("/hits", std::vector<std::uint64_t>{1, 2, 3}, 0, 3);
  file.create("/results/fill/numbers", {ElementType::u64, numbers, 1, false});
  file.create("/results/fill/none", {ElementType::u64, 0, 1, false});
  const std::vector<std::uint64_t> values(numbers, first);
  file.write("/results/fill/numbers", std::span<const std::uint64_t>(values), 1, 0);
  file.made_by("0123");
  file.commit();
}

TEST(SealBehindAFile, SaysWhatItIsOf) {
  const TemporaryFolder folder;
  write_with_elements(folder / "a", 0x5252525252525252);
  ASSERT_TRUE(check_seal(folder / "a"));
  EXPECT_EQ(sealed_as(folder / "a")->kind, "results");
  EXPECT_EQ(sealed_as(folder / "a")->run, "0123");
  const std::string whole = contents(folder / "a");
  EXPECT_THAT(whole.substr(whole.size() - seal_bytes),
              HasSubstr("bytes before this, but for 2400256 bytes in "));
  EXPECT_TRUE(ReadFile(folder / "a", "results", Seal::required)
                  .attribute<bool>("/results/fill/numbers", "not_sealed"));
}

/// Only the elements may change: every chunk was found in the index, and nothing else.
TEST(SealBehindAFile, LeavesOutTheElements) {
  const TemporaryFolder folder;
  write_with_elements(folder / "a", 0x5252525252525252);
  std::string whole = contents(folder / "a");
  std::size_t changed = 0;
  for (char& byte : whole) {
    changed += byte == 0x52 ? 1 : 0;
    byte = byte == 0x52 ? 0x53 : byte;
  }
  ASSERT_GE(changed, numbers * 8);
  EXPECT_LE(changed, numbers * 8 + 100);
  std::string others = contents(folder / "a");
  const std::string element(8, 0x52);
  for (std::size_t at = 0; (at = others.find(element, at)) != std::string::npos; at += 8) {
    others.replace(at, 8, 8, 0x53);
  }
  put(folder / "b", others);
  EXPECT_TRUE(check_seal(folder / "b"));
}

TEST(SealBehindAFile, RefusesEveryOtherByteChanged) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::plain);
  const std::string whole = contents(folder / "a");
  for (std::size_t i = 0; i < whole.size(); i += i + seal_bytes < whole.size() ? 13 : 1) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    put(folder / "b", changed);
    ASSERT_THAT(refusal(folder / "b"), HasSubstr("is damaged")) << i;
  }
  for (std::size_t length = 8; length < whole.size(); length += 61) {
    put(folder / "b", whole.substr(0, length));
    ASSERT_THAT(refusal(folder / "b"), HasSubstr("it has no seal")) << length;
  }
}

TEST(SealBehindAFile, RefusesAListChanged) {
  const TemporaryFolder folder;
  write_with_elements(folder / "a", 7);
  const std::string whole = contents(folder / "a");
  const std::size_t list = whole.size() - seal_bytes - 16;
  for (std::size_t i = list; i < list + 16; ++i) {
    for (const int bit : {0, 7}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      put(folder / "b", changed);
      EXPECT_THAT(message_of([&] { check_seal(folder / "b"); }), HasSubstr("is damaged")) << i;
    }
  }
}

}  // namespace
}  // namespace rivulet::io
