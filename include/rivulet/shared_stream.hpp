// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <limits>
#include <string>

#include "rivulet/detail/on_demand.hpp"
#include "rivulet/detail/reserved.hpp"
#include "rivulet/detail/shared_counter.hpp"
#include "rivulet/team_stream.hpp"

namespace rivulet {

/// An order in which a team's warps get numbers of its stream (Streams::open_shared): the order of
/// their requests. The used numbers are the stream's first ones, without gaps; their assignment to
/// warps differs from run to run.
struct on_demand {};

/// A fixed order: block k (32 numbers) of warp w is block w + k * warps of the stream, counted from
/// where it was opened, independent of the other warps, on any machine. Warps that are at most
/// `rows` rows of `warps` blocks apart share the work of making them; `rows` should be twice the K
/// of take<K>() or more. `warps` is the number of warps that take numbers. Both are at least 1,
/// their product at most 2^15.
struct reserved {
  int warps;
  int rows = 3;
};

namespace detail {

template <class Order>
concept SharedOrder = std::same_as<Order, on_demand> || std::same_as<Order, reserved>;

template <class Family, class Team, class Order>
struct SharedStreamType;
template <class Family, class Team>
struct SharedStreamType<Family, Team, on_demand> {
  using type = OnDemandCounter<Family, Team>;
};
template <ByTeam Family, class Team>
struct SharedStreamType<Family, Team, on_demand> {
  using type = OnDemandRing<Family, Team>;
};
template <class Family, class Team>
struct SharedStreamType<Family, Team, reserved> {
  using type = ReservedCounter<Family, Team>;
};
template <ByTeam Family, class Team>
struct SharedStreamType<Family, Team, reserved> {
  using type = ReservedRing<Family, Team>;
};
template <class Family, class Team, class Order>
using SharedStreamOf = typename SharedStreamType<Family, Team, Order>::type;

template <class Stream, class Family, class Team>
concept SharedStreamOfFamily = std::same_as<Stream, SharedStreamOf<Family, Team, on_demand>> ||
    std::same_as<Stream, SharedStreamOf<Family, Team, reserved>>;

template <class Family, class Team>
constexpr std::size_t shared_scratch_bytes(on_demand) {
  return SharedStreamOf<Family, Team, on_demand>::scratch_bytes;
}
template <class Family, class Team>
constexpr std::size_t shared_scratch_bytes(reserved order) {
  return SharedStreamOf<Family, Team, reserved>::scratch_bytes(order.warps, order.rows);
}

/// Bound on the rows of a ring: a team has scratch memory for far fewer.
inline constexpr long long most_reserved = 1 << 20;
inline void require_reserved(int warps, int rows) {
  if (warps > 0 && rows > 0 && static_cast<long long>(warps) * rows <= most_reserved / 32) return;
  throw Error("reserved{" + std::to_string(warps) + ", " + std::to_string(rows) + "} has no ring",
              "a team's rows have 32 numbers for each warp, at most " +
                  std::to_string(most_reserved) + " in all",
              "Take warps and rows from 1 on, and fewer of them.");
}

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
