// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// What open_shared(team, reserved{warps}) returns. Each warp of the team calls take(w) at any
/// time, alone: block k of 32 numbers of warp w of W is block w + k W of the stream, counted
/// from where it was opened.
//
// Warps read their numbers from the ring; a warp that finds them missing makes them. A warp that
// would overwrite numbers which a slower warp still has to read waits a limited time, once, and
// then goes on. The slower warp continues alone, from a state of its own: it makes all words from
// there to its numbers.
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

  /// The next K blocks of warp w. A warp's calls are sequential.
  template <int K>
  KOKKOS_FUNCTION Numbers<K> take(int w) const {
    RIVULET_ASSERT(0 <= w && w < warps_, "Numbers were taken by a warp beyond reserved{warps}.");
    const Lanes lanes;
    Warp* const own = &warp_[w];
    const std::uint64_t row = own->rows;
    Numbers<K> numbers(row * stride() + static_cast<std::uint64_t>(w) * shared_block, stride());
    const std::uint64_t last = numbers.index(0, K - 1);
    const bool is_turn = last >= own->turn;
    if (is_turn) take_turn(lanes, w, last, K < rows_ ? K : rows_);
    // A warp that reads many rows at once keeps the others waiting until it has read the last.
    constexpr int most = K < 4 ? K : 4;
    if (2 * most <= rows_) {
      take_from<0, most>(lanes, w, row, numbers);
    } else {
      take_from<0, 1>(lanes, w, row, numbers);
    }
    if (is_turn) renew_own(lanes, w, numbers.index(0));
    return numbers;
  }

  /// All threads of the team call it.
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    const std::uint64_t end = end_of_rows();
    if (team.team_rank() == 0) {
      const Lanes lanes;
      make(lanes, end, true);
    }
    team.team_barrier();
    ring_.close(team, words_, static_cast<unsigned>(end));
    team.team_barrier();
  }

 private:
  /// A warp's own data: the number of blocks taken, and, in a ring of its own, the words before a
  /// number, the oldest at `place`, and that number's term.
  struct Warp {
    std::uint64_t rows;
    std::uint64_t turn;  ///< place at which it makes words
    std::uint64_t number;
    int place;
    std::uint32_t is_lost;  ///< whether other warps no longer wait for it
    Term term;
  };
  /// Polls for slower warps before a warp goes on: on a device they last a tenth of a millisecond
  /// or two, as long as a warp's work may take. On a CPU the waiting thread may be the one that
  /// runs the slower warps.
  static constexpr int patience = has_lanes<Team> ? 4096 : 0;
  /// Polls for the warp whose turn it is to make words; afterwards the polling warp makes them
  /// itself.
  static constexpr int confidence = has_lanes<Team> ? 8 : 0;
  static constexpr std::uint64_t segment = Ring::segment;
  /// Room for the words that lanes make at a time.
  static constexpr int own_ring = n + shared_block;
  /// Blocks that a warp takes between two copies of the ring to its own: the copies then have less
  /// than 2 % of the words that pass.
  static constexpr std::uint64_t renewed_after = n < 512 ? 32 : 64;

  /// On a CPU, where one thread may run all warps in turn and memory is plentiful, the ring fills a
  /// second-level cache.
  KOKKOS_FUNCTION static constexpr int capacity(int warps, int rows) {
    const int asked =
        Ring::capacity(static_cast<unsigned>(rows * warps * shared_block) + 2 * Ring::segment);
    constexpr int least = has_lanes<Team> ? 0 : 1 << 14;
    return asked > least ? asked : least;
  }

  KOKKOS_FUNCTION ReservedRing(const Team& team, const Recurrence& recurrence, Slot<Integer> words,
                               int warps, int capacity, ScratchPieces scratch)
      : words_(words),
        warps_(warps),
        rows_((capacity - static_cast<int>(Ring::behind + 3 * Ring::segment)) /
              (warps * shared_block)),
        warp_(scratch.cut<Warp>(warps)),
        own_(scratch.cut<Integer>(warps * own_ring)),
        ring_(recurrence, capacity, scratch) {
    RIVULET_ASSERT(warps > 0, "reserved{warps} has warps > 0.");
    Lanes::require_warps();
    ring_.open(team, words);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, warps * n), [&](int i) {
      own_[i / n * own_ring + i % n] = ring_.word(static_cast<unsigned>(i % n) - n);
    });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, warps), [&](int w) {
      warp_[w] = {0, static_cast<std::uint64_t>(w) * segment, 0, 0, 0, ring_.term_before(0)};
    });
    team.team_barrier();
  }

  /// The end of the last row of which a warp has taken its block.
  KOKKOS_FUNCTION std::uint64_t end_of_rows() const {
    std::uint64_t rows = 0;
    for (int w = 0; w < warps_; ++w) rows = warp_[w].rows > rows ? warp_[w].rows : rows;
    return rows * static_cast<std::uint64_t>(warps_) * shared_block;
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stride() const {
    return static_cast<std::uint64_t>(warps_) * shared_block;
  }

  /// Sets a warp's state after `rows` rows, in whose last the warp's numbers were in the ring, or
  /// were not.
  KOKKOS_FORCEINLINE_FUNCTION static void leave(Warp* own, std::uint64_t rows, bool was_there) {
    team_fence();
    relaxed_store(&own->rows, rows);
    if (was_there) relaxed_store(&own->is_lost, std::uint32_t{0});
  }

  /// Warps take turns to make words before they are needed: warp w at every segment whose number is
  /// w modulo `warps`. It makes two segments and `rows` rows more than it takes now, up to number
  /// `last`.
  KOKKOS_FUNCTION void take_turn(const Lanes& lanes, int w, std::uint64_t last, int rows) const {
    const std::uint64_t end =
        (last / segment + 3) * segment + static_cast<std::uint64_t>(rows - 1) * stride();
    for (int looks = 0; looks <= confidence; ++looks) {
      if (!Lanes::all(ring_.is_locked())) {
        make(lanes, end, false);
        break;
      }
    }
    const std::uint64_t round = static_cast<std::uint64_t>(warps_) * segment;
    Warp* const own = &warp_[w];
    lanes.once([=] { own->turn += (last - own->turn) / round * round + round; });
  }

  /// Waits until there are `words` words, and makes them if no other warp does.
  KOKKOS_FORCEINLINE_FUNCTION void await(const Lanes& lanes, std::uint64_t words) const {
    for (int looks = 0; !Lanes::all(ring_.made_before() >= words); ++looks) {
      if (looks < confidence || Lanes::all(ring_.is_locked()) ||
          !make(lanes, (words + segment - 1) / segment * segment, looks >= patience)) {
        let_others_work(0);
      }
    }
  }
  /// Copies blocks k .. end - 1 of a take if they are in the ring or not made yet; returns whether
  /// it did. Other warps may overwrite the first block meanwhile, which a later check detects. k
  /// and end are constants, so that the numbers are in registers.
  template <int k, int end, int K>
  KOKKOS_FORCEINLINE_FUNCTION bool read(const Lanes& lanes, Numbers<K>& numbers) const {
    await(lanes, numbers.index(0, end - 1) + shared_block);
    const auto first = static_cast<unsigned>(numbers.index(0, k));
    const auto apart = static_cast<unsigned>(stride());
    lanes.each_of_32([&](int lane) {
      for (int j = k; j < end; ++j) {
        numbers.put(lane, j,
                    ring_.number(first + static_cast<unsigned>(j - k) * apart +
                                 static_cast<unsigned>(lane)));
      }
    });
    team_fence();
    return Lanes::all(ring_.is_kept(numbers.index(0, k), ring_.made()));
  }
  /// Copies blocks k .. K - 1 of a take, `together` at a time if they are in the ring.
  template <int k, int together, int K>
  KOKKOS_FORCEINLINE_FUNCTION void take_from(const Lanes& lanes, int w, std::uint64_t row,
                                             Numbers<K>& numbers) const {
    constexpr int end = k + together < K ? k + together : K;
    Warp* const own = &warp_[w];
    if (read<k, end>(lanes, numbers)) {
      lanes.once([=] { leave(own, row + end, true); });
    } else {
      take_one_by_one<k, end, (together > 1)>(lanes, w, row, numbers);
    }
    if constexpr (end < K) take_from<end, together>(lanes, w, row, numbers);
  }
  /// Copies blocks k .. end - 1, each from the ring if it may still be there, else made alone.
  template <int k, int end, bool may_read, int K>
  KOKKOS_FORCEINLINE_FUNCTION void take_one_by_one(const Lanes& lanes, int w, std::uint64_t row,
                                                   Numbers<K>& numbers) const {
    Warp* const own = &warp_[w];
    const bool was_there = may_read && read<k, k + 1>(lanes, numbers);
    if (!was_there) {
      const Term before = make_alone(lanes, w, numbers.index(0, k));
      lanes.each_of_32([&](int lane) { numbers.put(lane, k, number_alone(w, lane, before)); });
    }
    lanes.once([=] { leave(own, row + k + 1, was_there); });
    if constexpr (k + 1 < end) take_one_by_one<k + 1, end, may_read>(lanes, w, row, numbers);
  }

  /// Makes segments until there are `end` words. Stops if another warp makes one, or, unless
  /// `must`, if a slower warp would lose its numbers. Returns whether it made any.
  KOKKOS_FUNCTION bool make(const Lanes& lanes, std::uint64_t end, bool must) const {
    bool did = false;
    ring_.alone(lanes, [&] {
      for (std::uint64_t made = ring_.made(); made < end; made += segment) {
        const auto loses = [this, made](int w) { return loses_next(w, made); };
        if (lanes.any(warps_, loses)) {
          if (!must) return;
          lanes.each(warps_, [&](int w) {
            if (loses(w)) relaxed_store(&warp_[w].is_lost, std::uint32_t{1});
          });
        }
        // A thread that reads a word of this segment in place of an older one then sees the new
        // `made`.
        team_fence();
        ring_.make_segment(lanes, made);
        did = true;
      }
    });
    return did;
  }
  /// Whether warp w has its next block in the ring now, but not after the segment from `made` on.
  KOKKOS_FORCEINLINE_FUNCTION bool loses_next(int w, std::uint64_t made) const {
    const std::uint64_t first =
        (relaxed_load(&warp_[w].rows) * static_cast<unsigned>(warps_) + static_cast<unsigned>(w)) *
        shared_block;
    return relaxed_load(&warp_[w].is_lost) == 0 && static_cast<std::int64_t>(made - first) > 0 &&
           !ring_.is_kept(first, made + segment);
  }

  /// Makes words in the warp's own ring up to the end of the block from `first` on; returns the
  /// term before that block.
  KOKKOS_FUNCTION Term make_alone(const Lanes& lanes, int w, std::uint64_t first) const {
    Integer* const x = own_ + w * own_ring;
    Warp state = warp_[w];
    advance(lanes, x, state, first);
    const Term before = state.term;
    advance(lanes, x, state, first + shared_block);
    Warp* const own = &warp_[w];
    lanes.once([own, &state] {
      own->number = state.number;
      own->place = state.place;
      own->term = state.term;
    });
    return before;
  }
  /// A number of the block that make_alone() made.
  KOKKOS_FORCEINLINE_FUNCTION Integer number_alone(int w, int lane, const Term& before) const {
    const Integer* const x = own_ + w * own_ring;
    Term term = before;
    if constexpr (has_term<Recurrence>) term = Recurrence::after(before, lane + 1);
    const int oldest = warp_[w].place - shared_block + lane;
    const auto words = [x, oldest](int j) RIVULET_INLINE_LAMBDA { return x[wrapped(oldest + j)]; };
    return ring_.recurrence().number(words(n), words, term);
  }
  /// Makes words in a warp's own ring until `number` is next.
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

  /// Occasionally copies the words before number `first` to the warp's own ring, if they are in the
  /// ring and no warp is making words: a warp that falls behind then has few words to make.
  KOKKOS_FORCEINLINE_FUNCTION void renew_own(const Lanes& lanes, int w, std::uint64_t first) const {
    const auto due = renewed_after * static_cast<std::uint64_t>(warps_) * shared_block;
    if (static_cast<std::int64_t>(first - warp_[w].number) < static_cast<std::int64_t>(due)) return;
    ring_.alone(lanes, [&] {
      if (!ring_.is_kept(first, ring_.made())) return;
      Integer* const x = own_ + w * own_ring;
      lanes.each(int{n}, [&](int k) {
        x[k] = ring_.word(static_cast<unsigned>(first) - n + static_cast<unsigned>(k));
      });
      Warp* const own = &warp_[w];
      lanes.once([&, own] {
        own->number = first;
        own->place = 0;
        own->term = ring_.term_before(static_cast<unsigned>(first));
      });
    });
  }

  Slot<Integer> words_;
  int warps_;
  int rows_;  ///< rows that a warp may read together
  Warp* warp_;
  Integer* own_;
  Ring ring_;
};

}  // namespace rivulet::detail
