// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/recurrence.hpp"
#include "rivulet/detail/rng/word.hpp"
#include "rivulet/detail/streams/jump_range.hpp"
#include "rivulet/detail/streams/jump_table.hpp"

// A jump by the polynomial g of the stream's set computes y_j = sum over i of g_i x_{i+j}, j = 0 ..
// n-1, from the sequence itself (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J.
// Comput. 20 (2008) 385). The unused bits of x_0 reach only the unused bits of y_0.
//
// Kernels access streams through States:
// - recurrence(stream): returns the recurrence, which computes the next word;
// - word(k, stream): returns word k, counted from the oldest;
// - put_word(k, stream, word): stores word k, counted from the oldest, as word k in memory. A
//   kernel reads all words of a stream before it stores any;
// - stored_word(k, stream): returns a reference to word k in memory;
// - stream(index): returns the stream at an index, or the stream whose segment is at the index.
//
// `Word` is a plain integer in the C++ library, and a vector register in the CPU kernels of the
// `rivulet` program.

namespace rivulet::detail {

/// A parameter set without full tables, for vectors and for sets in registers. Table entries are
/// computed as sums.
struct MtgpSetAlone {
  MtgpSet parameters;
  KOKKOS_FORCEINLINE_FUNCTION const MtgpSet& set() const { return parameters; }
  KOKKOS_FORCEINLINE_FUNCTION MtgpSums table() const { return MtgpSums(parameters.table); }
};

/// Returns a copy of a recurrence with its parameters in registers, for use in jumps.
template <class Recurrence>
KOKKOS_FORCEINLINE_FUNCTION Recurrence in_registers(const Recurrence& recurrence) {
  return recurrence;
}
KOKKOS_FORCEINLINE_FUNCTION MtgpRecurrence<MtgpSetAlone> in_registers(const MtgpWords& recurrence) {
  return {{recurrence.tables.set()}};
}

template <class States>
using RecurrenceOf =
    std::remove_cvref_t<decltype(std::declval<const States&>().recurrence(std::uint64_t{}))>;

/// Returns a recurrence whose lanes are the twisters of a group's streams. Jumps need words only,
/// so the tempering masks are 0.
template <class Word, class States>
KOKKOS_FUNCTION auto recurrence_of(const States& states, const StreamGroup<Word>& group) {
  const Word a =
      WordTraits<Word>::generate([&](int l) { return states.recurrence(group.stream[l]).set.a; });
  return typename RecurrenceOf<States>::template Over<Word>{{a, Word(0u), Word(0u)}};
}

/// Words of a sequence in memory, counted from the first one.
template <class Word>
struct WordsFrom {
  const std::uint32_t* first;
  KOKKOS_FORCEINLINE_FUNCTION Word operator()(int k) const {
    return WordTraits<Word>::load(first + k);
  }
};

/// The form of a JumpTable in a kernel. Bits is a view.
template <class Bits>
struct JumpColumns {
  Bits bits;
  std::uint64_t sets;
  JumpPlaces places;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t column(std::uint64_t stream) const {
    return stream % sets;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int w, std::uint64_t column) const {
    return bits(places.of(static_cast<std::uint64_t>(w), column));
  }
};

/// Jumps a twister of many words on a device. A warp iterates over the polynomial's coefficients:
/// each thread sums consecutive words, with a window of the sequence in registers. The sequence
/// advances in shared memory.
template <class States, class Columns>
struct JumpByWarp {
  using Recurrence = RecurrenceOf<States>;
  static constexpr int n = Recurrence::n;
  static constexpr int words = (Recurrence::shape.p + 31) / 32;
  static constexpr int threads = 32;
  /// Words of the sum per thread. An odd number avoids bank conflicts.
  static constexpr int words_per_thread = (n + threads - 1) / threads | 1;
  /// Number of words drawn at a time, a multiple of the 32 coefficients per word. These words do
  /// not depend on each other.
  static constexpr int words_drawn = Recurrence::independent / 32 * 32;
  static constexpr std::size_t scratch_bytes =
      (threads * words_per_thread + words_drawn) * sizeof(std::uint32_t);

