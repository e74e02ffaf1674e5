// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "machine/views.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/error.hpp"
#include "sampling/alias_merge.hpp"
#include "sampling/alias_table.hpp"
#include "sampling/table_division.hpp"

// Converts weights to a chain of marginals, and these to the buckets of its tables.

namespace rivulet::detail {

KOKKOS_INLINE_FUNCTION int bit_length(Uint128 value) {
  int bits = 0;
  for (; value != 0; value >>= 1) ++bits;
  return bits;
}

/// Computes the masses of cells first .. first + cells - 1 by one thread: finds the last remainder
/// that gets a unit digit by digit, from counts of the candidates' next digit.
template <class Weight>
KOKKOS_FUNCTION void divide_by_digits(const Quotas<Weight>& quotas, std::uint64_t first,
                                      std::uint64_t cells, std::uint64_t* masses) {
  constexpr int digit_bits = 8;
  constexpr int digits = 1 << digit_bits;
  std::uint64_t left = quotas.units();
  for (std::uint64_t i = 0; i < cells; ++i) {
    masses[i] = quotas.total() == 0 ? bucket_units
                                    : static_cast<std::uint64_t>(quotas.exact(first + i).whole);
    left -= masses[i];
  }
  if (left == 0) return;

  // Candidates: remainders with these leading digits; the last `shift` bits are still ignored.
  // `left` of the candidates get a unit.
  int shift = bit_length(quotas.total());
  Uint128 leading = 0;
  while (shift > 0) {
    const int step = shift < digit_bits ? shift : digit_bits;
    std::uint64_t count[digits] = {};
    Uint128 any = 0;
    Uint128 all = ~Uint128{0};
    for (std::uint64_t i = 0; i < cells; ++i) {
      const Uint128 rest = quotas.exact(first + i).rest;
      if (rest >> shift != leading) continue;
      any |= rest;
      all &= rest;
      ++count[static_cast<unsigned>(rest >> (shift - step)) & ((1U << step) - 1)];
    }
    if (any == all) {  // equal remainders need no more digits
      leading = any;
      shift = 0;
      break;
    }
    shift -= step;
    unsigned digit = (1U << step) - 1;
    while (count[digit] < left) left -= count[digit--];
    leading = leading << step | digit;
    if (count[digit] == left) break;
  }
  for (std::uint64_t i = 0; i < cells; ++i) {
    const Uint128 rest = quotas.exact(first + i).rest >> shift;
    if (rest > leading) {
      ++masses[i];
    } else if (rest == leading && left > 0) {
      ++masses[i];
      --left;
    }
  }
}

/// The same fast, from estimates in vectors, if the last cell that gets a unit is among the few in
/// a window of remainders; else returns false.
template <class Weight>
KOKKOS_FUNCTION bool divide_by_window(const Quotas<Weight>& quotas, std::uint64_t first,
                                      std::uint64_t cells, std::uint64_t* masses) {
  constexpr std::size_t most = 1024;  // 2.9 sqrt(cells) are expected
  std::uint64_t found[most];
  const std::uint64_t end = first + cells;
  const QuotaSums sums =
      sum_quotas(quotas, first, end, RemainderDigits::around_half(cells), most, found);
  const std::uint64_t left = quotas.units() - sums.whole;
  const bool is_found = left > sums.above && left <= sums.above + sums.found && sums.found <= most;
  if (left != 0 && !is_found) return false;
  ComputedMasses<Weight> computed(quotas);
  if (left != 0) {
    Remainder order[most];
    for (std::uint64_t i = 0; i < sums.found; ++i)
      order[i] = {quotas.exact(found[i]).rest, found[i]};
    computed = {quotas, remainder_number(left - sums.above, std::span(order, sums.found))};
  }
  for (std::uint64_t at = first; at < end; at += piece_cells) {
    computed(at, piece_of(at, end), masses + (at - first));
  }
  return true;
}

/// Computes the masses of one table's cells, first .. first + cells - 1, by one thread.
template <class Weight>
KOKKOS_FUNCTION void divide_small_table(const Quotas<Weight>& quotas, std::uint64_t first,
                                        std::uint64_t cells, std::uint64_t* masses) {
  // On a GPU the thread-local memory that this takes would cost more than it saves.
  if constexpr (!device_build) {
    constexpr std::uint64_t worth_it = 32;
    if (cells >= worth_it && quotas.total() != 0 &&
        divide_by_window(quotas, first, cells, masses)) {
      return;
    }
  }
  divide_by_digits(quotas, first, cells, masses);
}

}  // namespace rivulet::detail

