// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "rivulet/detail/recurrence_engine.hpp"
#include "rng/word.hpp"

// The engine of the CPU team mapping draws one stream, whose words are in scratch memory. For a
// recurrence of few words, a draw consists of rounds of n numbers. For other recurrences, a draw is
// a multiple of 32 numbers.

namespace rivulet::detail {

/// The part of a recurrence that is in a team's scratch memory. Specialisations store tables there.
/// A stream's words form a column: consecutive words are `columns` words apart.
template <class Recurrence, int columns = 1>
struct ScratchRecurrence {
  using type = Recurrence;
  static constexpr std::size_t bytes = 0;
  /// Every lane must call this, and synchronise before it draws.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION static type load(const Lanes&, const Recurrence& recurrence, void*) {
    return recurrence;
  }
};

/// Returns the recurrence in the form that vector loops use.
template <class Recurrence>
KOKKOS_FORCEINLINE_FUNCTION auto for_vectors(const Recurrence& recurrence) {
  if constexpr (requires { recurrence.for_vectors(); }) {
    return recurrence.for_vectors();
  } else {
    return recurrence;
  }
}

/// Supplies the n words before a new vector by loading them from the line at x.
template <class W, int n>
class PrecedingWords {
 public:
  /// Extra words that are loaded before the n words.
  static constexpr int more = 0;

  KOKKOS_FORCEINLINE_FUNCTION explicit PrecedingWords(const std::uint32_t*) {}
  /// Advances to the next vector.
  KOKKOS_FORCEINLINE_FUNCTION void add(const W&) {}
  KOKKOS_FORCEINLINE_FUNCTION W word(int j, const std::uint32_t* x) const {
    return WordTraits<W>::load(x + j);
  }
};

#if RIVULET_HAVE_SHUFFLES
/// Keeps the preceding words of a short recurrence in registers. A load from memory would be
/// unaligned and span two pending stores: store forwarding would fail, and the load would stall.
template <class W, int n>
requires(lanes<W> > 1 && n <= 5 * lanes<W>)  // further moves would cost as much as the stall
    class PrecedingWords<W, n> {
 public:
  static constexpr int width = lanes<W>;
  static constexpr int vectors = (n + width - 1) / width;
  static constexpr int more = vectors * width - n;

  KOKKOS_FORCEINLINE_FUNCTION explicit PrecedingWords(const std::uint32_t* end) {
    for (int v = 0; v < vectors; ++v) preceding_[v] = load(end - (v + 1) * width);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const W& word) {
    for (int v = vectors - 1; v > 0; --v) preceding_[v] = preceding_[v - 1];
    preceding_[0] = word.part[0];
  }
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION W word(Place, const std::uint32_t*) const {
    constexpr int distance = n - Place::value;
    constexpr int first = (distance + width - 1) / width - 1;
    constexpr int skipped = (first + 1) * width - distance;
    if constexpr (skipped == 0) {
      return W(preceding_[first]);
    } else {
      return joined<skipped>(preceding_[first], preceding_[first - 1],
                             std::make_integer_sequence<int, width>());
    }
  }

 private:
  using Vector = typename W::Part;

  static Vector load(const std::uint32_t* from) { return WordTraits<W>::load(from).part[0]; }
  template <int skipped, int... i>
  KOKKOS_FORCEINLINE_FUNCTION static W joined(const Vector& a, const Vector& b,
                                              std::integer_sequence<int, i...>) {
    return W(__builtin_shufflevector(a, b, (skipped + i)...));
  }

  Vector preceding_[vectors];  ///< element v is the vector v + 1 positions before the new one
};
#endif

