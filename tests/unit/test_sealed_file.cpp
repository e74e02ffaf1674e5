// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/sealed_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../io_test_support.hpp"
#include "io/replaced_file.hpp"
#include "io/results_file.hpp"

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

TEST(SealedFile, RefusesEveryByteChanged) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  const std::string whole = contents(folder / "a");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
    put(folder / "b", changed);
    ASSERT_THAT(refusal(folder / "b"), HasSubstr("is damaged")) << i;
  }
}

TEST(SealedFile, RefusesEveryLengthButItsOwn) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  const std::string whole = contents(folder / "a");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put(folder / "b", whole.substr(0, length));
    ASSERT_THAT(refusal(folder / "b"), AnyOf(HasSubstr("is damaged"), HasSubstr("seal of such")))
        << length;
  }
  put(folder / "b", whole + '\0');
  EXPECT_THAT(refusal(folder / "b"), HasSubstr("is damaged"));
}

TEST(SealedFile, IsToldFromOthers) {
  const TemporaryFolder folder;
  write(folder / "plain", FileForm::plain);
  EXPECT_FALSE(check_seal(folder / "plain"));
  EXPECT_EQ(ReadFile(folder / "plain", "checkpoint").text("/deck"), "job: pi");
  EXPECT_THAT(refusal(folder / "plain"), HasSubstr("seal of such"));
  put(folder / "text", std::string(600, 'x'));
  EXPECT_FALSE(check_seal(folder / "text"));
  EXPECT_FALSE(check_seal(folder / "none"));
  EXPECT_FALSE(check_seal(folder.path()));
}

TEST(SealedFile, MayBeReplaced) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::sealed);
  EXPECT_EQ(replaced_file(folder / "a", "checkpoint"), folder / "a");
  write(folder / "a", FileForm::sealed);
  std::string damaged = contents(folder / "a");
  damaged.back() = static_cast<char>(damaged.back() + 1);
  put(folder / "a", damaged);
  EXPECT_THAT(message_of([&] { replaced_file(folder / "a", "checkpoint"); }), HasSubstr("damaged"));
}

}  // namespace
}  // namespace rivulet::io
