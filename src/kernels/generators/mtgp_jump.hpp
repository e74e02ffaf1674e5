// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/generators/mtgp_streams.hpp"
#include "kernels/generators/twister_jump.hpp"

namespace rivulet::detail {

/// A jump on a CPU: a thread goes through the terms with the whole sum in registers.
struct MtgpJumpByThread {
  using Recurrence = Mtgp11213Recurrence;
  using Traits = WordTraits<Word>;
  static constexpr int n = Recurrence::n;
  static constexpr int words = (Recurrence::p + 31) / 32;
  static constexpr int width = lanes<Word>;
  static constexpr int vectors = (n + width - 1) / width;
  /// Vectors that are summed at a time: all, in most of AVX-512's 32 registers, or as many as
  /// others have.
  static constexpr int together = width == 16 ? vectors : 11;
  static constexpr int passes = (vectors + together - 1) / together;
  /// Words of the sequence that are read at most, in whole vectors.
  static constexpr int drawn = (Recurrence::p + passes * together * width) / width * width;

  MtgpStreams streams;
  JumpColumns jump;
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
    for (int w = 0; w < words; ++w) {
      // From the lowest coefficient that is set to the next.
      for (std::uint32_t g = jump.word(w, column); g != 0; g &= g - 1) {
        const std::uint32_t* const from = x + 32 * w + std::countr_zero(g);
        ((sums[v] ^= Traits::load(from + v * width)), ...);
      }
    }
    (Traits::store(sums[v], to + v * width), ...);
  }
};

/// Moves streams, each by the polynomial of its set.
inline void apply_mtgp_jump(const Space& space, const MtgpStreams& streams, const JumpTable& table,
                            const JumpRange& range) {
  if (range.count() == 0) return;
  if constexpr (device_build) {
    jump_by_block(space, "rivulet::mtgp_jump", streams, table, range);
  } else {
    for_each_stream(space, "rivulet::mtgp_jump", range.count(),
                    MtgpJumpByThread{streams, JumpColumns(table), range});
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
