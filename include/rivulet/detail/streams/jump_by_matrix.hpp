// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/streams/jump_range.hpp"
#include "rivulet/detail/streams/twister_jump.hpp"

// Whether the device multiplies matrices of bits: NVIDIA's of compute capability 8.0 to 9.0 do, in
// their matrix units. (nvc++ does not tell a device's code by the preprocessor.)
#if defined(KOKKOS_ENABLE_CUDA) && !defined(__NVCOMPILER) && \
    (defined(KOKKOS_ARCH_AMPERE) || defined(KOKKOS_ARCH_ADA89) || defined(KOKKOS_ARCH_HOPPER))
#define RIVULET_BIT_MATRICES 1
#else
#define RIVULET_BIT_MATRICES 0
#endif

namespace rivulet::detail {

template <class States, class Columns, class Workspace>
struct JumpByMatrix;

#if RIVULET_BIT_MATRICES

/// Matrices of bits as a warp multiplies them: 16 rows of a times 8 columns of b, of 256 bits each.
/// Thread t of the warp has words c and c + 4, c = t % 4, of rows r and r + 8 and of column r,
/// r = t / 4, and of the products those of rows r, r + 8 with columns 2 c, 2 c + 1. (PTX ISA,
/// "Matrix Fragments for mma.m16n8k256".)
struct BitMatrices {
  struct A {
    std::uint32_t words[4];
  };
  struct Sums {
    std::int32_t of[4];
  };

  /// Adds the numbers of ones that the rows have in common with the columns.
  KOKKOS_FORCEINLINE_FUNCTION static void add_products([[maybe_unused]] Sums& sums,
                                                       [[maybe_unused]] const A& a,
                                                       [[maybe_unused]] std::uint32_t b0,
                                                       [[maybe_unused]] std::uint32_t b1) {
#ifdef __CUDA_ARCH__
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums.of[0]), "+r"(sums.of[1]), "+r"(sums.of[2]), "+r"(sums.of[3])
        : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]), "r"(b0), "r"(b1));
#endif
  }
  /// The value that thread t ^ mask of the warp has.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t from_other(std::uint32_t value,
                                                              [[maybe_unused]] int mask) {
#ifdef __CUDA_ARCH__
    value = __shfl_xor_sync(0xffffffffu, value, mask);
#endif
    return value;
  }
  /// The higher word of the two, shifted to the left by count < 32 bits.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t shifted([[maybe_unused]] std::uint32_t lower,
                                                           std::uint32_t higher,
                                                           [[maybe_unused]] int count) {
#ifdef __CUDA_ARCH__
    higher = __funnelshift_l(lower, higher, count);
#endif
    return higher;
  }
  /// Bit t of the words that thread 0, 1 .. 31 give, in this order.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t transposed(std::uint32_t x, int t) {
    constexpr std::uint32_t lower_of[] = {0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x33333333,
                                          0x55555555};
    for (int i = 0; i < 5; ++i) {
      const int size = 16 >> i;
      const std::uint32_t lower = lower_of[i];
      const std::uint32_t y = from_other(x, size);
      x = (t & size) != 0 ? (x & ~lower) | ((y >> size) & lower)
                          : (x & lower) | ((y << size) & ~lower);
    }
    return x;
  }
};

/// Jumps of a twister of many words from the same state to several streams, by a team. Bit p of
/// y_j is the sum of g_i times bit p of x_{i+j}: row j of a matrix, g moved by j places, times
/// column p, the bits p of the sequence, which are drawn once. Workspace: a view of bits_words for
/// each of `teams` teams.
template <class States, class Columns, class Workspace>
struct JumpByMatrix {
  using Recurrence = RecurrenceOf<States>;
  static constexpr int n = Recurrence::n;
  static constexpr int words = (Recurrence::shape.p + 31) / 32;
  static constexpr int warps = 16;
  static constexpr int threads = 32 * warps;
  using Bounds = Kokkos::LaunchBounds<threads, 1>;

  /// Blocks of rows. A warp's are `warps` apart, 256 rows: what the second has of g in a step, 256
  /// places, the first has had in the step before.
  static constexpr int blocks = (n + 15) / 16;
  static constexpr int most_blocks = (blocks + warps - 1) / warps;
  static_assert(blocks > warps, "a warp has a block at least");
  static constexpr int step_words = 8;  ///< of bits
  static constexpr int steps = (Recurrence::shape.p + 16 * blocks - 1 + 255) / 256;
  /// Zeros before g: the rows of the last warp are moved by as many words at most.
  static constexpr int before = warps / 2;
  static constexpr int padded = before + steps * step_words;
  /// Words that are drawn at a time.
  static constexpr int drawn = Recurrence::independent >= threads / 2 ? threads / 2 : threads / 4;
  static_assert(Recurrence::independent >= drawn);
  static constexpr std::uint32_t ring = 1024;  ///< of the sequence
  static_assert(n + drawn <= static_cast<int>(ring));
  static constexpr std::size_t scratch_bytes = (ring + 2 * padded) * sizeof(std::uint32_t);

  static constexpr std::uint64_t bits_words = std::uint64_t{32} * steps * step_words;  ///< a team

