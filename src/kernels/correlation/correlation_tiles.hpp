// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/correlation/correlation.hpp"

// The tiled correlator is the direct correlator for a device. A team processes one group of lags
// for some blocks, each within one row. For each block, the team copies the partner's numbers y and
// the needed numbers x to scratch memory, as integers. Missing numbers are 0. A lane computes the
// sums for `width` lags m = first + lane + 32 t, t = 0 .. width - 1, and loops over positions i =
// offset + 32 s of the block. The number x(i - m) is at position 32 (s - t) - lane - first relative
// to the offset. Before step s, registers already hold all numbers x of this step except the one
// for t = 0, so a step reads one x and one y for `width` products. Adjacent lanes read adjacent
// numbers, without bank conflicts.

namespace rivulet {

/// One sum per lag.
using LagSums = Kokkos::View<std::int64_t*, Space>;

/// Stride of a lane's lags and positions: the number of banks of a GPU's shared memory.
inline constexpr int tile_step = 32;

/// The sums of one lane's lags, in registers.
template <int width>
class LaneSums {
 public:
  /// Adds the products for `rounds` * `width` numbers y[0], y[32], ... and all lags of the lane. At
  /// the first lag, y[0] is multiplied by x[0].
  KOKKOS_FORCEINLINE_FUNCTION void add(const std::int32_t* x, const std::int32_t* y, int rounds) {
    fill(x, std::make_integer_sequence<int, width - 1>{});
    for (int round = 0; round < rounds; ++round) {
      add_round(x, y, std::make_integer_sequence<int, width>{});
      x += width * tile_step;
      y += width * tile_step;
    }
  }

  /// Adds the lane's sums to the global sums of lags `first`, `first` + 32, ...
  KOKKOS_FORCEINLINE_FUNCTION void add_to(const LagSums& sums, std::uint64_t first) const {
    for (int t = 0; t < width; ++t) {
      const std::uint64_t m = first + static_cast<std::uint64_t>(t * tile_step);
      if (m < sums.extent(0)) Kokkos::atomic_add(&sums(m), sums_[t]);
    }
  }

 private:
  /// Loads the numbers that the first lag would need at steps s = -1 .. 1 - width. The number of
  /// step s is stored in x_[s modulo width].
  template <int... S>
  KOKKOS_FORCEINLINE_FUNCTION void fill([[maybe_unused]] const std::int32_t* x,
                                        std::integer_sequence<int, S...>) {
    ((x_[width - 1 - S] = x[-(S + 1) * tile_step]), ...);
  }
  template <int... S>
  KOKKOS_FORCEINLINE_FUNCTION void add_round(const std::int32_t* x, const std::int32_t* y,
                                             std::integer_sequence<int, S...> lags) {
    (add_step<S>(x[S * tile_step], y[S * tile_step], lags), ...);
  }
  template <int step, int... T>
  KOKKOS_FORCEINLINE_FUNCTION void add_step(std::int32_t x, std::int32_t y,
                                            std::integer_sequence<int, T...>) {
    x_[step] = x;
    ((sums_[T] += std::int64_t{x_[(step - T + width) % width]} * std::int64_t{y}), ...);
  }

  std::int64_t sums_[width] = {};
  std::int32_t x_[width];
};

/// The partition of a piece's rows into blocks of positions, and of the lags into groups.
struct TileSizes {
  int width = 1;                     ///< lags per lane
  std::uint64_t rounds = 0;          ///< rounds per block, of `width` steps each
  std::uint64_t blocks_per_row = 0;  ///< non-empty blocks per row
  std::uint64_t groups = 0;

