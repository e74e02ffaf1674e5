// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "kokkos_compat.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// How streams meet hardware: a stream to each lane (GPU thread or vector lane), or a stream to
/// each Kokkos team, whose members compute the words that do not depend on each other together.
/// Both give the same numbers.
enum class StreamMapping { lane, team };

/// Members of a team that share one stream; seed 000's List 6.19 uses a warp of 32.
inline constexpr int team_lanes = 32;

/// Streams whose words lie side by side in memory: the lanes of a vector on a CPU, a warp on a GPU.
inline constexpr int tile_streams = device_build ? team_lanes : lanes<Word>;

/// Calls body(first) for the first stream of every group of lanes<Word> streams 0 .. streams-1. The
/// last group may be cut short; the body minds which of its lanes are streams.
template <class Body>
void for_each_stream_lane(const Space& space, const std::string& label, std::uint64_t streams,
                          const Body& body) {
  constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0,
                                                                   (streams + width - 1) / width),
      KOKKOS_LAMBDA(const std::uint64_t group) { body(group * width); });
}

using StreamTeam = Kokkos::TeamPolicy<Space>::member_type;
using TeamWords =
    Kokkos::View<std::uint32_t*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

/// Calls body(team, stream, words) for every stream, a team to each; words is team scratch of
/// scratch_words 32-bit words. Teams have 32 members where the backend allows, fewer elsewhere.
template <class Body>
void for_each_stream_team(const Space& space, const std::string& label, std::uint64_t streams,
                          int scratch_words, const Body& body) {
  using Policy = Kokkos::TeamPolicy<Space>;
  const auto size = static_cast<std::size_t>(scratch_words);
  // A league is counted in int; longer ones go in several launches.
  constexpr std::uint64_t longest_league = 1u << 30;
  for (std::uint64_t first = 0; first < streams; first += longest_league) {
    const auto league = static_cast<int>(std::min(longest_league, streams - first));
    const auto kernel = KOKKOS_LAMBDA(const StreamTeam& team) {
      const TeamWords words(team.team_scratch(0), size);
      body(team, first + static_cast<std::uint64_t>(team.league_rank()), words);
    };
    const auto scratch = Kokkos::PerTeam(static_cast<int>(TeamWords::shmem_size(size)));
    const Policy probe = Policy(space, league, 1).set_scratch_size(0, scratch);
    const int members = std::min(team_lanes, probe.team_size_max(kernel, Kokkos::ParallelForTag()));
    // A CPU thread alone on a stream needs no barrier: teams of one.
    const int team_size = device_build ? members : 1;
    Kokkos::parallel_for(label, Policy(space, league, team_size).set_scratch_size(0, scratch),
                         kernel);
  }
}

}  // namespace rivulet
