// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <numeric>
#include <utility>

#include "kokkos_compat.hpp"
#include "rng/word.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet::detail {

/// Assembles words of lanes<Word> streams to samples and passes each to use(index, words). (A
/// functor, not a lambda: it must be inlined.)
template <int words, class Use>
struct AliasWords {
  Use use;
  Word word[static_cast<std::size_t>(words)] = {};
  int have = 0;
  int sample = 0;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, Word next) {
    for (int w = 1; w < words; ++w) word[w - 1] = word[w];
    word[words - 1] = next;
    if (++have < words) return;
    have = 0;
    use(sample++, word);
  }
};

/// Passes the samples of `rounds` rounds, of `words` words each, to use(index, words), by memory.
template <class Streams, class Use>
KOKKOS_FORCEINLINE_FUNCTION void draw_in_memory(typename Streams::Engine& engine, int words,
                                                int rounds, const Use& use) {
  /// A round's words, behind those that the last round left over.
  struct Buffer {
    Word word[static_cast<std::size_t>(Streams::round_words + 3 * AliasTable::most_levels)];
    int have = 0;

    KOKKOS_FORCEINLINE_FUNCTION void operator()(int k, Word next) { word[have + k] = next; }
  };
  Buffer buffer;
  int sample = 0;
  for (int round = 0; round < rounds; ++round) {
    engine.draw_words(buffer);
    buffer.have += Streams::round_words;
    int from = 0;
    for (; from + words <= buffer.have; from += words) use(sample++, buffer.word + from);
    buffer.have -= from;
    for (int w = 0; w < buffer.have; ++w) buffer.word[w] = buffer.word[from + w];
  }
}

/// The least number of a generator's rounds that makes whole samples of `level_count` levels, of
/// `words_each` words each.
template <class Streams, int level_count, int words_each>
struct AliasRounds {
  using Engine = typename Streams::Engine;
  static constexpr int levels = level_count;
  static constexpr int level_words = words_each;
  static constexpr int words = level_words * levels;
  static constexpr int common = std::gcd(Streams::round_words, words);
  static constexpr int rounds = words / common;
  static constexpr int samples = Streams::round_words / common;
  /// Whether all rounds are short enough to be unrolled: the compiler then knows which words end a
  /// sample, and passes them from the generator to the look-ups in registers.
  static constexpr bool short_enough = rounds * Streams::round_words <= 160;

  explicit AliasRounds(const AliasTable::Levels&) {}

  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw(Engine& engine, const Use& use) {
    if constexpr (short_enough) {
      AliasWords<words, Use> sink{use};
      draw_in_registers(engine, sink, std::make_integer_sequence<int, rounds>{});
    } else {
      draw_in_memory<Streams>(engine, words, rounds, use);
    }
  }

 private:
  template <class Sink, int... round>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_in_registers(Engine& engine, Sink& sink,
                                                            std::integer_sequence<int, round...>) {
    ((static_cast<void>(round), engine.draw_words(sink)), ...);
  }
};

/// The same for a number of levels that compilers do not know: of three and more, unrolled rounds
/// would take most of the time that a generator's kernels take to compile.
template <class Streams>
struct AliasRounds<Streams, 0, 0> {
  int levels;
  int level_words;
  int rounds;
  int samples;

  explicit AliasRounds(const AliasTable::Levels& table)
      : levels(table.count), level_words(table.level_words()) {
    const int common = std::gcd(Streams::round_words, table.sample_words());
    rounds = table.sample_words() / common;
    samples = Streams::round_words / common;
  }

  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION void draw(typename Streams::Engine& engine, const Use& use) const {
    draw_in_memory<Streams>(engine, level_words * levels, rounds, use);
  }
};

}  // namespace rivulet::detail
