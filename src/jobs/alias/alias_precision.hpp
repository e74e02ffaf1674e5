// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/communicator.hpp"
#include "jobs/alias/alias_layout.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// A table whose cells are drawn with probabilities off by more than this, relatively, is warned
/// of, and has thresholds of 64 bits where the deck leaves the choice. A sample of 10^12 sees it.
inline constexpr double most_cell_change = 1e-6;

/// The probabilities that weights ask for: weight / sum, 0 for weights of 0 alone. `sum` is in
/// units of 2^exponent, largest the table's largest weight. To about 2^-51, the same on every
/// machine.
void ask_for(std::span<double> weights, double largest, Uint128 sum, int exponent);

/// How far what a table draws is from what its weights ask for.
struct AliasPrecision {
  /// The largest |drawn / asked - 1| of a cell of weight > 0: of those that are drawn at all, and
  /// of all, 1 for those that are not.
  double largest_change() const { return lost_cells > 0 && change < 1 ? 1 : change; }

  double change = 0;
  std::uint64_t changed_cell = 0;  ///< the first one of that change
  double changed_asked = 0;        ///< its probabilities
  double changed_drawn = 0;
  std::uint64_t lost_cells = 0;  ///< of weight > 0, but never drawn
  std::uint64_t lost_cell = 0;   ///< the likeliest of them, of equal ones the first
  double lost_asked = 0;         ///< its probability

  /// What a user should know of it; bits: of the thresholds. Empty where the change is small.
  std::vector<std::string> warnings(int bits, bool has_more_bits) const;
};

/// From the probabilities of the layout's part. Collective.
AliasPrecision alias_precision(const io::Communicator& ranks, const AliasLayout& layout,
                               std::span<const double> asked, std::span<const double> drawn);

}  // namespace rivulet
