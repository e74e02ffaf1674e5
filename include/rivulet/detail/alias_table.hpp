// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "rivulet/detail/text.hpp"
#include "rivulet/detail/uint128.hpp"
#include "rivulet/error.hpp"

// Walker's alias method: see docs/alias.md.

namespace rivulet::detail {

/// A bucket of Walker's alias method (ACM Trans. Math. Softw. 3 (1977) 253). A draw selects the
/// bucket's cell if a random number (the coin) is below the threshold, and the alias otherwise. If
/// a bucket belongs to its cell alone, its alias is that cell. Masses are in units of 2^-bits of a
/// bucket.
struct alignas(8) AliasEntry {
  using Mass = std::uint64_t;
  static constexpr int bits = 32;  ///< bits of the coin

  std::uint32_t threshold;
  std::uint32_t alias;
};

/// AliasEntry with a 64-bit coin, for tables with cells so unlikely that rounding to 2^-32 of a
/// bucket would distort their probabilities.
struct alignas(16) WideAliasEntry {
  using Mass = Uint128;
  static constexpr int bits = 64;

  std::uint64_t threshold;
  std::uint32_t alias;
};

template <class Entry>
inline constexpr typename Entry::Mass units_of_bucket = typename Entry::Mass{1} << Entry::bits;

/// Combines two words into one 64-bit number in [0, cells), in units of 2^-32: the integer part is
/// the bucket, and the fraction is the coin. The boundaries of buckets and of their parts are thus
/// exact to 2^-64 (thresholds have 32 bits). A single word for both would leave the coin only 32 -
/// log2(cells) bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t alias_position(std::uint32_t first, std::uint32_t second,
                                                         std::uint32_t cells) {
  return std::uint64_t{first} * cells + (std::uint64_t{second} * cells >> 32);
}

/// A 96-bit number: the integer part is the bucket, and the fraction is the coin.
struct WideAliasPosition {
  std::uint32_t bucket;
  std::uint64_t coin;
};
/// Combines three words into one 96-bit number in [0, cells), in units of 2^-64. The boundaries of
/// buckets and of their parts are thus exact to 2^-96.
KOKKOS_FORCEINLINE_FUNCTION WideAliasPosition wide_alias_position(std::uint32_t first,
                                                                  std::uint32_t second,
                                                                  std::uint32_t third,
                                                                  std::uint32_t cells) {
  const std::uint64_t upper = std::uint64_t{first} * cells;  // in units of 2^-32
  const std::uint64_t lower = alias_position(second, third, cells);
  const std::uint64_t middle = (upper & 0xffffffffU) + (lower >> 32);
  return {static_cast<std::uint32_t>((upper >> 32) + (middle >> 32)),
          middle << 32 | (lower & 0xffffffffU)};
}

inline std::string shortest_text(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// Throws Error if a table cannot have this number of cells.
inline void require_cells(std::uint64_t cells) {
  if (cells == 0) {
    throw Error("the table is empty", "it was given no weights",
                "Give a table of at least one cell.");
  }
  if (cells >> 32 != 0) {
    throw Error(text_of("a table of ", cells, " cells is too large"),
                "cells are numbered in 32 bits, so 4294967295 are the most",
                "Join neighbouring cells, or split the table.");
  }
}

inline void require_weight(bool any) {
  if (any) return;
  throw Error("all weights of the table are 0", "no cell could be drawn",
              "Give at least one positive weight.");
}

/// Returns the largest weight. Throws Error if a weight is invalid or all are 0.
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
    throw Error(
        text_of("weight ", cell, " of the table is ", kind),
        text_of("it is ", shortest_text(weight), ", and weights are finite and not below 0"),
        "Correct the table; cells are numbered from 0.");
  }
  require_weight(largest > 0);
  return largest;
}
inline double require_weights(std::span<const std::uint64_t> weights) {
  const auto largest = *std::max_element(weights.begin(), weights.end());
  require_weight(largest > 0);
  return static_cast<double>(largest);
}

}  // namespace rivulet::detail
