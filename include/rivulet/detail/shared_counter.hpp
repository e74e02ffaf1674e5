// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/generators/counter_based.hpp"
#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// The stream that open_shared(team) returns for counter-based generators. Warps share only the
/// position: numbers are functions of a counter.
template <class Family, class Team>
class OnDemandCounter {
  static constexpr int n = block_numbers<typename Family::Counter>;
  /// Scratch memory has fast atomics of 32 bits only: `next` minus `start` is the lower half of the
  /// next number's index, which is less than 2^31 from `near`.
  struct Counter {
    std::uint64_t near;
    std::uint32_t next;
  };
  /// A power of two: a warp that passes a multiple of it updates `near`.
  static constexpr std::uint32_t near_every = 1u << 30;
  /// Initial value of `next`: an overflow comes soon, in tests too.
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

  /// The next 32 K numbers.
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Numbers<K> take() const {
    constexpr std::uint32_t count = shared_block * K;
    const Lanes lanes;
    Counter* const counter = counter_;
    const std::uint32_t ticket =
        lanes.one([counter] { return add_relaxed(&counter->next, count); });
    const std::uint64_t first = index_of(ticket);
    if (ticket % near_every >= near_every - count) {
      lanes.once([counter, first] { relaxed_store(&counter->near, first); });
    }
    Numbers<K> all(first);
    for (int k = 0; k < K; ++k) {
      lanes.each_of_32([&](int lane) { all.put(lane, k, number(all.index(lane, k))); });
    }
    return all;
  }
  /// All threads of the team call it.
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    const Slot<std::uint64_t> slot = slot_;
    const CounterPlace place =
        place_.template after<typename Family::Counter>(index_of(counter_->next));
    Kokkos::single(Kokkos::PerTeam(team), [=] { Family::set_place(slot, place); });
    team.team_barrier();
  }

 private:
  /// Number i.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(std::uint64_t i) const {
    std::uint32_t numbers[n];
    const CounterPlace at = place_.template after<typename Family::Counter>(i);
    Family::Engine::draw(seed_, id_, at.block, numbers);
    return chosen<0, n>(numbers, static_cast<std::uint32_t>(at.number));
  }
  /// Selects one of `size` numbers from `first` on by its index, by bisection: an index known only
  /// at run time would keep the numbers out of registers.
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
    const std::uint64_t near = relaxed_load(&counter_->near);
    const auto beyond =
        static_cast<std::int32_t>(ticket - start - static_cast<std::uint32_t>(near));
    return near + static_cast<std::uint64_t>(std::int64_t{beyond});
  }

  std::uint64_t seed_;
  std::uint64_t id_;
  Slot<std::uint64_t> slot_;
  CounterPlace place_;
  Counter* counter_;
};

}  // namespace rivulet::detail
