// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "rivulet/detail/alias_table.hpp"
#include "rivulet/detail/cumulative_rounding.hpp"
#include "rivulet/detail/text.hpp"

// Compares the probabilities of cells in alias tables with the requested probabilities.

namespace rivulet {

/// Width of an alias table's thresholds (docs/alias.md). 64-bit thresholds need three words per
/// draw instead of two, and 16 bytes per cell instead of 8.
enum class ThresholdBits {
  automatic,  ///< 64 if 32 are too inaccurate and the table has at most 2^22 cells
  narrow,     ///< 32 bits
  wide        ///< 64 bits
};

namespace detail {

/// Above this relative error of a cell's probability, `automatic` selects 64-bit thresholds, and
/// AliasPrecision::warnings() returns a warning. A sample of 10^12 draws can detect such an error.
inline constexpr double most_cell_change = 1e-6;

/// Largest table for which `automatic` selects 64-bit thresholds. Larger tables would take too
/// long: one host thread computes the probabilities, at about 0.1 us per cell.
inline constexpr std::uint64_t most_wide_cells = std::uint64_t{1} << 22;

/// Computes requested probabilities: weight / sum, which is 0 only for a weight of 0. The results
/// are exact to about 2^-51, and the same on every machine.
class RequestedProbability {
 public:
  /// `sum` is in units of 2^exponent. `largest` is the table's largest weight.
  RequestedProbability(double largest, Uint128 sum, int exponent)
      : largest_(largest), largest_weights_(in_double(sum) / std::ldexp(largest, -exponent)) {}

  /// Divides by the largest weight first, because the sum may not be representable as a double.
  double operator()(double weight) const {
    if (weight == 0) return 0;
    return std::max(weight / largest_ / largest_weights_,
                    std::numeric_limits<double>::denorm_min());
  }

 private:
  double largest_;
  double largest_weights_;  ///< the sum divided by the largest weight
};

/// Computes the probability, rounded to double, with which a table draws each cell, and writes the
/// probabilities to `to`. A cell's probability is the fraction of the values of two words (three
/// for wide entries) that select the cell.
template <class Entry>
void table_probabilities(std::span<const Entry> entries, std::span<double> to) {
  const std::uint64_t cells = entries.size();
  // Returns the number of values whose alias position is below `position`. `position` is in units
  // of 2^-bits of a bucket.
  const auto below = [cells](Uint128 position) {
    const auto remainder = static_cast<std::uint64_t>(position % cells) << 32;
    return (position / cells << 32) + (remainder + cells - 1) / cells;
  };
  std::vector<Uint128> values(cells);
  for (std::uint64_t bucket = 0; bucket < cells; ++bucket) {
    const Uint128 begin = static_cast<Uint128>(bucket) << Entry::bits;
    const Uint128 end = begin + units_of_bucket<Entry>;
    const bool full = entries[bucket].alias == bucket;
    const Uint128 before = below(full ? end : begin + entries[bucket].threshold);
    values[bucket] += before - below(begin);
    values[entries[bucket].alias] += below(end) - before;
  }
  std::transform(values.begin(), values.end(), to.begin(),
                 [](Uint128 count) { return std::ldexp(in_double(count), -32 - Entry::bits); });
}

/// The first cell with the largest value.
struct ExtremeCell {
  double value = 0;
  std::uint64_t cell = 0;
  double requested = 0;
  double drawn = 0;

  void see(const ExtremeCell& other) {
    if (other.value > value) *this = other;
  }
};

/// Deviation of a table's probabilities from the requested ones.
struct AliasPrecision {
  ExtremeCell changed;  ///< largest |drawn / requested - 1| among cells that can be drawn
  ExtremeCell lost;     ///< largest requested probability among cells that are never drawn
  std::uint64_t lost_cells = 0;

  void see(std::uint64_t cell, double requested, double drawn) {
    if (requested == 0) return;
    if (drawn == 0) {
      ++lost_cells;
      lost.see({requested, cell, requested, drawn});
    } else {
      changed.see({std::abs(drawn / requested - 1), cell, requested, drawn});
    }
  }
  void see(const AliasPrecision& other) {
    changed.see(other.changed);
    lost.see(other.lost);
    lost_cells += other.lost_cells;
  }

  /// Returns the largest relative change of a cell of weight > 0. The result is at least 1 if such
  /// a cell is never drawn.
  double largest_change() const { return lost_cells > 0 && changed.value < 1 ? 1 : changed.value; }

  /// Returns warnings if a cell is lost or changes by more than most_cell_change. `bits` is the
  /// width of the thresholds. `more` is the option for wider thresholds, empty if there is none.
  std::vector<std::string> warnings(int bits, const std::string& more) const;
};

/// Formats a number as printf's %.<digits>g does.
inline std::string short_text(double value, int digits) {
  char text[40];
  const auto general = std::chars_format::general;
  return std::string(text, std::to_chars(text, text + sizeof text, value, general, digits).ptr);
}

inline std::vector<std::string> AliasPrecision::warnings(int bits, const std::string& more) const {
  const std::string why = text_of(" (thresholds have ", bits, " bits). ",
                                  more.empty() ? "Join unlikely cells." : "Use " + more + ".");
  std::vector<std::string> all;
  if (lost_cells > 0) {
    all.push_back(text_of("cells of positive weight that are never drawn: ", lost_cells, "; cell ",
                          lost.cell, " is the likeliest, and its probability should be ",
                          short_text(lost.requested, 3), why));
  }
  if (changed.value > most_cell_change) {
    all.push_back(text_of("cell ", changed.cell, " is drawn with probability ",
                          short_text(changed.drawn, 8), " instead of ",
                          short_text(changed.requested, 8), ", a relative change of ",
                          short_text(changed.value, 2), why));
  }
  return all;
}

template <class Entry, class Weight>
AliasPrecision precision_of(std::span<const Entry> entries, std::span<const Weight> weights,
                            const RequestedProbability& requested) {
  std::vector<double> drawn(entries.size());
  table_probabilities(entries, std::span(drawn));
  AliasPrecision precision;
  for (std::size_t cell = 0; cell < drawn.size(); ++cell) {
    precision.see(cell, requested(static_cast<double>(weights[cell])), drawn[cell]);
  }
  return precision;
}

}  // namespace detail
}  // namespace rivulet
