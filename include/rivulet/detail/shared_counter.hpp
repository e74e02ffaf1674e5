// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/generators/counter_based.hpp"
#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// Numbers of a team's stream that are functions of a counter: warps share only the position.
template <class Family, class Team>
class SharedCounter {
 public:
  using Lanes = TeamLanes<Team>;
  static constexpr int n = block_numbers<typename Family::Counter>;
  template <int K>
  using Numbers = SharedNumbers<std::uint32_t, Family::Engine::format_bits, K, has_lanes<Team>>;

  template <class Shared>
  KOKKOS_FUNCTION SharedCounter(const Shared& shared, Slot<std::uint64_t> slot, std::uint64_t id)
      : seed_(shared.seed), id_(id), slot_(slot), place_(Family::place(slot)) {
    Lanes::require_warps();
  }

 protected:
  /// Number i.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t number(std::uint64_t i) const {
    std::uint32_t numbers[n];
    const CounterPlace at = place_.template after<typename Family::Counter>(i);
    draw(at.block, numbers);
    return chosen<0, n>(numbers, static_cast<std::uint32_t>(at.number));
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw(std::uint64_t block, std::uint32_t (&numbers)[n]) const {
    Family::Engine::draw(seed_, id_, block, numbers);
  }
  KOKKOS_FORCEINLINE_FUNCTION const CounterPlace& place() const { return place_; }

  /// Sets the stream's position; called between barriers.
  KOKKOS_FUNCTION void leave_behind(const Team& team, std::uint64_t count) const {
    const Slot<std::uint64_t> slot = slot_;
    const CounterPlace place = place_.template after<typename Family::Counter>(count);
    Kokkos::single(Kokkos::PerTeam(team), [=] { Family::set_place(slot, place); });
  }

 private:
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

  std::uint64_t seed_;
  std::uint64_t id_;
  Slot<std::uint64_t> slot_;
  CounterPlace place_;
};

template <class Family, class Team>
class OnDemandCounter : public SharedCounter<Family, Team> {
 public:
  using Base = SharedCounter<Family, Team>;
  using Lanes = typename Base::Lanes;

 private:
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
  static constexpr std::size_t scratch_bytes = ScratchPieces::bytes<Counter>(1);

  template <class Shared>
  KOKKOS_FUNCTION OnDemandCounter(const Team& team, const Shared& shared, Slot<std::uint64_t> slot,
                                  std::uint64_t id)
      : Base(shared, slot, id),
        counter_(ScratchPieces(shared_scratch(team, scratch_bytes)).template cut<Counter>(1)) {
    Counter* const counter = counter_;
    Kokkos::single(Kokkos::PerTeam(team), [counter] { *counter = {0, start}; });
    team.team_barrier();
  }

  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION typename Base::template Numbers<K> take() const {
    constexpr std::uint32_t count = shared_block * K;
    const Lanes lanes;
    Counter* const counter = counter_;
    const std::uint32_t ticket =
        lanes.one([counter] { return add_relaxed(&counter->next, count); });
    const std::uint64_t first = index_of(ticket);
    if (ticket % near_every >= near_every - count) {
      lanes.once([counter, first] { relaxed_store(&counter->near, first); });
    }
    typename Base::template Numbers<K> all(first, shared_block);
    for (int k = 0; k < K; ++k) {
      lanes.each_of_32([&](int lane) { all.put(lane, k, this->number(all.index(lane, k))); });
    }
    return all;
  }
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    this->leave_behind(team, index_of(counter_->next));
    team.team_barrier();
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index_of(std::uint32_t ticket) const {
    const std::uint64_t near = relaxed_load(&counter_->near);
    const auto beyond =
        static_cast<std::int32_t>(ticket - start - static_cast<std::uint32_t>(near));
    return near + static_cast<std::uint64_t>(std::int64_t{beyond});
  }

  Counter* counter_;
};

/// Each warp has its own numbers: it makes those of n rows at a time, a counter's block of n
/// numbers for each lane, and keeps them until it takes them.
template <class Family, class Team>
class ReservedCounter : public SharedCounter<Family, Team> {
 public:
  using Base = SharedCounter<Family, Team>;
  using Lanes = typename Base::Lanes;
  template <int K>
  using Numbers = typename Base::template Numbers<K>;

