// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// Numbers of a team's stream in the order in which its warps ask. A warp's ticket says which ones;
/// it reads them from the ring, where who finds them missing makes them, and counts what it has
/// read, so that nobody writes over what others are still to read.
template <class Family, class Team>
class OnDemandRing {
 public:
  using Recurrence = typename Family::Recurrence;
  using Integer = typename Recurrence::Integer;
  using Ring = SharedRing<Recurrence, Team>;
  using Lanes = TeamLanes<Team>;
  /// Two segments that are read and one that is made.
  static constexpr int capacity = Ring::capacity(2 * Ring::segment);
  static constexpr int segments = capacity / Ring::segment;
  static constexpr std::size_t scratch_bytes = ScratchPieces::bytes<std::uint32_t>(1) +
                                               ScratchPieces::bytes<std::uint32_t>(segments) +
                                               Ring::bytes(capacity);
  template <int K>
  using Numbers = SharedNumbers<Integer, Recurrence::bits, K, has_lanes<Team>>;

  template <class Shared>
  KOKKOS_FUNCTION OnDemandRing(const Team& team, const Shared& shared, Slot<Integer> words,
                               std::uint64_t id)
      : OnDemandRing(team, shared.recurrence(id), words,
                     ScratchPieces(shared_scratch(team, scratch_bytes))) {}

  /// The next 32 K numbers.
  template <int K>
  KOKKOS_FUNCTION Numbers<K> take() const {
    const Lanes lanes;
    std::uint32_t* const next = next_;
    const std::uint32_t ticket =
        lanes.one([next] { return add_relaxed(next, std::uint32_t{shared_block * K}); });
    Numbers<K> numbers(0, shared_block);
    for (int k = 0; k < K; ++k) {
      const std::uint64_t first =
          await(lanes, ticket + static_cast<std::uint32_t>(shared_block * k));
      if (k == 0) numbers.set_first(first);
      lanes.each(shared_block, [&](int lane) {
        numbers.put(lane, k, ring_.number(first + static_cast<std::uint64_t>(lane)));
      });
      std::uint32_t* const taken = &taken_of(first);
      lanes.once([taken] { add_release(taken, std::uint32_t{shared_block}); });
      // Who begins a segment makes the next one, while others read this.
      if (first % Ring::segment == 0) make(lanes, first + 2 * Ring::segment);
    }
    return numbers;
  }

  /// By all threads of the team.
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    ring_.close(team, words_, index_of(*next_, ring_.made()));
    team.team_barrier();
  }

 private:
  KOKKOS_FUNCTION OnDemandRing(const Team& team, const Recurrence& recurrence, Slot<Integer> words,
                               ScratchPieces scratch)
      : words_(words),
        next_(scratch.cut<std::uint32_t>(1)),
        taken_(scratch.cut<std::uint32_t>(segments)),
        ring_(recurrence, capacity, scratch) {
    Lanes::require_warps();
    ring_.open(team, words);
    std::uint32_t* const taken = taken_;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int{segments}),
                         [taken](int s) { taken[s] = 0; });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *next_ = 0; });
    team.team_barrier();
  }

  /// A ticket has the lower half of its number's index, which is less than 2^31 from `made`.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t index_of(std::uint32_t ticket,
                                                            std::uint64_t made) {
    const auto ahead = static_cast<std::int32_t>(ticket - static_cast<std::uint32_t>(made));
    return made + static_cast<std::uint64_t>(std::int64_t{ahead});
  }
  /// How many numbers of i's place in the ring were read since the stream was opened.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t& taken_of(std::uint64_t i) const {
    return taken_[static_cast<unsigned>(i / Ring::segment) % static_cast<unsigned>(segments)];
  }

  /// Waits until the block of that ticket is made, and makes what is missing: the index of its
  /// first number. Who waits waits for threads that are making words or reading some: these wait
  /// for nobody but who reads older ones.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t await(const Lanes& lanes, std::uint32_t ticket) const {
    while (true) {
      const std::uint64_t made = ring_.made(lanes);
      const std::uint64_t first = index_of(ticket, made);
      if (static_cast<std::int64_t>(made - first) >= shared_block) return first;
      if (!make(lanes, first + shared_block)) let_others_work();
    }
  }

  /// Makes a segment unless there are `end` words, or somebody else makes one, or what it would be
  /// written over is still to be read; says whether it did.
  KOKKOS_FUNCTION bool make(const Lanes& lanes, std::uint64_t end) const {
    bool did = false;
    ring_.alone(lanes, [&] {
      const std::uint64_t made = ring_.made(lanes);
      did = static_cast<std::int64_t>(end - made) > 0 && may_make(lanes, made);
      if (did) ring_.make_segment(lanes, made);
    });
    return did;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool may_make(const Lanes& lanes, std::uint64_t made) const {
    // The last segment that goes, or has words behind its numbers that go.
    constexpr int kept = (capacity - Ring::behind) / Ring::segment;
    if (made < kept * Ring::segment) return true;
    const std::uint64_t last = made - kept * Ring::segment;
    const auto rounds = static_cast<std::uint32_t>(last / static_cast<unsigned>(capacity)) + 1;
    const std::uint32_t* const taken = &taken_of(last);
    return lanes.one([taken] { return load_acquire(taken); }) == rounds * Ring::segment;
  }

  Slot<Integer> words_;
  std::uint32_t* next_;
  std::uint32_t* taken_;
  Ring ring_;
};

}  // namespace rivulet::detail
