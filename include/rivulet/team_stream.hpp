// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/generators/counter_based.hpp"
#include "rivulet/detail/generators/family.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/ring_engine.hpp"
#include "rivulet/detail/rng/counter_based.hpp"
#include "rivulet/detail/team_lanes.hpp"
#include "rivulet/detail/team_ring.hpp"

// Team streams: a team draws the same values as a single engine, in the same order.

namespace rivulet::detail {

/// Result of used() if an engine ran out of numbers.
inline constexpr std::uint32_t too_few = 0xffffffff;

/// Sets at(0) .. at(count - 1) to the values that successive draws from a distribution would
/// return. Each draw may use any count of numbers. Lanes draw in parallel and guess that all draws
/// use equally many numbers; draws after the first wrong guess are repeated. Collective over the
/// lanes of the team. Members of Numbers:
/// - ready(team, draws, each): returns how many draws of `each` numbers are possible, 1 .. draws;
/// - from(skip): returns an engine that starts `skip` numbers after the position;
/// - used(engine, skip): returns how many numbers the engine from(skip) has returned, or too_few;
/// - take(count): advances by `count` numbers;
/// - more(team): provides more numbers; called if used() is too_few for the first draw.
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
    std::uint64_t first_other = all_alike;  // first wrong guess: its index and the numbers used
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

/// The numbers of a counter-based stream, for fill_in_order().
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

/// A buffer of numbers that a team prefetches from a TeamRing. After each draw from a distribution,
/// the ring can take back all numbers that are left over (give_back()).
template <class Recurrence>
class NumbersAhead {
 public:
  using Integer = typename Recurrence::Integer;
  static constexpr int at_a_time = Recurrence::independent;
  using Ring = TeamRing<Recurrence, at_a_time>;
  /// Room for one draw of 256 numbers and at_a_time numbers after it.
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
      if (used_ < left_) return memory_[ring_index<size>(next_ + used_++)];
      // The numbers ran out, so this draw will be repeated. Arbitrary new numbers end its rejection
      // loops.
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
    return Engine(memory_, ring_index<size>(next_ + skipped), left_ - skipped);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t used(const Engine& engine, std::uint64_t) {
    return engine.used();
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(std::uint64_t count) {
    const auto taken = static_cast<int>(count);
    next_ = ring_index<size>(next_ + taken);
    left_ -= taken;
    if constexpr (has_term<Recurrence>) term_ = Recurrence::after(term_, taken);
  }
  template <class Team>
  KOKKOS_FUNCTION void more(const Team& team) {
    if (left_ == size) {
      Kokkos::abort(
          "rivulet: one draw in a team's fill() takes more numbers than there is room for (256 are "
          "safe): use a counter-based generator, or an engine of open(s).\n");
    }
    const int room = size - left_;
    draw(team, room < at_a_time ? room : at_a_time);
  }
  KOKKOS_FORCEINLINE_FUNCTION void give_back() { ring_->go_back(left_, term_); }

 private:
  template <class Team>
  KOKKOS_FUNCTION void draw(const Team& team, int count) {
    if (count <= 0) return;
    Integer* const memory = memory_;
    const int end = ring_index<size>(next_ + left_);
    ring_->draw(TeamThreads<Team>(team), count,
                [=](int t, Integer number) { memory[ring_index<size>(end + t)] = number; });
    left_ += count;
  }

  Ring* ring_;
  Integer* memory_;
  typename Recurrence::Term term_;  ///< term of the next number
  int next_ = 0;                    ///< index of the next number in memory
  int left_ = 0;
};

template <class F>
inline constexpr bool has_teams = ByTeam<F> || ByCounter<F>;

/// Returns true if a Family has team streams; otherwise the assertion fails. Callers use the
/// function in `if constexpr`: compilers then report the assertion before any other error.
template <class Family>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool require_teams() {
  static_assert(
      has_teams<Family>,
      "this generator has no streams by team: its state is so small that there is nothing "
      "to share. Open a stream in each thread, or take a twister, a RANMAR or Philox");
  return has_teams<Family>;
}

/// A stream that the threads of a team draw from together. open(team) returns this class for
/// twisters and RANMAR, and a CounterTeamStream, with the same functions, for counter-based
/// generators. each() passes on raw numbers: std::uint32_t, or std::uint64_t for Ranmar48 and its
/// variants. rivulet::fill(team, rng, view, distribution) draws from any distribution.
/// Streams::team_policy() returns the policy, and Streams::close(team, rng) stores the position.
template <class Family>
class RingTeamStream {
 public:
  using Recurrence = typename Family::Recurrence;
  using Integer = typename Recurrence::Integer;
  using Memory = RingMemory<Recurrence>;
  static constexpr int at_a_time = Recurrence::independent;
  using Ring = TeamRing<Recurrence, at_a_time>;
  static constexpr std::size_t scratch_bytes =
      static_cast<std::size_t>(Ring::size) * sizeof(Integer) + 16;  // 16: for alignment
  static constexpr std::size_t fill_bytes = NumbersAhead<Recurrence>::size * sizeof(Integer) + 16;

