// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/alias_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rivulet/error.hpp"
#include "sampling/alias_levels.hpp"
#include "sampling/alias_merge.hpp"
#include "sampling/large_view.hpp"
#include "sampling/largest_remainder.hpp"

namespace rivulet {
namespace detail {
namespace {

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// Tables are counted in 32-bit words and masses in 2^32nds: see alias_draw.hpp.
constexpr std::uint64_t cell_limit = std::uint64_t{1} << 32;

}  // namespace

std::vector<std::uint64_t> level_extents(const std::vector<std::uint64_t>& extents) {
  std::vector<std::uint64_t> levels(extents);
  while (levels.size() > AliasTable::most_levels) {
    const std::uint64_t last = levels.back();
    levels.pop_back();
    levels.back() *= last;
  }
  return levels;
}

void require_cells(std::uint64_t weights, std::uint64_t cells) {
  if (weights == cells) return;
  throw Error(fmt::format("{} weights do not make a table of {} cells", weights, cells),
              "a table has one weight per cell", "Give the weights and the extents of one table.");
}

SumView rows_on_device(const std::vector<std::uint64_t>& extents,
                       std::span<const Uint128> sums_of_all_rows) {
  if (extents.size() < 2) {
    throw Error("a table of one axis cannot be spread over ranks", "it has no rows",
                "Give it a second axis, or keep it whole on each rank.");
  }
  require_cells(sums_of_all_rows.size(), extents.front());
  const SumView rows("rivulet::row_sums", sums_of_all_rows.size());
  const auto host = Kokkos::create_mirror_view(rows);
  std::ranges::copy(sums_of_all_rows, host.data());
  Kokkos::deep_copy(rows, host);
  return rows;
}

/// The largest bit pattern: that of the largest weight, or of one that is refused.
struct LargestBits {
  Kokkos::View<const double*, Space> weights;

  KOKKOS_FUNCTION std::uint64_t bits(std::uint64_t cell) const {
    const double weight = weights(cell) + 0.0;  // -0 becomes 0
    std::uint64_t bits = 0;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t piece, std::uint64_t& largest) const {
    const std::uint64_t first = piece * piece_cells;
    const int count = piece_of(first, weights.extent(0));
    std::uint64_t own = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t bits_here = bits(first + static_cast<std::uint64_t>(i));
      own = bits_here > own ? bits_here : own;
    }
    if (own > largest) largest = own;
  }
};

/// Bits of positive infinity; those of NaN and of negative numbers are above.
constexpr std::uint64_t infinity_bits = std::uint64_t{0x7ff} << 52;

struct FirstBad {
  LargestBits of;
  KOKKOS_FUNCTION void operator()(std::uint64_t cell, std::uint64_t& first) const {
    if (of.bits(cell) >= infinity_bits && cell < first) first = cell;
  }
};

/// Of tables of `cells` cells: what of the 2^64 values of two words ends in a cell's own bucket,
/// and in those whose alias it is.
struct CountDraws {
  EntryView entries;
  UnitView as_alias;
  std::uint64_t cells;

  /// Values whose position (alias_draw.hpp) is below a place, in units of the buckets: the least
  /// word with word * cells / 2^32 >= place. 2^64 reads 0.
  KOKKOS_FUNCTION std::uint64_t below(std::uint64_t place) const {
    const std::uint64_t rest = place % cells << 32;
    return (place / cells << 32) + (rest + cells - 1) / cells;
  }
  KOKKOS_FUNCTION bool is_full(std::uint64_t cell) const {
    return entries(cell).alias == cell % cells;
  }
  KOKKOS_FUNCTION std::uint64_t own(std::uint64_t cell) const {
    const std::uint64_t begin = cell % cells * bucket_units;
    const std::uint64_t own = is_full(cell) ? bucket_units : entries(cell).threshold;
    return below(begin + own) - below(begin);
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    if (is_full(cell)) return;
    const std::uint64_t begin = cell % cells * bucket_units;
    const std::uint64_t rest = below(begin + bucket_units) - below(begin + entries(cell).threshold);
    Kokkos::atomic_add(&as_alias(cell - cell % cells + entries(cell).alias), rest);
  }
};

struct ScaleByLevel {
  CountDraws draws;
  Kokkos::View<double*, Space> probabilities;
  std::uint64_t first;       ///< cell of the level that the first one kept here is
  std::uint64_t cells_each;  ///< cells of the table under one of the level's

  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    if (draws.cells == 1) return;
    const std::uint64_t at = first + cell / cells_each;
    // Added as doubles: the sum may be 2^64.
    probabilities(cell) *=
        0x1p-64 * (static_cast<double>(draws.own(at)) + static_cast<double>(draws.as_alias(at)));
  }
};

template <class Weight>
EntryView build_level(const Space& space, const ExactWeights<Weight>& weights, const TableRow& row,
                      const SumView& sums) {
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

template <class Weight>
AliasTable build(const Space& space, const ExactWeights<Weight>& weights,
                 const std::vector<std::uint64_t>& extents, const RowRange& own,
                 const SumView* all_rows) {
  return build_levels<AliasEntry>(space, weights, extents, own, all_rows,
                                  [&](const auto& of, const TableRow& row, const SumView& sums) {
                                    return build_level(space, of, row, sums);
                                  });
}

template <class Weight>
AliasTable whole_table(const Space& space, const ExactWeights<Weight>& weights,
                       const std::vector<std::uint64_t>& extents) {
  return build(space, weights, extents, {0, extents.front()}, nullptr);
}

}  // namespace detail

