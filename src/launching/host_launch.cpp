// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launching/host_launch.hpp"

#include <algorithm>
#include <vector>

#include "launching/for_each_stream.hpp"
#include "machine/default_arithmetic.hpp"
#include "rivulet/detail/this_thread.hpp"

namespace rivulet::detail {

#if !RIVULET_DEVICE_BUILD

void launch_on_host(const Space& space, const std::string& label, std::uint64_t end,
                    std::uint64_t step, const HostBody& body) {
  if (ThisThreadOnly::active()) {
    for (std::uint64_t i = 0; i < end; i += step) body.call(body.body, i);
    return;
  }
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(
                           space, 0, (end + step - 1) / step),
                       [body, step](std::uint64_t i) {
                         const DefaultArithmetic ours;  // the threads may be the host's
                         body.call(body.body, i * step);
                       });
  space.fence();
}

namespace {

/// A team of one thread, which takes its streams in turn.
struct HostTeams {
  HostTeamBody body;
  std::uint64_t streams;
  std::uint64_t streams_per_team;
  std::uint64_t first;
  std::size_t scratch_words;

  void operator()(const StreamTeam& team) const {
    const DefaultArithmetic ours;
    const std::uint64_t begin =
        first + static_cast<std::uint64_t>(team.league_rank()) * streams_per_team;
    const TeamScratch scratch(team.team_scratch(0), scratch_words);
    for (std::uint64_t i = 0; i < streams_per_team && begin + i < streams; ++i) {
      body.call(body.body, begin + i, static_cast<void*>(scratch.data()));
    }
  }
};

}  // namespace

void launch_teams_on_host(const Space& space, const std::string& label, std::uint64_t streams,
                          int streams_per_team, std::size_t scratch_bytes,
                          const HostTeamBody& body) {
  const std::size_t words = (scratch_bytes + 7) / 8;
  if (ThisThreadOnly::active()) {
    std::vector<std::uint64_t> scratch(words);
    for (std::uint64_t s = 0; s < streams; ++s) {
      body.call(body.body, s, static_cast<void*>(scratch.data()));
    }
    return;
  }
  const auto per_team = static_cast<std::uint64_t>(streams_per_team);
  for (std::uint64_t first = 0; first < streams; first += longest_league * per_team) {
    const std::uint64_t teams = (streams - first + per_team - 1) / per_team;
    const auto league = static_cast<int>(std::min(longest_league, teams));
    const TeamBytes scratch{TeamScratch::shmem_size(words)};
    Kokkos::parallel_for(label,
                         Kokkos::TeamPolicy<Space>(space, league, 1, 1)
                             .set_scratch_size(0, Kokkos::PerTeam(scratch)),
                         HostTeams{body, streams, per_team, first, words});
  }
  space.fence();
}

#endif

}  // namespace rivulet::detail
