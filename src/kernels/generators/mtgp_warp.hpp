// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/generators/mtgp_engines.hpp"

namespace rivulet::detail {

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
/// stay in registers. The words are in a ring of three such runs in scratch memory. What a draw
/// reads lies in its run and the next 93 words, and the first of those of the ring are behind its
/// end once more: so all places that a lane reads are constant offsets from two registers. New
/// words replace none that the same draw reads.
class MtgpWarp {
  using Recurrence = Mtgp11213Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int step = Recurrence::team_numbers;
  static constexpr int ring_words = 3 * step;
  static_assert(n + step <= ring_words);
  /// Where the run begins whose new words go beyond the ring's end, how many of them do, and the
  /// first of a lane's: lane 0's is the ring's last word, which goes to a place before the ring
  /// too.
  static constexpr int beyond = ring_words - 2 * step;
  static constexpr int behind = beyond + n + step - ring_words;
  static constexpr int first_behind = (ring_words - beyond - n) / team_lanes;
  static constexpr int before = 1;
  static_assert(behind >= Recurrence::most_pos);
  static_assert(beyond + n + first_behind * team_lanes == ring_words - before);

 public:
  static constexpr int members = team_lanes;
  static constexpr int run = 1;
  static constexpr int numbers_per_lane = step / team_lanes;
  static constexpr int steps_around = 1;
  static constexpr std::size_t scratch_bytes =
      MtgpScratchTables::bytes + (before + ring_words + behind) * sizeof(std::uint32_t);

  /// Begins `back` numbers, 0 .. 64, before where the stream is.
  template <class Streams>
  KOKKOS_FUNCTION MtgpWarp(const StreamLanes& lanes, const Streams& streams, std::uint64_t stream,
                           void* scratch, int back = 0)
      : tables_(lanes, streams.tables(stream), static_cast<std::uint32_t*>(scratch)),
        x_(static_cast<std::uint32_t*>(scratch) + 2 * MtgpScratchTables::size + before),
        lane_(lanes.lane()) {
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
    const std::uint32_t* const x = x_ + (begin_ + lane_);
    const std::uint32_t* const x_pos = x + set.pos;
    for (int i = 0; i < numbers_per_lane; ++i) {
      const int k = i * team_lanes;
      to[i] = Recurrence::step(set, x[k], x[k + 1], x_pos[k], table);
    }
    // The last run's new words are in the first. Those of the second run go beyond the ring's end,
    // for who reads on there, and to its beginning.
    const bool is_last = begin_ == ring_words - step;
    std::uint32_t* const fresh = x_ + (is_last ? lane_ - step : begin_ + lane_) + n;
    for (int i = 0; i < numbers_per_lane; ++i) fresh[i * team_lanes] = to[i];
    if (begin_ == beyond) {
      for (int i = first_behind; i < numbers_per_lane; ++i) {
        fresh[i * team_lanes - ring_words] = to[i];
      }
    }
    for (int i = 0; i < numbers_per_lane; ++i) {
      to[i] = Recurrence::temper(to[i], x_pos[i * team_lanes - 1], temper);
    }
    lanes.meet();
    begin_ = is_last ? 0 : begin_ + step;
  }

  /// Puts back the state of 0 .. 255 numbers ago.
  template <class Streams>
  KOKKOS_FUNCTION void store(const StreamLanes& lanes, int ago, const Streams& streams,
                             std::uint64_t stream) const {
    const int oldest = begin_ + ring_words - ago;
    for (int k = lane_; k < n; k += team_lanes) {
      streams.put_word(k, stream, x_[(oldest + k) % ring_words]);
    }
    lanes.meet();  // the next draw replaces words of past ones
  }

 private:
  MtgpScratchTables tables_;
  std::uint32_t* x_;
  int lane_;
  int begin_ = 0;  ///< of the oldest run
};
#endif

}  // namespace rivulet::detail