namespace rivulet {
namespace detail {
namespace {

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Whether one thread per table keeps the device busier than the whole device on table after table.
/// Tables that fit the nearest caches are not worth a launch each.
bool thread_per_table(const Space& space, const TableSizes& row) {
  constexpr std::uint64_t cells_per_launch = device_build ? 512 : 256;
  return row.cells <= cells_per_launch ||
         row.tables >= 4 * static_cast<std::uint64_t>(space.concurrency());
}

/// Cells that a thread sums at a time.
constexpr std::uint64_t sum_cells = device_build ? 1 : 4096;

template <class Weight>
KOKKOS_FUNCTION Uint128 sum_of_piece(const ExactWeights<Weight>& weights, std::uint64_t first,
                                     std::uint64_t end) {
  return weights.sum(first, end - first < sum_cells ? end - first : sum_cells);
}

template <class Weight>
struct SumOfTable {
  ExactWeights<Weight> weights;
  SumView sums;
  std::uint64_t cells;

  KOKKOS_FUNCTION void operator()(std::uint64_t table) const {
    const std::uint64_t end = (table + 1) * cells;
    Uint128 sum = 0;
    for (std::uint64_t i = table * cells; i < end; i += sum_cells) {
      sum += sum_of_piece(weights, i, end);
    }
    sums(table) = sum;
  }
};

template <class Weight>
struct SumOfCells {
  using value_type = Uint128;
  ExactWeights<Weight> weights;

