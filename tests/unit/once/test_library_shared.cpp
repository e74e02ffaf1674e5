// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tests numbers on demand, which the warps of a team take from the team's stream at any time.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "library_drawing.hpp"

namespace rivulet {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using SharedPolicy = Kokkos::TeamPolicy<Exec>;
using SharedTeam = SharedPolicy::member_type;

/// The number of take() calls of each warp.
struct Loads {
  enum Kind { even, uneven, one_stops, one_continues } kind;
  int max_takes;

  /// Returns the number of take() calls of warp w in the team of stream s.
  KOKKOS_FUNCTION int takes(int w, int s) const {
    if (kind == uneven) return max_takes / (1 + (w + s) % 5);
    const int min_takes = max_takes < 3 ? max_takes : 3;
    if (kind == one_stops) return w == s % 3 ? min_takes : max_takes;
    if (kind == one_continues) return w == s % 3 ? max_takes : min_takes;
    return max_takes;
  }
  int total_takes(int warps, int s) const {
    int sum = 0;
    for (int w = 0; w < warps; ++w) sum += takes(w, s);
    return sum;
  }
};

/// The warps of a team take numbers, and record each number and how often it was taken. On a CPU,
/// the team's threads share the work of the warps.
template <int K, class G>
struct TakeAndNote {
  Streams<G> streams;
  int warps;
  Loads loads;
  std::uint64_t length;  ///< numbers per stream
  NumberView<Exec> numbers;
  NumberView<Exec> take_counts;

  KOKKOS_FUNCTION void operator()(const SharedTeam& team) const {
    const auto to = numbers;
    const auto counts = take_counts;
    const std::uint64_t stream_length = length;
    const int s = team.league_rank();
    auto shared = streams.open_shared(team);
    for (int w = team.team_rank(); w < warps; w += team.team_size()) {
      for (int turn = 0; turn < loads.takes(w, s); ++turn) {
        const auto taken = shared.template take<K>();
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
          for (int k = 0; k < K; ++k) {
            const std::uint64_t i = taken.index(lane, k);
            if (i >= stream_length) Kokkos::abort("a number beyond those that can be taken");
            const std::uint64_t at = static_cast<std::uint64_t>(s) * stream_length + i;
            to(at) = taken(lane, k);
            Kokkos::atomic_add(&counts(at), std::uint64_t{1});
          }
        });
      }
    }
    streams.close(team, shared);
  }
};

/// A policy with `threads` threads per team on a CPU, and `warps` warps per team on a device.
template <class G>
SharedPolicy shared_policy_of(const Streams<G>& streams, int warps, int threads) {
  if constexpr (!detail::is_host<Exec>) {
    return streams.shared_policy(Exec(), warps);
  }
  SharedPolicy policy(Exec(), static_cast<int>(streams.count()), threads, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Streams<G>::shared_scratch_bytes())));
  return policy;
}

/// Returns the team sizes to test: 1 and, on a CPU with two or more concurrent threads, 2.
std::vector<int> shared_team_sizes() {
  if (!detail::is_host<Exec> || Exec().concurrency() < 2) return {1};
  return {1, 2};
}

template <class G>
class LibraryShared : public testing::Test {
 public:
  static constexpr std::uint64_t count = 7;
  static constexpr int warps = 6;

  static Streams<G> make(std::uint64_t streams = count) {
    return Streams<G>(Exec(), with_sets<G>({.count = streams, .seed = 7, .first = 40, .sets = {}}));
  }
  /// Takes numbers, and draws more after close(). Compares both with the numbers of single threads.
  template <int K>
  static void expect_taken(const Streams<G>& streams, const Loads& loads, int threads) {
    SCOPED_TRACE("K " + std::to_string(K) + ", loads " + std::to_string(loads.kind) + ", " +
                 std::to_string(threads) + " threads");
    constexpr std::uint64_t next_count = 41;
    const auto start = streams.save(Exec());
    drawn(Exec(), streams, 13);  // an unaligned position
    const std::uint64_t numbers_per_stream =
        static_cast<std::uint64_t>(loads.max_takes) * warps * 32 * K;
    const NumberList expected = peek_numbers(streams, numbers_per_stream + next_count);

    const TakeAndNote<K, G> take{streams,
                                 warps,
                                 loads,
                                 numbers_per_stream,
                                 NumberView<Exec>("rivulet::test", count * numbers_per_stream),
                                 NumberView<Exec>("rivulet::test", count * numbers_per_stream)};
    Kokkos::fence();
    Kokkos::parallel_for("rivulet::test_shared", shared_policy_of(streams, warps, threads), take);
    Exec().fence();
    const NumberList numbers = host_copy(take.numbers);
    const NumberList take_counts = host_copy(take.take_counts);
    const NumberList next = drawn(Exec(), streams, next_count);
    streams.restore(Exec(), start);

    std::uint64_t wrong_counts = 0;
    std::uint64_t wrong_numbers = 0;
    std::uint64_t wrong_next = 0;
    for (std::uint64_t s = 0; s < count; ++s) {
      const auto taken =
          static_cast<std::uint64_t>(loads.total_takes(warps, static_cast<int>(s))) * 32 * K;
      for (std::uint64_t i = 0; i < numbers_per_stream; ++i) {
        const bool is_taken = i < taken;
        if (take_counts[s * numbers_per_stream + i] != (is_taken ? 1 : 0)) ++wrong_counts;
        if (is_taken && numbers[s * numbers_per_stream + i] !=
                            expected[s * (numbers_per_stream + next_count) + i])
          ++wrong_numbers;
      }
      for (std::uint64_t i = 0; i < next_count; ++i) {
        if (next[s * next_count + i] != expected[s * (numbers_per_stream + next_count) + taken + i])
          ++wrong_next;
      }
    }
    EXPECT_EQ(wrong_counts, 0U) << "each number once, and no other";
    EXPECT_EQ(wrong_numbers, 0U) << "number i of the stream";
    EXPECT_EQ(wrong_next, 0U) << "where close() left the stream";
  }

