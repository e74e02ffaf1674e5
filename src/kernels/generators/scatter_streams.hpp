// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/launching/for_each_stream.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"

// Jumps bring streams to E(i), i being the index on their cycle, and make them from each other
// there. Then each goes on to its start, by the h(i) steps of its own (IrregularStarts).

namespace rivulet::detail {

/// Where streams stand in what they share.
struct StreamIndices {
  std::uint64_t first = 0;   ///< id of the rank's first stream
  std::uint64_t cycles = 1;  ///< stream s has the index s / cycles

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t hashed_steps(std::uint64_t stream) const {
    return IrregularStarts::hashed_steps((first + stream) / cycles);
  }
  /// Whether any of so many streams has a step to go.
  bool any(std::uint64_t streams) const { return streams > 0 && first + streams > cycles; }
};

/// Twisters of few words, a group of lanes at a time.
template <class Streams>
struct ScatterByLane {
  static constexpr int n = Streams::words;

  Streams streams;
  StreamIndices indices;

  struct Group {
    decltype(std::declval<const Streams&>().template recurrence<Word>(0)) recurrence;
    Word steps;
    Word x[n];
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    using Traits = WordTraits<Word>;
    std::uint32_t steps[lanes<Word>];
    std::uint32_t most = 0;
    for (int l = 0; l < lanes<Word>; ++l) {
      steps[l] = indices.hashed_steps(first + static_cast<std::uint64_t>(l));
      most = steps[l] > most ? steps[l] : most;
    }
    Group group{streams.template recurrence<Word>(first),
                Traits::generate([&](int l) { return steps[l]; }),
                {}};
    for (int k = 0; k < n; ++k) group.x[k] = Traits::load(&streams.word(k, first));
    for (std::uint32_t done = 0; done < most; done += n) {
      step_all(group, done, std::make_integer_sequence<int, n>{});
    }
    for (int l = 0; l < lanes<Word>; ++l) {
      const auto oldest = static_cast<int>(steps[l] % std::uint32_t{n});
      for (int k = 0; k < n; ++k) {
        streams.word(k < oldest ? k + n - oldest : k - oldest,
                     first + static_cast<std::uint64_t>(l)) = Traits::lane(group.x[k], l);
      }
    }
  }

  template <int... k>
  KOKKOS_FORCEINLINE_FUNCTION void step_all(Group& group, std::uint32_t done,
                                            std::integer_sequence<int, k...>) const {
    (step<k>(group, done + std::uint32_t{k}), ...);
  }
  /// Replaces the oldest word, where a lane has more steps to go than `done`.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void step(Group& group, std::uint32_t done) const {
    Word& x = group.x[k];
    const Word next = group.recurrence.next(
        [&group](auto j) RIVULET_INLINE_LAMBDA { return group.x[(k + j) % n]; });
    // The highest bit of the difference is 0 there, and 1 elsewhere.
    const Word goes = ((group.steps - Word(done + 1u)) >> 31) - Word(1u);
    x ^= (x ^ next) & goes;
  }
};

/// Twisters of many words, a thread each, in memory: streams.recurrence(stream) is its recurrence.
template <class Streams>
struct ScatterByThread {
  static constexpr int n = Streams::words;

  Streams streams;
  StreamIndices indices;

  KOKKOS_FUNCTION void operator()(std::uint64_t stream) const {
    const auto steps = static_cast<int>(indices.hashed_steps(stream));
    static_assert(1 << IrregularStarts::log2_hashed_steps <= 2 * n);
    const auto recurrence = streams.recurrence(stream);
    for (int step = 0; step < steps; ++step) {
      const int oldest = step < n ? step : step - n;
      streams.word(oldest, stream) = recurrence.next([&](int j) RIVULET_INLINE_LAMBDA {
        return streams.word(oldest + j < n ? oldest + j : oldest + j - n, stream);
      });
    }
    // Rests with the oldest word first: turned by three reversals.
    const int oldest = steps < n ? steps : steps - n;
    reverse(stream, 0, oldest);
    reverse(stream, oldest, n);
    reverse(stream, 0, n);
    streams.put_word(0, stream, streams.word(0, stream));
  }

  KOKKOS_FUNCTION void reverse(std::uint64_t stream, int begin, int end) const {
    for (; begin < --end; ++begin) {
      const std::uint32_t word = streams.word(begin, stream);
      streams.word(begin, stream) = streams.word(end, stream);
      streams.word(end, stream) = word;
    }
  }
};

/// Every stream from E(i) to its start.
template <class Streams>
void scatter_streams(const Space& space, const Streams& streams, const StreamIndices& indices) {
  constexpr const char* label = "rivulet::scatter_streams";
  if constexpr (Streams::words < 100) {
    for_each_stream_lane(space, label, streams.count(), ScatterByLane<Streams>{streams, indices});
  } else {
    for_each_stream(space, label, streams.count(), ScatterByThread<Streams>{streams, indices});
  }
}

}  // namespace rivulet::detail
