// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/files/sealed_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/deck/replaced_file.hpp"
#include "io/files/sha256.hpp"
#include "io/results/results_file.hpp"
#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::contents;
using test::message_of;
using test::TemporaryFolder;
using testing::AnyOf;
using testing::ContainsRegex;
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

FileDescriptor opened(const std::string& path) {
  return FileDescriptor(::open(path.c_str(), O_RDWR));
}

std::string refusal(const std::string& path) {
  return message_of([&] { ReadFile(path, "checkpoint", Seal::required); });
}

TEST(SealedFile, IsReadLikeAnyOther) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::checksummed);
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
  for (const FileForm form : {FileForm::checksummed, FileForm::plain}) {
    write(folder / "a", form);
    const std::string whole = contents(folder / "a");
    for (std::size_t i = 0; i < whole.size(); i += i < seal_bytes ? 1 : 13) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << i % 8));
      put(folder / "b", changed);
      ASSERT_THAT(refusal(folder / "b"), HasSubstr("is damaged")) << i;
    }
  }
}

TEST(SealedFile, RefusesOtherLengths) {
  const TemporaryFolder folder;
  for (const FileForm form : {FileForm::checksummed, FileForm::plain}) {
    write(folder / "a", form);
    const std::string whole = contents(folder / "a");
    for (std::size_t length = 0; length < whole.size(); length += length < seal_bytes ? 1 : 61) {
      put(folder / "b", whole.substr(0, length));
      ASSERT_THAT(refusal(folder / "b"),
                  AnyOf(HasSubstr("is damaged"), HasSubstr("not an HDF5 file")))
          << length;
    }
    put(folder / "b", whole + '\0');
    EXPECT_THAT(refusal(folder / "b"), HasSubstr("is damaged"));
  }
}

TEST(SealedFile, IsToldFromOthers) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::plain);
  put(folder / "blanked", std::string(seal_bytes, ' ') + contents(folder / "a").substr(seal_bytes));
  EXPECT_FALSE(check_seal(folder / "blanked"));
  EXPECT_FALSE(seal_description(folder / "blanked").has_value());
  EXPECT_EQ(ReadFile(folder / "blanked", "checkpoint").text("/deck"), "job: pi");
  EXPECT_THAT(refusal(folder / "blanked"), HasSubstr("it has no seal"));
  put(folder / "text", std::string(600, 'x'));
  EXPECT_FALSE(check_seal(folder / "text"));
  EXPECT_FALSE(check_seal(folder / "none"));
  EXPECT_FALSE(check_seal(folder.path()));
}

/// Parameter files of earlier versions have the same seal in a smaller user block.
TEST(SealedFile, MayHaveASmallerUserBlock) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::checksummed);
  const std::string whole = contents(folder / "a");
  constexpr std::size_t block = 4096;
  put(folder / "b", whole.substr(0, seal_bytes) + whole.substr(block));
  seal(opened(folder / "b"), folder / "b", {"checkpoint", ""});
  EXPECT_EQ(ReadFile(folder / "b", "checkpoint", Seal::required).text("/deck"), "job: pi");
}

/// resolve_output_path() does not open the file with HDF5, so the bytes after the seal may be
/// damaged.
TEST(SealedFile, MayBeReplaced) {
  const TemporaryFolder folder;
  for (const FileForm form : {FileForm::checksummed, FileForm::plain}) {
    write(folder / "a", form);
    EXPECT_EQ(resolve_output_path(folder / "a", "checkpoint"), folder / "a");
    std::string damaged = contents(folder / "a");
    std::fill_n(damaged.begin() + seal_bytes, 600, '\0');
    put(folder / "a", damaged);
    EXPECT_EQ(resolve_output_path(folder / "a", "checkpoint"), folder / "a");
    EXPECT_THAT(message_of([&] { resolve_output_path(folder / "a", "results"); }),
                HasSubstr("is a Rivulet file of kind 'checkpoint', not 'results'"));
  }
}

TEST(SealedFile, OfAVersionThatDidNotSayItsKindIsReadAndNotReplaced) {
  const TemporaryFolder folder;
  write(folder / "a", FileForm::checksummed);
  seal(opened(folder / "a"), folder / "a", {});
  EXPECT_EQ(ReadFile(folder / "a", "checkpoint", Seal::required).text("/deck"), "job: pi");
  EXPECT_THAT(contents(folder / "a").substr(0, 180),
              HasSubstr("bytes that follow the first 512\n "));
  EXPECT_THAT(message_of([&] { resolve_output_path(folder / "a", "checkpoint"); }),
              HasSubstr("has no seal: it was changed"));
}

