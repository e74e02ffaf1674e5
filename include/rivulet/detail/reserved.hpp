// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// Numbers of a team's stream by warp: block k of warp w of W is the block w + k W of the stream.
/// Warps read them from the ring, where who finds them missing makes them. Who would write over
/// what a slower warp is still to read gives it some time, once, and then goes on: nobody waits for
/// long. A warp whose numbers have left the ring goes on alone, from a state of its own: it makes
/// all words from there to its numbers.
template <class Family, class Team>
class ReservedRing {
 public:
  using Recurrence = typename Family::Recurrence;
  using Integer = typename Recurrence::Integer;
  using Term = typename Recurrence::Term;
  using Ring = SharedRing<Recurrence, Team>;
  using Lanes = TeamLanes<Team>;
  static constexpr int n = Recurrence::n;
  template <int K>
  using Numbers = SharedNumbers<Integer, Recurrence::bits, K, has_lanes<Team>>;

  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int warps, int rows) {
    return ScratchPieces::bytes<Warp>(warps) + ScratchPieces::bytes<Integer>(warps * own_ring) +
           Ring::bytes(capacity(warps, rows));
  }

  template <class Shared>
  KOKKOS_FUNCTION ReservedRing(const Team& team, const Shared& shared, Slot<Integer> words,
                               std::uint64_t id, int warps, int rows)
      : ReservedRing(team, shared.recurrence(id), words, warps, capacity(warps, rows),
                     ScratchPieces(shared_scratch(team, scratch_bytes(warps, rows)))) {}

  /// The next K blocks of warp w. A warp's calls come one after the other.
  template <int K>
  KOKKOS_FUNCTION Numbers<K> take(int w) const {
    RIVULET_ASSERT(0 <= w && w < warps_, "Numbers were taken by a warp beyond reserved{warps}.");
    const Lanes lanes;
    const auto stride = static_cast<std::uint64_t>(warps_) * shared_block;
    const std::uint64_t row = warp_[w].rows;
    Numbers<K> numbers(row * stride + static_cast<std::uint64_t>(w) * shared_block, stride);
    std::uint64_t made = ring_.made(lanes);
    for (int k = 0; k < K; ++k) {
      const std::uint64_t first = numbers.index(0, k);
      const auto put = [&](int lane, Integer number) { numbers.put(lane, k, number); };
      const bool was_there = read(lanes, first, put, made);
      if (!was_there) make_alone(lanes, w, first, put);
      Warp* const own = &warp_[w];
      lanes.once([=] {
        relaxed_store(&own->rows, row + static_cast<unsigned>(k) + 1);
        if (was_there) relaxed_store(&own->is_lost, std::uint32_t{0});
      });
      // Who comes to the begin of what is made at a time makes the next, while others read this.
      if (first % at_a_time == 0) make(lanes, first + 2 * at_a_time, false);
    }
    renew_own(lanes, w, numbers.index(0));
    return numbers;
  }

  /// By all threads of the team.
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    const std::uint64_t end = end_of_rows();
    if (team.team_rank() == 0) {
      const Lanes lanes;
      make(lanes, end, true);
    }
    team.team_barrier();
    ring_.close(team, words_, end);
    team.team_barrier();
  }

 private:
  /// What one warp has for itself: how many blocks it has taken; and, in a ring of its own, the
  /// words before a number, the oldest at `place`, and that number's term.
  struct Warp {
    std::uint64_t rows;
    std::uint64_t number;
    int place;
    std::uint32_t is_lost;  ///< to the others, who wait for it no more
    Term term;
  };
  /// How often who needs more numbers looks whether slower warps have come: on a device some
  /// thousand instructions. On a CPU they may be played by the thread that would wait.
  static constexpr int patience = has_lanes<Team> ? 256 : 0;
  /// Two segments, so that the lock costs little.
  static constexpr std::uint64_t at_a_time = 2 * Ring::segment;
  /// Room for as many words as lanes make at a time.
  static constexpr int own_ring = n + shared_block;
  /// Blocks that a warp takes between two copies of the ring into its own: the copies' words are
  /// then fewer than two in a hundred of those that pass.
  static constexpr std::uint64_t renewed_after = n < 512 ? 32 : 64;

  /// On a CPU, where one thread may play all warps in turn and memory is no matter, the ring takes
  /// in what a cache of the second level holds.
  KOKKOS_FUNCTION static constexpr int capacity(int warps, int rows) {
    const int asked = Ring::capacity(rows * warps * shared_block + 2 * static_cast<int>(at_a_time));
    constexpr int least = has_lanes<Team> ? 0 : 1 << 14;
    return asked > least ? asked : least;
  }

  KOKKOS_FUNCTION ReservedRing(const Team& team, const Recurrence& recurrence, Slot<Integer> words,
                               int warps, int capacity, ScratchPieces scratch)
      : words_(words),
        warps_(warps),
        warp_(scratch.cut<Warp>(warps)),
        own_(scratch.cut<Integer>(warps * own_ring)),
        ring_(recurrence, capacity, scratch) {
    RIVULET_ASSERT(warps > 0, "reserved{warps} has warps > 0.");
    Lanes::require_warps();
    ring_.open(team, words);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, warps * n), [&](int i) {
      own_[i / n * own_ring + i % n] = ring_.word(static_cast<std::uint64_t>(i % n) - n);
    });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, warps), [&](int w) {
      warp_[w] = {0, 0, 0, 0, ring_.term_before(0)};
    });
    team.team_barrier();
  }

  /// Behind the last row of which a warp has taken its block.
  KOKKOS_FUNCTION std::uint64_t end_of_rows() const {
    std::uint64_t rows = 0;
    for (int w = 0; w < warps_; ++w) rows = warp_[w].rows > rows ? warp_[w].rows : rows;
    return rows * static_cast<std::uint64_t>(warps_) * shared_block;
  }

  /// Puts the block from `first` on, if it is in the ring or not made yet. Others may write over it
  /// meanwhile, which shows afterwards. `made` is how many words there were lately, and then are.
  template <class Put>
  KOKKOS_FORCEINLINE_FUNCTION bool read(const Lanes& lanes, std::uint64_t first, const Put& put,
                                        std::uint64_t& made) const {
    for (int looks = 0; static_cast<std::int64_t>(made - first) < shared_block; ++looks) {
      const std::uint64_t end = first / at_a_time * at_a_time + at_a_time;
      if (!make(lanes, end, looks >= patience)) let_others_work();
      made = ring_.made(lanes);
    }
    if (!ring_.is_kept(first, made)) return false;
    lanes.each(shared_block, [&](int lane) {
      put(lane, ring_.number(first + static_cast<std::uint64_t>(lane)));
      team_fence();
    });
    made = ring_.made(lanes);
    return ring_.is_kept(first, made);
  }

  /// Makes segments until there are `end` words, unless somebody else makes one, or a slower warp
  /// would lose its numbers: then only if it must. Says whether it made any.
  KOKKOS_FUNCTION bool make(const Lanes& lanes, std::uint64_t end, bool must) const {
    bool did = false;
    ring_.alone(lanes, [&] {
      for (std::uint64_t made = ring_.made(lanes); static_cast<std::int64_t>(end - made) > 0;
           made += Ring::segment) {
        const auto loses = [this, made](int w) { return loses_next(w, made); };
        if (lanes.any(warps_, loses)) {
          if (!must) return;
          lanes.each(warps_, [&](int w) {
            if (loses(w)) relaxed_store(&warp_[w].is_lost, std::uint32_t{1});
          });
        }
        ring_.make_segment(lanes, made);
        did = true;
      }
    });
    return did;
  }
  /// Whether warp w has its next block in the ring, and has not once the segment from `made` on is
  /// made.
  KOKKOS_FORCEINLINE_FUNCTION bool loses_next(int w, std::uint64_t made) const {
    const std::uint64_t first =
        (relaxed_load(&warp_[w].rows) * static_cast<unsigned>(warps_) + static_cast<unsigned>(w)) *
        shared_block;
    return relaxed_load(&warp_[w].is_lost) == 0 && static_cast<std::int64_t>(made - first) > 0 &&
           !ring_.is_kept(first, made);
  }

  /// Puts the block from `first` on out of the warp's own ring, which then stands behind it.
  template <class Put>
  KOKKOS_FUNCTION void make_alone(const Lanes& lanes, int w, std::uint64_t first,
                                  const Put& put) const {
    Integer* const x = own_ + w * own_ring;
    Warp state = warp_[w];
    advance(lanes, x, state, first);
    const Term before = state.term;
    advance(lanes, x, state, first + shared_block);
    lanes.each(shared_block, [&](int lane) {
      Term term = before;
      if constexpr (has_term<Recurrence>) term = Recurrence::after(before, lane + 1);
      put(lane, ring_.recurrence().number(x[wrapped(state.place + n - shared_block + lane)], term));
    });
    Warp* const own = &warp_[w];
    lanes.once([own, &state] {
      own->number = state.number;
      own->place = state.place;
      own->term = state.term;
    });
  }
  /// Makes words in a warp's own ring until `number` is the next.
  KOKKOS_FUNCTION void advance(const Lanes& lanes, Integer* x, Warp& state,
                               std::uint64_t number) const {
    constexpr int most =
        Recurrence::independent < shared_block ? Recurrence::independent : shared_block;
    while (state.number < number) {
      const std::uint64_t left = number - state.number;
      const int width = left < most ? static_cast<int>(left) : most;
      const int place = state.place;
      lanes.each(width, [&](int t) {
        x[wrapped(place + t + n)] = ring_.recurrence().next(
            [&](int j) RIVULET_INLINE_LAMBDA { return x[wrapped(place + t + j)]; });
      });
      state.place = wrapped(place + width);
      state.number += static_cast<std::uint64_t>(width);
      if constexpr (has_term<Recurrence>) state.term = Recurrence::after(state.term, width);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) {
    return k < 0 ? k + own_ring : k < own_ring ? k : k - own_ring;
  }

  /// From time to time, so that the way to where it falls behind is short, the words before number
  /// `first`, if they are in the ring and nobody is making any.
  KOKKOS_FORCEINLINE_FUNCTION void renew_own(const Lanes& lanes, int w, std::uint64_t first) const {
    const auto due = renewed_after * static_cast<std::uint64_t>(warps_) * shared_block;
    if (static_cast<std::int64_t>(first - warp_[w].number) < static_cast<std::int64_t>(due)) return;
    ring_.alone(lanes, [&] {
      if (!ring_.is_kept(first, ring_.made(lanes))) return;
      Integer* const x = own_ + w * own_ring;
      lanes.each(int{n},
                 [&](int k) { x[k] = ring_.word(first - n + static_cast<std::uint64_t>(k)); });
      Warp* const own = &warp_[w];
      lanes.once([&, own] {
        own->number = first;
        own->place = 0;
        own->term = ring_.term_before(first);
      });
    });
  }

  Slot<Integer> words_;
  int warps_;
  Warp* warp_;
  Integer* own_;
  Ring ring_;
};

}  // namespace rivulet::detail
