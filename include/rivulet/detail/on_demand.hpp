// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/generators/counter_based.hpp"
#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// Returns the index that differs from `near` by less than 2^31 and has the lower half `lower`.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t nearest_index(std::uint32_t lower, std::uint64_t near) {
  const auto offset = static_cast<std::int32_t>(lower - static_cast<std::uint32_t>(near));
  return near + static_cast<std::uint64_t>(std::int64_t{offset});
}

/// The stream that open_shared(team) returns for counter-based generators. Warps share only the
/// position, because numbers are functions of a counter.
template <class Family, class Team>
class OnDemandCounter {
  static constexpr int n = block_numbers<typename Family::Counter>;
  /// Only 32-bit atomics are fast in scratch memory, so next - start is only the lower half of the
  /// next number's index. The full index differs from `near` by less than 2^31.
  struct Counter {
    std::uint64_t near;
    std::uint32_t next;
  };
  /// A power of two. A warp updates `near` when its numbers reach a multiple of `update_interval`.
  static constexpr std::uint32_t update_interval = 1u << 30;
  /// Initial value of `next`: close to 2^32, so that even short tests cover the overflow.
  static constexpr std::uint32_t start = 0u - 1024u;

 public:
  using Lanes = TeamLanes<Team>;
  template <int K>
  using Numbers = SharedNumbers<std::uint32_t, Family::Engine::format_bits, K, has_lanes<Team>>;
  static constexpr std::size_t scratch_bytes = ScratchPieces::bytes<Counter>(1);

  template <class Shared>
  KOKKOS_FUNCTION OnDemandCounter(const Team& team, const Shared& shared, Slot<std::uint64_t> slot,
                                  std::uint64_t id)
      : seed_(shared.seed),
        id_(id),
        slot_(slot),
        place_(Family::place(slot)),
        counter_(ScratchPieces(shared_scratch(team, scratch_bytes)).template cut<Counter>(1)) {
    Lanes::require_warps();
    Counter* const counter = counter_;
    Kokkos::single(Kokkos::PerTeam(team), [counter] { *counter = {0, start}; });
    team.team_barrier();
  }

