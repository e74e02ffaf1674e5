// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_precision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rivulet/detail/host_parallel.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t stretch = std::uint64_t{1} << 16;

double in_double(Uint128 value) {
  return 0x1p64 * static_cast<double>(static_cast<std::uint64_t>(value >> 64)) +
         static_cast<double>(static_cast<std::uint64_t>(value));
}

/// A cell with a value, of which the larger, and of equal ones the first, is sought.
struct Extreme {
  double value = 0;
  std::uint64_t cell = 0;
  double asked = 0;
  double drawn = 0;

  void see(const Extreme& other) {
    if (other.value > value) *this = other;
  }
};

/// Of all ranks.
Extreme of_all(const io::Communicator& ranks, const Extreme& own) {
  Extreme all;
  all.value = ranks.max(own.value);
  const bool here = own.value == all.value;
  all.cell = ranks.min(here ? own.cell : std::numeric_limits<std::uint64_t>::max());
  const bool mine = here && own.cell == all.cell;
  all.asked = ranks.max(mine ? own.asked : 0);
  all.drawn = ranks.max(mine ? own.drawn : 0);
  return all;
}

struct Seen {
  Extreme changed;
  Extreme lost;
  std::uint64_t lost_cells = 0;

  void see(std::uint64_t cell, double asked, double drawn) {
    if (asked == 0) return;
    if (drawn == 0) {
      ++lost_cells;
      lost.see({asked, cell, asked, drawn});
    } else {
      changed.see({std::abs(drawn / asked - 1), cell, asked, drawn});
    }
  }
};

}  // namespace

void ask_for(std::span<double> weights, double largest, Uint128 sum, int exponent) {
  // Quotients by the largest weight, since sums of doubles may be no doubles.
  const double largest_weights = in_double(sum) / std::ldexp(largest, -exponent);
  for_each_on_host(
      "rivulet::alias_asked", (weights.size() + stretch - 1) / stretch, [&](std::size_t i) {
        const auto part = weights.subspan(i * stretch)
                              .first(std::min<std::size_t>(stretch, weights.size() - i * stretch));
        for (double& weight : part) {
          if (weight == 0) continue;
          weight = std::max(weight / largest / largest_weights,
                            std::numeric_limits<double>::denorm_min());
        }
      });
}

AliasPrecision alias_precision(const io::Communicator& ranks, const AliasLayout& layout,
                               std::span<const double> asked, std::span<const double> drawn) {
  std::vector<Seen> stretches((asked.size() + stretch - 1) / stretch);
  for_each_on_host("rivulet::alias_precision", stretches.size(), [&](std::size_t i) {
    Seen own;
    const std::size_t end = std::min<std::size_t>((i + 1) * stretch, asked.size());
    for (std::size_t cell = i * stretch; cell < end; ++cell) {
      own.see(layout.first_cell() + cell, asked[cell], drawn[cell]);
    }
    stretches[i] = own;
  });
  Seen all;
  for (const Seen& one : stretches) {
    all.changed.see(one.changed);
    all.lost.see(one.lost);
    all.lost_cells += one.lost_cells;
  }
  const Extreme changed = of_all(ranks, all.changed);
  const Extreme lost = of_all(ranks, all.lost);
  return {changed.value, changed.cell, changed.asked, changed.drawn, ranks.sum(all.lost_cells),
          lost.cell,     lost.asked};
}

std::vector<std::string> AliasPrecision::warnings(int bits, bool has_more_bits) const {
  std::vector<std::string> all;
  const std::string advice =
      has_more_bits ? "; table.bits=64 is more accurate" : "; joining unlikely cells would help";
  const std::string why = fmt::format("thresholds have {} bits{}", bits, advice);
  if (lost_cells > 0) {
    all.push_back(
        fmt::format("cells of positive weight that are never drawn: {}; cell {} is the "
                    "likeliest, and its probability should be {:.3g} ({})",
                    lost_cells, lost_cell, lost_asked, why));
  }
  if (change > most_cell_change) {
    all.push_back(
        fmt::format("cell {} is drawn with probability {:.8g} instead of {:.8g}, a "
                    "relative change of {:.2g} ({})",
                    changed_cell, changed_drawn, changed_asked, change, why));
  }
  return all;
}

}  // namespace rivulet
