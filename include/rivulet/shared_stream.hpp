// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <limits>
#include <string>

#include "rivulet/detail/on_demand.hpp"
#include "rivulet/detail/shared_counter.hpp"
#include "rivulet/team_stream.hpp"

namespace rivulet {

/// The order in which a team's warps get numbers of its stream (Streams::open_shared): the order of
/// their requests. The used numbers are the stream's first ones, without gaps; their assignment to
/// warps differs from run to run.
struct on_demand {};

namespace detail {

template <class Family, class Team>
struct SharedStreamType {
  using type = OnDemandCounter<Family, Team>;
};
template <ByTeam Family, class Team>
struct SharedStreamType<Family, Team> {
  using type = OnDemandRing<Family, Team>;
};
template <class Family, class Team>
using SharedStreamOf = typename SharedStreamType<Family, Team>::type;

/// Teams of `warps` warps on a device. A CPU's team is one thread, which acts for them alternately.
template <class Exec>
Kokkos::TeamPolicy<Exec> warp_policy(const Exec& exec, std::uint64_t teams, int warps,
                                     std::size_t scratch_bytes) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  if (teams > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    throw Error(std::to_string(teams) + " teams are too many", "Kokkos counts them in 31 bits",
                "Make several Streams objects of fewer streams each.");
  }
  constexpr bool device = !is_host<Exec>;
  Policy policy(exec, static_cast<int>(teams), device ? warps : 1,
                device ? Policy::vector_length_max() : 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  return policy;
}

}  // namespace detail
}  // namespace rivulet
