// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "rivulet/error.hpp"

// Tables for Walker's alias method, on the host: see docs/alias.md.

namespace rivulet::detail {

/// A bucket of Walker's alias method (ACM Trans. Math. Softw. 3 (1977) 253): a coin of 32 bits
/// below the threshold takes the bucket's own cell, any other its alias. A bucket that is all its
/// own cell's is its own alias.
struct alignas(8) AliasBucket {
  std::uint32_t threshold;
  std::uint32_t alias;
};

__extension__ using Wide = unsigned __int128;

/// What a bucket holds: a coin is one word of 32 bits.
inline constexpr std::uint64_t units_of_bucket = std::uint64_t{1} << 32;

inline std::string shortest_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

/// Throws Error where a table cannot have so many cells.
inline void require_cells(std::uint64_t cells) {
  if (cells == 0) {
    throw Error("the table is empty", "it was given no weights",
                "Give a table of at least one cell.");
  }
  if (cells >= units_of_bucket) {
    throw Error("a table of " + std::to_string(cells) + " cells is too large",
                "cells are numbered in 32 bits, so 4294967295 are the most",
                "Join neighbouring cells, or split the table.");
  }
}

inline void require_weight(bool any) {
  if (any) return;
  throw Error("all weights of the table are 0", "then there is no cell to draw",
              "Give at least one positive weight.");
}

/// The largest weight. Throws Error for a weight that is none.
inline double require_weights(std::span<const double> weights) {
  double largest = 0;
  for (std::size_t cell = 0; cell < weights.size(); ++cell) {
    const double weight = weights[cell];
    if (weight >= 0 && std::isfinite(weight)) {
      largest = std::max(largest, weight);
      continue;
    }
    const char* const kind = std::isnan(weight) ? "not a number"
                             : weight < 0       ? "negative"
                                                : "infinite";
    throw Error("weight " + std::to_string(cell) + " of the table is " + kind,
                "it is " + shortest_text(weight) + ", and weights are finite and not below 0",
                "Correct the table; cells are numbered from 0.");
  }
  require_weight(largest > 0);
  return largest;
}

/// A weight in units of 2^exponent; what is below that is cut off.
inline Wide in_units(double weight, int exponent) {
  constexpr int significand_bits = 53;
  int above = 0;
  const double fraction = std::frexp(weight, &above);
  const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, significand_bits));
  const int shift = above - significand_bits - exponent;
  if (shift >= 0) return static_cast<Wide>(significand) << shift;
  return shift > -64 ? significand >> -shift : 0;
}

/// Weights as integers whose sum has at most 112 bits: bits below 2^-79 of the largest are cut off.
inline std::vector<Wide> exact_weights(std::span<const double> weights) {
  constexpr int sum_bits = 112;
  int above = 0;
  std::frexp(require_weights(weights), &above);
  int cell_bits = 0;
  while (std::uint64_t{1} << cell_bits < weights.size()) ++cell_bits;
  std::vector<Wide> exact(weights.size());
  std::transform(weights.begin(), weights.end(), exact.begin(),
                 [&](double weight) { return in_units(weight, above + cell_bits - sum_bits); });
  return exact;
}
inline std::vector<Wide> exact_weights(std::span<const std::uint64_t> weights) {
  require_weight(
      std::any_of(weights.begin(), weights.end(), [](auto weight) { return weight > 0; }));
  return {weights.begin(), weights.end()};
}

/// units * weight / total in whole units, and what is left over, in units / total.
struct WideShare {
  std::uint64_t whole = 0;
  Wide rest = 0;
};

/// weight <= total < 2^112. Division by hand, in digits so small that nothing outgrows 128 bits.
inline WideShare share_of(std::uint64_t units, Wide weight, Wide total) {
  constexpr int digit_bits = 15;
  constexpr std::uint64_t digit = (std::uint64_t{1} << digit_bits) - 1;
  WideShare share;
  for (int shift = 4 * digit_bits; shift >= 0; shift -= digit_bits) {
    const Wide part = (share.rest << digit_bits) + (units >> shift & digit) * weight;
    share.whole = (share.whole << digit_bits) + static_cast<std::uint64_t>(part / total);
    share.rest = part % total;
  }
  return share;
}

/// A mass of 2^32 units a cell divided in proportion to the weights: whole units first, those left
/// over one each to the largest remainders, of equal ones to the cells of lower index.
inline std::vector<std::uint64_t> masses_of(const std::vector<Wide>& weights) {
  const std::uint64_t units = weights.size() * units_of_bucket;
  const Wide total = std::accumulate(weights.begin(), weights.end(), Wide{0});
  std::vector<std::uint64_t> masses(weights.size());
  std::vector<Wide> rest(weights.size());
  std::uint64_t left = units;
  for (std::size_t cell = 0; cell < weights.size(); ++cell) {
    const WideShare share = share_of(units, weights[cell], total);
    masses[cell] = share.whole;
    rest[cell] = share.rest;
    left -= share.whole;
  }
  std::vector<std::uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const auto last = order.begin() + static_cast<std::ptrdiff_t>(left);
  std::nth_element(order.begin(), last, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rest[a] != rest[b] ? rest[a] > rest[b] : a < b;
  });
  std::for_each(order.begin(), last, [&](std::uint32_t cell) { ++masses[cell]; });
  return masses;
}

/// Buckets from masses: what light cells lack, heavy cells give, both in the order of their
/// indices. A cell without mass has threshold 0 and is nobody's alias.
inline std::vector<AliasBucket> buckets_of(const std::vector<std::uint64_t>& masses) {
  const auto cells = static_cast<std::uint32_t>(masses.size());
  std::vector<AliasBucket> buckets(cells);
  std::uint64_t left = 0;  // of the heavy cell's mass
  std::uint32_t heavy = cells;
  const auto to_next_heavy = [&](std::uint32_t from) {
    for (heavy = from; heavy < cells && masses[heavy] <= units_of_bucket; ++heavy) {
    }
    left = heavy < cells ? masses[heavy] : 0;
  };
  const auto set = [&](std::uint32_t cell, std::uint64_t own, std::uint32_t alias) {
    buckets[cell] = own == units_of_bucket ? AliasBucket{~std::uint32_t{0}, cell}
                                           : AliasBucket{static_cast<std::uint32_t>(own), alias};
  };
  to_next_heavy(0);
  for (std::uint32_t light = 0; light < cells; ++light) {
    if (masses[light] > units_of_bucket) continue;
    std::uint64_t own = masses[light];
    set(light, own, heavy);
    // A heavy cell that has given all but a bucket or less takes from the next one.
    while (own < units_of_bucket) {
      left -= units_of_bucket - own;
      if (left > units_of_bucket) break;
      const std::uint32_t spent = heavy;
      own = left;
      to_next_heavy(spent + 1);
      set(spent, own, heavy);
    }
  }
  return buckets;
}

template <class Weight>
std::vector<AliasBucket> alias_buckets(std::span<const Weight> weights) {
  require_cells(weights.size());
  return buckets_of(masses_of(exact_weights(weights)));
}

}  // namespace rivulet::detail
