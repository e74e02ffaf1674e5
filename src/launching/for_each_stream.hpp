// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "kokkos_compat.hpp"
#include "launching/host_launch.hpp"
#include "launching/stream_lanes.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Number of streams whose words are contiguous in memory: the number of lanes of a vector on a
/// CPU, or of a warp on a GPU.
inline constexpr int tile_streams = device_build ? team_lanes : lanes<Word>;

/// Returns the number of 8-byte words of scratch memory that hold `bytes` bytes.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::size_t scratch_words(std::size_t bytes) {
  return ceil_divide(bytes, 8);
}
/// Rounds `bytes` up to a multiple of 8, the alignment of scratch memory.
constexpr std::size_t rounded_scratch_bytes(std::size_t bytes) { return scratch_words(bytes) * 8; }

/// Rounds a number of streams up to a multiple of tile_streams.
constexpr std::uint64_t padded_streams(std::uint64_t streams) {
  constexpr auto tile = static_cast<std::uint64_t>(tile_streams);
  return ceil_divide(streams, tile) * tile;
}

namespace detail {

/// Kernel functor: each call handles one group of lanes<Word> streams.
template <class Body>
struct StreamGroups {
  Body body;
  KOKKOS_FUNCTION void operator()(std::uint64_t group) const {
    body(group * static_cast<std::uint64_t>(lanes<Word>));
  }
};

/// Launch bounds of a body: Body::Bounds if it exists, otherwise Kokkos' defaults. The bounds are
/// the number of threads per block and the least number of blocks per multiprocessor. The compiler
/// derives the register budget from them, which matters for bodies with high register pressure.
template <class Body>
struct LaneBounds {
  using type = Kokkos::LaunchBounds<>;
};
template <class Body>
requires requires { typename Body::Bounds; }
struct LaneBounds<Body> {
  using type = typename Body::Bounds;
};

template <class Body>
HostBody host_body(const Body& body) {
  return {&body,
          [](const void* object, std::uint64_t i) { (*static_cast<const Body*>(object))(i); }};
}

}  // namespace detail

/// Splits the streams 0 .. streams-1 into groups of lanes<Word> and calls body(first) with the
/// first stream of each group. The last group may be partial; the body must mask its surplus lanes.
/// The call is blocking on a CPU and asynchronous on a device.
template <class Body>
void for_each_stream_lane(const Space& space, const std::string& label, std::uint64_t streams,
                          const Body& body) {
  constexpr auto width = static_cast<std::uint64_t>(lanes<Word>);
  if constexpr (device_build) {
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>,
                                       typename detail::LaneBounds<Body>::type>;
    Kokkos::parallel_for(label, Policy(space, 0, ceil_divide(streams, width)),
                         detail::StreamGroups<Body>{body});
  } else {
    detail::launch_on_host(space, label, streams, width, detail::host_body(body));
  }
}

/// Calls body(stream) for streams 0 .. streams-1. The call is blocking on a CPU and asynchronous on
/// a device.
template <class Body>
void for_each_stream(const Space& space, const std::string& label, std::uint64_t streams,
                     const Body& body) {
  if constexpr (device_build) {
    Kokkos::parallel_for(label, IndexRange(space, 0, streams), body);
  } else {
    detail::launch_on_host(space, label, streams, 1, detail::host_body(body));
  }
}

/// Maximum number of teams per launch. The limit exists because Kokkos stores the number of teams
/// in an int. More teams need several launches.
inline constexpr std::uint64_t max_teams_per_launch = 1u << 30;

/// Distribution of streams 0 .. streams-1 over teams. Each stream has separate scratch memory.
struct TeamShape {
  std::uint64_t streams = 0;
  int streams_per_team = 1;       ///< 1 .. 16; on a GPU, warps per block
  std::size_t scratch_bytes = 0;  ///< per stream
};

namespace detail {

using TeamScratch =
    Kokkos::View<std::uint64_t*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

/// Scratch memory per team, in bytes. Kokkos 3.4 expects an int, Kokkos 4.6 a std::size_t.
struct TeamBytes {
  std::size_t bytes;
  operator int() const { return static_cast<int>(bytes); }
  operator std::size_t() const { return bytes; }
};

/// Kernel functor of one launch. `first` is the launch's first stream.
template <class Body>
struct StreamTeams {
  Body body;
  TeamShape shape;
  std::uint64_t first;

