// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_precision.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "rivulet/detail/host_parallel.hpp"

namespace rivulet {
namespace {

using detail::ExtremeCell;

constexpr std::uint64_t stretch = std::uint64_t{1} << 16;

/// Of all ranks.
ExtremeCell of_all(const io::Communicator& ranks, const ExtremeCell& own) {
  ExtremeCell all;
  all.value = ranks.max(own.value);
  const bool here = own.value == all.value;
  all.cell = ranks.min(here ? own.cell : std::numeric_limits<std::uint64_t>::max());
  const bool mine = here && own.cell == all.cell;
  all.asked = ranks.max(mine ? own.asked : 0);
  all.drawn = ranks.max(mine ? own.drawn : 0);
  return all;
}

}  // namespace

void ask_for(std::span<double> weights, double largest, Uint128 sum, int exponent) {
  const detail::AskedProbability asked(largest, sum, exponent);
  for_each_on_host(
      "rivulet::alias_asked", (weights.size() + stretch - 1) / stretch, [&](std::size_t i) {
        const auto part = weights.subspan(i * stretch)
                              .first(std::min<std::size_t>(stretch, weights.size() - i * stretch));
        std::ranges::transform(part, part.begin(), asked);
      });
}

AliasPrecision alias_precision(const io::Communicator& ranks, const AliasLayout& layout,
                               std::span<const double> asked, std::span<const double> drawn) {
  std::vector<AliasPrecision> stretches((asked.size() + stretch - 1) / stretch);
  for_each_on_host("rivulet::alias_precision", stretches.size(), [&](std::size_t i) {
    AliasPrecision own;
    const std::size_t end = std::min<std::size_t>((i + 1) * stretch, asked.size());
    for (std::size_t cell = i * stretch; cell < end; ++cell) {
      own.see(layout.first_cell() + cell, asked[cell], drawn[cell]);
    }
    stretches[i] = own;
  });
  AliasPrecision all;
  for (const AliasPrecision& one : stretches) all.see(one);
  return {of_all(ranks, all.changed), of_all(ranks, all.lost), ranks.sum(all.lost_cells)};
}

}  // namespace rivulet