std::uint64_t cells_of(std::span<const std::uint64_t> extents) {
  Uint128 cells = extents.empty() ? 0 : 1;
  bool empty = extents.empty();
  for (const std::uint64_t extent : extents) {
    empty = empty || extent == 0;
    if (cells < detail::cell_limit) cells *= extent;
  }
  if (empty) {
    throw Error("the table is empty", fmt::format("its extents are [{}]", fmt::join(extents, ", ")),
                "Give a table of at least one cell.");
  }
  if (cells >= detail::cell_limit) {
    throw Error(fmt::format("a table of [{}] cells is too large", fmt::join(extents, ", ")),
                "cells are numbered in 32 bits, so 4294967295 is the limit",
                "Join neighbouring cells, or split the table.");
  }
  return static_cast<std::uint64_t>(cells);
}

double largest_weight(const Space& space, const Kokkos::View<const double*, Space>& weights,
                      std::uint64_t first_cell) {
  const std::uint64_t cells = weights.extent(0);
  const detail::LargestBits bits{weights};
  std::uint64_t largest = 0;
  const std::uint64_t pieces = (cells + detail::piece_cells - 1) / detail::piece_cells;
  Kokkos::parallel_reduce("rivulet::largest_weight", detail::Range(space, 0, pieces), bits,
                          Kokkos::Max<std::uint64_t>(largest));
  if (largest < detail::infinity_bits) {
    double weight = 0;
    memcpy(&weight, &largest, sizeof weight);
    return weight;
  }
  std::uint64_t bad = 0;
  Kokkos::parallel_reduce("rivulet::bad_weight", detail::Range(space, 0, cells),
                          detail::FirstBad{bits}, Kokkos::Min<std::uint64_t>(bad));
  double weight = 0;
  Kokkos::deep_copy(weight, Kokkos::subview(weights, bad));
  const char* const kind = std::isnan(weight) ? "not a number"
                           : weight < 0       ? "negative"
                                              : "infinite";
  throw Error(fmt::format("weight {} of the table is {}", first_cell + bad, kind),
              fmt::format("it is {}; weights must be finite and not below 0", weight),
              "Correct the table; cells are numbered from 0, the last axis varying "
              "fastest.");
}

void require_weight(double largest) {
  if (largest > 0) return;
  throw Error("all weights of the table are 0", "so there is no cell to draw",
              "Give at least one positive weight.");
}

AliasTable make_alias_table(const Space& space, const Kokkos::View<const double*, Space>& weights,
                            const std::vector<std::uint64_t>& extents) {
  const std::uint64_t cells = cells_of(extents);
  detail::require_cells(weights.extent(0), cells);
  const double largest = largest_weight(space, weights);
  require_weight(largest);
  return detail::whole_table(space, ExactWeights<double>(weights, weight_exponent(largest, cells)),
                             extents);
}

AliasTable make_alias_table(const Space& space,
                            const Kokkos::View<const std::uint64_t*, Space>& weights,
                            const std::vector<std::uint64_t>& extents) {
  const std::uint64_t cells = cells_of(extents);
  detail::require_cells(weights.extent(0), cells);
  const ExactWeights<std::uint64_t> exact(weights, 0);
  const auto sum = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                                       table_sums(space, exact, {1, cells}));
  require_weight(sum(0) == 0 ? 0.0 : 1.0);
  return detail::whole_table(space, exact, extents);
}

template <class Weight>
std::vector<Uint128> row_sums(const Space& space, const ExactWeights<Weight>& own_weights,
                              std::uint64_t own_rows) {
  if (own_rows == 0) return {};
  const SumView sums = table_sums(space, own_weights, {own_rows, own_weights.cells() / own_rows});
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return {host.data(), host.data() + host.extent(0)};
}

template <class Weight>
AliasTable make_alias_table(const Space& space, const ExactWeights<Weight>& own_weights,
                            const std::vector<std::uint64_t>& extents, const RowRange& own,
                            std::span<const Uint128> sums_of_all_rows) {
  cells_of(extents);
  const SumView rows = detail::rows_on_device(extents, sums_of_all_rows);
  return detail::build(space, own_weights, extents, own, &rows);
}

Kokkos::View<double*, Space> cell_probabilities(const Space& space, const AliasTable& table) {
  const AliasTable::Levels& levels = table.levels();
  Kokkos::View<double*, Space> probabilities("rivulet::probabilities", table.own_cells());
  Kokkos::deep_copy(space, probabilities, 1.0);
  std::uint64_t cells_each = levels.row_cells;
  for (int level = 0; level < levels.count; ++level) {
    const EntryView& entries = levels.entries[level];
    const std::uint64_t cells = levels.cells[level];
    if (level > 0) cells_each /= cells;
    const detail::CountDraws draws{entries, UnitView("rivulet::alias_draws", entries.extent(0)),
                                   cells};
    Kokkos::parallel_for("rivulet::alias_draws", detail::Range(space, 0, entries.extent(0)), draws);
    Kokkos::parallel_for(
        "rivulet::probabilities", detail::Range(space, 0, probabilities.extent(0)),
        detail::ScaleByLevel{draws, probabilities, level == 0 ? levels.first_row : 0, cells_each});
  }
  space.fence();
  return probabilities;
}

#define RIVULET_INSTANTIATE(Weight)                                                        \
  template std::vector<Uint128> row_sums(const Space&, const ExactWeights<Weight>&,        \
                                         std::uint64_t);                                   \
  template AliasTable make_alias_table(const Space&, const ExactWeights<Weight>&,          \
                                       const std::vector<std::uint64_t>&, const RowRange&, \
                                       std::span<const Uint128>);
RIVULET_INSTANTIATE(double)
RIVULET_INSTANTIATE(std::uint64_t)
#undef RIVULET_INSTANTIATE

}  // namespace rivulet