  KOKKOS_FUNCTION void operator()(std::uint64_t piece, Uint128& sum) const {
    sum += sum_of_piece(weights, piece * sum_cells, weights.cells());
  }
};

template <class Weight>
SumView table_sums(const Space& space, const ExactWeights<Weight>& weights, const TableSizes& row) {
  SumView sums(Kokkos::view_alloc("rivulet::table_sums", Kokkos::WithoutInitializing), row.tables);
  if (thread_per_table(space, row)) {
    Kokkos::parallel_for("rivulet::table_sums", Range(space, 0, row.tables),
                         SumOfTable<Weight>{weights, sums, row.cells});
    return sums;
  }
  const auto host = Kokkos::create_mirror_view(sums);
  for (std::uint64_t table = 0; table < row.tables; ++table) {
    Uint128 sum = 0;
    Kokkos::parallel_reduce("rivulet::table_sum",
                            Range(space, 0, (row.cells + sum_cells - 1) / sum_cells),
                            SumOfCells<Weight>{weights.part(table * row.cells, row.cells)}, sum);
    host(table) = sum;
  }
  Kokkos::deep_copy(sums, host);
  return sums;
}

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

/// Sums of the tables of levels 1, 2, ...; a table of level 1 is a row.
std::vector<SumView> level_sums(const Space& space, const ExactWeights<double>& weights,
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

/// Makes tables, one by a thread.
template <class Weight>
struct MakeTable {
  ExactWeights<Weight> weights;
  SumView sums;
  std::uint64_t cells;
  MassView masses;
  StartView starts;  ///< of each table's chunks
  EntryView entries;

  KOKKOS_FUNCTION void operator()(std::uint64_t table) const {
    const std::uint64_t first = table * cells;
    std::uint64_t* const own = masses.data() + first;
    divide_small_table(Quotas<Weight>(weights, sums(table), cells), first, cells, own);
    merge_small_table(MadeTable<StoredMasses>{{own}, cells, entries.data() + first},
                      starts.data() + table * (chunks_of(cells) + 1));
  }
};

/// Makes the buckets of consecutive tables. Each table's mass of cells * 2^32 units is divided in
/// proportion to its weights, exactly. A table whose sum is 0 gets a bucket a cell; no draw reaches
/// it, as the mass of its row is 0. Results are the same on every backend.
template <class Weight>
EntryView build_level(AliasEntry, const Space& space, const ExactWeights<Weight>& weights,
                      const TableSizes& row, const SumView& sums) {
  const auto entries = large_view<EntryView>("rivulet::alias", row.tables * row.cells);
  if (thread_per_table(space, row)) {
    const auto masses = large_view<MassView>("rivulet::alias_masses", row.tables * row.cells);
    const auto starts =
        large_view<StartView>("rivulet::alias_starts", row.tables * (chunks_of(row.cells) + 1));
    Kokkos::parallel_for("rivulet::alias_tables", Range(space, 0, row.tables),
                         MakeTable<Weight>{weights, sums, row.cells, masses, starts, entries});
    space.fence();
    return entries;
  }
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (std::uint64_t table = 0; table < row.tables; ++table) {
    const std::uint64_t first = table * row.cells;
    const auto masses = divide_large_table(space, weights.part(first, row.cells), host(table));
    merge_masses(space,
                 MadeTable<ComputedMasses<Weight>>{masses, row.cells, entries.data() + first});
  }
  space.fence();
  return entries;
}

/// Makes wide buckets: one thread of the host makes each table.
template <class Weight>
Kokkos::View<WideAliasEntry*, Space> build_level(WideAliasEntry, const Space&,
                                                 const ExactWeights<Weight>& weights,
                                                 const TableSizes& row, const SumView&) {
  const Kokkos::View<WideAliasEntry*, Space> entries(
      Kokkos::view_alloc("rivulet::alias_wide", Kokkos::WithoutInitializing),
      row.tables * row.cells);
  const auto own = Kokkos::create_mirror_view(entries);
  const auto on_host = weights.on_host();
  for_each_on_host("rivulet::alias_wide_sweep", row.tables, [&](std::size_t table) {
    const std::uint64_t first = table * row.cells;
    const auto masses = masses_of<WideAliasEntry>(
        row.cells, [&](std::size_t cell) { return on_host(first + cell); });
    make_entries(masses.data(), static_cast<std::uint32_t>(row.cells), own.data() + first);
  });
  Kokkos::deep_copy(entries, own);
  return entries;
}

template <class Entry>
AliasTableOf<Entry> build(const Space& space, const ExactWeights<double>& weights,
                          const std::vector<std::uint64_t>& extents) {
  require_as_many(weights.cells(), cells_of(extents));
  const std::vector<std::uint64_t> levels = level_extents(extents);
  typename AliasTableOf<Entry>::Levels table;
  table.count = static_cast<int>(levels.size());
  for (std::size_t level = 0; level < levels.size(); ++level) {
    table.cells[level] = static_cast<std::uint32_t>(levels[level]);
  }
  const auto build_first = [&](const auto& first) {
    const TableSizes row{1, first.cells()};
    return build_level(Entry{}, space, first, row, table_sums(space, first, row));
  };
  if (levels.size() == 1) {
    table.entries[0] = build_first(weights);
    return {extents, table};
  }
  const std::vector<SumView> sums = level_sums(space, weights, levels);
  table.entries[0] = build_first(ExactWeights<Uint128>(sums[0], weights.exponent()));
  std::uint64_t tables = levels[0];
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

Uint128 weight_sum(const Space& space, const ExactWeights<double>& weights) {
  const SumView sums = detail::table_sums(space, weights, {1, weights.cells()});
  space.fence();
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums)(0);
}

template <class Entry>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights<double>& weights,
                                     const std::vector<std::uint64_t>& extents) {
  return detail::build<Entry>(space, weights, extents);
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

template AliasTable make_alias_table(const Space&, const ExactWeights<double>&,
                                     const std::vector<std::uint64_t>&);
template WideAliasTable make_alias_table(const Space&, const ExactWeights<double>&,
                                         const std::vector<std::uint64_t>&);

}  // namespace rivulet
