// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/streams/twister_jump.hpp"

// Jumps bring streams to E(i), i being the index on their cycle, and make them from each other
// there. Then each goes on to its start, by the h(i) steps of its own (IrregularStarts).

namespace rivulet::detail {

/// The indices on their cycles of streams that follow each other.
struct StreamIndices {
  std::uint64_t first = 0;   ///< id of the first stream
  std::uint64_t cycles = 1;  ///< stream s has the index s / cycles

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t hashed_steps(std::uint64_t stream) const {
    return IrregularStarts::hashed_steps((first + stream) / cycles);
  }
  /// Whether any of the first `streams` streams has steps to make.
  bool any(std::uint64_t streams) const { return streams > 0 && first + streams > cycles; }
};

/// Twisters of few words, a group of lanes at a time.
template <class States, class Word>
struct ScatterByLane {
  using Recurrence = typename RecurrenceOf<States>::template Over<Word>;
  static constexpr int n = Recurrence::n;

  States states;
  StreamIndices indices;
  JumpRange range;

  struct Ring {
    Recurrence recurrence;
    Word steps;
    Word x[n];
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    StreamGroup<Word> group;
    if (!group.find(range, first)) return;
    std::uint32_t steps[lanes<Word>];
    std::uint32_t most = 0;
    for (int l = 0; l < lanes<Word>; ++l) {
      steps[l] = indices.hashed_steps(group.stream[l]);
      most = steps[l] > most ? steps[l] : most;
    }
    Ring ring{
        recurrence_of<Word>(states, group), Traits::generate([&](int l) { return steps[l]; }), {}};
    for (int k = 0; k < n; ++k) {
      ring.x[k] = Traits::generate([&](int l) { return states.word(k, group.stream[l]); });
    }
    for (std::uint32_t done = 0; done < most; done += n) {
      step_all(ring, done, std::make_integer_sequence<int, n>{});
    }
    for (int k = 0; k < n; ++k) {
      for (int l = 0; l < lanes<Word>; ++l) {
        const auto oldest = static_cast<int>(steps[l] % std::uint32_t{n});
        const int place = k < oldest ? k + n - oldest : k - oldest;
        if (group.has[l]) states.put(place, group.stream[l], Traits::lane(ring.x[k], l));
      }
    }
  }

  template <int... k>
  KOKKOS_FORCEINLINE_FUNCTION void step_all(Ring& ring, std::uint32_t done,
                                            std::integer_sequence<int, k...>) const {
    (step<k>(ring, done + std::uint32_t{k}), ...);
  }
  /// Replaces the oldest word, where a lane has more steps to go than `done`.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void step(Ring& ring, std::uint32_t done) const {
    Word& x = ring.x[k];
    const Word next =
        ring.recurrence.next([&ring](auto j) RIVULET_INLINE_LAMBDA { return ring.x[(k + j) % n]; });
    // The highest bit of the difference is 0 there, and 1 elsewhere.
    const Word goes = ((ring.steps - Word(done + 1u)) >> 31) - Word(1u);
    x ^= (x ^ next) & goes;
  }
};

/// Twisters of many words, a thread each, in memory.
template <class States>
struct ScatterByThread {
  static constexpr int n = RecurrenceOf<States>::n;

  States states;
  StreamIndices indices;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const auto steps = static_cast<int>(indices.hashed_steps(stream));
    static_assert(1 << IrregularStarts::log2_hashed_steps <= 2 * n);
    const auto recurrence = states.recurrence(stream);
    for (int step = 0; step < steps; ++step) {
      const int oldest = step < n ? step : step - n;
      states.rest(oldest, stream) = recurrence.next([&](int j) RIVULET_INLINE_LAMBDA {
        return states.rest(oldest + j < n ? oldest + j : oldest + j - n, stream);
      });
    }
    // Rests with the oldest word first: turned by three reversals.
    const int oldest = steps < n ? steps : steps - n;
    reverse(stream, 0, oldest);
    reverse(stream, oldest, n);
    reverse(stream, 0, n);
    states.put(0, stream, states.rest(0, stream));
  }

  KOKKOS_FUNCTION void reverse(std::uint64_t stream, int begin, int end) const {
    for (; begin < --end; ++begin) {
      const std::uint32_t word = states.rest(begin, stream);
      states.rest(begin, stream) = states.rest(end, stream);
      states.rest(end, stream) = word;
    }
  }
};

/// Brings `count` streams from E(i) to their starts.
template <class Launch, class States>
void scatter_streams(const Launch& launch, const States& states, const StreamIndices& indices,
                     std::uint64_t count) {
  constexpr const char* label = "rivulet::scatter_streams";
  if constexpr (RecurrenceOf<States>::n < many_words) {
    launch.groups(
        label, count,
        ScatterByLane<States, typename Launch::Word>{states, indices, JumpRange::all_of(0, count)});
  } else {
    launch.each(label, count, ScatterByThread<States>{states, indices});
  }
}

}  // namespace rivulet::detail
