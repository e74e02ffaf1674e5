// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "rivulet/detail/rng/ranmar.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Draws one sequence with CPU vector registers. A step computes 33 independent numbers; lane l of
/// vector v holds number v * lanes + l. A step subtracts the words 33 positions before its own,
/// which the previous step left in registers, in the same lanes. With steps of 32 numbers, those
/// words would be in other lanes. Each vector would be reloaded from memory, and the load would
/// span two pending stores (measured: 1.25 times as slow).
template <class Variant>
class RanmarVectorTeam {
 public:
  using Integer = typename Variant::Integer;
  using W = WordOf<typename Variant::Integer>;
  /// Maximum numbers per draw(): the numbers and the state fit in the L1 cache.
  static constexpr int team_numbers = 8 * ranmar_words;

 private:
  using Traits = WordTraits<W>;
  static constexpr int width = lanes<W>;
  static constexpr int step = ranmar_lag;
  /// Vectors per step; the last one is not full.
  static constexpr int vectors = (step + width - 1) / width;
  static constexpr int step_room = vectors * width;
  static constexpr int window_words =
      ranmar_words + (team_numbers + step - 1) / step * step + width;

 public:
  static constexpr std::size_t scratch_bytes = window_words * sizeof(Integer);

  /// Loads the state: words 0 (the oldest) .. 96, and the arithmetic sequence's term before the
  /// next number. `scratch`, aligned to 8 bytes, holds the words.
  template <class Lanes, class Streams>
  RanmarVectorTeam(const Lanes&, const Streams& streams, std::uint64_t stream, void* scratch)
      : x_(static_cast<Integer*>(scratch)), c_(streams.word(ranmar_words, stream)) {
    for (int k = 0; k < ranmar_words; ++k) x_[k] = streams.word(k, stream);
  }

  template <class Lanes, class Streams>
  void store(const Lanes&, const Streams& streams, std::uint64_t stream) const {
    for (int k = 0; k < ranmar_words; ++k) streams.word(k, stream) = x_[k];
    streams.word(ranmar_words, stream) = c_;
  }

  /// Writes the next `numbers` numbers (1 .. team_numbers) to `to`.
  template <class Lanes>
  void draw(const Lanes&, Integer* to, int numbers = team_numbers) {
    W before[vectors];
    W term[vectors];
    load(x_ + ranmar_words - step, before, std::make_integer_sequence<int, vectors>());
    for (int v = 0; v < vectors; ++v) {
      term[v] = Traits::generate([&](int l) {
        return ranmar_lower<Variant>(c_, ranmar_stride<Variant>(v * width + l + 1));
      });
    }
    int done = 0;
    // The last vector of a step overlaps the next step, which overwrites the surplus.
    for (; done + step_room <= numbers; done += step) {
      draw_step(x_ + done, before, term, to + done);
    }
    while (done < numbers) {
      Integer numbers_of_step[step_room];
      draw_step(x_ + done, before, term, numbers_of_step);
      const int wanted = numbers - done < step ? numbers - done : step;
      std::memcpy(to + done, numbers_of_step, static_cast<std::size_t>(wanted) * sizeof(Integer));
      done += step;
    }
    std::memmove(x_, x_ + numbers, ranmar_words * sizeof(Integer));
    c_ = ranmar_lower<Variant>(c_, ranmar_stride<Variant>(numbers));
  }

 private:
  /// Unrolled by a pack expansion: with a loop, GCC 12 keeps the vectors in memory.
  template <int... v>
  KOKKOS_FORCEINLINE_FUNCTION static void load(const Integer* from, W (&to)[vectors],
                                               std::integer_sequence<int, v...>) {
    ((to[v] = Traits::load(from + v * width)), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void draw_step(Integer* x, W* before, W* term, Integer* to) {
    for (int v = 0; v < vectors; ++v) before[v] = Traits::load(x + v * width) - before[v];
    for (int v = 0; v < vectors; ++v) {
      Traits::store(before[v], x + ranmar_words + v * width);
      Traits::store(ranmar_number<Variant>(before[v], term[v]), to + v * width);
      term[v] = ranmar_lower<Variant>(term[v], ranmar_stride<Variant>(step));
    }
  }

  Integer* x_;
  Integer c_;
};

}  // namespace rivulet
