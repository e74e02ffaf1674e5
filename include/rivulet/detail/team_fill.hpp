// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/team_lanes.hpp"
#include "rivulet/detail/team_ring.hpp"

// Draws of a distribution by a team, in the order of one engine.

namespace rivulet::detail {

/// What an engine used whose numbers ended.
inline constexpr std::uint32_t too_few = 0xffffffff;

/// at(i), i = 0 .. count - 1, become what a distribution makes of a stream's next numbers one after
/// the other, whatever each draw takes. All lanes draw at once, on the guess that draws take
/// equally many numbers; behind the first that does not they are made again. All lanes of the team
/// call. Numbers:
/// - ready(team, draws, each): how many draws, of so many numbers each, can be made: 1 .. draws;
/// - from(skip): an engine that begins `skip` numbers later;
/// - used(engine, skip): numbers that it has given, or too_few;
/// - take(count): goes on behind them; more(team): after too_few of the first draw.
template <class Team, class Numbers, class Distribution, class At>
KOKKOS_FUNCTION void fill_in_order(const Team& team, Numbers& numbers, std::uint64_t count,
                                   const Distribution& distribution, const At& at) {
  const std::uint64_t lanes = has_lanes<Team> ? 128 : static_cast<std::uint64_t>(team.team_size());
  constexpr std::uint64_t all_alike = ~std::uint64_t{0};
  std::uint64_t each = 1;
  std::uint64_t batch = lanes;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t left = count - done;
    const std::uint64_t draws = numbers.ready(team, batch < left ? batch : left, each);
    std::uint64_t first_other = all_alike;  // its index, and the numbers it used
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, draws),
        [&numbers, &distribution, &at, done, each](std::uint64_t i, std::uint64_t& first) {
          auto engine = numbers.from(i * each);
          at(done + i) = distribution(engine);
          const std::uint64_t used = numbers.used(engine, i * each);
          const std::uint64_t found = i << 32 | used;
          if (used != each && found < first) first = found;
        },
        Kokkos::Min<std::uint64_t>(first_other));
    const bool alike = first_other == all_alike;
    batch = !alike ? lanes : batch < 16 * lanes ? 2 * batch : batch;
    const std::uint64_t good = alike ? draws : first_other >> 32;
    const std::uint64_t used = alike ? too_few : first_other & 0xffffffff;
    numbers.take(good * each + (used == too_few ? 0 : used));
    done += good + (used == too_few ? 0 : 1);
    if (good > 0) continue;
    if (used == too_few) {
      numbers.more(team);
    } else {
      each = used;
    }
  }
  team.team_barrier();
}

/// The numbers of a stream that are functions of a counter.
template <class Family>
struct CounterNumbers {
  using Counter = typename Family::Counter;
  using Engine = typename Family::Engine;
  std::uint64_t seed;
  std::uint64_t id;
  CounterPlace place;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t ready(const Team&, std::uint64_t draws,
                                                         std::uint64_t) {
    return draws;
  }
  KOKKOS_FORCEINLINE_FUNCTION Engine from(std::uint64_t skip) const {
    return Engine(seed, id, place.template after<Counter>(skip));
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t used(const Engine& engine, std::uint64_t skip) const {
    return engine.position() - (Engine::numbers * place.block + place.number + skip);
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(std::uint64_t count) {
    place = place.template after<Counter>(count);
  }
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static void more(const Team&) {}
};

/// Numbers that a team has drawn ahead from a TeamRing into memory. No more than the ring can take
/// back are left when a draw is done.
template <class Recurrence>
class NumbersAhead {
 public:
  using Integer = typename Recurrence::Integer;
  static constexpr int at_a_time = Recurrence::independent;
  using Ring = TeamRing<Recurrence, at_a_time>;
  /// Room for a draw of 256 numbers, and for those behind it.
  static constexpr int size = 256 + at_a_time;

  KOKKOS_FORCEINLINE_FUNCTION NumbersAhead(Ring& ring, Integer* memory)
      : ring_(&ring), memory_(memory), term_(ring.term()) {}

  class Engine {
   public:
    using result_type = Integer;
    KOKKOS_FORCEINLINE_FUNCTION Engine(const Integer* memory, int next, int left)
        : memory_(memory), next_(next), left_(left) {}
    static constexpr Integer min() { return 0; }
    static constexpr Integer max() {
      return static_cast<Integer>(~Integer{0}) >> (8 * sizeof(Integer) - Recurrence::bits);
    }
    KOKKOS_FORCEINLINE_FUNCTION Integer operator()() {
      if (used_ < left_) return memory_[wrapped(next_ + used_++)];
      // The draw is to be made again; loops that reject numbers need others, to end.
      used_ = left_ + 1;
      other_ = other_ * 6364136223846793005 + 1442695040888963407;
      return static_cast<Integer>(other_ >> (64 - Recurrence::bits));
    }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t used() const {
      return used_ > left_ ? too_few : static_cast<std::uint32_t>(used_);
    }

   private:
    const Integer* memory_;
    int next_;
    int left_;
    int used_ = 0;
    std::uint64_t other_ = 1;
  };

  template <class Team>
  KOKKOS_FUNCTION std::uint64_t ready(const Team& team, std::uint64_t draws, std::uint64_t each) {
    const std::uint64_t most = each == 0 ? draws : at_a_time / each;
    const std::uint64_t possible = draws < most ? draws : most == 0 ? 1 : most;
    const std::uint64_t wanted = most == 0 ? at_a_time : possible * each;
    draw(team, static_cast<int>(wanted) - left_);
    return possible;
  }
  KOKKOS_FORCEINLINE_FUNCTION Engine from(std::uint64_t skip) const {
    const auto skipped = static_cast<int>(skip);
    return Engine(memory_, wrapped(next_ + skipped), left_ - skipped);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t used(const Engine& engine, std::uint64_t) {
    return engine.used();
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(std::uint64_t count) {
    const auto taken = static_cast<int>(count);
    next_ = wrapped(next_ + taken);
    left_ -= taken;
    if constexpr (has_term<Recurrence>) term_ = Recurrence::after(term_, taken);
  }
  template <class Team>
  KOKKOS_FUNCTION void more(const Team& team) {
    if (left_ == size) {
      Kokkos::abort(
          "rivulet: fill() by team met a draw of more numbers than there is room for: take a "
          "counter-based generator, or an engine of open(s).\n");
    }
    const int room = size - left_;
    draw(team, room < at_a_time ? room : at_a_time);
  }
  KOKKOS_FORCEINLINE_FUNCTION void give_back() { ring_->go_back(left_, term_); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int wrapped(int k) { return k < size ? k : k - size; }

  template <class Team>
  KOKKOS_FUNCTION void draw(const Team& team, int count) {
    if (count <= 0) return;
    Integer* const memory = memory_;
    const int end = wrapped(next_ + left_);
    ring_->draw(TeamThreads<Team>(team), count,
                [=](int t, Integer number) { memory[wrapped(end + t)] = number; });
    left_ += count;
  }

  Ring* ring_;
  Integer* memory_;
  typename Recurrence::Term term_;  ///< of the next number
  int next_ = 0;                    ///< its place
  int left_ = 0;
};

}  // namespace rivulet::detail