  /// Returns the sizes for lags 0 .. lags-1 and rows of `count` numbers.
  static TileSizes of(std::uint64_t lags, std::uint64_t count);
  KOKKOS_FUNCTION std::uint64_t group() const {
    return static_cast<std::uint64_t>(width) * tile_step;
  }
  KOKKOS_FUNCTION std::uint64_t block() const { return rounds * group(); }
  /// Returns the size of the scratch memory for a block's x and y, in numbers.
  KOKKOS_FUNCTION std::uint64_t scratch_numbers() const { return 2 * block() + group(); }
};

/// Lanes per team. The lanes of a team share a block.
inline constexpr int tile_lanes = 256;

/// Adds the products of some blocks. Each thread of a team computes the sums of `lanes` lanes.
template <int width, int lanes>
struct AddProducts {
  using Team = Kokkos::TeamPolicy<Space>::member_type;
  using Scratch = Kokkos::View<std::int32_t*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  CorrelatedBits bits;
  CorrelationPiece piece;
  LagSums sums;
  TileSizes shape;
  std::uint64_t first = 0;      ///< first block; blocks of all rows are numbered consecutively
  std::uint64_t end_block = 0;  ///< one past the last block
  std::uint64_t per_team = 1;   ///< blocks per team

  /// Adds the products of one group of lags in some blocks. Adjacent teams process the same blocks
  /// for different groups of lags, so the blocks stay in the cache.
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto rank = static_cast<std::uint64_t>(team.league_rank());
    const std::uint64_t first_lag = rank % shape.groups * shape.group();
    const std::uint64_t begin = first + rank / shape.groups * per_team;
    const std::uint64_t end = begin + per_team < end_block ? begin + per_team : end_block;
    const Scratch scratch(team.team_scratch(0), shape.scratch_numbers());
    std::int32_t* const y = scratch.data();
    std::int32_t* const x = y + shape.block();
    LaneSums<width> tiles[lanes];
    for (std::uint64_t block = begin; block < end; ++block) {
      load(team, block, first_lag, x, y);
      team.team_barrier();
      for (int k = 0; k < lanes; ++k) add_lane(tiles[k], team.team_rank() * lanes + k, x, y);
      team.team_barrier();  // before the next block overwrites this one
    }
    for (int k = 0; k < lanes; ++k) {
      const int lane = (team.team_rank() * lanes + k) % tile_step;
      tiles[k].add_to(sums, first_lag + static_cast<std::uint64_t>(lane));
    }
  }

 private:
  /// Copies a block's x and y to scratch memory. The position of the first x is the position of the
  /// first y minus the group's last lag.
  KOKKOS_FUNCTION void load(const Team& team, std::uint64_t block, std::uint64_t first_lag,
                            std::int32_t* x, std::int32_t* y) const {
    const std::uint64_t row = block / shape.blocks_per_row;
    const auto begin = static_cast<std::int64_t>(block % shape.blocks_per_row * shape.block());
    const auto count = static_cast<std::int64_t>(piece.count);
    const auto before =
        static_cast<std::int64_t>(piece.begin < piece.history ? piece.begin : piece.history);
    const auto size = static_cast<int>(shape.block());
    const auto reach = static_cast<int>(shape.group()) - 1;
    copy(team, &piece.partners(row, piece.partner_column), begin, size, 0, count, y);
    copy(team, &piece.words(row, piece.history),
         begin - static_cast<std::int64_t>(first_lag) - reach, size + reach, -before, count, x);
  }

  /// Copies numbers begin .. begin+size-1 of a row; numbers outside valid_begin .. valid_end-1
  /// become 0.
  KOKKOS_FUNCTION void copy(const Team& team, const std::uint32_t* row, std::int64_t begin,
                            int size, std::int64_t valid_begin, std::int64_t valid_end,
                            std::int32_t* to) const {
    for (int i = team.team_rank(); i < size; i += team.team_size()) {
      const std::int64_t j = begin + i;
      to[i] = j >= valid_begin && j < valid_end ? bits.number(row[j]) : 0;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void add_lane(LaneSums<width>& tile, int lane, const std::int32_t* x,
                                            const std::int32_t* y) const {
    const std::int32_t* const last = x + shape.group() - 1 - lane % tile_step;
    for (int offset = lane / tile_step; offset < tile_step; offset += tile_lanes / tile_step) {
      tile.add(last + offset, y + offset, static_cast<int>(shape.rounds));
    }
  }
};

}  // namespace rivulet