  template <class Team, class Shared>
  KOKKOS_FUNCTION RingTeamStream(const Team& team, const Shared& shared, Slot<Integer> words,
                                 std::uint64_t id)
      : words_(words),
        ring_(TeamThreads<Team>(team), shared.recurrence(id), scratch<Ring::size>(team),
              Memory::term_of(words), OldestFirst<Recurrence>(words)) {}

  /// Calls f(i, number) for i = 0 .. count - 1 with the stream's next `count` numbers in order.
  /// One thread of the team makes each call. Collective; all threads must pass the same count. No
  /// thread returns before all calls are done. Example: `rng.each(team, 1000, [=](std::uint64_t i,
  /// std::uint32_t number) { ... });`
  template <class Team, class F>
  KOKKOS_FUNCTION void each(const Team& team, std::uint64_t count, const F& f) {
    for (std::uint64_t drawn = 0; drawn < count; drawn += at_a_time) {
      const std::uint64_t left = count - drawn;
      ring_.draw(
          TeamThreads<Team>(team), left < at_a_time ? static_cast<int>(left) : at_a_time,
          [&f, drawn](int t, Integer number) { f(drawn + static_cast<std::uint64_t>(t), number); });
    }
  }

  /// Sets at(0) .. at(count - 1) to the distribution's next values; see rivulet::fill.
  template <class Team, class Distribution, class At>
  KOKKOS_FUNCTION void fill(const Team& team, std::uint64_t count, const Distribution& distribution,
                            const At& at) {
    if (ahead_ == nullptr) ahead_ = scratch<NumbersAhead<Recurrence>::size>(team);
    NumbersAhead<Recurrence> numbers(ring_, ahead_);
    fill_in_order(team, numbers, count, distribution, at);
    numbers.give_back();
  }

  template <class Team>
  KOKKOS_FUNCTION void close(const Team& team) const {
    const Slot<Integer> words = words_;
    const typename Recurrence::Term term = ring_.term();
    Kokkos::single(Kokkos::PerTeam(team), [=] { Memory::put(words, 0, term); });
    ring_.store(TeamThreads<Team>(team), [=](int k, Integer word) { words[k] = word; });
  }

 private:
  template <int size, class Team>
  KOKKOS_FUNCTION static Integer* scratch(const Team& team) {
    using Space = typename Team::execution_space::scratch_memory_space;
    Integer* const words = Kokkos::View<Integer*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                               team.team_scratch(0), size)
                               .data();
    RIVULET_ASSERT(
        words != nullptr,
        "Too little scratch memory: the policy needs team_scratch_bytes() for each stream, and "
        "team_fill_bytes() for each whose numbers fill() takes.");
    return words;
  }

