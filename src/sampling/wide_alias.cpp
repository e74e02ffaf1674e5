// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/wide_alias.hpp"

#include <algorithm>
#include <cstddef>

#include "rivulet/detail/alias_precision.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "sampling/alias_levels.hpp"
#include "sampling/shares.hpp"

namespace rivulet {
namespace detail {

using detail::WideShare;

/// Shares of the tables' cells: those of units of 2^-32, and 32 binary digits more by long
/// division.
template <class Weight>
struct WideShares {
  ExactWeights<Weight> weights;
  SumView sums;
  Kokkos::View<WideShare*, Space> shares;
  std::uint64_t cells;  ///< of a table

  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    const Uint128 total = sums(cell / cells);
    if (total == 0) {
      constexpr Uint128 bucket = detail::units_of_bucket<WideAliasEntry>;
      shares(cell) = {bucket, 0};
      return;
    }
    const Share share = ShareOf(total, cells * bucket_units)(weights(cell));
    shares(cell) = detail::with_digits({share.whole, share.rest}, total, 32);
  }
};

namespace {

/// Calls body(first table, tables) for as many tables at a time as have helpers of little memory.
template <class Body>
void each_group(const TableRow& row, const Body& body) {
  constexpr std::uint64_t cells_at_once = std::uint64_t{1} << 16;
  const std::uint64_t most = std::max<std::uint64_t>(cells_at_once / row.cells, 1);
  for (std::uint64_t first = 0; first < row.tables; first += most) {
    body(first, std::min(most, row.tables - first));
  }
}

using WideEntryView = Kokkos::View<WideAliasEntry*, Space>;

template <class Weight>
WideEntryView build_wide_level(const Space& space, const ExactWeights<Weight>& weights,
                               const TableRow& row, const SumView& sums) {
  const WideEntryView entries(
      Kokkos::view_alloc("rivulet::alias_wide", Kokkos::WithoutInitializing),
      row.tables * row.cells);
  const auto host = Kokkos::create_mirror_view(entries);
  each_group(row, [&](std::uint64_t first, std::uint64_t tables) {
    const std::vector<Uint128> masses = wide_alias_masses(
        space, weights.part(first * row.cells, tables * row.cells), {tables, row.cells},
        Kokkos::subview(sums, Kokkos::make_pair(first, first + tables)));
    for_each_on_host("rivulet::alias_wide_sweep", tables, [&](std::size_t table) {
      const auto own = detail::entries_of<WideAliasEntry>(
          std::span(masses).subspan(table * row.cells, static_cast<std::size_t>(row.cells)));
      std::ranges::copy(own, host.data() + (first + table) * row.cells);
    });
  });
  Kokkos::deep_copy(entries, host);
  return entries;
}

WideAliasTable build_wide(const Space& space, const ExactWeights<double>& weights,
                          const std::vector<std::uint64_t>& extents, const RowRange& own,
                          const SumView* all_rows) {
  return build_levels<WideAliasEntry>(
      space, weights, extents, own, all_rows,
      [&](const auto& of, const TableRow& row, const SumView& sums) {
        return build_wide_level(space, of, row, sums);
      });
}

}  // namespace
}  // namespace detail

template <class Weight>
std::vector<Uint128> wide_alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                                       const TableRow& row, const SumView& sums) {
  using Shares = detail::WideShares<Weight>;
  const Kokkos::View<detail::WideShare*, Space> shares(
      Kokkos::view_alloc("rivulet::alias_wide_shares", Kokkos::WithoutInitializing),
      row.tables * row.cells);
  Kokkos::parallel_for("rivulet::alias_wide_shares",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(
                           space, 0, row.tables * row.cells),
                       Shares{weights, sums, shares, row.cells});
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shares);
  std::vector<Uint128> masses(shares.extent(0));
  const std::span<const detail::WideShare> all(host.data(), host.extent(0));
  for_each_on_host("rivulet::alias_wide_masses", row.tables, [&](std::size_t table) {
    detail::give_out(all.subspan(table * row.cells, row.cells),
                     row.cells * detail::units_of_bucket<WideAliasEntry>,
                     std::span(masses).subspan(table * row.cells, row.cells));
  });
  return masses;
}

WideAliasTable make_wide_alias_table(const Space& space, const ExactWeights<double>& weights,
                                     const std::vector<std::uint64_t>& extents) {
  cells_of(extents);
  return detail::build_wide(space, weights, extents, {0, extents.front()}, nullptr);
}

WideAliasTable make_wide_alias_table(const Space& space, const ExactWeights<double>& own_weights,
                                     const std::vector<std::uint64_t>& extents, const RowRange& own,
                                     std::span<const Uint128> sums_of_all_rows) {
  cells_of(extents);
  const SumView rows = detail::rows_on_device(extents, sums_of_all_rows);
  return detail::build_wide(space, own_weights, extents, own, &rows);
}

std::vector<double> cell_probabilities(const WideAliasTable& table) {
  const WideAliasTable::Levels& levels = table.levels();
  std::vector<double> probabilities(table.own_cells(), 1.0);
  std::uint64_t cells_each = levels.row_cells;
  for (int level = 0; level < levels.count; ++level) {
    const std::uint64_t cells = levels.cells[level];
    if (level > 0) cells_each /= cells;
    const auto entries =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), levels.entries[level]);
    std::vector<double> own(entries.extent(0));
    for_each_on_host("rivulet::alias_wide_draws", own.size() / cells, [&](std::size_t table_here) {
      const std::size_t first = table_here * cells;
      detail::table_probabilities(std::span<const WideAliasEntry>(entries.data() + first, cells),
                                  std::span(own).subspan(first, cells));
    });
    const std::uint64_t first = level == 0 ? levels.first_row : 0;
    for (std::size_t cell = 0; cell < probabilities.size(); ++cell) {
      probabilities[cell] *= own[first + cell / cells_each];
    }
  }
  return probabilities;
}

#define RIVULET_INSTANTIATE(Weight)                                                          \
  template std::vector<Uint128> wide_alias_masses(const Space&, const ExactWeights<Weight>&, \
                                                  const TableRow&, const SumView&);
RIVULET_INSTANTIATE(double)
RIVULET_INSTANTIATE(Uint128)
#undef RIVULET_INSTANTIATE

}  // namespace rivulet
