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
/// stay in registers. The words are in a ring of four such runs in scratch memory, which begin
/// where registers say, so that most places of a draw are constant offsets from these. New words
/// replace none that the same draw reads.
class MtgpWarp {
 public:
  using Recurrence = Mtgp11213Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int step = Recurrence::team_numbers;
  static constexpr int members = team_lanes;
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = step / team_lanes;
  static constexpr int steps_around = 1;
  static constexpr int ring_words = 4 * step;
  static constexpr std::size_t scratch_bytes =
      MtgpScratchTables::bytes + ring_words * sizeof(std::uint32_t);

  /// Begins `back` numbers, 0 .. 64, before where the stream is.
  template <class Streams>
  KOKKOS_FUNCTION MtgpWarp(const StreamLanes& lanes, const Streams& streams, std::uint64_t stream,
                           void* scratch, int back = 0)
      : tables_(lanes, streams.tables(stream), static_cast<std::uint32_t*>(scratch)),
        x_(static_cast<std::uint32_t*>(scratch) + 2 * MtgpScratchTables::size),
        lane_(lanes.lane()) {
    for (int r = 0; r < 4; ++r) begin_[r] = r * step + lane_;
    std::uint32_t* const x = x_ + back;
    lanes.each(n, [&](int k) { x[k] = streams.word(k, stream); });
    if (back > 0) {
      const MtgpBackwards backwards(tables_.set());
      lanes.once([=] { backwards.fill(x, back); });
    }
  }

  /// The lane's numbers of the next 256: number 32 i + lane to to[i].
  KOKKOS_FORCEINLINE_FUNCTION void next(const StreamLanes& lanes, std::uint32_t* to) {
    const MtgpSet& set = tables_.set();
    const auto table = tables_.table();
    const auto temper = tables_.temper();
    for (int i = 0; i < numbers_per_lane; ++i) {
      const int k = i * team_lanes;
      to[i] = Recurrence::step(
          set, x_[begin_[0] + k],
          x_[i + 1 < numbers_per_lane ? begin_[0] + k + 1 : wrapped(begin_[0] + k + 1)],
          x_[at_pos(i, set.pos)], table);
    }
    for (int i = 0; i < numbers_per_lane; ++i) {
      x_[at_new(i)] = to[i];
      to[i] = Recurrence::temper(to[i], x_[at_pos(i, set.pos - 1)], temper);
    }
    lanes.meet();
    const int first = begin_[0];
    for (int r = 0; r < 3; ++r) begin_[r] = begin_[r + 1];
    begin_[3] = first;
  }

  /// Puts back the state of 0 .. 255 numbers ago.
  template <class Streams>
  KOKKOS_FUNCTION void store(const StreamLanes& lanes, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const int oldest = begin_[0] - lane_ + ring_words - ago;
    for (int k = lane_; k < n; k += team_lanes) {
      streams.put_word(k, stream, x_[wrapped(oldest + k)]);
    }
    lanes.meet();  // the next draw replaces words of past ones
  }

 private:
  static_assert((ring_words & (ring_words - 1)) == 0);
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int place) { return place & (ring_words - 1); }

  /// Where the lane's i-th word of the oldest run is, or `pos` places behind. Where all sets' are
  /// within the run, that is an offset.
  KOKKOS_FORCEINLINE_FUNCTION int at_pos(int i, int pos) const {
    const int place = begin_[0] + i * team_lanes + pos;
    const bool within = (i + 1) * team_lanes + Recurrence::most_pos <= step;
    return within ? place : wrapped(place);
  }
  /// Where its i-th new word goes: n places behind, which is in the second run, the third, or one
  /// lane's in the second and the others' in the third.
  KOKKOS_FORCEINLINE_FUNCTION int at_new(int i) const {
    const int in_second = n - step + i * team_lanes;
    if (in_second + team_lanes <= step) return begin_[1] + in_second;
    if (in_second >= step) return begin_[2] + in_second - step;
    return wrapped(begin_[1] + in_second);
  }

  MtgpScratchTables tables_;
  std::uint32_t* x_;
  int lane_;
  int begin_[4];  ///< of the runs, in the order of their words, plus the lane
};
#endif

}  // namespace rivulet::impl
