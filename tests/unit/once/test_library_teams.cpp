// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests streams from which all threads of a team draw together.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "library_drawing.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Team = Policy::member_type;

template <class G>
using TeamStream = detail::TeamStreamOf<detail::Family<G>>;

/// The numbers that teams drew: number i of each stream, and how often each() reported it.
struct Drawn {
  std::uint64_t count;
  NumberView<Exec> numbers;
  NumberView<Exec> times;

  Drawn(std::uint64_t streams, std::uint64_t count)
      : count(count),
        numbers("rivulet::test", streams * count),
        times("rivulet::test", streams * count) {}
};

/// Kernel in which each team opens its stream once and draws in calls of the given lengths.
template <class G>
struct DrawByTeam {
  static constexpr int calls = 8;
  Streams<G> streams;
  Drawn drawn;
  std::uint64_t lengths[calls];
  bool backwards;  ///< team t opens stream count() - 1 - t

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto rank = static_cast<std::uint64_t>(team.league_rank());
    const std::uint64_t s = backwards ? streams.count() - 1 - rank : rank;
    auto rng = backwards ? streams.open(team, s) : streams.open(team);
    const Drawn to = drawn;
    std::uint64_t before = 0;
    for (int call = 0; call < calls; ++call) {
      rng.each(team, lengths[call], [=](std::uint64_t i, std::uint64_t number) {
        to.numbers(s * to.count + before + i) = number;
        Kokkos::atomic_add(&to.times(s * to.count + before + i), std::uint64_t{1});
      });
      before += lengths[call];
    }
    streams.close(team, rng);
  }
};

template <class G>
class LibraryTeams : public testing::Test {
 public:
  static constexpr std::uint64_t count = 37;
  static constexpr std::uint64_t batch = TeamStream<G>::at_a_time;

  static Streams<G> make() {
    return Streams<G>(Exec(), with_sets<G>({.count = count, .seed = 7, .first = 500, .sets = {}}));
  }

  /// Draws with teams, expects that each() reports every number once, and returns the numbers.
  static NumberList draw_by_team(const Streams<G>& streams, const Policy& policy,
                                 const std::vector<std::uint64_t>& lengths,
                                 bool backwards = false) {
    std::uint64_t total = 0;
    for (const std::uint64_t length : lengths) total += length;
    const Drawn to(count, total);
    DrawByTeam<G> draw{streams, to, {}, backwards};
    std::copy(lengths.begin(), lengths.end(), draw.lengths);
    Kokkos::fence();
    Kokkos::parallel_for("rivulet::test_teams", policy, draw);
    Exec().fence();
    const NumberList times = host_copy(to.times);
    EXPECT_TRUE(times == NumberList(times.size(), 1)) << "each number once";
    return host_copy(to.numbers);
  }
  static NumberList draw_by_team(const Streams<G>& streams,
                                 const std::vector<std::uint64_t>& lengths) {
    return draw_by_team(streams, streams.team_policy(Exec()), lengths);
  }

  /// Returns a custom policy with the scratch memory that Streams requires.
  static Policy user_policy(int threads, int lanes) {
    Policy policy(Exec(), static_cast<int>(count), threads, lanes);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Streams<G>::team_scratch_bytes())));
    return policy;
  }
};
TYPED_TEST_SUITE(LibraryTeams, TeamGenerators, NameOfLibraryGenerator);

TYPED_TEST(LibraryTeams, DrawWhatOneThreadDraws) {
  const std::uint64_t batch = this->batch;
  const auto streams = this->make();
  for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{7}, batch - 1, batch,
                                     batch + 1, 5 * batch, 5 * batch + 3}) {
    const NumberList expected = peek_numbers(streams, length);
    EXPECT_TRUE(this->draw_by_team(streams, {length}) == expected) << length;
  }
}

TYPED_TEST(LibraryTeams, DrawInSeveralCalls) {
  const std::uint64_t batch = this->batch;
  const std::vector<std::uint64_t> lengths{3, batch, 0, batch - 1, 2, 2 * batch + 5, 1, 11};
  const std::uint64_t total = 4 * batch + 21;
  const auto streams = this->make();
  const auto start = streams.save(Exec());
  const NumberList expected = peek_numbers(streams, total);
  EXPECT_TRUE(this->draw_by_team(streams, lengths) == expected);
  streams.restore(Exec(), start);
  EXPECT_TRUE(this->draw_by_team(streams, streams.team_policy(Exec()), lengths, true) == expected)
      << "team t with another stream than t";
}

TYPED_TEST(LibraryTeams, TakeTurnsWithSingleThreads) {
  const std::uint64_t batch = this->batch;
  const auto streams = this->make();
  const std::uint64_t total = 3 * batch + 1000;
  const NumberList expected = peek_numbers(streams, total);
  std::uint64_t before = 0;
  const auto expect = [&](const NumberList& some, std::uint64_t count) {
    EXPECT_TRUE(some == part(expected, total, before, count)) << "from " << before << " on";
    before += count;
  };
  expect(drawn(Exec(), streams, 5), 5);
  expect(this->draw_by_team(streams, {batch + 2}), batch + 2);
  expect(this->draw_by_team(streams, {0}), 0);
  expect(this->draw_by_team(streams, {9}), 9);
  expect(drawn(Exec(), streams, 701), 701);
  expect(this->draw_by_team(streams, {1, 2 * batch}), 1 + 2 * batch);
  streams.jump(Exec(), 100);
  before += 100;
  expect(this->draw_by_team(streams, {20}), 20);
  expect(drawn(Exec(), streams, 30), 30);
}

