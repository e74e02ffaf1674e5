// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "library_drawing.hpp"

// Kernels whose teams' warps take numbers of their streams, and note which.

namespace rivulet {

using SharedExec = Kokkos::DefaultExecutionSpace;
using SharedPolicy = Kokkos::TeamPolicy<SharedExec>;
using SharedTeam = SharedPolicy::member_type;

/// How often the warps take.
struct Loads {
  enum Kind { even, uneven, one_stops, one_goes_on } kind;
  int most;

  /// Warp w of the team of stream s.
  KOKKOS_FUNCTION int of(int w, int s) const {
    if (kind == uneven) return most / (1 + (w + s) % 5);
    const int few = most < 3 ? most : 3;
    if (kind == one_stops) return w == s % 3 ? few : most;
    if (kind == one_goes_on) return w == s % 3 ? most : few;
    return most;
  }
  int all(int warps, int s) const {
    int sum = 0;
    for (int w = 0; w < warps; ++w) sum += of(w, s);
    return sum;
  }
};

/// Takes of a team's warps; each calls note(s, i, number) for its numbers, lane by lane. A thread
/// of a CPU plays every second, third, ... warp.
template <int K, class G, class Note>
KOKKOS_FUNCTION void take_by_warps(const SharedTeam& team, const Streams<G>& streams, int warps,
                                   const Loads& loads, const Note& note) {
  const int s = team.league_rank();
  auto shared = streams.open_shared(team);
  for (int w = team.team_rank(); w < warps; w += team.team_size()) {
    for (int turn = 0; turn < loads.of(w, s); ++turn) {
      const auto numbers = shared.template take<K>();
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 32), [&](int lane) {
        for (int k = 0; k < K; ++k) {
          note(static_cast<std::uint64_t>(s), numbers.index(lane, k), numbers(lane, k));
        }
      });
    }
  }
  streams.close(team, shared);
}

/// Notes every number and how often it was taken.
template <int K, class G>
struct TakeAndNote {
  Streams<G> streams;
  int warps;
  Loads loads;
  std::uint64_t length;  ///< of each stream
  NumbersThere<SharedExec> numbers;
  NumbersThere<SharedExec> times;

  KOKKOS_FUNCTION void operator()(const SharedTeam& team) const {
    const auto to = numbers;
    const auto often = times;
    const std::uint64_t of_each = length;
    take_by_warps<K>(team, streams, warps, loads,
                     [=](std::uint64_t s, std::uint64_t i, std::uint64_t number) {
                       if (i >= of_each) Kokkos::abort("a number beyond those that can be taken");
                       to(s * of_each + i) = number;
                       Kokkos::atomic_add(&often(s * of_each + i), std::uint64_t{1});
                     });
  }
};

/// Compares numbers with those that single threads drew, and counts takes of blocks.
template <class G>
struct TakeAndCompare {
  Streams<G> streams;
  int warps;
  Loads loads;
  std::uint64_t length;  ///< of each stream
  Kokkos::View<std::uint32_t*, SharedExec> expected;
  Kokkos::View<std::uint32_t*, SharedExec> times;  ///< of each block of 32
  Kokkos::View<std::uint64_t*, SharedExec> wrong;

  KOKKOS_FUNCTION void operator()(const SharedTeam& team) const {
    const auto drawn = expected;
    const auto often = times;
    const auto bad = wrong;
    const std::uint64_t of_each = length;
    take_by_warps<1>(team, streams, warps, loads,
                     [=](std::uint64_t s, std::uint64_t i, std::uint64_t number) {
                       const std::uint64_t place = s * of_each + i;
                       if (i >= of_each || drawn(place) != static_cast<std::uint32_t>(number)) {
                         Kokkos::atomic_add(&bad(0), std::uint64_t{1});
                       } else if (i % 32 == 0) {
                         Kokkos::atomic_add(&often(place / 32), 1u);
                       }
                     });
  }
};

/// Teams of `threads` threads on a CPU, of a warp each on a device.
template <class G>
SharedPolicy shared_policy_of(const Streams<G>& streams, int warps, int threads) {
  if constexpr (!detail::is_host<SharedExec>) {
    return streams.shared_policy(SharedExec(), warps);
  }
  SharedPolicy policy(SharedExec(), static_cast<int>(streams.count()), threads, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Streams<G>::shared_scratch_bytes())));
  return policy;
}

/// Sizes of teams: one thread, and two that run at the same time if there are.
inline std::vector<int> shared_team_sizes() {
  if (!detail::is_host<SharedExec> || SharedExec().concurrency() < 2) return {1};
  return {1, 2};
}

}  // namespace rivulet
