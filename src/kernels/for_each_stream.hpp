// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/this_thread.hpp"
#include "kokkos_compat.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// How streams meet hardware: a stream to each lane (GPU thread or vector lane), or a stream to the
/// lanes of a team's thread (a warp), which compute the words that do not depend on each other
/// together. Both give the same numbers.
enum class StreamMapping { lane, team };

/// Lanes that share a stream in the team mapping of a GPU; seed 000's List 6.19 uses a warp of 32.
inline constexpr int team_lanes = 32;

/// Streams whose words lie side by side in memory: the lanes of a vector on a CPU, a warp on a GPU.
inline constexpr int tile_streams = device_build ? team_lanes : lanes<Word>;

/// The number of streams in whole tiles.
constexpr std::uint64_t padded_streams(std::uint64_t streams) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  return (streams + tile - 1) / tile * tile;
}

namespace impl {

/// A group of lanes<Word> streams a call.
template <class Body>
struct StreamGroups {
  Body body;
  KOKKOS_FUNCTION void operator()(std::uint64_t group) const {
    body(group * static_cast<std::uint64_t>(lanes<Word>));
  }
};

}  // namespace impl

/// Calls body(first) for the first stream of every group of lanes<Word> streams 0 .. streams-1. The
/// last group may be cut short; the body minds which of its lanes are streams.
template <class Body>
void for_each_stream_lane(const Space& space, const std::string& label, std::uint64_t streams,
                          const Body& body) {
  constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
  if (!device_build && ThisThreadOnly::active()) {
    for (std::uint64_t first = 0; first < streams; first += width) body(first);
    return;
  }
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  Kokkos::parallel_for(label, Policy(space, 0, (streams + width - 1) / width),
                       impl::StreamGroups<Body>{body});
}

using StreamTeam = Kokkos::TeamPolicy<Space>::member_type;

/// What works on one stream in the team mapping: the vector lanes of one thread of a team. On a CPU
/// that is one lane, whose loops compilers vectorise.
class StreamLanes {
 public:
  KOKKOS_FUNCTION explicit StreamLanes(const StreamTeam& team) : team_(&team) {}
  /// One lane without a team, where there is no device.
  StreamLanes() = default;

  /// Calls f(i), 0 <= i < n, once each. What the calls write is seen by all lanes afterwards; no
  /// call may read what another writes.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(int n, const F& f) const {
    if constexpr (device_build) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(*team_, n), f);
    } else {
      for (int i = 0; i < n; ++i) f(i);
    }
  }
  /// The sum over i of what f(i, sum) adds, on all lanes.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t sum(int n, const F& f) const {
    std::uint64_t total = 0;
    if constexpr (device_build) {
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(*team_, n), f, total);
    } else {
      for (int i = 0; i < n; ++i) f(i, total);
    }
    return total;
  }
  /// Calls f() on one lane.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void once(const F& f) const {
    if constexpr (device_build) {
      Kokkos::single(Kokkos::PerThread(*team_), f);
    } else {
      f();
    }
  }

 private:
  const StreamTeam* team_ = nullptr;
};

/// Streams 0 .. streams-1, so many to a team, each with scratch memory of its own.
struct TeamShape {
  std::uint64_t streams = 0;
  int streams_a_team = 1;         ///< 1 .. 16; on a GPU so many warps share a block
  std::size_t scratch_bytes = 0;  ///< a stream
};

namespace impl {

using TeamScratch =
    Kokkos::View<std::uint64_t*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

/// A league of teams, from stream `first` on.
template <class Body>
struct StreamTeams {
  Body body;
  TeamShape shape;
  std::uint64_t first;

  KOKKOS_FUNCTION std::size_t scratch_words() const { return (shape.scratch_bytes + 7) / 8; }

  KOKKOS_FUNCTION void operator()(const StreamTeam& team) const {
    const auto a_team = static_cast<std::uint64_t>(shape.streams_a_team);
    const std::uint64_t begin = first + static_cast<std::uint64_t>(team.league_rank()) * a_team;
    const auto threads = static_cast<std::uint64_t>(team.team_size());
    const auto own = static_cast<std::uint64_t>(team.team_rank());
    const TeamScratch scratch(team.team_scratch(0), scratch_words() * threads);
    const StreamLanes lanes(team);
    for (std::uint64_t i = own; i < a_team && begin + i < shape.streams; i += threads) {
      body(lanes, begin + i, static_cast<void*>(scratch.data() + own * scratch_words()));
    }
  }
};

}  // namespace impl

/// Calls body(lanes, stream, scratch) for every stream; scratch (void*, aligned to 8 bytes) is the
/// stream's own. On a CPU, where a thread alone on a stream needs no barrier, a team is one thread
/// that takes its streams in turn.
template <class Body>
void for_each_stream_team(const Space& space, const std::string& label, const TeamShape& shape,
                          const Body& body) {
  using Policy = Kokkos::TeamPolicy<Space>;
  if (!device_build && ThisThreadOnly::active()) {
    std::vector<std::uint64_t> scratch((shape.scratch_bytes + 7) / 8);
    const StreamLanes lanes;
    for (std::uint64_t s = 0; s < shape.streams; ++s) {
      body(lanes, s, static_cast<void*>(scratch.data()));
    }
    return;
  }
  const auto a_team = static_cast<std::uint64_t>(shape.streams_a_team);
  const int threads = device_build ? shape.streams_a_team : 1;
  const int vector = device_build ? team_lanes : 1;
  // A league is counted in int; longer ones go in several launches.
  constexpr std::uint64_t longest_league = 1u << 30;
  for (std::uint64_t first = 0; first < shape.streams; first += longest_league * a_team) {
    const std::uint64_t teams = (shape.streams - first + a_team - 1) / a_team;
    const auto league = static_cast<int>(std::min(longest_league, teams));
    const impl::StreamTeams<Body> kernel{body, shape, first};
    const auto scratch = static_cast<int>(
        impl::TeamScratch::shmem_size(kernel.scratch_words() * static_cast<std::size_t>(threads)));
    Kokkos::parallel_for(
        label, Policy(space, league, threads, vector).set_scratch_size(0, Kokkos::PerTeam(scratch)),
        kernel);
  }
}

}  // namespace rivulet
