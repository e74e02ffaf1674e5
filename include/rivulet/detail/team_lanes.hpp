// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>

#include "rivulet/detail/team_atomics.hpp"

namespace rivulet::detail {

/// A member of a Kokkos team.
template <class Team>
concept TeamMember = requires(const Team& team) {
  { team.league_rank() } -> std::convertible_to<int>;
  team.team_scratch(0);
  team.team_barrier();
};

/// Whether a team's threads have lanes, which share what one thread does.
template <class Team>
inline constexpr bool has_lanes =
    !std::is_same_v<typename Team::execution_space::memory_space, Kokkos::HostSpace>;

/// The lanes of one thread of a team: a warp on a device, one lane on a CPU. All of them call every
/// function together.
template <class Team>
class TeamLanes {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit TeamLanes(const Team& team) : team_(&team) {}

  /// Ends the program unless a thread of the team is a whole warp: parts of one would wait for each
  /// other, which not all devices can.
  KOKKOS_FORCEINLINE_FUNCTION static void require_warps() {
#if RIVULET_IN_DEVICE_CODE
    if (static_cast<int>(blockDim.x) != static_cast<int>(warpSize)) {
      Kokkos::abort(
          "rivulet: numbers on demand need teams whose threads are whole warps: take "
          "Streams::shared_policy(), or a vector length of TeamPolicy::vector_length_max().\n");
    }
#endif
  }

  /// Calls f(i), 0 <= i < count, once each. What the calls write all lanes see afterwards; no call
  /// may read what another writes.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(int count, const F& f) const {
    if constexpr (has_lanes<Team>) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(*team_, count), f);
      meet();
    } else {
      for (int i = 0; i < count; ++i) f(i);
    }
  }

  /// What f() gives, which one lane calls.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION auto one(const F& f) const {
    auto value = decltype(f()){};
    if constexpr (has_lanes<Team>) {
      Kokkos::single(
          Kokkos::PerThread(*team_), [&f](decltype(f())& own) { own = f(); }, value);
      meet();
    } else {
      value = f();
    }
    return value;
  }
  /// Calls f() on one lane.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void once(const F& f) const {
    if constexpr (has_lanes<Team>) {
      meet();
      Kokkos::single(Kokkos::PerThread(*team_), f);
      meet();
    } else {
      f();
    }
  }

  /// Lanes wait for each other, and then see what the others wrote.
  KOKKOS_FORCEINLINE_FUNCTION void meet() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
    // They run in step; this is for the compiler, which may move no access to memory past it.
    asm volatile("" ::: "memory");
#endif
  }

 private:
  const Team* team_;
};

}  // namespace rivulet::detail
