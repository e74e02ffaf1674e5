// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "rivulet/detail/rng/cycle.hpp"
#include "rivulet/detail/streams/cycle_plan.hpp"
#include "rivulet/detail/streams/jump_range.hpp"

// Starts and jumps of generators with few words of state, whose streams lie on one cycle. States
// must have word(k, stream) and put_word(k, stream, word).

namespace rivulet::detail {

/// Adapts a CycleGenerator to CycleStarts. (TauswortheOnCycle is another adapter.) An adapter has
/// - Plan: the type of the plan;
/// - words: the number of 32-bit words per state;
/// - State: a struct with these words in the array z;
/// - step_numbers: how many numbers a step yields;
/// - Jump: a function object that moves states, with words of type JumpWord<Word of the Launch>;
/// - jump(steps): returns the Jump by `steps` steps;
/// - powers(): returns the Jumps by 2^e steps, e = 0 .. most_exponent;
/// - native_start(run_seed): returns the start of stream 0;
/// - separate_start(run_seed, id), if some starts are not jumps from stream 0: returns the start;
/// - separate_starts: true if native starts are such starts. (Published starts always are.)
template <CycleGenerator G>
struct OnCycle {
  using Plan = PlanOnCycle<G>;
  static constexpr int words = state_words<G>;
  static constexpr int step_numbers = detail::step_numbers<G>;
  static constexpr bool separate_starts = CountsSteps<G>;
  struct State {
    std::uint32_t z[words];
  };
  /// Jumps use 64-bit arithmetic and move one stream at a time, so the word is an integer.
  template <class>
  using JumpWord = std::uint32_t;

  struct Jump {
    decltype(G::jump(Uint128{})) jump;

    KOKKOS_FUNCTION void operator()(std::uint32_t (&words_of)[words]) const {
      std::uint64_t z[G::words];
      get_state<G>([&](int k) { return words_of[k]; }, z);
      jump(z);
      put_state<G>(z, [&](int k, std::uint32_t word) { words_of[k] = word; });
    }
  };
  static Jump jump(Uint128 steps) { return {G::jump(steps)}; }
  static std::vector<Jump> powers() {
    std::vector<Jump> powers{jump(1)};
    for (unsigned e = 1; e <= IrregularStarts::most_exponent; ++e) {
      const auto& last = powers.back().jump;
      if constexpr (requires { last* last; }) {
        powers.push_back({last * last});
      } else {
        powers.push_back(jump(Uint128{1} << e));
      }
    }
    return powers;
  }
  /// Throws Error if jumps by single steps would take more than about five core-hours.
  static void require_steps(const Jump& jump, std::uint64_t streams) {
    if (Uint128{jump.jump.steps} * streams <= Uint128{1} << log2_most_stepped) return;
    throw Error(text_of("jumps of more than 2^", log2_most_stepped,
                        " steps, summed over all streams, are too long for ", G::name),
                "it advances only one number at a time",
                "Make shorter jumps, or use a generator that jumps, such as xoshiro256pp.");
  }
  KOKKOS_FUNCTION static State native_start(std::uint64_t run_seed, std::uint64_t id = 0) {
    std::uint64_t z[G::words];
    G::start(SeedHash(run_seed, id, G::tag), z);
    State start;
    put_state<G>(z, [&](int k, std::uint32_t word) { start.z[k] = word; });
    return start;
  }
  KOKKOS_FUNCTION static State separate_start(std::uint64_t run_seed,
                                              std::uint64_t id) requires CountsSteps<G> {
    return native_start(run_seed, id);
  }
};

template <class C, class States>
KOKKOS_FORCEINLINE_FUNCTION typename C::State state_of(const States& states, std::uint64_t stream) {
  typename C::State state;
  for (int k = 0; k < C::words; ++k) state.z[k] = states.word(k, stream);
  return state;
}
template <class C, class States>
KOKKOS_FORCEINLINE_FUNCTION void put_state_of(const States& states, std::uint64_t stream,
                                              const typename C::State& state) {
  for (int k = 0; k < C::words; ++k) states.put_word(k, stream, state.z[k]);
}

template <class C, class States>
struct SeparateStarts {
  States states;
  std::uint64_t run_seed;
  std::uint64_t first;  ///< id of the first stream

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    put_state_of<C>(states, stream, C::separate_start(run_seed, first + stream));
  }
};

/// Moves each stream to E(id) (IrregularStarts). A thread computes the streams of a group of
/// `together` ids. Each stream is computed by one jump from its parent, the stream whose id lacks
/// the lowest set bit. If the thread does not compute the parent, the stream starts from the base,
/// with one jump per set bit of its id.
template <class C, class States, class Jumps>
struct StartOnCycle {
  States states;
  Jumps jumps;  ///< element r: the jump that bit r of an id adds
  typename C::State base;
  StreamRange range;
  std::uint64_t together;