  template <int K>
  static void expect_taken(const Streams<G>& streams, int max_takes) {
    for (const int threads : shared_team_sizes()) {
      for (const auto kind : {Loads::even, Loads::uneven, Loads::one_stops, Loads::one_continues}) {
        expect_taken<K>(streams, {kind, max_takes}, threads);
      }
    }
  }
};
TYPED_TEST_SUITE(LibraryShared, TeamGenerators, NameOfLibraryGenerator);

TYPED_TEST(LibraryShared, GiveEachNumberOnce) {
  const auto streams = this->make();
  this->template expect_taken<1>(streams, 100);
  this->template expect_taken<4>(streams, 25);
  this->template expect_taken<10>(streams, 20);
}

TYPED_TEST(LibraryShared, GiveNothingWhereNothingIsTaken) {
  const auto streams = this->make();
  this->template expect_taken<1>(streams, 0);
}

/// Kernel in which distributions draw from a lane's numbers.
template <class G>
struct DrawFromTaken {
  Streams<G> streams;
  Kokkos::View<double*, Exec> drawn;
  Kokkos::View<double*, Exec> expected;
  KOKKOS_FUNCTION void operator()(const SharedTeam& team) const {
    auto shared = streams.open_shared(team);
    const auto numbers = shared.template take<4>();
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
      auto rng = numbers.engine(lane);
      drawn(numbers.index(lane)) = Uniform<double>()(rng);
      if constexpr (decltype(rng)::format_bits == 64) {
        const auto word = std::uint64_t{numbers(lane, 1)} << 32 | numbers(lane, 0);
        expected(numbers.index(lane)) = static_cast<double>(word >> 11) * 0x1p-53;
        return;
      }
      constexpr bool two = decltype(numbers)::max() == 0xffffffff;
      const auto first = static_cast<double>(two ? numbers(lane, 0) >> 5 : numbers(lane, 0));
      const auto second = static_cast<double>(two ? numbers(lane, 1) >> 6 : 0);
      const double size = two ? 0x1p27 : static_cast<double>(decltype(numbers)::max()) + 1;
      expected(numbers.index(lane)) = (first + second * 0x1p-26) / size;
    });
    streams.close(team, shared);
  }
};

TYPED_TEST(LibraryShared, GiveEnginesToDistributions) {
  const auto streams = this->make(1);
  const DrawFromTaken<TypeParam> draw{streams, Kokkos::View<double*, Exec>("rivulet::test", 32),
                                      Kokkos::View<double*, Exec>("rivulet::test", 32)};
  Kokkos::parallel_for("rivulet::test", shared_policy_of(streams, 1, 1), draw);
  const auto drawn = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), draw.drawn);
  const auto expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), draw.expected);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(drawn(i), expected(i)) << i;
}

TYPED_TEST(LibraryShared, TakeTurnsWithTeamsAndSavedStates) {
  const auto streams = this->make();
  constexpr std::uint64_t count = LibraryShared<TypeParam>::count;
  constexpr int warps = LibraryShared<TypeParam>::warps;
  constexpr std::uint64_t round_length = 30 * warps * 32;
  const NumberList all = peek_numbers(streams, 3 * round_length);
  const Loads loads{Loads::even, 30};
  const auto take = [&](std::uint64_t before) {
    const TakeAndNote<1, TypeParam> kernel{streams,
                                           warps,
                                           loads,
                                           round_length,
                                           NumberView<Exec>("rivulet::test", count * round_length),
                                           NumberView<Exec>("rivulet::test", count * round_length)};
    Kokkos::fence();
    Kokkos::parallel_for("rivulet::test", shared_policy_of(streams, warps, 1), kernel);
    EXPECT_TRUE(host_copy(kernel.numbers) == part(all, 3 * round_length, before, round_length))
        << before;
  };
  take(0);
  const auto saved = streams.save(Exec());
  take(round_length);
  take(2 * round_length);
  const auto other = this->make();
  other.restore(Exec(), saved);
  streams.restore(Exec(), other.save(Exec()));
  take(round_length);
}

}  // namespace
}  // namespace rivulet
