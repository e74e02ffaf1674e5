// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <type_traits>

#include "rivulet/detail/team_atomics.hpp"

namespace rivulet::detail {

/// A member of a Kokkos team.
template <class Team>
concept TeamMember = requires(const Team& team) {
  { team.league_rank() } -> std::convertible_to<int>;
  team.team_scratch(0);
  team.team_barrier();
};

/// True if a team's threads have lanes, which share a thread's work.
template <class Team>
inline constexpr bool has_lanes =
    !std::is_same_v<typename Team::execution_space::memory_space, Kokkos::HostSpace>;

/// The lanes of one thread of a team: `width` lanes on a device (0: a warp), one lane on a CPU.
/// Every function is collective over the lanes.
template <class Team, int width = 0>
class TeamLanes {
 public:
  /// Aborts the program unless each thread of the team is a whole warp. Otherwise, parts of a warp
  /// would wait for each other, which not all devices support.
  KOKKOS_FORCEINLINE_FUNCTION static void require_warps() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    static_assert(sizeof(Team) == 0,
                  "numbers on demand need threads that are scheduled on their own: NVIDIA GPUs "
                  "from Volta (sm_70) on");
#endif
#if RIVULET_IN_DEVICE_CODE
    if (static_cast<int>(blockDim.x) != lanes()) {
      Kokkos::abort(
          "rivulet: numbers on demand need teams whose threads are whole warps: use "
          "Streams::shared_policy(), or a vector length of TeamPolicy::vector_length_max().\n");
    }
#endif
  }

  /// Calls f(i) once for each i, 0 <= i < count. Afterwards all lanes see what the calls wrote. No
  /// call may read what another call writes.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each(int count, const F& f) const {
    // This loop works like Kokkos' ThreadVectorRange, but compilers can unroll it, since they know
    // the number of lanes.
    for (int i = lane(); i < count; i += lanes()) f(i);
    sync();
  }

  /// Calls f(lane) once for each lane, 0 <= lane < 32. Lanes are not synchronised afterwards.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void each_of_32(const F& f) const {
#if defined(__CUDA_ARCH__)
    f(lane());
#else
    for (int i = lane(); i < 32; i += lanes()) f(i);
#endif
  }

  /// Polls until `is()` returns true. Each lane polls on its own.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void wait_until(const F& is) const {
    for (int polls = 0; !is(); ++polls) {
      if (polls >= polls_before_pause) pause_polling(polls - polls_before_pause);
    }
  }

  /// Calls f() on one lane, and returns its result, an integer, on all lanes.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION auto single(const F& f) const {
#if RIVULET_IN_DEVICE_CODE
    auto value = decltype(f()){};
    if (lane() == 0) value = f();
#if defined(__CUDA_ARCH__)
    value = __shfl_sync(0xffffffffu, value, 0);
#else
    value = __shfl(value, 0);
#endif
    sync();
    return value;
#else
    return f();
#endif
  }
  /// Calls f() on one lane, after all lanes have arrived.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void after_all(const F& f) const {
    sync();
    if (lane() == 0) f();
  }
  /// Calls f() on one lane, after all lanes have arrived; all lanes then wait for the call.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void once(const F& f) const {
    after_all(f);
    sync();
  }

  /// Waits for all lanes, which then see each other's writes.
  KOKKOS_FORCEINLINE_FUNCTION void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp();
#elif defined(__HIP_DEVICE_COMPILE__)
    // Lanes run in lockstep. The statement keeps the compiler from moving memory accesses across
    // the barrier.
    asm volatile("" ::: "memory");
#endif
  }

  /// Returns the index of the calling lane.
  KOKKOS_FORCEINLINE_FUNCTION static int lane() {
#if RIVULET_IN_DEVICE_CODE
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }

 private:
  /// Number of polls before the first pause. Most waits end within this many loads from scratch
  /// memory.
  static constexpr int polls_before_pause = has_lanes<Team> ? 4 : 0;

  KOKKOS_FORCEINLINE_FUNCTION static int lanes() {
#if defined(__CUDA_ARCH__)
    return width > 0 ? width : 32;
#elif defined(__HIP_DEVICE_COMPILE__)
    return width > 0 ? width : warpSize;
#else
    return 1;
#endif
  }
};

}  // namespace rivulet::detail