  /// Returns the next 32 * K numbers.
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Numbers<K> take() const {
    constexpr std::uint32_t count = shared_block * K;
    const Lanes lanes;
    Counter* const counter = counter_;
    const std::uint32_t ticket =
        lanes.single([counter] { return add_relaxed(&counter->next, count); });
    const std::uint64_t first = index_of(ticket);
    if (ticket % update_interval >= update_interval - count) {
      lanes.once([counter, first] { relaxed_store(&counter->near, first); });
    }
    Numbers<K> all(first);
    for (int k = 0; k < K; ++k) {
      lanes.each_of_32([&](int lane) { all.put(lane, k, number(all.index(lane, k))); });
    }
    return all;
  }
  /// Collective over the team's threads.
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    const Slot<std::uint64_t> slot = slot_;
    const CounterPlace place =
        place_.template after<typename Family::Counter>(index_of(counter_->next));
    Kokkos::single(Kokkos::PerTeam(team), [=] { Family::set_place(slot, place); });
    team.team_barrier();
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(std::uint64_t i) const {
    std::uint32_t numbers[n];
    const CounterPlace at = place_.template after<typename Family::Counter>(i);
    Family::Engine::draw(seed_, id_, at.block, numbers);
    return chosen<0, n>(numbers, static_cast<std::uint32_t>(at.number));
  }
  /// Returns the number at first + index % size, where `size` is a power of two. Selects by the
  /// bits of `index`, because an array index known only at run time would keep the numbers out of
  /// registers.
  template <int first, int size>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t chosen(const std::uint32_t (&numbers)[n],
                                                          std::uint32_t index) {
    if constexpr (size == 1) {
      return numbers[first];
    } else {
      const std::uint32_t lower = chosen<first, size / 2>(numbers, index);
      const std::uint32_t upper = chosen<first + size / 2, size / 2>(numbers, index);
      return (index & (size / 2)) == 0 ? lower : upper;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index_of(std::uint32_t ticket) const {
    return nearest_index(ticket - start, relaxed_load(&counter_->near));
  }

  std::uint64_t seed_;
  std::uint64_t id_;
  Slot<std::uint64_t> slot_;
  CounterPlace place_;
  Counter* counter_;
};

/// The stream that open_shared(team) returns for twisters and RANMAR. For counter-based generators,
/// open_shared() returns an OnDemandCounter, which has the same functions. Each warp of the team
/// may call take() at any time, independently of the other warps, and gets the next numbers that no
/// warp has taken.
//
// A warp's ticket is the position of its first number. The warp reads its numbers from the ring,
// and adds their count to `taken`. The warp that takes a segment's first number computes the
// segment after the next. Before that, the warp waits until all earlier segments are complete and
// all numbers that depend on the overwritten words have been read. No other warp computes that
// segment, so no lock is needed.
//
// Counters, not barriers, order the writers and readers of the ring. The warp that computes a
// segment stores `computed` with release semantics after its words; a reader loads `computed` with
// acquire semantics before it reads words. A reader adds to `taken` with release semantics; the
// warp that overwrites the segment loads `taken` with acquire semantics. (compute-sanitizer's
// racecheck tracks only barriers, and therefore reports races on the ring that do not exist.)
template <class Family, class Team>
class OnDemandRing {
 public:
  using Recurrence = typename Family::Recurrence;
  using Integer = typename Recurrence::Integer;
  using Ring = SharedRing<Recurrence, Team>;
  using Lanes = TeamLanes<Team>;
  static constexpr unsigned segment = Ring::segment;
  static constexpr unsigned segments = Ring::segments;
  static constexpr std::size_t scratch_bytes = ScratchPieces::bytes<std::uint32_t>(1) +
                                               ScratchPieces::bytes<std::uint32_t>(segments) +
                                               Ring::bytes;
  template <int K>
  using Numbers = SharedNumbers<Integer, Recurrence::bits, K, has_lanes<Team>>;

  template <class Shared>
  KOKKOS_FUNCTION OnDemandRing(const Team& team, const Shared& shared, Slot<Integer> words,
                               std::uint64_t id)
      : OnDemandRing(team, shared.recurrence(id), words,
                     ScratchPieces(shared_scratch(team, scratch_bytes))) {}

  /// Returns the next 32 * K numbers.
  template <int K>
  KOKKOS_FUNCTION Numbers<K> take() const {
    const Lanes lanes;
    std::uint32_t* const next = next_;
    const std::uint32_t ticket =
        lanes.single([next] { return add_relaxed(next, std::uint32_t{shared_block * K}); });
    Numbers<K> numbers(0);
    take_from<0>(lanes, ticket, numbers);
    return numbers;
  }

  /// Collective over the team's threads.
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    ring_.close(team, words_, *next_);
    team.team_barrier();
  }

 private:
  KOKKOS_FUNCTION OnDemandRing(const Team& team, const Recurrence& recurrence, Slot<Integer> words,
                               ScratchPieces scratch)
      : words_(words),
        next_(scratch.cut<std::uint32_t>(1)),
        taken_(scratch.cut<std::uint32_t>(segments)),
        ring_(recurrence, scratch) {
    Lanes::require_warps();
    ring_.open(team, words);
    std::uint32_t* const taken = taken_;
    // Segments before the stream's beginning count as read.
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int{segments}), [taken](int s) {
      taken[s] = static_cast<unsigned>(s) < segments - retained + ahead ? 0 : segment;
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *next_ = 0; });
    team.team_barrier();
    if (team.team_rank() == 0) {
      const Lanes lanes;
      for (unsigned s = 0; s < ahead; ++s) ring_.make_segment(lanes, s * segment);
    }
    team.team_barrier();
  }

  /// The warp that takes a segment's first number computes the segment `ahead` segments later.
  static constexpr unsigned ahead = 2;
  /// Before a warp computes a segment, the numbers of the segment `retained` segments earlier must
  /// have been read, because the new words overwrite words on which those numbers depend. Numbers
  /// that are read together are in at most two segments. A warp computes a segment before it reads
  /// its own numbers, but these are at most three segments earlier, and `retained` is larger. A
  /// warp therefore never waits for its own numbers, only for older numbers of other warps.
  static constexpr unsigned retained = (Ring::capacity - Ring::history) / segment;
  static_assert(retained > ahead + 1);
  /// Maximum number of blocks that are read together.
  static constexpr int max_blocks = segment / shared_block;

  /// Reads the blocks from block k on for a call of take(). K and k are compile-time constants,
  /// which keeps the numbers in registers.
  template <int k, int K>
  KOKKOS_FORCEINLINE_FUNCTION void take_from(const Lanes& lanes, std::uint32_t ticket,
                                             Numbers<K>& numbers) const {
    constexpr int blocks = K - k < max_blocks ? K - k : max_blocks;
    const std::uint32_t first = ticket + std::uint32_t{k * shared_block};
    // Tickets are multiples of the block size, so one block lies within one segment.
    const std::uint32_t begin = blocks == 1 ? first : (first + segment - 1) / segment * segment;
    if (blocks == 1 ? first % segment == 0 : begin - first < std::uint32_t{blocks * shared_block}) {
      compute_segment(lanes, begin + ahead * segment);
    }
    const std::uint64_t computed = await(lanes, first + std::uint32_t{blocks * shared_block});
    if constexpr (k == 0) numbers.set_first(nearest_index(first, computed));
    lanes.each_of_32([&](int lane) {
      for (int j = 0; j < blocks; ++j) {
        numbers.put(lane, k + j,
                    ring_.number(first + static_cast<unsigned>(j * shared_block + lane)));
      }
    });
    count_taken<blocks>(lanes, first);
    if constexpr (k + blocks < K) take_from<k + blocks>(lanes, ticket, numbers);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* taken_counter(std::uint32_t i) const {
    return &taken_[i / segment % segments];
  }

  /// Waits until all words before `end` are computed; returns the number of words computed.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t await(const Lanes& lanes, std::uint32_t end) const {
    std::uint64_t computed = 0;
    lanes.wait_until([&] {
      computed = ring_.computed();
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(computed) - end) >= 0;
    });
    return computed;
  }

  template <int blocks>
  KOKKOS_FORCEINLINE_FUNCTION void count_taken(const Lanes& lanes, std::uint32_t first) const {
    constexpr std::uint32_t count = blocks * shared_block;
    const std::uint32_t remaining = segment - first % segment;
    lanes.after_all([&] {
      if (blocks == 1) {
        add_release(taken_counter(first), count);
        return;
      }
      add_release(taken_counter(first), count < remaining ? count : remaining);
      if (count > remaining) add_release(taken_counter(first + remaining), count - remaining);
    });
  }

  KOKKOS_FUNCTION void compute_segment(const Lanes& lanes, std::uint32_t begin) const {
    std::uint32_t* const taken = taken_counter(begin - retained * segment);
    std::uint64_t computed = 0;
    lanes.wait_until([&] {
      computed = ring_.computed();
      return static_cast<std::uint32_t>(computed) == begin && load_acquire(taken) == segment;
    });
    // Must precede make_segment(), which lets other warps read the new segment.
    lanes.once([taken] { relaxed_store(taken, std::uint32_t{0}); });
    ring_.make_segment(lanes, computed);
  }

  Slot<Integer> words_;
  std::uint32_t* next_;
  std::uint32_t* taken_;
  Ring ring_;
};

}  // namespace rivulet::detail