  KOKKOS_FUNCTION std::size_t words() const { return scratch_words(shape.scratch_bytes); }

  KOKKOS_FUNCTION void operator()(const StreamTeam& team) const {
    const auto per_team = static_cast<std::uint64_t>(shape.streams_per_team);
    const std::uint64_t begin = first + static_cast<std::uint64_t>(team.league_rank()) * per_team;
    const auto threads = static_cast<std::uint64_t>(team.team_size());
    const auto thread = static_cast<std::uint64_t>(team.team_rank());
    const TeamScratch scratch(team.team_scratch(0), words() * threads);
    const StreamLanes lanes;
    for (std::uint64_t i = thread; i < per_team && begin + i < shape.streams; i += threads) {
      body(lanes, begin + i, static_cast<void*>(scratch.data() + thread * words()));
    }
  }
};

}  // namespace detail

/// Calls body(lanes, stream, scratch) for every stream. Asynchronous; for devices only.
/// `scratch` (void*, aligned to 8 bytes) belongs to this stream alone.
template <class Body>
void for_each_stream_team(const Space& space, const std::string& label, const TeamShape& shape,
                          const Body& body) {
  using Policy = Kokkos::TeamPolicy<Space>;
  const auto per_team = static_cast<std::uint64_t>(shape.streams_per_team);
  const int threads = shape.streams_per_team;
  for (std::uint64_t first = 0; first < shape.streams; first += max_teams_per_launch * per_team) {
    const std::uint64_t teams = ceil_divide(shape.streams - first, per_team);
    const auto league = static_cast<int>(std::min(max_teams_per_launch, teams));
    const detail::StreamTeams<Body> kernel{body, shape, first};
    const detail::TeamBytes scratch{
        detail::TeamScratch::shmem_size(kernel.words() * static_cast<std::size_t>(threads))};
    Kokkos::parallel_for(
        label,
        Policy(space, league, threads, team_lanes).set_scratch_size(0, Kokkos::PerTeam(scratch)),
        kernel);
  }
}

/// Distribution of streams 0 .. streams-1 over a device's teams. The threads of a team share its
/// scratch memory.
struct SharedTeamShape {
  std::uint64_t streams = 0;
  int streams_per_team = 1;
  int threads = 1;                ///< per team
  int vector = 1;                 ///< lanes per thread
  std::size_t scratch_bytes = 0;  ///< per team
};

namespace detail {

template <class Body>
struct SharedTeams {
  Body body;
  SharedTeamShape shape;
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team) const {
    const auto number = static_cast<std::uint64_t>(team.league_rank());
    const TeamScratch scratch(team.team_scratch(0), scratch_words(shape.scratch_bytes));
    body(team, first + number * static_cast<std::uint64_t>(shape.streams_per_team),
         reinterpret_cast<char*>(scratch.data()));
  }
};

}  // namespace detail

/// Calls body(team, first, scratch) on all threads of each team, asynchronously; `first` is the
/// team's first stream. The last team may have fewer streams. `scratch` (char*) is aligned to 8
/// bytes.
template <class Body>
void for_each_shared_team(const Space& space, const std::string& label,
                          const SharedTeamShape& shape, const Body& body) {
  const auto per_team = static_cast<std::uint64_t>(shape.streams_per_team);
  const detail::TeamBytes scratch{
      detail::TeamScratch::shmem_size(scratch_words(shape.scratch_bytes))};
  for (std::uint64_t first = 0; first < shape.streams; first += max_teams_per_launch * per_team) {
    const std::uint64_t teams = ceil_divide(shape.streams - first, per_team);
    const auto league = static_cast<int>(std::min(max_teams_per_launch, teams));
    Kokkos::TeamPolicy<Space, typename detail::LaneBounds<Body>::type> policy(
        space, league, shape.threads, shape.vector);
    Kokkos::parallel_for(label, policy.set_scratch_size(0, Kokkos::PerTeam(scratch)),
                         detail::SharedTeams<Body>{body, shape, first});
  }
}

}  // namespace rivulet