  States states;
  Columns jump;
  JumpRange range;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, std::uint64_t number, void* scratch) const {
    const std::uint64_t stream = range.stream(number);
    if (!range.has(stream)) return;  // all threads of the team return
    const std::uint64_t from = stream - range.distance;
    const std::uint64_t column = jump.column(states.stream(stream));
    const auto recurrence = in_registers(states.recurrence(from));
    auto* const x = static_cast<std::uint32_t*>(scratch);
    const int t = team.team_rank();
    for (int k = t; k < n; k += threads) x[k] = states.word(k, from);
    team.team_barrier();
    std::uint32_t y[words_per_thread] = {};
    for (int word = 0; word < words; word += words_drawn / 32) {
      for (int k = t; k < words_drawn; k += threads) {
        x[k + n] = recurrence.next(WordsFrom<std::uint32_t>{x + k});
      }
      team.team_barrier();
      const int count = word + words_drawn / 32 < words ? words_drawn / 32 : words - word;
      add(Polynomial{jump, word, column}, count, x + t * words_per_thread, y);
      team.team_barrier();
      for (int k = t; k < words_drawn; k += threads) {
        for (int to = k; to < n; to += words_drawn) x[to] = x[to + words_drawn];
      }
      team.team_barrier();
    }
    for (int c = 0; c < words_per_thread; ++c) {
      const int k = t * words_per_thread + c;
      if (k < n) states.put_word(k, stream, y[c]);
    }
  }

 private:
  /// The coefficients in one column of the jump, starting at word `first`.
  struct Polynomial {
    const Columns& jump;
    int first;
    std::uint64_t column;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int w) const {
      return jump.word(first + w, column);
    }
  };

  /// Adds the terms of `count` words of coefficients.
  KOKKOS_FORCEINLINE_FUNCTION static void add(const Polynomial& g, int count,
                                              const std::uint32_t* x,
                                              std::uint32_t (&y)[words_per_thread]) {
    std::uint32_t window[words_per_thread + 32];
    for (int c = 0; c < words_per_thread; ++c) window[c] = x[c];
    for (int w = 0; w < count; ++w) {
      const std::uint32_t* const next = x + 32 * w + words_per_thread;
      for (int b = 0; b < 32; ++b) window[words_per_thread + b] = next[b];
      add_terms(g.word(w), window, y, std::make_integer_sequence<int, 16>{});
      for (int c = 0; c < words_per_thread; ++c) window[c] = window[32 + c];
    }
  }
  /// Adds the terms of two coefficients at a time, with a device's three-operand exclusive or.
  /// Branches do not diverge: all threads have the same coefficients.
  template <int... i>
  KOKKOS_FORCEINLINE_FUNCTION static void add_terms(std::uint32_t g, const std::uint32_t* x,
                                                    std::uint32_t (&y)[words_per_thread],
                                                    std::integer_sequence<int, i...>) {
    (add_two(g >> 2 * i & 3u, x + 2 * i, y), ...);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_two(std::uint32_t g, const std::uint32_t* x,
                                                  std::uint32_t (&y)[words_per_thread]) {
    if (g == 3) {
      for (int c = 0; c < words_per_thread; ++c) y[c] ^= x[c] ^ x[c + 1];
    } else if (g == 2) {
      for (int c = 0; c < words_per_thread; ++c) y[c] ^= x[c + 1];
    } else if (g == 1) {
      for (int c = 0; c < words_per_thread; ++c) y[c] ^= x[c];
    }
  }
};

