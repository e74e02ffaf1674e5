// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Checks Streams::with(), which opens a stream, calls a function, and closes the stream.

#include <gtest/gtest.h>

#include <stdexcept>

#include "../library_drawing.hpp"

namespace rivulet {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using HostStreams = Streams<Mt19937, Host>;
constexpr StreamsOptions options{.count = 3, .seed = 5};
constexpr auto next = [](auto& rng) { return rng(); };

TEST(LibraryWith, OpensAndCloses) {
  const HostStreams by_hand(options);
  const HostStreams streams(options);
  auto rng = by_hand.open(1);
  const std::uint32_t first = rng();
  by_hand.close(1, rng);
  EXPECT_EQ(streams.with(1, next), first);
  streams.with(1, [](auto& r) { r.discard(1000); });
  EXPECT_THROW(streams.with(1,
                            [](auto& r) {
                              r();
                              throw std::runtime_error("a host's code may throw");
                            }),
               std::runtime_error);
  auto again = by_hand.open(1);
  again.discard(1001);
  by_hand.close(1, again);
  EXPECT_EQ(streams.save(Host()), by_hand.save(Host()));
}

struct SumByTeam {
  HostStreams streams;
  Kokkos::View<std::uint64_t*, Kokkos::HostSpace> sums;
  KOKKOS_FUNCTION void operator()(const Kokkos::TeamPolicy<Host>::member_type& team) const {
    std::uint64_t* const sum = &sums(team.league_rank());
    streams.with(team, [&](auto& rng) {
      rng.each(team, 100, [=](std::uint64_t, std::uint32_t number) {
        Kokkos::atomic_add(sum, std::uint64_t{number});
      });
    });
  }
};
TEST(LibraryWith, OpensAndClosesByTeam) {
  const HostStreams by_hand(options);
  const HostStreams streams(options);
  const Kokkos::View<std::uint64_t*, Kokkos::HostSpace> sums("rivulet::test", 3);
  Kokkos::parallel_for("rivulet::test", streams.team_policy(Host()), SumByTeam{streams, sums});
  for (std::uint64_t s = 0; s < 3; ++s) {
    std::uint64_t sum = 0;
    by_hand.with(s, [&](auto& rng) {
      for (int i = 0; i < 100; ++i) sum += rng();
    });
    EXPECT_EQ(sums(s), sum);
    EXPECT_EQ(streams.with(s, next), by_hand.with(s, next));
  }
}

struct ThrowByTeam {
  HostStreams streams;
  Kokkos::View<int*, Kokkos::HostSpace> caught;
  void operator()(const Kokkos::TeamPolicy<Host>::member_type& team) const {
    try {
      streams.with(team, [&](auto& rng) {
        rng.each(team, 100, [](std::uint64_t, std::uint32_t) {});
        throw std::runtime_error("a host's code may throw");
      });
    } catch (const std::runtime_error&) {
      caught(team.league_rank()) = 1;
    }
  }
};
TEST(LibraryWith, ClosesByATeamOfOneThreadThatThrows) {
  const HostStreams by_hand(options);
  const HostStreams streams(options);
  const Kokkos::View<int*, Kokkos::HostSpace> caught("rivulet::test", 3);
  Kokkos::parallel_for("rivulet::test", streams.team_policy(Host()), ThrowByTeam{streams, caught});
  by_hand.jump(Host(), 100);
  for (std::uint64_t s = 0; s < 3; ++s) {
    EXPECT_EQ(caught(s), 1);
    EXPECT_EQ(streams.with(s, next), by_hand.with(s, next));
  }
}

}  // namespace
}  // namespace rivulet