  KOKKOS_FUNCTION void operator()(std::uint64_t number) const {
    // Groups begin at multiples of `together`, so the ids of a group differ only in the low bits.
    const std::uint64_t begin = (range.first / together + number) * together;
    const std::uint64_t from = begin < range.first ? range.first : begin;
    const std::uint64_t last = range.first + range.count;
    const std::uint64_t stop = begin + together < last ? begin + together : last;
    for (std::uint64_t id = from; id < stop; ++id) {
      const std::uint64_t parent = id & (id - 1);
      const bool has_parent = id != 0 && parent >= from;
      auto state = has_parent ? state_of<C>(states, parent - range.first) : base;
      const std::uint64_t bits = has_parent ? id ^ parent : id;
      for (std::uint64_t r = 0; bits >> r != 0; ++r) {
        if ((bits >> r & 1) != 0) jumps(r)(state.z);
        if (r == 63) break;
      }
      put_state_of<C>(states, id - range.first, state);
    }
  }
};

/// Moves each stream from E(id) to its start, with one jump for each power of two in h(id).
template <class C, class States, class Powers>
struct ScatterOnCycle {
  States states;
  Powers powers;  ///< element e: the jump by 2^e steps
  std::uint64_t first;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const std::uint64_t id = first + stream;
    if (id == 0) return;
    auto state = state_of<C>(states, stream);
    const std::uint64_t hash = IrregularStarts::start_hash(id);
    for (int i = 0; i < IrregularStarts::hashed_terms; ++i) {
      powers(IrregularStarts::exponent(hash, i))(state.z);
    }
    put_state_of<C>(states, stream, state);
  }
};

/// Moves the streams of a range by one jump, lanes<Word> at a time.
template <class C, class States, class Word>
struct JumpOnCycle {
  States states;
  typename C::Jump jump;
  JumpRange range;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    StreamGroup<Word> group;
    if (!group.find(range, first)) return;
    Word z[C::words];
    for (int k = 0; k < C::words; ++k) {
      z[k] =
          Traits::generate([&](int l) { return states.word(k, group.stream[l] - range.distance); });
    }
    jump(z);
    for (int k = 0; k < C::words; ++k) group.put(states, k, z[k]);
  }
};

template <class C>
struct CycleStarts {
  using Plan = typename C::Plan;
  using Jump = typename C::Jump;
  struct Jumps {
    std::vector<Jump> bit_jumps;
    std::vector<Jump> power_jumps;
  };

  /// Returns log2 of the length, in numbers, of a jump that could reach the start of another
  /// stream.
  static unsigned log2_jump_limit(const CyclePlan& plan) { return plan.log2_distance() - 1; }

  template <class Host>
  static Jumps range_jumps(const Host&, const CyclePlan& plan, StreamRange range) {
    if (has_separate_starts(plan)) return {};
    Jumps jumps{{}, C::powers()};
    const std::uint64_t last = range.first + range.count - 1;
    for (unsigned r = 0; r < 64 && last >> r != 0; ++r) {
      jumps.bit_jumps.push_back(C::jump(plan.starts().jump(r)));
    }
    return jumps;
  }
  /// Returns the jumps by 2^r * `numbers` numbers for all r with 2^r <= max_multiple. `numbers`
  /// must be a multiple of C::step_numbers.
  template <class Host>
  static std::vector<Jump> multiple_jumps(const Host&, const CyclePlan&, StreamRange,
                                          Uint128 numbers, std::uint64_t max_multiple) {
    std::vector<Jump> jumps;
    for (unsigned r = 0; r < 64 && max_multiple >> r != 0; ++r) {
      jumps.push_back(C::jump(numbers / C::step_numbers << r));
    }
    return jumps;
  }

  template <class Launch, class States>
  static void start(const Launch& launch, const CyclePlan& plan, StreamRange range,
                    const Jumps& jumps, const States& states) {
    if constexpr (requires { C::separate_start(range.first, range.first); }) {
      if (has_separate_starts(plan)) {
        launch.each("rivulet::seed_streams", range.count,
                    SeparateStarts<C, States>{states, plan.request().seed, range.first});
        return;
      }
    }
    // Small groups keep many threads of a device busy. Large groups save jumps on a CPU.
    const std::uint64_t together = Launch::on_device ? 8 : 256;
    const std::uint64_t last = range.first + range.count - 1;
    const auto bit_jumps = launch.uploaded("rivulet::jumps_of_bits", jumps.bit_jumps);
    launch.each("rivulet::seed_streams", last / together - range.first / together + 1,
                StartOnCycle<C, States, std::remove_const_t<decltype(bit_jumps)>>{
                    states, bit_jumps, C::native_start(plan.request().seed), range, together});
    const auto powers = launch.uploaded("rivulet::jumps_of_powers", jumps.power_jumps);
    launch.each("rivulet::scatter_streams", range.count,
                ScatterOnCycle<C, States, std::remove_const_t<decltype(powers)>>{states, powers,
                                                                                 range.first});
  }
  template <class Launch, class States>
  static void jump(const Launch& launch, const States& states, const Jump& jump,
                   const JumpRange& range) {
    if constexpr (C::separate_starts) C::require_steps(jump, range.count());
    using Word = typename C::template JumpWord<typename Launch::Word>;
    const JumpOnCycle<C, States, Word> body{states, jump, range};
    if constexpr (lanes<Word> == lanes<typename Launch::Word>) {
      launch.groups("rivulet::jump", range.count(), body);
    } else {
      launch.each("rivulet::jump", range.count(), body);
    }
  }

 private:
  static bool has_separate_starts(const CyclePlan& plan) {
    return C::separate_starts || plan.request().seeding == Seeding::published;
  }
};

}  // namespace rivulet::detail