TYPED_TEST(LibraryTeams, DrawTheSameInTeamsOfOnesOwn) {
  const std::uint64_t batch = this->batch;
  const std::vector<std::uint64_t> lengths{3, batch, 5 * batch + 1, batch - 1};
  const auto streams = this->make();
  const auto start = streams.save(Exec());
  const NumberList expected = peek_numbers(streams, 7 * batch + 3);
  int sizes = 0;
  for (const int threads : {1, 2, 7, 64}) {
    for (const int lanes : {1, 4, 32}) {
      if (threads * lanes > 1024 || lanes > Policy::vector_length_max()) continue;
      const DrawByTeam<TypeParam> draw{streams, Drawn(0, 0), {}, false};
      const int most = this->user_policy(1, lanes).team_size_max(draw, Kokkos::ParallelForTag());
      if (threads > most) continue;
      ++sizes;
      streams.restore(Exec(), start);
      EXPECT_TRUE(this->draw_by_team(streams, this->user_policy(threads, lanes), lengths) ==
                  expected)
          << threads << " x " << lanes;
    }
  }
  EXPECT_GE(sizes, 1);
}

/// Counts numbers that other threads have not yet used when each() returns.
template <class G>
struct ReadAfterEach {
  Streams<G> streams;
  NumberView<Exec> turn_of;  ///< last turn that used number i of a team
  Kokkos::View<std::uint64_t*, Exec> late;
  std::uint64_t length;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto first = static_cast<std::uint64_t>(team.league_rank()) * length;
    const auto turns = turn_of;
    const auto missing = late;
    const std::uint64_t count = length;
    auto rng = streams.open(team);
    for (std::uint64_t turn = 1; turn <= 50; ++turn) {
      rng.each(team, count, [=](std::uint64_t i, std::uint64_t) { turns(first + i) = turn; });
      for (std::uint64_t i = 0; i < count; ++i) {
        if (turns(first + i) != turn) Kokkos::atomic_add(&missing(0), std::uint64_t{1});
      }
      team.team_barrier();
    }
    streams.close(team, rng);
  }
};

TYPED_TEST(LibraryTeams, HaveUsedAllNumbersWhenEachComesBack) {
  const std::uint64_t length = 5 * this->batch + 3;
  const auto streams = this->make();
  for (const int threads : {1, 2, 7, 64}) {
    const ReadAfterEach<TypeParam> read{
        streams, NumberView<Exec>("rivulet::test", streams.count() * length),
        Kokkos::View<std::uint64_t*, Exec>("rivulet::test", 1), length};
    if (threads > this->user_policy(1, 1).team_size_max(read, Kokkos::ParallelForTag())) continue;
    Kokkos::parallel_for("rivulet::test", this->user_policy(threads, 1), read);
    EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), read.late)(0), 0U)
        << threads;
  }
}

/// Kernel in which each team has two streams open, and needs scratch memory for both.
template <class G>
struct DrawSeveral {
  Streams<G> streams;
  NumberView<Exec> to;
  std::uint64_t count;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto first = 2 * static_cast<std::uint64_t>(team.league_rank());
    auto one = streams.open(team, first);
    auto other = streams.open(team, first + 1);
    const auto total = to;
    const std::uint64_t length = count;
    one.each(team, length,
             [=](std::uint64_t i, std::uint64_t number) { total(first * length + i) = number; });
    other.each(team, length, [=](std::uint64_t i, std::uint64_t number) {
      total((first + 1) * length + i) = number;
    });
    streams.close(team, one);
    streams.close(team, other);
  }
};

TYPED_TEST(LibraryTeams, MayOpenSeveralStreams) {
  const auto streams = this->make();
  constexpr std::uint64_t length = 500;
  NumberList expected = peek_numbers(streams, length);
  constexpr std::uint64_t teams = LibraryTeams<TypeParam>::count / 2;
  expected.resize(2 * teams * length);
  Policy policy(Exec(), static_cast<int>(teams), 1);
  policy.set_scratch_size(
      0, Kokkos::PerTeam(static_cast<int>(2 * Streams<TypeParam>::team_scratch_bytes())));
  const NumberView<Exec> to("rivulet::test", 2 * teams * length);
  Kokkos::fence();
  Kokkos::parallel_for("rivulet::test_several", policy,
                       DrawSeveral<TypeParam>{streams, to, length});
  Exec().fence();
  EXPECT_TRUE(host_copy(to) == expected);
}

TYPED_TEST(LibraryTeams, HaveAPolicyOfATeamForEachStream) {
  const auto streams = this->make();
  EXPECT_EQ(streams.team_policy(Exec()).league_size(), static_cast<int>(this->count));
  EXPECT_EQ(Streams<TypeParam>(Exec(), with_sets<TypeParam>({.count = 0}))
                .team_policy(Exec())
                .league_size(),
            0);
}

}  // namespace
}  // namespace rivulet
