// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/generators/mtgp_streams.hpp"
#include "kernels/generators/sets_starter.hpp"

namespace rivulet::detail {

// A jump g makes y_j = sum over i of g_i x_{i+j}, j = 0 .. n-1, from the sequence itself
// (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J. Comput. 20 (2008) 3). The dead
// bits of x_0 reach only the dead bits of y_0. g is that of the stream's set.

/// The polynomials of a jump: word w of column j is bits[w * columns + j], of 32 coefficients.
struct MtgpJump {
  static constexpr int words = (Mtgp11213Recurrence::p + 31) / 32;

  Kokkos::View<const std::uint32_t*, Space> bits;
  std::uint64_t columns;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int w, std::uint64_t column) const {
    return bits(static_cast<std::size_t>(w) * columns + column);
  }
};

/// On a CPU: a thread goes through the terms with the whole sum in registers.
struct MtgpJumpByThread {
  using Recurrence = Mtgp11213Recurrence;
  using Traits = WordTraits<Word>;
  static constexpr int n = Recurrence::n;
  static constexpr int width = lanes<Word>;
  static constexpr int vectors = (n + width - 1) / width;
  /// Vectors that are summed at a time: all, in most of AVX-512's 32 registers, or as many as
  /// others have.
  static constexpr int together = width == 16 ? vectors : 11;
  static constexpr int passes = (vectors + together - 1) / together;
  /// Words of the sequence that are read at most, in whole vectors.
  static constexpr int drawn = (Recurrence::p + passes * together * width) / width * width;

  MtgpStreams streams;
  MtgpJump jump;
  JumpRange range;

  struct Memory {
    std::uint32_t x[n + drawn + width];
    std::uint32_t y[passes * together * width];
  };

  void operator()(std::uint64_t offset) const {
    const std::uint64_t stream = range.stream(offset);
    if (!range.has(stream)) return;
    const auto memory = std::make_unique<Memory>();
    draw(*memory, stream - range.distance);
    for (int pass = 0; pass < passes; ++pass) {
      const int from = pass * together * width;
      sum(memory->x + from, streams.stream(stream) % jump.columns, memory->y + from,
          std::make_integer_sequence<int, together>{});
    }
    for (int k = 0; k < n; ++k) streams.put_word(k, stream, memory->y[k]);
  }

  /// The sequence from a stream's state on.
  void draw(Memory& memory, std::uint64_t stream) const {
    const MtgpTables& tables = streams.tables(stream);
    const MtgpSet set = tables.set;
    const auto table = mtgp_lookup(set.table, tables.entries);
    for (int k = 0; k < n; ++k) memory.x[k] = streams.word(k, stream);
    for (int k = 0; k < drawn; k += width) {
      const std::uint32_t* const x = memory.x + k;
      Traits::store(Recurrence::step(set, Traits::load(x), Traits::load(x + 1),
                                     Traits::load(x + set.pos), table),
                    memory.x + n + k);
    }
  }

  template <int... v>
  void sum(const std::uint32_t* x, std::uint64_t column, std::uint32_t* to,
           std::integer_sequence<int, v...>) const {
    Word sums[together] = {((void)v, Word(0u))...};
    for (int w = 0; w < MtgpJump::words; ++w) {
      // From the lowest coefficient that is set to the next.
      for (std::uint32_t g = jump.word(w, column); g != 0; g &= g - 1) {
        const std::uint32_t* const from = x + 32 * w + std::countr_zero(g);
        ((sums[v] ^= Traits::load(from + v * width)), ...);
      }
    }
    (Traits::store(sums[v], to + v * width), ...);
  }
};

/// On a device: the threads of a block go through the polynomial together, each with two words of
/// the sum. The sequence advances in shared memory.
struct MtgpJumpByBlock {
  using Recurrence = Mtgp11213Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int threads = Recurrence::team_numbers;
  static constexpr int own = (n + threads - 1) / threads;
  static constexpr int words_per_draw = threads / 32;
  static_assert(words_per_draw * 32 == threads);
  static constexpr std::size_t scratch_bytes = (own + 1) * threads * sizeof(std::uint32_t);

