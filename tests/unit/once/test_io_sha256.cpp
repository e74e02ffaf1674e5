// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/results/sha256.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace rivulet::io {
namespace {

std::string sha256_hex(std::string_view text) {
  Sha256 sha;
  sha.update(text);
  return sha.hex();
}

// FIPS 180-4's examples.
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