/// Jumps a twister on a CPU. A thread draws the sequence, then iterates over the polynomial's terms
/// with a few vectors of the sum in registers.
template <class States, class Columns, class Word>
struct JumpByThread {
  using Recurrence = RecurrenceOf<States>;
  using Traits = WordTraits<Word>;
  static constexpr int n = Recurrence::n;
  static constexpr int p = Recurrence::shape.p;
  static constexpr int words = (p + 31) / 32;
  static constexpr int width = lanes<Word>;
  /// Vectors summed at a time; they fill most of the registers.
  static constexpr int vectors_per_pass = width == 1 ? (n <= 20 ? 20 : 32) : width == 16 ? 20 : 10;
  /// Passes that cover n words and the extra words for alignment.
  static constexpr int passes =
      (n + width - 1 + vectors_per_pass * width - 1) / (vectors_per_pass * width);
  static constexpr int words_summed = passes * vectors_per_pass * width;
  /// Number of words drawn after the first n, a multiple of the width. The sums read p +
  /// words_summed words.
  static constexpr int words_drawn = (p + words_summed - n + width - 1) / width * width;
  static_assert(width <= Recurrence::independent);

  States states;
  Columns jump;
  JumpRange range;

  struct alignas(64) Memory {
    std::uint32_t x[n + words_drawn + width];
    std::uint32_t part[words_summed + width];
    std::uint32_t y[n + width];
    std::uint32_t g[words];
    int terms[words * 32 / width + 1];
  };
  /// One element per thread. The caller allocates the memory, because an exception in a thread
  /// would end the process.
  Memory* memory;
  std::uint64_t threads;

  void operator()(std::uint64_t thread) const {
    for (std::uint64_t i = thread; i < range.count(); i += threads) move(memory[thread], i);
  }
  void move(Memory& thread_memory, std::uint64_t number) const {
    const std::uint64_t stream = range.stream(number);
    if (!range.has(stream)) return;
    draw(thread_memory, stream - range.distance);
    const std::uint64_t column = jump.column(states.stream(stream));
    for (int w = 0; w < words; ++w) thread_memory.g[w] = jump.word(w, column);
    for (std::uint32_t& word : thread_memory.y) word = 0;
    for (int s = 0; s < width; ++s) add(thread_memory, s);
    for (int k = 0; k < n; ++k) states.put_word(k, stream, thread_memory.y[k]);
  }

  void draw(Memory& memory, std::uint64_t stream) const {
    const auto recurrence = in_registers(states.recurrence(stream));
    for (int k = 0; k < n; ++k) memory.x[k] = states.word(k, stream);
    for (int k = 0; k < words_drawn; k += width) {
      Traits::store(recurrence.next(WordsFrom<Word>{memory.x + k}), memory.x + n + k);
    }
  }

  /// Adds the terms t^i with i % width == s. Their sum, part_s, is computed from aligned vectors,
  /// at i - s instead of i. This shifts part_s by s, so y_j is the sum over s of part_s[j + s].
  void add(Memory& memory, int s) const {
    const int terms = list(memory, s);
    for (int pass = 0; pass < passes; ++pass) {
      const int from = pass * vectors_per_pass * width;
      sum(memory, terms, from, std::make_integer_sequence<int, vectors_per_pass>{});
    }
    for (int j = 0; j < n; j += width) {
      Traits::store(Traits::load(memory.y + j) ^ Traits::load(memory.part + j + s), memory.y + j);
    }
  }
  /// Lists i - s for the terms t^i with i % width == s, and returns the number of such terms. The
  /// loop has no branch on a coefficient, because the processor would mispredict it.
  static int list(Memory& memory, int s) {
    int count = 0;
    for (int w = 0; w < words; ++w) {
      const std::uint32_t g = memory.g[w] >> s;
      for (int b = 0; b < 32; b += width) {
        memory.terms[count] = 32 * w + b;
        count += static_cast<int>(g >> b & 1u);
      }
    }
    return count;
  }
  template <int... v>
  static void sum(Memory& memory, int terms, int first, std::integer_sequence<int, v...>) {
    Word sums[vectors_per_pass] = {((void)v, Word(0u))...};
    for (int t = 0; t < terms; ++t) {
      const std::uint32_t* const from = memory.x + first + memory.terms[t];
      ((sums[v] ^= Traits::load(from + v * width)), ...);
    }
    (Traits::store(sums[v], memory.part + first + v * width), ...);
  }
};

