// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/rng/philox.hpp"
#include "rivulet/detail/rng/word.hpp"

namespace rivulet::detail {

/// Base of engines whose streams have no children.
struct NoChildren {
  template <class N>
  static CounterEngine<Philox4x32> child(N) {  // returns an engine to avoid a second error
    static_assert(sizeof(N) == 0,
                  "streams of a recurrence have no children: a child would start somewhere on its "
                  "parent's cycle, where it could overlap other streams. Use a counter-based "
                  "generator, such as Philox4x32, or more streams");
    return CounterEngine<Philox4x32>(0);
  }
};

/// The interface for lane-parallel kernels of an engine that draws 32-bit numbers of lanes<W>
/// streams. Own::round(use) draws a round and passes each number to use(index, W number).
template <class Own, class W>
class LaneRounds {
 public:
  /// Draws a round and passes each word to sink(int index, W word). In unrolled rounds the index is
  /// a constant after inlining.
  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void draw_words(Sink&& sink) {
    static_cast<Own*>(this)->round(sink);
  }
  /// Draws a round and passes each number to the sink. In these engines, numbers are words.
  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void draw_each(Sink&& sink) {
    draw_words(sink);
  }
  /// Draws a round to memory. Number k of lane l is stored in to[k * lanes<W> + l].
  KOKKOS_FORCEINLINE_FUNCTION void draw_numbers(std::uint32_t* to) {
    draw_words([to](int k, const W& word)
                   RIVULET_INLINE_LAMBDA { WordTraits<W>::store(word, to + k * lanes<W>); });
  }
};

}  // namespace rivulet::detail
