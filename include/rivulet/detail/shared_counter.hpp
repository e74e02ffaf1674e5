// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rng/philox4x32.hpp"
#include "rivulet/detail/shared_ring.hpp"

namespace rivulet::detail {

/// Numbers of a team's stream that are functions of a counter: nothing to share but how far it is.
template <class Family, class Team>
class SharedCounter {
 public:
  using Lanes = TeamLanes<Team>;
  template <int K>
  using Numbers = SharedNumbers<std::uint32_t, 32, K, has_lanes<Team>>;

  /// Of on-demand streams `counters` is 1: how many numbers are taken. Of reserved ones each warp
  /// has one: how many blocks it has taken.
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int counters) {
    return ScratchPieces::bytes<std::uint64_t>(counters);
  }
  template <class Shared>
  KOKKOS_FUNCTION SharedCounter(const Team& team, const Shared& shared, Slot<std::uint64_t> drawn,
                                std::uint64_t id, int counters)
      : seed_(shared.seed),
        id_(id),
        place_(drawn),
        drawn_(drawn[0]),
        counters_(counters),
        counter_(ScratchPieces(shared_scratch(team, scratch_bytes(counters)))
                     .template cut<std::uint64_t>(counters)) {
    RIVULET_ASSERT(counters > 0, "reserved{warps} has warps > 0.");
    Lanes::require_warps();
    std::uint64_t* const counter = counter_;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, counters),
                         [counter](int w) { counter[w] = 0; });
    team.team_barrier();
  }

 protected:
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION Numbers<K> numbers(const Lanes& lanes, std::uint64_t first,
                                                 std::uint64_t stride) const {
    Numbers<K> all(first, stride);
    for (int k = 0; k < K; ++k) {
      lanes.each(shared_block, [&](int lane) {
        const std::uint64_t i = drawn_ + all.index(lane, k);
        std::uint32_t words[4];
        PhiloxEngine::draw(seed_, id_, i / 4, words);
        const auto which = static_cast<unsigned>(i % 4);
        const std::uint32_t pair = which < 2 ? words[0] : words[2];
        const std::uint32_t other = which < 2 ? words[1] : words[3];
        all.put(lane, k, which % 2 == 0 ? pair : other);
      });
    }
    return all;
  }
  /// Between barriers.
  KOKKOS_FUNCTION void leave_behind(const Team& team, std::uint64_t count) const {
    const Slot<std::uint64_t> place = place_;
    const std::uint64_t drawn = drawn_ + count;
    Kokkos::single(Kokkos::PerTeam(team), [=] { place[0] = drawn; });
  }

  std::uint64_t seed_;
  std::uint64_t id_;
  Slot<std::uint64_t> place_;
  std::uint64_t drawn_;
  int counters_;
  std::uint64_t* counter_;
};

template <class Family, class Team>
class OnDemandCounter : public SharedCounter<Family, Team> {
 public:
  using Base = SharedCounter<Family, Team>;
  static constexpr std::size_t scratch_bytes = Base::scratch_bytes(1);

  template <class Shared>
  KOKKOS_FUNCTION OnDemandCounter(const Team& team, const Shared& shared, Slot<std::uint64_t> drawn,
                                  std::uint64_t id)
      : Base(team, shared, drawn, id, 1) {}

  template <int K>
  KOKKOS_FUNCTION typename Base::template Numbers<K> take() const {
    const typename Base::Lanes lanes;
    std::uint64_t* const next = this->counter_;
    const std::uint64_t first =
        lanes.one([next] { return add_relaxed(next, std::uint64_t{shared_block * K}); });
    return this->template numbers<K>(lanes, first, shared_block);
  }
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    this->leave_behind(team, *this->counter_);
    team.team_barrier();
  }
};

template <class Family, class Team>
class ReservedCounter : public SharedCounter<Family, Team> {
 public:
  using Base = SharedCounter<Family, Team>;
  KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes(int warps, int) {
    return Base::scratch_bytes(warps);
  }

  template <class Shared>
  KOKKOS_FUNCTION ReservedCounter(const Team& team, const Shared& shared, Slot<std::uint64_t> drawn,
                                  std::uint64_t id, int warps, int)
      : Base(team, shared, drawn, id, warps) {}

  template <int K>
  KOKKOS_FUNCTION typename Base::template Numbers<K> take(int w) const {
    RIVULET_ASSERT(0 <= w && w < this->counters_,
                   "Numbers were taken by a warp beyond reserved{warps}.");
    const typename Base::Lanes lanes;
    std::uint64_t* const rows = &this->counter_[w];
    const std::uint64_t row = *rows;
    const std::uint64_t first = row * stride() + static_cast<std::uint64_t>(w) * shared_block;
    lanes.once([rows, row] { *rows = row + K; });
    return this->template numbers<K>(lanes, first, stride());
  }
  KOKKOS_FUNCTION void close(const Team& team) const {
    team.team_barrier();
    std::uint64_t rows = 0;
    for (int w = 0; w < this->counters_; ++w) {
      rows = this->counter_[w] > rows ? this->counter_[w] : rows;
    }
    this->leave_behind(team, rows * stride());
    team.team_barrier();
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stride() const {
    return static_cast<std::uint64_t>(this->counters_) * shared_block;
  }
};

}  // namespace rivulet::detail