/// Jumps dynamically created twisters, lanes<Word> streams at a time. A ring of n words and the
/// partial sums are in registers, if there are enough registers.
template <class States, class Columns, class Word>
struct JumpInRegisters {
  using Recurrence = typename RecurrenceOf<States>::template Over<Word>;
  using Traits = WordTraits<Word>;
  static constexpr int p = Recurrence::shape.p;
  static constexpr int n = Recurrence::n;
  /// The longest state whose words and sums roughly fit in a CPU's 32 vector registers.
  static constexpr int most_unrolled = 20;

  States states;
  Columns jump;
  JumpRange range;

  struct Group : StreamGroup<Word> {
    std::uint64_t column[lanes<Word>];  ///< column of the jump's table
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    Group group;
    if (!group.find(range, first)) return;
    for (int l = 0; l < lanes<Word>; ++l) {
      group.column[l] = jump.column(states.stream(group.stream[l]));
    }
    Sum sum{recurrence_of<Word>(states, group), {}, {}};
    for (int k = 0; k < n; ++k) {
      sum.x[k] =
          Traits::generate([&](int l) { return states.word(k, group.stream[l] - range.distance); });
      sum.y[k] = Word(0u);
    }
    // The loop may pass p, because the coefficients at p and above are 0.
    static_assert((p + n - 1) / n * n <= 32 * n);
    if constexpr (device_build || n <= most_unrolled) {
      for (int i = 0; i < p; i += n) add(sum, i, group, std::make_integer_sequence<int, n>{});
    } else {
      for (int i = 0; i < p; ++i) add_any(sum, i, group);
    }
    for (int k = 0; k < n; ++k) group.put(states, k, sum.y[k]);
  }

  /// The registers of a jump: n words of the sequence in a ring, and the partial sums.
  struct Sum {
    Recurrence recurrence;
    Word x[n];
    Word y[n];
  };

  /// Adds g_i x_{i+j} to y_j for n consecutive values of i.
  template <int... step>
  KOKKOS_FORCEINLINE_FUNCTION void add(Sum& sum, int i, const Group& group,
                                       std::integer_sequence<int, step...>) const {
    (add_one<step>(sum, i + step, group), ...);
  }
  /// Adds g_i x_{i+j} to y_j, and replaces x_i with x_{i+n}. x_i is at index k of the ring.
  template <int k>
  KOKKOS_FORCEINLINE_FUNCTION void add_one(Sum& sum, int i, const Group& group) const {
    const Word mask = Word(0u) - coefficient(i, group);
    for (int j = 0; j < n; ++j) sum.y[j] ^= mask & sum.x[(k + j) % n];
    sum.x[k] =
        sum.recurrence.next([&sum](auto j) RIVULET_INLINE_LAMBDA { return sum.x[(k + j) % n]; });
  }

  /// Works like add_one(), but with loops. Unrolling gains nothing for states that exceed a CPU's
  /// registers.
  KOKKOS_FUNCTION void add_any(Sum& sum, int i, const Group& group) const {
    const Word mask = Word(0u) - coefficient(i, group);
    const int k = i % n;
    for (int j = 0; j < n - k; ++j) sum.y[j] ^= mask & sum.x[k + j];
    for (int j = n - k; j < n; ++j) sum.y[j] ^= mask & sum.x[k + j - n];
    sum.x[k] =
        sum.recurrence.next([&sum, k](int j) RIVULET_INLINE_LAMBDA { return sum.x[(k + j) % n]; });
  }
  KOKKOS_FORCEINLINE_FUNCTION Word coefficient(int i, const Group& group) const {
    return Traits::generate(
        [&](int l) { return jump.word(i / 32, group.column[l]) >> (i % 32) & 1u; });
  }
};

}  // namespace rivulet::detail
