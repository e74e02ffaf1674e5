// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/mpi/communicator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <stdexcept>

#include "io_test_support.hpp"

namespace rivulet::io {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CommunicatorSelf, IsAGroupOfOne) {
  const auto self = Communicator::self();
  EXPECT_EQ(self.rank(), 0);
  EXPECT_EQ(self.size(), 1);
  EXPECT_TRUE(self.is_root());
}

TEST(CommunicatorSelf, ReducesToItsOwnValue) {
  const auto self = Communicator::self();
  EXPECT_EQ(self.sum(std::uint64_t{7}), 7U);
  EXPECT_EQ(self.min(std::uint64_t{7}), 7U);
  EXPECT_EQ(self.max(2.5), 2.5);
  EXPECT_FALSE(self.all(false));
  EXPECT_TRUE(self.all(true));
  std::array<std::uint64_t, 2> values{1, 2};
  self.sum(std::span<std::uint64_t>(values));
  EXPECT_THAT(values, ElementsAre(1, 2));
}

TEST(CommunicatorSelf, BroadcastsAndGathersItself) {
  const auto self = Communicator::self();
  EXPECT_EQ(self.broadcast(std::string("deck")), "deck");
  EXPECT_THAT(self.gather(std::string("host")), ElementsAre("host"));
  const std::vector<std::uint32_t> local{3, 1, 2};
  EXPECT_EQ(self.gather(std::span<const std::uint32_t>(local)), local);
}

TEST(CommunicatorSelf, StreamsInPiecesOfAtMostFourMebibytes) {
  std::vector<std::byte> bytes((std::size_t{9} << 20) + 5);
  std::vector<std::size_t> pieces;
  Communicator::self().stream_to_root(
      bytes, [&](std::span<const std::byte> piece) { pieces.push_back(piece.size()); });
  EXPECT_THAT(pieces, ElementsAre(4 << 20, 4 << 20, (1 << 20) + 5));
}

TEST(CommunicatorSelf, AgreesOnItsOwnFailureWithoutARank) {
  const auto self = Communicator::self();
  EXPECT_NO_THROW(self.agree(nullptr));
  EXPECT_EQ(message_of([&] { self.together([] { throw Error("a", "b", "c"); }); }), "a (b). c");
  EXPECT_EQ(message_of([&] { self.on_root([] { throw std::runtime_error("plain"); }); }), "plain");
  EXPECT_THAT(message_of([&] { self.together([] { throw std::bad_alloc(); }); }),
              HasSubstr("out of memory"));
}

}  // namespace
}  // namespace rivulet::io