 private:
  static constexpr int n = Base::n;
  static constexpr int kept = n;  ///< rows, from a multiple of `kept` on
  struct alignas(16) Warp {
    std::uint32_t numbers[kept * shared_block];
    std::uint64_t rows;  ///< blocks that the warp has taken
  };

 public:
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int warps, int) {
    return ScratchPieces::bytes<Warp>(warps) + alignof(Warp);
  }

  template <class Shared>
  KOKKOS_FUNCTION ReservedCounter(const Team& team, const Shared& shared, Slot<std::uint64_t> slot,
                                  std::uint64_t id, int warps, int rows)
      : Base(shared, slot, id),
        warps_(warps),
        warp_(aligned(shared_scratch(team, scratch_bytes(warps, rows)))) {
    RIVULET_ASSERT(warps > 0, "reserved{warps} has warps > 0.");
    Warp* const all = warp_;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, warps), [all](int w) { all[w].rows = 0; });
    team.team_barrier();
  }

  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Numbers<K> take(int w) const {
    RIVULET_ASSERT(0 <= w && w < warps_, "Numbers were taken by a warp beyond reserved{warps}.");
    const Lanes lanes;
    Warp* const own = &warp_[w];
    const std::uint64_t row = own->rows;
    Numbers<K> all(row * stride() + static_cast<std::uint64_t>(w) * shared_block, stride());
    // k is the first of the take's rows that are kept now. For one block the loop runs once.
    int k = -static_cast<int>(row % kept);
    do {
      if (k >= 0) make(lanes, own, all.index(0, k));
      lanes.each_of_32([&](int lane) {
        for (int j = 0; j < K; ++j) {
          const auto place = static_cast<unsigned>(j - k);
          if (K == 1 || place < kept) {
            all.put(lane, j, own->numbers[place * shared_block + static_cast<unsigned>(lane)]);
          }
        }
      });
      k += kept;
    } while (K > 1 && k < K);
    lanes.once([own] { own->rows += K; });
    return all;
  }
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    std::uint64_t rows = 0;
    for (int w = 0; w < warps_; ++w) rows = warp_[w].rows > rows ? warp_[w].rows : rows;
    this->leave_behind(team, rows * stride());
    team.team_barrier();
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static Warp* aligned(std::byte* scratch) {
    const auto place = reinterpret_cast<std::uintptr_t>(scratch) % alignof(Warp);
    return reinterpret_cast<Warp*>(scratch + (alignof(Warp) - place) % alignof(Warp));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stride() const {
    return static_cast<std::uint64_t>(warps_) * shared_block;
  }

  /// Makes the numbers of `kept` rows, beginning with number `first`, in the warp's own memory: a
  /// lane draws a block. Where rows begin within a block, its last numbers are drawn then.
  KOKKOS_FORCEINLINE_FUNCTION void make(const Lanes& lanes, Warp* own, std::uint64_t first) const {
    constexpr int blocks = shared_block / n;
    const CounterPlace begin = this->place().template after<typename Family::Counter>(first);
    const auto ahead = static_cast<int>(begin.number);
    const int turns = ahead == 0 ? 1 : 2;
    lanes.meet();
    for (int turn = 0; turn < turns; ++turn) {
      lanes.each_of_32([&](int lane) {
        const int row = turn == 0 ? lane / blocks : lane;
        const int block = turn == 0 ? lane % blocks : blocks;
        if (row >= kept) return;
        std::uint32_t numbers[n];
        this->draw(begin.block + static_cast<unsigned>(row) * (stride() / n) +
                       static_cast<unsigned>(block),
                   numbers);
        put(own->numbers + row * shared_block, n * block - ahead, numbers);
      });
    }
    lanes.meet();
  }
  /// Copies the numbers of a block from place `from` on, as far as they belong to it.
  KOKKOS_FORCEINLINE_FUNCTION static void put(std::uint32_t* block, int from,
                                              const std::uint32_t (&numbers)[n]) {
    struct alignas(16) Four {
      std::uint32_t numbers[4];
    };
    if (from % n == 0) {
      for (int i = 0; i < n; i += 4) {
        *reinterpret_cast<Four*>(block + from + i) = {numbers[i], numbers[i + 1], numbers[i + 2],
                                                      numbers[i + 3]};
      }
      return;
    }
    for (int i = 0; i < n; ++i) {
      if (from + i >= 0 && from + i < shared_block) block[from + i] = numbers[i];
    }
  }

  int warps_;
  Warp* warp_;
};

}  // namespace rivulet::detail