  States states;
  Columns jump;
  DigitRange range;
  Workspace workspace;
  std::uint64_t teams;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, std::uint64_t number, void* scratch) const {
    auto* const x = static_cast<std::uint32_t*>(scratch);
    std::uint32_t* const g = x + ring;
    std::uint32_t* const bits = workspace.data() + number * bits_words;
    for (std::uint64_t i = number; i < range.origins(); i += teams) {
      const std::uint64_t from = range.origin(i);
      if (!range.has(from, 1)) continue;  // all threads alike
      draw(team, from, x, bits);
      for (std::uint64_t v = 1; range.has(from, v); ++v) {
        std::uint32_t* const own = g + v % 2 * padded;
        load(team, jump.column(states.stream(from), v), own);
        team.team_barrier();
        multiply(team, own, bits, from + v * range.step);
      }
      team.team_barrier();
    }
  }

 private:
  /// The sequence in the ring.
  struct Ring {
    const std::uint32_t* x;
    std::uint32_t first;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int k) const {
      return x[(first + static_cast<std::uint32_t>(k)) % ring];
    }
  };

  template <class Team>
  KOKKOS_FUNCTION void draw(const Team& team, std::uint64_t from, std::uint32_t* x,
                            std::uint32_t* bits) const {
    const int t = team.team_rank();
    const auto recurrence = in_registers(states.recurrence(from));
    for (int k = t; k < n; k += threads) x[k] = states.word(k, from);
    team.team_barrier();
    // Half of the threads at most draw, as many others take words' bits apart.
    for (int first = 0; first < 256 * steps; first += drawn) {
      if (t < drawn) {
        const auto k = static_cast<std::uint32_t>(first + t);
        const std::uint32_t next = recurrence.next(Ring{x, k});
        x[(k + n) % ring] = next;
      } else if (t < 2 * drawn) {
        const int lane = t % 32;
        const int word = (first + t - drawn) / 32;
        const auto k = static_cast<std::uint32_t>(32 * word + lane);
        bits[place(lane, word)] = BitMatrices::transposed(x[k % ring], lane);
      }
      team.team_barrier();
    }
  }
  /// What a thread reads at a time for a step: of bits p and p + 8 words c and c + 4.
  struct alignas(16) Columns16 {
    std::uint32_t words[4];
  };
  /// Where word `word` of bits p is: what a warp reads at a time follows each other.
  KOKKOS_FORCEINLINE_FUNCTION static int place(int p, int word) {
    const int step = word / step_words * 32 * step_words;
    return step + (p / 16 * 32 + p % 8 * 4 + word % 4) * 4 + p % 16 / 8 * 2 + word % step_words / 4;
  }

  template <class Team>
  KOKKOS_FUNCTION void load(const Team& team, std::uint64_t column, std::uint32_t* g) const {
    for (int k = team.team_rank(); k < padded; k += threads) {
      const int w = k - before;
      g[k] = w >= 0 && w < words ? jump.word(w, column) : 0u;
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void multiply(const Team& team, const std::uint32_t* g, const std::uint32_t* bits,
                                std::uint64_t to) const {
    const int warp = team.team_rank() / 32;
    if (warp + (most_blocks - 1) * warps < blocks) {
      multiply<most_blocks>(team.team_rank(), g, bits, to);
    } else {
      multiply<most_blocks - 1>(team.team_rank(), g, bits, to);
    }
  }
  template <int own>
  KOKKOS_FUNCTION void multiply(int t, const std::uint32_t* g, const std::uint32_t* bits,
                                std::uint64_t to) const {
    const int warp = t / 32;
    const int r = t % 32 / 4;
    const int c = t % 4;
    BitMatrices::Sums sums[own][4] = {};
    BitMatrices::A a[own] = {};
    const std::uint32_t* row = g + before - warp / 2 + c;
    const std::uint32_t* column = bits + place(r, c);
    const int moved = 16 * (warp % 2) + r;
#ifdef __CUDA_ARCH__
#pragma unroll 3
#endif
    for (int step = 0; step < steps; ++step, row += step_words, column += 32 * step_words) {
      for (int b = own - 1; b > 0; --b) a[b] = a[b - 1];
      a[0] = {{BitMatrices::shifted(row[-1], row[0], moved),
               BitMatrices::shifted(row[-1], row[0], moved + 8),
               BitMatrices::shifted(row[3], row[4], moved),
               BitMatrices::shifted(row[3], row[4], moved + 8)}};
      for (int p = 0; p < 4; p += 2) {
        const Columns16 two = *reinterpret_cast<const Columns16*>(column + place(8 * p, 0));
        for (int b = 0; b < own; ++b) {
          BitMatrices::add_products(sums[b][p], a[b], two.words[0], two.words[1]);
          BitMatrices::add_products(sums[b][p + 1], a[b], two.words[2], two.words[3]);
        }
      }
    }
    for (int b = 0; b < own; ++b) put(sums[b], 16 * (warp + b * warps), t, to);
  }
  /// Rows row .. row + 15 of the product, of which only the last bits of the sums count.
  KOKKOS_FORCEINLINE_FUNCTION void put(const BitMatrices::Sums (&sums)[4], int row, int t,
                                       std::uint64_t to) const {
    const int c = t % 4;
    std::uint32_t words_of[2] = {};
    for (int half = 0; half < 2; ++half) {
      for (int p = 0; p < 4; ++p) {
        const std::uint32_t two = (static_cast<std::uint32_t>(sums[p].of[2 * half]) & 1u) |
                                  (static_cast<std::uint32_t>(sums[p].of[2 * half + 1]) & 1u) << 1;
        words_of[half] |= two << (8 * p + 2 * c);
      }
      for (int mask = 1; mask < 4; mask *= 2) {
        words_of[half] |= BitMatrices::from_other(words_of[half], mask);
      }
    }
    const int k = row + t % 32 / 4 + 8 * c;
    if (c < 2 && k < n) states.put(k, to, c == 0 ? words_of[0] : words_of[1]);
  }
};

#endif

}  // namespace rivulet::detail
