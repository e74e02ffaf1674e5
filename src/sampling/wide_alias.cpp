// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/wide_alias.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "rivulet/detail/host_parallel.hpp"
#include "sampling/alias_levels.hpp"
#include "sampling/shares.hpp"

namespace rivulet {
namespace impl {

constexpr Uint128 wide_bucket = Uint128{1} << 64;

/// Whole units of 2^-64 of a bucket, and what is left over, in units / total.
struct WideShare {
  Uint128 whole;
  Uint128 rest;
};

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
      shares(cell) = {wide_bucket, 0};
      return;
    }
    const Share share = ShareOf(total, cells * bucket_units)(weights(cell));
    Uint128 whole = share.whole;
    Uint128 rest = share.rest;
    for (int digit = 0; digit < 32; ++digit) {
      rest <<= 1;  // total is below 2^weight_sum_bits
      whole <<= 1;
      if (rest < total) continue;
      rest -= total;
      whole += 1;
    }
    shares(cell) = {whole, rest};
  }
};

namespace {

/// Gives left-over units to the largest remainders of a table.
void give_out(std::span<const WideShare> shares, std::span<Uint128> masses) {
  Uint128 left = static_cast<Uint128>(shares.size()) << 64;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    masses[i] = shares[i].whole;
    left -= shares[i].whole;
  }
  if (left == 0) return;
  std::vector<std::uint32_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(left);
  std::nth_element(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return a != b && Remainder{shares[a].rest, a}.not_after({shares[b].rest, b});
  });
  std::for_each(order.begin(), end, [&](std::uint32_t cell) { masses[cell] += 1; });
}

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
      const auto own = wide_alias_entries(
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

/// Of the 2^96 values of three words, those whose position among `cells` buckets
/// (wide_alias_draw.hpp) is below a place.
Uint128 wide_values_below(Uint128 place, std::uint64_t cells) {
  const auto rest = static_cast<std::uint64_t>(place % cells) << 32;
  return (place / cells << 32) + (rest + cells - 1) / cells;
}

/// A table's probabilities.
void table_probabilities(std::span<const WideAliasEntry> entries, std::span<double> to) {
  const std::uint64_t cells = entries.size();
  std::vector<Uint128> values(cells);
  for (std::uint64_t bucket = 0; bucket < cells; ++bucket) {
    const Uint128 begin = static_cast<Uint128>(bucket) << 64;
    const bool full = entries[bucket].alias == bucket;
    const Uint128 turn = begin + (full ? wide_bucket : entries[bucket].threshold);
    const Uint128 before = wide_values_below(turn, cells);
    values[bucket] += before - wide_values_below(begin, cells);
    values[entries[bucket].alias] += wide_values_below(begin + wide_bucket, cells) - before;
  }
  for (std::uint64_t cell = 0; cell < cells; ++cell) {
    to[cell] = 0x1p-32 * static_cast<double>(static_cast<std::uint64_t>(values[cell] >> 64)) +
               0x1p-96 * static_cast<double>(static_cast<std::uint64_t>(values[cell]));
  }
}

}  // namespace
}  // namespace impl

template <class Weight>
std::vector<Uint128> wide_alias_masses(const Space& space, const ExactWeights<Weight>& weights,
                                       const TableRow& row, const SumView& sums) {
  using Shares = impl::WideShares<Weight>;
  const Kokkos::View<impl::WideShare*, Space> shares(
      Kokkos::view_alloc("rivulet::alias_wide_shares", Kokkos::WithoutInitializing),
      row.tables * row.cells);
  Kokkos::parallel_for("rivulet::alias_wide_shares",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(
                           space, 0, row.tables * row.cells),
                       Shares{weights, sums, shares, row.cells});
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shares);
  std::vector<Uint128> masses(shares.extent(0));
  const std::span<const impl::WideShare> all(host.data(), host.extent(0));
  for_each_on_host("rivulet::alias_wide_masses", row.tables, [&](std::size_t table) {
    impl::give_out(all.subspan(table * row.cells, row.cells),
                   std::span(masses).subspan(table * row.cells, row.cells));
  });
  return masses;
}

std::vector<WideAliasEntry> wide_alias_entries(std::span<const Uint128> masses) {
  using impl::wide_bucket;
  const auto cells = static_cast<std::uint32_t>(masses.size());
  std::vector<WideAliasEntry> entries(cells);
  const auto set = [&](std::uint32_t cell, Uint128 threshold, std::uint32_t alias) {
    entries[cell] = threshold == wide_bucket
                        ? WideAliasEntry{~std::uint64_t{0}, cell}
                        : WideAliasEntry{static_cast<std::uint64_t>(threshold), alias};
  };
  const auto heavy_from = [&](std::uint32_t cell) {
    while (cell < cells && masses[cell] <= wide_bucket) ++cell;
    return cell;
  };
  std::uint32_t heavy = heavy_from(0);
  Uint128 left = heavy < cells ? masses[heavy] : 0;  // of the heavy cell's mass
  for (std::uint32_t light = 0; light < cells; ++light) {
    if (masses[light] > wide_bucket) continue;
    set(light, masses[light], heavy);
    left -= wide_bucket - masses[light];  // by nothing once no heavy cell is left
    while (heavy < cells && left <= wide_bucket) {
      const std::uint32_t next = heavy_from(heavy + 1);
      set(heavy, left, next);
      left = next < cells ? masses[next] - (wide_bucket - left) : 0;
      heavy = next;
    }
  }
  return entries;
}

WideAliasTable make_wide_alias_table(const Space& space, const ExactWeights<double>& weights,
                                     const std::vector<std::uint64_t>& extents) {
  cells_of(extents);
  return impl::build_wide(space, weights, extents, {0, extents.front()}, nullptr);
}

WideAliasTable make_wide_alias_table(const Space& space, const ExactWeights<double>& own_weights,
                                     const std::vector<std::uint64_t>& extents, const RowRange& own,
                                     std::span<const Uint128> sums_of_all_rows) {
  cells_of(extents);
  const SumView rows = impl::rows_on_device(extents, sums_of_all_rows);
  return impl::build_wide(space, own_weights, extents, own, &rows);
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
      impl::table_probabilities(std::span(entries.data() + first, cells),
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
