// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "rivulet/detail/team_lanes.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Lanes per stream in the team mapping of a GPU: a warp, as in List 6.19 of "The OpenCL
/// Programming Book" (Fixstars, 2012).
inline constexpr int team_lanes = 32;

/// 1 if lanes can exchange registers by warp shuffles.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define RIVULET_LANES_SHUFFLE 1
#else
#define RIVULET_LANES_SHUFFLE 0
#endif

using StreamTeam = Kokkos::TeamPolicy<Space>::member_type;

/// Returns the index of the block that a lane holds after StreamLanes::gather(). The blocks are the
/// rows of the lane's group, concatenated and cut every `rows` tuples.
template <int rows, int members>
KOKKOS_FORCEINLINE_FUNCTION constexpr int gathered_block(int lane) {
  return (lane % rows * members + lane % members) / rows;
}

/// The vector lanes of one team thread. In the team mapping, these lanes draw one stream together.
/// A CPU has one lane, and compilers vectorise its loops.
class StreamLanes : public detail::TeamLanes<StreamTeam, team_lanes> {
 public:
#if RIVULET_LANES_SHUFFLE
  /// Returns the value of lane `other` by a warp shuffle. Every lane must call this function.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T of_lane(int other, T value) const {
    (void)other;
    // A local copy, because shfl takes a reference and device code cannot refer to the global
    // constant.
    [[maybe_unused]] constexpr int width = team_lanes;
    KOKKOS_IF_ON_DEVICE((value = Kokkos::shfl(value, other, int{width});))
    return value;
  }
  /// Returns the maximum over the lanes. Every lane must call this function.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t max(std::uint64_t value) const {
    const int this_lane = lane();
    for (int half = 1; half < team_lanes; half *= 2) {
      const std::uint64_t other = of_lane(this_lane ^ half, value);
      value = other > value ? other : value;
    }
    return value;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t min(std::uint64_t value) const { return ~max(~value); }
  /// Transposes tuples of `run` values within each group of `members` lanes. Before the call, each
  /// lane holds one tuple of each of `rows` rows. Afterwards, each lane holds `rows` consecutive
  /// tuples of one row: the block with the index gathered_block(). `rows` must be a power of two
  /// and at most `members`. Every lane must call this function.
  template <int rows, int run = 1, int members = team_lanes, class T>
  KOKKOS_FORCEINLINE_FUNCTION void gather(int lane, T* values) const {
    static_assert((rows & (rows - 1)) == 0 && rows <= members);
    for (int half = 1; half < rows; half *= 2) {
      const bool upper = (lane & half) != 0;
      for (int r = 0; r < rows; ++r) {
        if ((r & half) != 0) continue;
        for (int i = 0; i < run; ++i) {
          T& low = values[r * run + i];
          T& high = values[(r + half) * run + i];
          const T received = of_lane(lane ^ half, upper ? low : high);
          (upper ? low : high) = received;
        }
      }
    }
  }
  /// Like gather(), but for any number of rows. Afterwards, lane i of the group holds the block
  /// with the index i. `scratch` must hold rows * run values per lane of the warp. Every lane must
  /// call this function.
  template <int rows, int run, int members, class T>
  KOKKOS_FORCEINLINE_FUNCTION void transpose(int lane, T* values, T* scratch) const {
    constexpr int lane_values = rows * run;
    const int lane_in_group = lane % members;
    T* const group = scratch + (lane - lane_in_group) * lane_values;
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < run; ++i)
        group[(r * members + lane_in_group) * run + i] = values[r * run + i];
    }
    sync();
    for (int k = 0; k < lane_values; ++k) values[k] = group[lane_in_group * lane_values + k];
    sync();
  }
#endif
};

}  // namespace rivulet
