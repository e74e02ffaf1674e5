// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/generators/mtgp_engines.hpp"

namespace rivulet::impl {

/// Words of an MTGP sequence before those that there are. x[k], k < 0, are to be filled from those
/// behind them, the nearest first.
class MtgpBackwards {
 public:
  using Recurrence = Mtgp11213Recurrence;

  KOKKOS_FUNCTION explicit MtgpBackwards(const MtgpSet& set) : set_(set), table_(set.table) {
    for (std::uint32_t low = 0; low < MtgpEntries::size; ++low) {
      const std::uint32_t added = (low ^ table_(low)) % MtgpEntries::size;
      low_of_ |= std::uint64_t{low} << 4 * added;
    }
  }

  /// x[-1] .. x[-count], and the bits of x[0] that do not count in a state. Of x[-count] only those
  /// that do.
  KOKKOS_FUNCTION void fill(std::uint32_t* x, int count) const {
    constexpr std::uint32_t upper = Recurrence::upper_mask;
    for (int k = -1; k >= -count; --k) {
      const std::uint32_t sum = mixed(x + k);
      x[k + 1] = (x[k + 1] & upper) | (sum & ~upper);
      x[k] = (sum ^ x[k + 1]) & upper;
    }
  }

 private:
  /// The sum of x[0]'s upper bits and x[1], by the word that was made of it.
  KOKKOS_FUNCTION std::uint32_t mixed(const std::uint32_t* x) const {
    const std::uint32_t made = x[Recurrence::n];
    const auto low =
        static_cast<std::uint32_t>(low_of_ >> 4 * (made % MtgpEntries::size)) % MtgpEntries::size;
    std::uint32_t sum = made ^ table_(low) ^ (x[set_.pos] >> set_.sh2);
    // The inverse of 1 + S, S a shift: (1 + S) (1 + S^2) (1 + S^4) ...
    for (int shift = set_.sh1; shift < 32; shift *= 2) sum ^= sum << shift;
    return sum;
  }

  MtgpSet set_;
  MtgpSums table_;
  /// 4 bits each: the lowest ones before the table's entry was added, by those after.
  std::uint64_t low_of_ = 0;
};

#if RIVULET_LANES_HAND_ON
/// Draws from one stream with the lanes of a device's team thread, 256 numbers at a time, which
/// stay in registers. The words are in a line of scratch memory, where all places of a draw are
/// constant offsets from two addresses; every fourth draw begins by moving the state back to the
/// line's beginning.
class MtgpWarp {
 public:
  using Recurrence = Mtgp11213Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int step = Recurrence::team_numbers;
  static constexpr int members = team_lanes;
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = step / team_lanes;
  static constexpr int steps_around = 1;
  /// Steps until the state moves back.
  static constexpr int steps_in_line = 4;
  /// Numbers before where the stream is, that a warp begins at most.
  static constexpr int most_back = 64;
  static constexpr int line_words = most_back + n + steps_in_line * step;
  static constexpr std::size_t scratch_bytes =
      MtgpScratchTables::bytes + line_words * sizeof(std::uint32_t);

  /// Begins `back` numbers, 0 .. most_back, before where the stream is.
  template <class Streams>
  KOKKOS_FUNCTION MtgpWarp(const StreamLanes& lanes, const Streams& streams, std::uint64_t stream,
                           void* scratch, int back = 0)
      : tables_(lanes, streams.tables(stream), static_cast<std::uint32_t*>(scratch)),
        x_(static_cast<std::uint32_t*>(scratch) + 2 * MtgpScratchTables::size),
        oldest_(most_back - back),
        lane_(lanes.lane()) {
    std::uint32_t* const x = x_ + most_back;
    lanes.each(n, [&](int k) { x[k] = streams.word(k, stream); });
    if (back > 0) {
      const MtgpBackwards backwards(tables_.set());
      lanes.once([=] { backwards.fill(x, back); });
    }
  }

  /// The lane's numbers of the next 256: number 32 i + lane to to[i].
  KOKKOS_FORCEINLINE_FUNCTION void next(const StreamLanes& lanes, std::uint32_t* to) {
    if (oldest_ + n + step > line_words) move_back(lanes);
    const MtgpSet& set = tables_.set();
    const auto table = tables_.table();
    const auto temper = tables_.temper();
    std::uint32_t* const x = x_ + oldest_ + lane_;
    const std::uint32_t* const x_pos = x + set.pos;
    for (int i = 0; i < numbers_per_lane; ++i) {
      const int k = i * team_lanes;
      to[i] = Recurrence::step(set, x[k], x[k + 1], x_pos[k], table);
    }
    for (int i = 0; i < numbers_per_lane; ++i) {
      const int k = i * team_lanes;
      x[k + n] = to[i];
      to[i] = Recurrence::temper(to[i], x_pos[k - 1], temper);
    }
    lanes.meet();
    oldest_ += step;
  }

  /// Puts back the state of 0 .. 255 numbers ago.
  template <class Streams>
  KOKKOS_FUNCTION void store(const StreamLanes& lanes, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const std::uint32_t* const x = x_ + (oldest_ - ago);
    for (int k = lane_; k < n; k += team_lanes) streams.put_word(k, stream, x[k]);
    lanes.meet();  // the next draw may move words back
  }

 private:
  /// Before a draw, so that after it the states of all its numbers are there.
  KOKKOS_FORCEINLINE_FUNCTION void move_back(const StreamLanes& lanes) {
    static_assert(steps_in_line * step - step >= n, "words move to where none are that are needed");
    for (int k = lane_; k < n; k += team_lanes) x_[k] = x_[oldest_ + k];
    lanes.meet();
    oldest_ = 0;
  }

  MtgpScratchTables tables_;
  std::uint32_t* x_;
  int oldest_;
  int lane_;
};
#endif

}  // namespace rivulet::impl
