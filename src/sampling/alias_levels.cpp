// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/error.hpp"
#include "sampling/alias_merge.hpp"
#include "sampling/alias_table.hpp"
#include "sampling/large_view.hpp"
#include "sampling/largest_remainder.hpp"

// Converts weights to a chain of marginals, and these to the buckets of its tables.

namespace rivulet {
namespace detail {

struct StoredMasses {
  MassView masses;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::uint64_t first, int count,
                                              std::uint64_t* to) const {
    const std::uint64_t* const from = masses.data() + first;
    for (int i = 0; i < count; ++i) to[i] = from[i];
  }
};

}  // namespace detail

EntryView alias_entries(const Space& space, const MassView& masses, const TableSizes& row) {
  const std::uint64_t cells = masses.extent(0);
  const auto entries = large_view<EntryView>("rivulet::alias", cells);
  const detail::TablesOfCells numbers(static_cast<std::uint32_t>(row.cells));
  detail::merge_masses(space, detail::Tables<detail::StoredMasses, detail::TablesOfCells>{
                                  {masses}, numbers, cells, entries});
  space.fence();
  return entries;
}

namespace detail {
namespace {

/// Extents of the levels: the last level comprises all further axes.
std::vector<std::uint64_t> level_extents(const std::vector<std::uint64_t>& extents) {
  std::vector<std::uint64_t> levels(extents);
  while (levels.size() > AliasTable::most_levels) {
    const std::uint64_t last = levels.back();
    levels.pop_back();
    levels.back() *= last;
  }
  return levels;
}

void require_as_many(std::uint64_t weights, std::uint64_t cells) {
  if (weights == cells) return;
  throw Error(fmt::format("{} weights do not make a table of {} cells", weights, cells),
              "a table has one weight per cell", "Give the weights and the extents of one table.");
}

/// Copies the sums of all rows to the device.
SumView rows_on_device(const std::vector<std::uint64_t>& extents,
                       std::span<const Uint128> sums_of_all_rows) {
  if (extents.size() < 2) {
    throw Error("a table of one axis cannot be spread over ranks", "it has no rows",
                "Give it a second axis, or keep it whole on each rank.");
  }
  require_as_many(sums_of_all_rows.size(), extents.front());
  const SumView rows("rivulet::row_sums", sums_of_all_rows.size());
  const auto host = Kokkos::create_mirror_view(rows);
  std::ranges::copy(sums_of_all_rows, host.data());
  Kokkos::deep_copy(rows, host);
  return rows;
}

/// Sums of the tables of levels 1, 2, ...; a table of level 1 is a row.
template <class Weight>
std::vector<SumView> level_sums(const Space& space, const ExactWeights<Weight>& weights,
                                const std::vector<std::uint64_t>& levels) {
  std::vector<SumView> sums(levels.size() - 1);
  std::uint64_t tables = weights.cells();
  for (std::size_t level = levels.size() - 1; level > 0; --level) {
    tables /= levels[level];
    const TableSizes row{tables, levels[level]};
    sums[level - 1] =
        level + 1 == levels.size()
            ? table_sums(space, weights, row)
            : table_sums(space, ExactWeights<Uint128>(sums[level], weights.exponent()), row);
  }
  return sums;
}

/// Builds the buckets of consecutive tables on the device.
template <class Weight>
EntryView build_level(AliasEntry, const Space& space, const ExactWeights<Weight>& weights,
                      const TableSizes& row, const SumView& sums) {
  if (thread_per_table(space, row)) {
    return alias_entries(space, alias_masses(space, weights, row, sums), row);
  }
  auto entries = large_view<EntryView>("rivulet::alias", row.tables * row.cells);
  each_large_table(
      space, weights, row, sums, [&](std::uint64_t first, const ComputedMasses<Weight>& masses) {
        const auto own = Kokkos::subview(entries, Kokkos::make_pair(first, first + row.cells));
        merge_masses(space, Tables<ComputedMasses<Weight>, OneTable>{masses, {}, row.cells, own});
      });
  space.fence();
  return entries;
}

/// Calls body(first table, tables) for groups of tables whose helper arrays take little memory.
template <class Body>
void each_group(const TableSizes& row, const Body& body) {
  constexpr std::uint64_t cells_at_once = std::uint64_t{1} << 16;
  const std::uint64_t most = std::max<std::uint64_t>(cells_at_once / row.cells, 1);
  for (std::uint64_t first = 0; first < row.tables; first += most) {
    body(first, std::min(most, row.tables - first));
  }
}

using WideEntryView = Kokkos::View<WideAliasEntry*, Space>;

/// Builds wide buckets: one thread of the host builds each table.
template <class Weight>
WideEntryView build_level(WideAliasEntry, const Space& space, const ExactWeights<Weight>& weights,
                          const TableSizes& row, const SumView& sums) {
  const WideEntryView entries(
      Kokkos::view_alloc("rivulet::alias_wide", Kokkos::WithoutInitializing),
      row.tables * row.cells);
  const auto host = Kokkos::create_mirror_view(entries);
  each_group(row, [&](std::uint64_t first, std::uint64_t tables) {
    const std::vector<Uint128> masses = wide_alias_masses(
        space, weights.part(first * row.cells, tables * row.cells), {tables, row.cells},
        Kokkos::subview(sums, Kokkos::make_pair(first, first + tables)));
    for_each_on_host("rivulet::alias_wide_sweep", tables, [&](std::size_t table) {
      const auto own = entries_of<WideAliasEntry>(
          std::span(masses).subspan(table * row.cells, static_cast<std::size_t>(row.cells)));
      std::ranges::copy(own, host.data() + (first + table) * row.cells);
    });
  });
  Kokkos::deep_copy(entries, host);
  return entries;
}

/// Builds a table from the weights of this rank's rows; all_rows: the sums of the rows of all
/// ranks, or null if this rank has all rows.
template <class Entry, class Weight>
AliasTableOf<Entry> build(const Space& space, const ExactWeights<Weight>& weights,
                          const std::vector<std::uint64_t>& extents, const AxisRange& own,
                          const SumView* all_rows) {
  const std::vector<std::uint64_t> levels = level_extents(extents);
  typename AliasTableOf<Entry>::Levels table;
  table.count = static_cast<int>(levels.size());
  table.first_row = own.first;
  table.rows = own.count;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    table.cells[level] = static_cast<std::uint32_t>(levels[level]);
    if (level > 0) table.row_cells *= levels[level];
  }
  require_as_many(weights.cells(), own.count * table.row_cells);
  const auto build_first = [&](const auto& first) {
    const TableSizes row{1, first.cells()};
    return build_level(Entry{}, space, first, row, table_sums(space, first, row));
  };
  if (levels.size() == 1) {
    table.entries[0] = build_first(weights);
    return {extents, table};
  }
  const std::vector<SumView> sums = level_sums(space, weights, levels);
  const SumView& rows = all_rows == nullptr ? sums[0] : *all_rows;
  table.entries[0] = build_first(ExactWeights<Uint128>(rows, weights.exponent()));
  std::uint64_t tables = own.count;
  for (std::size_t level = 1; level < levels.size(); ++level) {
    const TableSizes row{tables, levels[level]};
    table.entries[level] =
        level + 1 == levels.size()
            ? build_level(Entry{}, space, weights, row, sums[level - 1])
            : build_level(Entry{}, space, ExactWeights<Uint128>(sums[level], weights.exponent()),
                          row, sums[level - 1]);
    tables *= levels[level];
  }
  return {extents, table};
}

}  // namespace
}  // namespace detail

