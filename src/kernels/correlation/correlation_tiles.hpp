// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <utility>

#include "kernels/correlation/correlation.hpp"

// The direct correlator of a device. For a block of one row and a group of lags, a team copies the
// partners' numbers y and the needed numbers x to scratch memory, as integers. Missing numbers are
// 0. A lane has `width` lags m = first + lane + 32 t, and loops over positions i = offset + 32 s of
// the block. The number x(i - m) is at position 32 (s - t) - lane - first relative to the offset.
// Each step s needs only one new x; registers hold the others, so two reads serve `width` products.
// Adjacent lanes read adjacent numbers, without bank conflicts.

namespace rivulet {

/// One sum per lag.
using LagSums = Kokkos::View<std::int64_t*, Space>;

/// Stride of a lane's lags and positions: the number of banks of a GPU's shared memory.
inline constexpr int tile_step = 32;

/// The sums of one lane's lags, in registers.
template <int width>
class LaneSums {
 public:
  /// Adds the products of `rounds` * `width` numbers y[0], y[32], ... with the corresponding x. For
  /// the lane's first lag, x[0] corresponds to y[0].
  KOKKOS_FORCEINLINE_FUNCTION void add(const std::int32_t* x, const std::int32_t* y, int rounds) {
    fill(x, std::make_integer_sequence<int, width - 1>{});
    for (int round = 0; round < rounds; ++round) {
      add_round(x, y, std::make_integer_sequence<int, width>{});
      x += width * tile_step;
      y += width * tile_step;
    }
  }

  /// Adds the lane's sums, of lags first, first + 32, ..., to the global sums.
  KOKKOS_FORCEINLINE_FUNCTION void add_to(const LagSums& sums, std::uint64_t first) const {
    for (int t = 0; t < width; ++t) {
      const std::uint64_t m = first + static_cast<std::uint64_t>(t * tile_step);
      if (m < sums.extent(0)) Kokkos::atomic_add(&sums(m), sums_[t]);
    }
  }

 private:
  /// Loads the numbers x of steps s = -1 .. 1 - width (for the first lag) to x_[s modulo width].
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

/// The partition of a piece: each row into blocks of positions, and the lags into groups.
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
  /// Numbers in scratch memory: y of a block, and the x for their products.
  KOKKOS_FUNCTION std::uint64_t scratch_numbers() const { return 2 * block() + group(); }
};

/// Lanes per team, which share a block.
inline constexpr int tile_lanes = 256;

/// Adds the products of some blocks. Each thread of a team computes `lanes` of the tile_lanes
/// lanes.
template <int width, int lanes>
struct AddProducts {
  using Team = Kokkos::TeamPolicy<Space>::member_type;
  using Scratch = Kokkos::View<std::int32_t*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  CorrelatedBits bits;
  CorrelationPiece piece;
  LagSums sums;
  TileSizes shape;
  std::uint64_t first = 0;     ///< first block; blocks of all rows are numbered consecutively
  std::uint64_t upto = 0;      ///< end of the blocks
  std::uint64_t per_team = 1;  ///< blocks

  /// Adds the products of one group of lags in some blocks. Adjacent teams have the same blocks and
  /// different lags, so the blocks stay in the cache.
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const auto rank = static_cast<std::uint64_t>(team.league_rank());
    const std::uint64_t first_lag = rank % shape.groups * shape.group();
    const std::uint64_t begin = first + rank / shape.groups * per_team;
    const std::uint64_t end = begin + per_team < upto ? begin + per_team : upto;
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
  /// Copies a block's x and y to scratch memory. The position of the first x is that of the first y
  /// minus the group's last lag.
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

  /// Copies numbers begin .. begin+size-1 of a row; numbers outside least .. most-1 become 0.
  KOKKOS_FUNCTION void copy(const Team& team, const std::uint32_t* row, std::int64_t begin,
                            int size, std::int64_t least, std::int64_t most,
                            std::int32_t* to) const {
    for (int i = team.team_rank(); i < size; i += team.team_size()) {
      const std::int64_t j = begin + i;
      to[i] = j >= least && j < most ? bits.number(row[j]) : 0;
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
