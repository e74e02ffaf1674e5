// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/alias_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "machine/views.hpp"
#include "rivulet/detail/alias_precision.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace detail {
namespace {

using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;

/// A table must have fewer cells than this, because cell numbers have 32 bits and masses are in
/// units of 2^-32 (alias_draw.hpp).
constexpr std::uint64_t cell_limit = std::uint64_t{1} << 32;

constexpr std::uint64_t bucket_units = units_of_bucket<AliasEntry>;
using CountView = Kokkos::View<std::uint64_t*, Space>;

/// Computes the largest bit pattern of all weights. This pattern belongs to an invalid weight if
/// there is one, else to the largest weight.
struct LargestBits {
  Kokkos::View<const double*, Space> weights;

  KOKKOS_FUNCTION std::uint64_t bits(std::uint64_t cell) const {
    const double weight = weights(cell) + 0.0;  // -0 becomes 0
    std::uint64_t bits = 0;
    memcpy(&bits, &weight, sizeof bits);
    return bits;
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t cell, std::uint64_t& largest) const {
    const std::uint64_t pattern = bits(cell);
    largest = pattern > largest ? pattern : largest;
  }
};

/// Bits of positive infinity. NaN and negative numbers have larger bit patterns.
constexpr std::uint64_t infinity_bits = std::uint64_t{0x7ff} << 52;

struct FirstBad {
  LargestBits weight_bits;
  KOKKOS_FUNCTION void operator()(std::uint64_t cell, std::uint64_t& first) const {
    if (weight_bits.bits(cell) >= infinity_bits && cell < first) first = cell;
  }
};

/// Counts how many of the 2^64 values of two words select a cell, either as the owner or as the
/// alias of a bucket. Each table has `cells` cells.
struct CountDraws {
  EntryView entries;
  CountView as_alias;
  std::uint64_t cells;

  /// Returns the number of values whose position (alias_draw.hpp), in bucket units, is below
  /// `position`. This number is the smallest value with value * cells / 2^32 >= position. A result
  /// of 2^64 wraps to 0.
  KOKKOS_FUNCTION std::uint64_t below(std::uint64_t position) const {
    const std::uint64_t remainder = position % cells << 32;
    return (position / cells << 32) + (remainder + cells - 1) / cells;
  }
  KOKKOS_FUNCTION bool is_full(std::uint64_t cell) const {
    return entries(cell).alias == cell % cells;
  }
  KOKKOS_FUNCTION std::uint64_t own_values(std::uint64_t cell) const {
    const std::uint64_t begin = cell % cells * bucket_units;
    const std::uint64_t filled = is_full(cell) ? bucket_units : entries(cell).threshold;
    return below(begin + filled) - below(begin);
  }
  /// Returns a cell's probability, as a sum of doubles because the count may be 2^64.
  KOKKOS_FUNCTION double operator()(std::uint64_t cell) const {
    if (cells == 1) return 1;
    return 0x1p-64 * (static_cast<double>(own_values(cell)) + static_cast<double>(as_alias(cell)));
  }
  struct Count {};
  KOKKOS_FUNCTION void operator()(Count, std::uint64_t cell) const {
    if (is_full(cell)) return;
    const std::uint64_t begin = cell % cells * bucket_units;
    const std::uint64_t alias_values =
        below(begin + bucket_units) - below(begin + entries(cell).threshold);
    Kokkos::atomic_add(&as_alias(cell - cell % cells + entries(cell).alias), alias_values);
  }
};

/// Returns the probabilities of a level's cells, each within its table.
CountDraws level_probabilities(const Space& space, const EntryView& entries, std::uint64_t cells) {
  const CountDraws draws{entries, CountView("rivulet::alias_draws", entries.extent(0)), cells};
  Kokkos::parallel_for(
      "rivulet::alias_draws",
      Kokkos::RangePolicy<Space, CountDraws::Count, Kokkos::IndexType<std::uint64_t>>(
          space, 0, entries.extent(0)),
      draws);
  return draws;
}
Kokkos::View<const double*, Space> level_probabilities(
    const Space&, const Kokkos::View<WideAliasEntry*, Space>& entries, std::uint64_t cells) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entries);
  const Kokkos::View<double*, Space> all("rivulet::alias_draws", entries.extent(0));
  const auto host_probabilities = Kokkos::create_mirror_view(all);
  for_each_on_host(
      "rivulet::alias_wide_draws", host_probabilities.extent(0) / cells, [&](std::size_t table) {
        const std::size_t first = table * cells;
        table_probabilities(std::span<const WideAliasEntry>(host.data() + first, cells),
                            std::span(host_probabilities.data() + first, cells));
      });
  Kokkos::deep_copy(all, host_probabilities);
  return all;
}