/// Writes a file with `mebibytes` MiB of elements whose bytes are all 0x52.
void write_with_elements(const std::string& path, std::uint64_t mebibytes) {
  const std::uint64_t numbers = mebibytes << 17;
  ResultsFile file(Communicator::self(), path, "results", "1.2.3");
  file.dataset("/hits", std::vector<std::uint64_t>{1, 2, 3}, 0, 3);
  file.create("/results/fill/numbers", {ElementType::u64, numbers, 1, false});
  file.create("/results/fill/none", {ElementType::u64, 0, 1, false});
  file.lay_out();
  const std::vector<std::uint64_t> values(numbers, 0x5252525252525252);
  file.write("/results/fill/numbers", std::span<const std::uint64_t>(values), 1, 0);
  file.text("/deck", "job: fill");
  file.set_creator("0123");
  file.commit();
}

/// Changes one byte of the file, calls check_seal(), and restores the byte. Returns the refusal.
std::string refusal_with(const std::string& path, std::uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const char before = static_cast<char>(file.get());
  const auto put_byte = [&](char byte) {
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte).flush();
  };
  put_byte(static_cast<char>(before ^ 1));
  const std::string message = message_of([&] { check_seal(path); });
  put_byte(before);
  return message;
}

TEST(SealOfALargeFile, LeavesOutTheElements) {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  write_with_elements(path, 65);
  ASSERT_TRUE(check_seal(path));
  EXPECT_EQ(seal_description(path)->kind, "results");
  EXPECT_EQ(seal_description(path)->run, "0123");
  const std::string whole = contents(path);
  EXPECT_THAT(whole.substr(0, seal_bytes),
              ContainsRegex("the first 512, but for the [0-9]+ bytes from byte [0-9]+ on, and"));
  const ReadFile file(path, "results", Seal::required);
  EXPECT_EQ(file.text("/deck"), "job: fill");
  const std::string elements(1 << 20, 0x52);
  const std::size_t first = whole.find(elements);
  const std::size_t last = whole.rfind(elements) + elements.size() - 1;
  EXPECT_EQ(refusal_with(path, first - 1), "nothing was thrown");  // HDF5's chunk index
  for (const std::size_t at : {first, first + (std::size_t{30} << 20), last}) {
    EXPECT_EQ(refusal_with(path, at), "nothing was thrown") << at;
  }
  const std::size_t head = std::stoull(whole.substr(whole.find("from byte ") + 10));
  ASSERT_LT(first - head, 16'000U);
  for (std::size_t at = 0; at < head; at += at < seal_bytes ? 7 : 997) {
    ASSERT_THAT(refusal_with(path, at), HasSubstr("is damaged")) << at;
  }
  for (std::size_t at = whole.find("job: fill"); at < whole.size(); at += 997) {
    ASSERT_THAT(refusal_with(path, at), HasSubstr("is damaged")) << at;
  }
  std::filesystem::resize_file(path, whole.size() - 1);
  EXPECT_THAT(message_of([&] { check_seal(path); }), HasSubstr("is damaged"));
}

TEST(SealOfALargeFile, LeavesOutNothingUpTo64MiB) {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  write_with_elements(path, 3);
  const std::string whole = contents(path);
  const std::string elements(1 << 20, 0x52);
  for (const std::size_t at : {whole.find(elements), whole.rfind(elements)}) {
    EXPECT_THAT(refusal_with(path, at), HasSubstr("is damaged")) << at;
  }
}

std::string sha256_hex(std::string_view text) {
  Sha256 sha;
  sha.update(text);
  return sha.hex();
}

// Compares digests with the examples of FIPS 180-4.
TEST(Sha256, KnowsThePublishedDigests) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  Sha256 sha;
  sha.update(std::string_view("a"));
  sha.update(std::string_view(""));
  sha.update(std::string_view("bc"));
  EXPECT_EQ(sha.hex(), sha256_hex("abc"));
}

TEST(Sha256, GoesOnAfterADigest) {
  Sha256 sha;
  sha.update(std::string_view("a"));
  EXPECT_EQ(sha.hex(), sha256_hex("a"));
  sha.update(std::string_view("bc"));
  EXPECT_EQ(sha.hex(), sha256_hex("abc"));
}

TEST(Sha256, TakesIntegersAsLittleEndianBytes) {
  const std::array<std::uint32_t, 1> word{0x64636261};
  Sha256 sha;
  sha.update(std::span<const std::uint32_t>(word));
  EXPECT_EQ(sha.hex(), sha256_hex("abcd"));
}

}  // namespace
}  // namespace rivulet::io