/// CPU team engine. New words are appended to a line of memory, so all loops run over contiguous
/// vectors. When the line is full, the state is copied back to the line's beginning.
template <class Recurrence>
class TeamLine {
 public:
  using W = WordWithMaxLanes<Recurrence::independent>;
  using Traits = WordTraits<W>;
  using InScratch = ScratchRecurrence<Recurrence>;
  static constexpr int n = Recurrence::n;
  static constexpr int width = lanes<W>;
  static constexpr int round = RecurrenceEngine<Recurrence>::round_words;
  static constexpr bool few_words = RecurrenceEngine<Recurrence>::in_registers;
  /// Maximum count of numbers per draw. With few words, draws are whole vectors, so no word is
  /// computed twice.
  static constexpr int team_numbers = few_words ? 16 * n : Recurrence::independent / 32 * 32;
  static_assert(width <= Recurrence::independent && team_numbers % width == 0);
  using Preceding = PrecedingWords<W, n>;
  /// Room for the surplus words of a draw that ends inside a vector.
  static constexpr int spare = round % width != 0 ? width : 0;
  static constexpr int line_words = n + (few_words ? 4 : 8) * team_numbers + spare;
  /// Words per cache line, to which new words are aligned.
  static constexpr int cache_line = 16;
  static constexpr std::size_t scratch_bytes =
      InScratch::bytes + ((Preceding::more + line_words + cache_line - 1) / cache_line + 1) *
                             cache_line * sizeof(std::uint32_t);

  /// Loads the state. Lanes provides each(count, f), which calls f(0) .. f(count - 1).
  template <class Lanes, class Streams>
  TeamLine(const Lanes& all, const Streams& streams, std::uint64_t stream, void* scratch)
      : recurrence_(InScratch::load(all, streams.recurrence(stream), scratch)),
        line_(first_word(static_cast<std::byte*>(scratch) + InScratch::bytes)) {
    all.each(n, [&](int k) { line_[k] = streams.word(k, stream); });
  }

  /// Writes the next `numbers` numbers to `to`. `numbers` is a multiple of `round` and at most
  /// team_numbers.
  template <class Lanes>
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Lanes& all, std::uint32_t* to,
                                        int numbers = team_numbers) {
    if (oldest_ + n + numbers + spare > line_words) move_back();
    std::uint32_t* const line = line_ + oldest_;
    const auto recurrence = for_vectors(recurrence_);
    Preceding preceding(line + n);
    const auto vector = [line, &recurrence, &preceding](int i) RIVULET_INLINE_LAMBDA {
      std::uint32_t* const x = line + i * width;
      const auto words = [x, &preceding](auto j)
                             RIVULET_INLINE_LAMBDA { return preceding.word(j, x); };
      const W word = recurrence.next(words);
      Traits::store(word, x + n);
      const W number = recurrence.number(word, words, {});
      preceding.add(word);
      return number;
    };
    const int full_vectors = numbers / width;
    all.each(full_vectors,
             [&, to](int i) RIVULET_INLINE_LAMBDA { Traits::store(vector(i), to + i * width); });
    if constexpr (round % width != 0) {
      // The next draw recomputes the last vector's surplus words.
      if (numbers % width != 0) {
        std::uint32_t last[static_cast<std::size_t>(width)];
        Traits::store(vector(full_vectors), last);
        for (int k = full_vectors * width; k < numbers; ++k) to[k] = last[k - full_vectors * width];
      }
    }
    oldest_ += numbers;
  }

  template <class Lanes, class Streams>
  void store(const Lanes& all, const Streams& streams, std::uint64_t stream) const {
    all.each(n, [&](int k) { streams.put_word(k, stream, line_[oldest_ + k]); });
  }

 private:
  static std::uint32_t* first_word(void* memory) {
    auto* const words = static_cast<std::uint32_t*>(memory) + Preceding::more;
    const auto number = reinterpret_cast<std::uintptr_t>(words + n) / sizeof(std::uint32_t);
    return words + (cache_line - number % cache_line) % cache_line;
  }
  void move_back() {
    for (int k = 0; k < n; k += width) Traits::store(Traits::load(line_ + oldest_ + k), line_ + k);
    oldest_ = 0;
  }

  typename InScratch::type recurrence_;
  std::uint32_t* line_;
  int oldest_ = 0;
};

}  // namespace rivulet::detail