struct TakeUpperHalves {
  Kokkos::View<WideAliasEntry*, Space> from;
  EntryView to;
  KOKKOS_FUNCTION void operator()(std::uint64_t bucket) const {
    const WideAliasEntry entry = from(bucket);
    to(bucket) = {static_cast<std::uint32_t>(entry.threshold >> 32), entry.alias};
  }
};

template <class OfLevel>
struct ScaleByLevel {
  OfLevel level_factor;
  Kokkos::View<double*, Space> probabilities;
  std::uint64_t cells_each;  ///< cells of the whole table per cell of the level

  KOKKOS_FUNCTION void operator()(std::uint64_t cell) const {
    probabilities(cell) *= level_factor(cell / cells_each);
  }
};

}  // namespace
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

double largest_weight(const Space& space, const Kokkos::View<const double*, Space>& weights) {
  const std::uint64_t cells = weights.extent(0);
  const detail::LargestBits bits{weights};
  std::uint64_t largest = 0;
  Kokkos::parallel_reduce("rivulet::largest_weight", detail::Range(space, 0, cells), bits,
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
  throw Error(fmt::format("weight {} of the table is {}", bad, kind),
              fmt::format("it is {}; weights must be finite and not below 0", weight),
              "Correct the table; cells are numbered from 0, the last axis varying "
              "fastest.");
}

void require_weight(double largest) {
  if (largest > 0) return;
  throw Error("all weights of the table are 0", "so there is no cell to draw",
              "Give at least one positive weight.");
}

AliasTable upper_halves(const Space& space, const WideAliasTable& table) {
  const WideAliasTable::Levels& wide = table.levels();
  AliasTable::Levels upper;
  for (int level = 0; level < wide.count; ++level) {
    const std::size_t buckets = wide.entries[level].extent(0);
    upper.cells[level] = wide.cells[level];
    upper.wide[level] = wide.entries[level];
    upper.entries[level] = large_view<EntryView>("rivulet::alias_upper", buckets);
    Kokkos::parallel_for("rivulet::alias_upper", detail::Range(space, 0, buckets),
                         detail::TakeUpperHalves{upper.wide[level], upper.entries[level]});
  }
  upper.count = wide.count;
  space.fence();
  return {table.extents(), upper};
}

template <class Entry>
Kokkos::View<double*, Space> cell_probabilities(const Space& space,
                                                const AliasTableOf<Entry>& table) {
  const auto& levels = table.levels();
  Kokkos::View<double*, Space> probabilities("rivulet::probabilities", table.cells());
  Kokkos::deep_copy(space, probabilities, 1.0);
  std::uint64_t cells_each = table.cells();
  for (int level = 0; level < levels.count; ++level) {
    const std::uint64_t cells = levels.cells[level];
    cells_each /= cells;
    const auto level_factor = detail::level_probabilities(space, levels.entries[level], cells);
    Kokkos::parallel_for("rivulet::probabilities", detail::Range(space, 0, probabilities.extent(0)),
                         detail::ScaleByLevel<std::decay_t<decltype(level_factor)>>{
                             level_factor, probabilities, cells_each});
  }
  space.fence();
  return probabilities;
}

template Kokkos::View<double*, Space> cell_probabilities(const Space&, const AliasTable&);
template Kokkos::View<double*, Space> cell_probabilities(const Space&, const WideAliasTable&);

}  // namespace rivulet
