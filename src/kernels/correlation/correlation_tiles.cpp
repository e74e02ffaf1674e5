// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/correlation/correlation_tiles.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace rivulet {
namespace {

/// Possible numbers of lags per lane. The sums and numbers of a lane need three registers per lag.
/// With 16 lags, the two reads per step cost little compared with the products, and a
/// multiprocessor still holds four teams.
using Widths = std::integer_sequence<int, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16>;
constexpr std::uint64_t max_width = 16;
/// Maximum number of positions per block. With this limit, several teams fit in a multiprocessor's
/// scratch memory.
constexpr std::uint64_t default_block = 4096;
/// Launched teams per concurrent team. Many short teams balance the load at the end.
constexpr std::uint64_t teams_per_slot = 16;

static_assert(Int128{65535} * 65535 * max_products <= INT64_MAX);

template <int... widths>
int min_width(std::uint64_t needed, std::integer_sequence<int, widths...>) {
  int smallest = static_cast<int>(max_width);
  ((static_cast<std::uint64_t>(widths) >= needed ? smallest = std::min(smallest, widths) : 0), ...);
  return smallest;
}

class TiledCorrelator final : public Correlator {
 public:
  TiledCorrelator(std::uint64_t lags, CorrelatedBits bits, std::uint64_t max_products_per_sum)
      : bits_(bits),
        max_products_per_sum_(max_products_per_sum),
        sums_("rivulet::lag_sums", lags + 1),
        host_sums_(Kokkos::create_mirror_view(sums_)),
        products_(lags + 1, 0) {}

  void add(const CorrelationPiece& piece) override {
    const TileSizes shape = TileSizes::of(products_.size(), piece.count);
    const std::uint64_t blocks = piece.rows * shape.blocks_per_row;
    const std::uint64_t max_blocks =
        std::max<std::uint64_t>(1, max_products_per_sum_ / shape.block());
    for (std::uint64_t first = 0; first < blocks; first += max_blocks) {
      Kokkos::deep_copy(space_, sums_, 0);
      add_blocks(piece, shape, first, std::min(blocks, first + max_blocks), Widths{});
      collect();
    }
  }

  void drain(std::span<Int128> products) override { drain_into(products_, products); }

 private:
  template <int... widths>
  void add_blocks(const CorrelationPiece& piece, const TileSizes& shape, std::uint64_t first,
                  std::uint64_t end_block, std::integer_sequence<int, widths...>) {
    ((shape.width == widths ? launch<widths>(piece, shape, first, end_block) : void()), ...);
  }

  template <int width>
  void launch(const CorrelationPiece& piece, const TileSizes& shape, std::uint64_t first,
              std::uint64_t end_block) {
    constexpr int team_size = device_build ? tile_lanes : 1;
    using Kernel = AddProducts<width, tile_lanes / team_size>;
    using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<device_build ? tile_lanes : 0>>;
    const auto threads = static_cast<std::uint64_t>(space_.concurrency());
    const std::uint64_t teams = std::max<std::uint64_t>(1, threads / team_size) * teams_per_slot;
    const std::uint64_t per_team = ceil_divide((end_block - first) * shape.groups, teams);
    const std::uint64_t league = ceil_divide(end_block - first, per_team) * shape.groups;
    const auto scratch = Kernel::Scratch::shmem_size(shape.scratch_numbers());
    Kokkos::parallel_for("rivulet::correlate_tiles",
                         Policy(space_, static_cast<int>(league), team_size)
                             .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch))),
                         Kernel{bits_, piece, sums_, shape, first, end_block, per_team});
  }

  void collect() {
    Kokkos::deep_copy(space_, host_sums_, sums_);
    space_.fence();
    for (std::size_t m = 0; m < products_.size(); ++m) products_[m] += host_sums_(m);
  }

  Space space_;
  CorrelatedBits bits_;
  std::uint64_t max_products_per_sum_;
  LagSums sums_;
  decltype(Kokkos::create_mirror_view(LagSums())) host_sums_;
  std::vector<Int128> products_;
};

}  // namespace

TileSizes TileSizes::of(std::uint64_t lags, std::uint64_t count) {
  TileSizes shape;
  shape.groups = ceil_divide(lags, max_width * tile_step);
  shape.width = min_width(ceil_divide(lags, shape.groups * tile_step), Widths{});
  shape.rounds = std::min(default_block / shape.group(), ceil_divide(count, shape.group()));
  shape.blocks_per_row = ceil_divide(count, shape.block());
  return shape;
}

std::unique_ptr<Correlator> make_tiled_correlator(std::uint64_t lags, CorrelatedBits bits,
                                                  std::uint64_t max_products_per_sum) {
  return std::make_unique<TiledCorrelator>(lags, bits, max_products_per_sum);
}

std::uint64_t tiled_correlator_bytes(std::uint64_t lags) {
  return (lags + 1) * (2 * sizeof(std::int64_t) + sizeof(Int128));
}

}  // namespace rivulet
