// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/mpi/communicator.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "../io_test_support.hpp"
#include "io/mpi/launcher.hpp"
#include "io/mpi/node.hpp"
#include "io/mpi/progress.hpp"
#include "io/mpi/report.hpp"

namespace rivulet::io {
namespace {

using test::message_of;

/// Provides the world communicator, with its size and this rank as unsigned integers.
class CommunicatorWorld : public testing::Test {
 protected:
  const Communicator world = Communicator::world();
  const std::uint64_t rank = static_cast<std::uint64_t>(world.rank());
  const std::uint64_t size = static_cast<std::uint64_t>(world.size());
  /// The number of ranks whose contributions this rank receives.
  const std::uint64_t at_root = world.is_root() ? size : 0;
  const std::string on_host = " on " + host_name() + ": ";
};

TEST_F(CommunicatorWorld, AllRanksOfATestAreOnANode) {
  const NodePlace place = place_on_node(world);
  EXPECT_EQ(place.rank, world.rank());
  EXPECT_EQ(place.ranks, world.size());
  EXPECT_FALSE(host_name().empty());
}

TEST_F(CommunicatorWorld, Reduces) {
  EXPECT_EQ(world.sum(rank + 1), size * (size + 1) / 2);
  EXPECT_EQ(world.min(rank + 5), 5U);
  EXPECT_EQ(world.max(rank), size - 1);
  EXPECT_EQ(world.max(1.0 + static_cast<double>(rank)), static_cast<double>(size));
  EXPECT_TRUE(world.all(true));
  EXPECT_EQ(world.all(rank != 0), false);
}

TEST_F(CommunicatorWorld, SumsElementByElement) {
  std::vector<std::uint64_t> values{1, rank, std::uint64_t{1} << 40};
  world.sum(std::span(values));
  EXPECT_EQ(values, (std::vector<std::uint64_t>{size, size * (size - 1) / 2, size << 40}));
}

TEST_F(CommunicatorWorld, BroadcastsFromRoot) {
  const std::string mine = world.is_root() ? std::string("from\0root", 9) : "something else";
  EXPECT_EQ(world.broadcast(mine), std::string("from\0root", 9));
  std::uint64_t number = rank + 7;
  world.broadcast(std::as_writable_bytes(std::span(&number, 1)));
  EXPECT_EQ(number, 7U);
}

TEST_F(CommunicatorWorld, GathersTextsInRankOrder) {
  const auto texts = world.gather(std::string(rank, 'x'));  // root's is empty
  std::vector<std::string> expected;
  for (std::uint64_t r = 0; r < at_root; ++r) expected.emplace_back(r, 'x');
  EXPECT_EQ(texts, expected);
}

TEST_F(CommunicatorWorld, GathersDifferentCountsInRankOrder) {
  const std::vector<std::uint32_t> local(rank * 3, static_cast<std::uint32_t>(rank));
  const auto all = world.gather(std::span(local));
  std::vector<std::uint32_t> expected;
  for (std::uint32_t r = 0; r < at_root; ++r) expected.insert(expected.end(), r * 3, r);
  EXPECT_EQ(all, expected);
}

TEST_F(CommunicatorWorld, StreamsLargePartsPieceByPiece) {
  const std::vector<std::byte> local((std::size_t{5} << 20) + rank, static_cast<std::byte>(rank));
  std::vector<std::byte> all;
  std::size_t largest = 0;
  world.stream_to_root(local, [&](std::span<const std::byte> piece) {
    all.insert(all.end(), piece.begin(), piece.end());
    largest = std::max(largest, piece.size());
  });
  EXPECT_EQ(largest, world.is_root() ? std::size_t{4} << 20 : 0);
  std::vector<std::byte> expected;
  for (std::uint64_t r = 0; r < at_root; ++r) {
    expected.insert(expected.end(), (std::size_t{5} << 20) + r, static_cast<std::byte>(r));
  }
  EXPECT_TRUE(all == expected);
}

TEST_F(CommunicatorWorld, AFailingSinkFailsEverywhere) {
  const std::vector<std::byte> local(std::size_t{9} << 20);
  int pieces = 0;
  const auto sink = [&](std::span<const std::byte>) {
    if (++pieces == 2) throw Error("no space", "the disk is full", "Free some.");
  };
  const std::string message = message_of([&] { world.stream_to_root(local, sink); });
  EXPECT_EQ(message, "no space (the disk is full). Free some.");
  EXPECT_EQ(pieces, world.is_root() ? 2 : 0);
  EXPECT_EQ(world.sum(std::uint64_t{1}), size) << "nothing may be left on its way";
}

TEST_F(CommunicatorWorld, AgreesThatNobodyFailed) {
  EXPECT_NO_THROW(world.agree(nullptr));
  EXPECT_NO_THROW(world.together([] {}));
}

TEST_F(CommunicatorWorld, TellsWhichRankFailed) {
  const std::string message = message_of([&] {
    world.together([&] {
      if (rank == size - 1) throw Error("a", "b", "c");
    });
  });
  EXPECT_EQ(message,
            size == 1 ? "a (b). c" : "rank " + std::to_string(size - 1) + on_host + "a (b). c");
}

TEST_F(CommunicatorWorld, TellsTheLowestOfSeveralFailures) {
  const std::string message = message_of(
      [&] { world.together([&] { throw std::runtime_error("on " + std::to_string(rank)); }); });
  EXPECT_EQ(message, size == 1 ? "on 0" : "rank 0" + on_host + "on 0");
}

/// A rank that fails before an inner agreement still meets the other ranks at that agreement.
TEST_F(CommunicatorWorld, AgreesAtWhateverDepth) {
  const std::string message = message_of([&] {
    world.together([&] {
      if (rank == size - 1) throw Error("a", "b", "c");
      world.together([] {});
    });
  });
  EXPECT_EQ(message,
            size == 1 ? "a (b). c" : "rank " + std::to_string(size - 1) + on_host + "a (b). c");
}

TEST_F(CommunicatorWorld, NamesNoRankIfAllFailAlike) {
  EXPECT_EQ(message_of([&] { world.together([] { throw Error("a", "b", "c"); }); }), "a (b). c");
}

TEST_F(CommunicatorWorld, RunsOnRootAlone) {
  std::uint64_t runs = 0;
  world.on_root([&] { ++runs; });
  EXPECT_EQ(world.sum(runs), 1U);
  EXPECT_EQ(message_of([&] { world.on_root([] { throw Error("a", "b", "c"); }); }), "a (b). c");
}

TEST_F(CommunicatorWorld, OnlyRootReports) {
  std::ostringstream out;
  Report report(world, out);
  report.section("Result");
  report.result("pi", 3.0);
  PhaseTimer timer;
  timer.add(Phase::rng, 1.0 + static_cast<double>(rank));
  report.timings(timer);
  report.finish(1, "numbers/s", "0");
  EXPECT_EQ(out.str().empty(), !world.is_root());
  const auto spread = timer.spreads(world)[static_cast<std::size_t>(Phase::rng)];
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.avg, (1 + static_cast<double>(size)) / 2);
  EXPECT_EQ(spread.max, static_cast<double>(size));
}

TEST_F(CommunicatorWorld, OnlyRootShowsProgress) {
  std::FILE* log = std::tmpfile();
  {
    Progress progress(world, 2, "sets", {fileno(log), std::nullopt, 0.0});
    progress.advance(1);
  }
  EXPECT_EQ(lseek(fileno(log), 0, SEEK_END) > 0, world.is_root());
  std::fclose(log);
}

TEST(Launcher, RanksThatDifferAreNamed) {
  const Communicator world = Communicator::world();
  EXPECT_NO_THROW(require_same_on_all_ranks(world, "build differs", "1.0, gcc", "Start the same."));
  if (world.size() == 1) GTEST_SKIP() << "one rank differs from nobody";
  const bool is_last = world.rank() + 1 == world.size();
  const std::string text = is_last ? "one\nother\nend" : "one\ntwo\nend";
  EXPECT_EQ(message_of([&] {
              require_same_on_all_ranks(world, "build differs", text, "Start the same.");
            }),
            "rank " + std::to_string(world.size() - 1) + " on " + host_name() +
                ": build differs from rank 0's ('other' here, 'two' on rank 0). Start the same.");
}

}  // namespace
}  // namespace rivulet::io