  Slot<Integer> words_;
  Ring ring_;
  Integer* ahead_ = nullptr;  ///< memory for fill()
};

/// A team's stream of a counter-based generator, with the functions of RingTeamStream.
template <class Family>
class CounterTeamStream {
 public:
  static constexpr std::size_t scratch_bytes = 0;
  static constexpr std::size_t fill_bytes = 0;
  static constexpr int at_a_time = 128;
  static constexpr std::uint64_t n = Family::Engine::numbers;  ///< numbers per block

  template <class Team, class Shared>
  KOKKOS_FUNCTION CounterTeamStream(const Team& team, const Shared& shared,
                                    Slot<std::uint64_t> slot, std::uint64_t id)
      : seed_(shared.seed), id_(id), slot_(slot), place_(Family::place(slot)) {
    team.team_barrier();  // all threads must read the position before any of them closes the stream
  }

  template <class Team, class F>
  KOKKOS_FUNCTION void each(const Team& team, std::uint64_t count, const F& f) {
    const std::uint64_t first = place_.block;
    const std::uint64_t skip = place_.number;
    const std::uint64_t blocks = (skip + count + n - 1) / n;
    const std::uint64_t seed = seed_;
    const std::uint64_t id = id_;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, blocks), [&](std::uint64_t b) {
      std::uint32_t numbers[n];
      Family::Engine::draw(seed, id, first + b, numbers);
      for (std::uint64_t k = 0; k < n; ++k) {
        const std::uint64_t i = n * b + k - skip;  // wraps to a large value before the first number
        if (i < count) f(i, numbers[k]);
      }
    });
    place_ = place_.template after<typename Family::Counter>(count);
    team.team_barrier();
  }

  template <class Team, class Distribution, class At>
  KOKKOS_FUNCTION void fill(const Team& team, std::uint64_t count, const Distribution& distribution,
                            const At& at) {
    CounterNumbers<Family> numbers{seed_, id_, place_};
    fill_in_order(team, numbers, count, distribution, at);
    place_ = numbers.place;
  }

  template <class Team>
  KOKKOS_FUNCTION void close(const Team& team) const {
    const Slot<std::uint64_t> slot = slot_;
    const CounterPlace place = place_;
    Kokkos::single(Kokkos::PerTeam(team), [=] { Family::set_place(slot, place); });
    team.team_barrier();
  }

 private:
  std::uint64_t seed_;
  std::uint64_t id_;
  Slot<std::uint64_t> slot_;
  CounterPlace place_;
};

template <class Family>
using TeamStreamOf =
    std::conditional_t<ByTeam<Family>, RingTeamStream<Family>, CounterTeamStream<Family>>;

/// Returns a policy of `teams` teams, each with `threads` threads of `lanes` lanes on a device, or
/// with one thread on a CPU. Throws Error for 2^31 teams or more.
template <class Exec>
Kokkos::TeamPolicy<Exec> policy_of(const Exec& exec, std::uint64_t teams, int threads, int lanes,
                                   std::size_t scratch_bytes) {
  if (teams > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    throw Error(std::to_string(teams) + " teams are too many", "Kokkos counts them in 31 bits",
                "Make several Streams objects of fewer streams each.");
  }
  constexpr bool device = !is_host<Exec>;
  Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(teams), device ? threads : 1,
                                  device ? lanes : 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  return policy;
}

/// Returns a policy with one team for each of `count` streams. On a device, a team has 32, 64, 128
/// or 256 threads, about one per number that the team draws at a time (at_a_time).
template <class Family, class Exec>
Kokkos::TeamPolicy<Exec> team_policy(const Exec& exec, std::uint64_t count) {
  constexpr int most = TeamStreamOf<Family>::at_a_time;
  constexpr int threads = most <= 40 ? 32 : most <= 64 ? 64 : most <= 128 ? 128 : 256;
  return policy_of(exec, count, threads, 1, TeamStreamOf<Family>::scratch_bytes);
}

}  // namespace rivulet::detail
