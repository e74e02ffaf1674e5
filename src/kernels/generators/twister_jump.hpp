// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/generators/sets_starter.hpp"
#include "machine/device_bytes.hpp"

namespace rivulet::detail {

// A jump g makes y_j = sum over i of g_i x_{i+j}, j = 0 .. n-1, from the sequence itself
// (Haramoto, Matsumoto, Nishimura, Panneton, L'Ecuyer, INFORMS J. Comput. 20 (2008) 3). The dead
// bits of x_0 reach only the dead bits of y_0. g is that of the stream's set.

/// The polynomials of a jump in a kernel: word w of column j is bits[w * columns + j], of 32
/// coefficients.
struct JumpColumns {
  Kokkos::View<const std::uint32_t*, Space> bits;
  std::uint64_t columns;

  explicit JumpColumns(const JumpTable& table) : columns(table.sets) {
    const Kokkos::View<std::uint32_t*, Space> all(
        Kokkos::view_alloc("rivulet::jump_polynomials", Kokkos::WithoutInitializing),
        table.bits.size());
    copy_to_device(all.data(), table.bits.data(), table.bits.size() * sizeof(std::uint32_t));
    bits = all;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t word(int w, std::uint64_t column) const {
    return bits(static_cast<std::size_t>(w) * columns + column);
  }
};

/// A jump of a twister of many words on a device: the threads of a block go through the polynomial
/// together, each with a few words of the sum. The sequence advances in shared memory.
template <class Streams>
struct JumpByBlock {
  using Recurrence = typename Streams::Recurrence;
  static constexpr int n = Recurrence::n;
  static constexpr int words = (Recurrence::p + 31) / 32;
  static constexpr int threads = Recurrence::team_numbers;
  static constexpr int own = (n + threads - 1) / threads;
  static constexpr int words_per_draw = threads / 32;
  static_assert(words_per_draw * 32 == threads);
  static constexpr std::size_t scratch_bytes = (own + 1) * threads * sizeof(std::uint32_t);

  Streams streams;
  JumpColumns jump;
  JumpRange range;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t number,
                                  void* scratch) const {
    const std::uint64_t stream = range.stream(number);
    if (!range.has(stream)) return;  // all threads alike
    const std::uint64_t from = stream - range.distance;
    const std::uint64_t column = streams.stream(stream) % jump.columns;
    const auto next = streams.next_word(from);
    auto* const x = static_cast<std::uint32_t*>(scratch);
    const int t = team.team_rank();
    for (int k = t; k < n; k += threads) x[k] = streams.word(k, from);
    team.team_barrier();
    std::uint32_t y[own] = {};
    for (int word = 0; word < words; word += words_per_draw) {
      x[t + n] = next(x + t);
      team.team_barrier();
      for (int w = 0; w < words_per_draw && word + w < words; ++w) {
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

template <class Streams>
void jump_by_block(const Space& space, const char* label, const Streams& streams,
                   const JumpTable& table, const JumpRange& range) {
  using Body = JumpByBlock<Streams>;
  for_each_shared_team(space, label, {range.count(), 1, Body::threads, 1, Body::scratch_bytes},
                       Body{streams, JumpColumns(table), range});
}

}  // namespace rivulet::detail
