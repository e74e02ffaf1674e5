// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include "machine/views.hpp"
#include "rivulet/detail/alias_builder.hpp"
#include "rivulet/error.hpp"
#include "sampling/alias_table.hpp"

// Converts weights to a chain of marginals, and the marginals to the buckets of each level's
// tables.

namespace rivulet {
namespace {

/// Returns the extents of the levels; the last level merges all further axes.
std::vector<std::uint64_t> level_extents(std::vector<std::uint64_t> levels) {
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

detail::WholeWeights<double> as_integers(const ExactWeights& weights) {
  return {weights.each.data(), weights.exponent};
}

}  // namespace

Uint128 weight_sum(const Space& space, const ExactWeights& weights) {
  return detail::sum_weights(space, as_integers(weights), {1, weights.each.extent(0)}).total();
}

template <class Entry>
AliasTableOf<Entry> make_alias_table(const Space& space, const ExactWeights& weights,
                                     const std::vector<std::uint64_t>& extents) {
  require_as_many(weights.each.extent(0), cells_of(extents));
  const std::vector<std::uint64_t> cells = level_extents(extents);
  typename AliasTableOf<Entry>::Levels levels;
  levels.count = static_cast<int>(cells.size());
  detail::TableBatch tables{weights.each.extent(0), 1};
  detail::WeightSums<Space> sums;
  const char* const label = "rivulet::alias_lines";
  using Memory = detail::LineMemory<Entry, Space>;
  const Memory memory{large_view<typename Memory::Places>(label, tables.count + 2),
                      large_view<typename Memory::Cells>(label, tables.count + 2)};
  for (int level = levels.count - 1; level >= 0; --level) {
    // Each cell of a level has a table in the next level.
    const std::uint64_t all = tables.count;
    tables.cells = cells[static_cast<std::size_t>(level)];
    tables.count = all / tables.cells;
    const auto entries = large_view<Kokkos::View<Entry*, Space>>("rivulet::alias", all);
    sums = level + 1 == levels.count
               ? detail::build_tables(space, as_integers(weights), tables, memory, entries.data())
               : detail::build_tables(space, sums, tables, memory, entries.data());
    levels.entries[level] = entries;
    levels.cells[level] = static_cast<std::uint32_t>(tables.cells);
  }
  return {extents, levels};
}

AliasTable make_alias_table(const Space& space, const Kokkos::View<const double*, Space>& weights,
                            const std::vector<std::uint64_t>& extents) {
  const std::uint64_t cells = cells_of(extents);
  require_as_many(weights.extent(0), cells);
  const double largest = largest_weight(space, weights);
  require_weight(largest);
  return make_alias_table<AliasEntry>(
      space, ExactWeights{weights, detail::weight_exponent(largest, cells)}, extents);
}

template AliasTable make_alias_table(const Space&, const ExactWeights&,
                                     const std::vector<std::uint64_t>&);
template WideAliasTable make_alias_table(const Space&, const ExactWeights&,
                                         const std::vector<std::uint64_t>&);

}  // namespace rivulet