template <class Entry, class Weight>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights<Weight>& weights,
                                     const std::vector<std::uint64_t>& extents) {
  cells_of(extents);
  return detail::build<Entry>(space, weights, extents, {0, extents.front()}, nullptr);
}

template <class Entry, class Weight>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights<Weight>& own_weights,
                                     const std::vector<std::uint64_t>& extents,
                                     const AxisRange& own,
                                     std::span<const Uint128> sums_of_all_rows) {
  cells_of(extents);
  const SumView rows = detail::rows_on_device(extents, sums_of_all_rows);
  return detail::build<Entry>(space, own_weights, extents, own, &rows);
}

AliasTable make_alias_table(const Space& space, const Kokkos::View<const double*, Space>& weights,
                            const std::vector<std::uint64_t>& extents) {
  const std::uint64_t cells = cells_of(extents);
  detail::require_as_many(weights.extent(0), cells);
  const double largest = largest_weight(space, weights);
  require_weight(largest);
  return make_alias_table<AliasEntry>(
      space, ExactWeights<double>(weights, weight_exponent(largest, cells)), extents);
}

AliasTable make_alias_table(const Space& space,
                            const Kokkos::View<const std::uint64_t*, Space>& weights,
                            const std::vector<std::uint64_t>& extents) {
  const std::uint64_t cells = cells_of(extents);
  detail::require_as_many(weights.extent(0), cells);
  const ExactWeights<std::uint64_t> exact(weights, 0);
  const auto sum = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                                       table_sums(space, exact, {1, cells}));
  require_weight(sum(0) == 0 ? 0.0 : 1.0);
  return make_alias_table<AliasEntry>(space, exact, extents);
}

#define RIVULET_INSTANTIATE(Entry, Weight)                                                 \
  template AliasTableOf<Entry> make_alias_table(const Space&, const ExactWeights<Weight>&, \
                                                const std::vector<std::uint64_t>&);        \
  template AliasTableOf<Entry> make_alias_table(const Space&, const ExactWeights<Weight>&, \
                                                const std::vector<std::uint64_t>&,         \
                                                const AxisRange&, std::span<const Uint128>);
RIVULET_INSTANTIATE(AliasEntry, double)
RIVULET_INSTANTIATE(AliasEntry, std::uint64_t)
RIVULET_INSTANTIATE(WideAliasEntry, double)
#undef RIVULET_INSTANTIATE

}  // namespace rivulet