  MtgpStreams streams;
  MtgpJump jump;
  JumpRange range;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t number,
                                  void* scratch) const {
    const std::uint64_t stream = range.stream(number);
    if (!range.has(stream)) return;  // all threads alike
    const std::uint64_t from = stream - range.distance;
    const std::uint64_t column = streams.stream(stream) % jump.columns;
    const MtgpSet set = streams.tables(from).set;
    auto* const x = static_cast<std::uint32_t*>(scratch);
    const int t = team.team_rank();
    for (int k = t; k < n; k += threads) x[k] = streams.word(k, from);
    team.team_barrier();
    std::uint32_t y[own] = {};
    for (int word = 0; word < MtgpJump::words; word += words_per_draw) {
      x[t + n] = Recurrence::step(set, x[t], x[t + 1], x[t + set.pos], MtgpSums(set.table));
      team.team_barrier();
      for (int w = 0; w < words_per_draw && word + w < MtgpJump::words; ++w) {
        add(jump.word(word + w, column), x + 32 * w + t, y);
      }
      team.team_barrier();
      for (int c = 0; c < own; ++c) x[t + c * threads] = x[t + (c + 1) * threads];
      team.team_barrier();
    }
    for (int c = 0; c < own; ++c) {
      const int k = t + c * threads;
      if (k < n) streams.put_word(k, stream, y[c]);
    }
  }

  /// Adds the terms of 32 coefficients.
  KOKKOS_FORCEINLINE_FUNCTION static void add(std::uint32_t g, const std::uint32_t* x,
                                              std::uint32_t (&y)[own]) {
    for (int b = 0; b < 32; ++b) {
      if ((g >> b & 1u) == 0) continue;
      for (int c = 0; c < own; ++c) y[c] ^= x[b + c * threads];
    }
  }
};

/// Moves streams, each by the polynomial of its set.
inline void apply_mtgp_jump(const Space& space, const MtgpStreams& streams, const JumpTable& table,
                            const JumpRange& range) {
  if (range.count() == 0) return;
  const Kokkos::View<std::uint32_t*, Space> bits(
      Kokkos::view_alloc("rivulet::jump_polynomials", Kokkos::WithoutInitializing),
      table.bits.size());
  copy_to_device(bits.data(), table.bits.data(), table.bits.size() * sizeof(std::uint32_t));
  const MtgpJump jump{bits, table.sets};
  if constexpr (device_build) {
    for_each_shared_team(
        space, "rivulet::mtgp_jump",
        {range.count(), 1, MtgpJumpByBlock::threads, 1, MtgpJumpByBlock::scratch_bytes},
        MtgpJumpByBlock{streams, jump, range});
  } else {
    for_each_stream(space, "rivulet::mtgp_jump", range.count(),
                    MtgpJumpByThread{streams, jump, range});
  }
}

/// Gives streams the seeded states of their sets, from local index `first` on.
struct SeedMtgp {
  MtgpStreams streams;
  std::uint64_t first;
  bool published;
  std::uint64_t seed;

  /// A state seen as an array, for the initialisers.
  struct State {
    const MtgpStreams& streams;
    std::uint64_t stream;
    KOKKOS_FUNCTION std::uint32_t& operator[](int k) const { return streams.word(k, stream); }
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const State x{streams, first + offset};
    const std::uint64_t number = streams.set_of(x.stream);
    const MtgpSet& set = streams.tables(x.stream).set;
    if (published) {
      mtgp_init_state(x, set, published_mtgp_seed(seed, number));
    } else {
      native_mtgp_start(x, set, number, seed);
    }
    streams.put_word(0, x.stream, x[0]);
  }
};

}  // namespace rivulet::detail
