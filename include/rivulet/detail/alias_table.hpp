// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "rivulet/detail/ieee754.hpp"
#include "rivulet/detail/uint128.hpp"
#include "rivulet/error.hpp"

// Walker's alias method, on the host: see docs/alias.md.

namespace rivulet::detail {

/// A bucket of Walker's alias method (ACM Trans. Math. Softw. 3 (1977) 253): a coin below the
/// threshold selects the bucket's own cell, any other coin its alias. A bucket that belongs to its
/// own cell alone is its own alias. Masses are in units of 2^-bits of a bucket.
struct alignas(8) AliasEntry {
  using Mass = std::uint64_t;
  static constexpr int bits = 32;  ///< of the coin

  std::uint32_t threshold;
  std::uint32_t alias;
};

/// AliasEntry with a coin of 64 bits, for tables with cells so unlikely that whole units of 2^-32
/// of a bucket misrepresent their probabilities.
struct alignas(16) WideAliasEntry {
  using Mass = Uint128;
  static constexpr int bits = 64;

  std::uint64_t threshold;
  std::uint32_t alias;
};

template <class Entry>
inline constexpr typename Entry::Mass units_of_bucket = typename Entry::Mass{1} << Entry::bits;

/// Combines two words to one number of 64 bits in [0, cells), in units of 2^-32: its whole part is
/// the bucket, the rest the coin. The boundaries of buckets and of their parts are thus exact to
/// 2^-64 (thresholds have 32 bits); with one word for both, the coin would have 32 - log2(cells)
/// bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t alias_position(std::uint32_t first, std::uint32_t second,
                                                         std::uint32_t cells) {
  return std::uint64_t{first} * cells + (std::uint64_t{second} * cells >> 32);
}

/// Combines three words to one number of 96 bits in [0, cells), in units of 2^-64. The boundaries
/// of buckets and of their parts are thus exact to 2^-96.
struct WideAliasPosition {
  std::uint32_t bucket;
  std::uint64_t coin;
};
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
  const auto end = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end.ptr);
}

/// Throws Error if a table cannot have this number of cells.
inline void require_cells(std::uint64_t cells) {
  if (cells == 0) {
    throw Error("the table is empty", "it was given no weights",
                "Give a table of at least one cell.");
  }
  if (cells >> 32 != 0) {
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

/// The largest weight. Throws Error for an invalid weight.
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

/// Most bits of the sum of a table's weights: estimates of quotients in double precision, wrong by
/// 2^13 at most, can then be corrected in 128-bit integers.
inline constexpr int weight_sum_bits = 112;

/// The exponent of the unit of the weights of `cells` cells (at most 2^32), the largest of them
/// `largest`: their sum stays below 2^weight_sum_bits units. Lower bits are truncated: those below
/// 2^-79 of the largest weight, and none of integers.
inline int weight_exponent(double largest, std::uint64_t cells) {
  int above = 0;  // largest < 2^above
  std::frexp(largest, &above);
  int sum_bits = 0;
  while (sum_bits < 64 && std::uint64_t{1} << sum_bits < cells) ++sum_bits;
  return above + sum_bits - weight_sum_bits;
}

/// A weight in units of 2^exponent, truncated.
KOKKOS_FORCEINLINE_FUNCTION Uint128 in_units(double weight, int exponent) {
  std::uint64_t bits = 0;
  memcpy(&bits, &weight, sizeof bits);
  // IEEE 754 double: 52 bits of fraction, then 11 of exponent, 0 for numbers without a leading 1.
  constexpr std::uint64_t leading_one = std::uint64_t{1} << 52;
  const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & (leading_one - 1);
  const std::uint64_t significand = biased == 0 ? fraction : fraction | leading_one;
  const int shift = (biased == 0 ? 1 : biased) - 1075 - exponent;
  if (shift >= 0) return static_cast<Uint128>(significand) << shift;
  return shift > -64 ? significand >> -shift : 0;
}

/// Weights as integers, in units of 2^exponent, whose sum has at most weight_sum_bits.
struct WholeWeights {
  std::vector<Uint128> each;
  double largest = 0;  ///< the largest weight as given
  int exponent = 0;

  Uint128 sum() const { return std::accumulate(each.begin(), each.end(), Uint128{0}); }
};
inline WholeWeights whole_weights(std::span<const double> weights) {
  WholeWeights whole;
  whole.largest = require_weights(weights);
  whole.exponent = weight_exponent(whole.largest, weights.size());
  whole.each.resize(weights.size());
  std::transform(weights.begin(), weights.end(), whole.each.begin(),
                 [&](double weight) { return in_units(weight, whole.exponent); });
  return whole;
}
inline WholeWeights whole_weights(std::span<const std::uint64_t> weights) {
  const auto largest = std::max_element(weights.begin(), weights.end());
  require_weight(*largest > 0);
  return {{weights.begin(), weights.end()}, static_cast<double>(*largest), 0};
}

/// A weight's quota of a table's mass: whole units, and the remainder in units / total.
struct Quota {
  Uint128 whole;
  Uint128 rest;  ///< below total
};

/// The double nearest to a number of 128 bits, or its neighbour.
KOKKOS_FORCEINLINE_FUNCTION double in_double(Uint128 value) {
  return 0x1p64 * static_cast<double>(static_cast<std::uint64_t>(value >> 64)) +
         static_cast<double>(static_cast<std::uint64_t>(value));
}

/// The quotas of one table of `cells` cells, in units of 2^-32 of a bucket: exact, from estimates
/// in double precision that are corrected. total: the sum of the weights, below 2^112.
class QuotaOf {
 public:
  KOKKOS_FUNCTION QuotaOf(Uint128 total, std::uint64_t cells)
      : total_(total),
        units_(cells << 32),
        inverse_(1.0 / in_double(total)),
        scale_(static_cast<double>(units_) * inverse_) {}

  KOKKOS_FUNCTION Uint128 total() const { return total_; }
  KOKKOS_FUNCTION std::uint64_t units() const { return units_; }

  /// approximate: the weight to double precision.
  KOKKOS_FORCEINLINE_FUNCTION Quota operator()(Uint128 weight, double approximate) const {
    const double estimate = approximate * scale_;
    return corrected(0,
                     estimate < 0x1p64 ? static_cast<std::uint64_t>(estimate) : ~std::uint64_t{0},
                     units_ * weight);
  }
  /// A quota in units of 2^-64.
  KOKKOS_FUNCTION Quota finer(const Quota& quota) const {
    const double estimate = in_double(quota.rest) * inverse_ * 0x1p32;
    return corrected(quota.whole << 32, static_cast<std::uint64_t>(estimate), quota.rest << 32);
  }

 private:
  /// `before` and product / total, of which `whole` is an estimate. product: modulo 2^128; the
  /// estimate is close enough that the sign bit of the difference is the sign.
  KOKKOS_FORCEINLINE_FUNCTION Quota corrected(Uint128 before, std::uint64_t whole,
                                              Uint128 product) const {
    Uint128 rest = product - whole * total_;
    while (rest >= total_) correct(whole, rest);
    return {before + whole, rest};
  }
  KOKKOS_FUNCTION void correct(std::uint64_t& whole, Uint128& rest) const {
    const bool negative = rest >> 127 != 0;
    auto by = static_cast<std::uint64_t>(in_double(negative ? Uint128{0} - rest : rest) * inverse_);
    if (by == 0) by = 1;
    whole = negative ? whole - by : whole + by;
    rest = negative ? rest + by * total_ : rest - by * total_;
  }

  Uint128 total_;
  std::uint64_t units_;
  double inverse_;
  double scale_;
};

/// Divides the mass of `cells` buckets in proportion to the weights, weight(i) of cell i: gives
/// each cell its whole units, and then one unit each to the cells with the largest remainders; of
/// equal remainders the lower index goes first. Without any weight each cell has a bucket.
template <class Entry, class Weight>
std::vector<typename Entry::Mass> masses_of(std::size_t cells, const Weight& weight) {
  using Mass = typename Entry::Mass;
  std::vector<Mass> masses(cells, units_of_bucket<Entry>);
  Uint128 total = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) total += weight(cell);
  if (total == 0) return masses;
  const QuotaOf quota_of(total, cells);
  std::vector<Uint128> rests(cells);
  Mass units = cells * units_of_bucket<Entry>;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Uint128 own = weight(cell);
    Quota quota = quota_of(own, in_double(own));
    if constexpr (Entry::bits == 64) quota = quota_of.finer(quota);
    masses[cell] = static_cast<Mass>(quota.whole);
    rests[cell] = quota.rest;
    units -= masses[cell];
  }
  if (units == 0) return masses;
  std::vector<std::uint32_t> order(cells);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(units);
  std::nth_element(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return rests[a] != rests[b] ? rests[a] > rests[b] : a < b;
  });
  std::for_each(order.begin(), end, [&](std::uint32_t cell) { masses[cell] += 1; });
  return masses;
}

/// Makes a table's buckets from masses, which sum to the number of buckets: heavy cells fill the
/// deficits of light cells, both in the order of their indices. A cell without mass has threshold 0
/// and is no cell's alias.
template <class Entry>
void make_entries(const typename Entry::Mass* masses, std::uint32_t cells, Entry* entries) {
  using Mass = typename Entry::Mass;
  using Coin = decltype(Entry::threshold);
  constexpr Mass bucket = units_of_bucket<Entry>;
  const auto set = [=](std::uint32_t cell, Mass own, std::uint32_t alias) {
    entries[cell] = own == bucket ? Entry{static_cast<Coin>(~Coin{0}), cell}
                                  : Entry{static_cast<Coin>(own), alias};
  };
  const auto heavy_from = [=](std::uint32_t cell) {
    while (cell < cells && masses[cell] <= bucket) ++cell;
    return cell;
  };
  std::uint32_t heavy = heavy_from(0);
  Mass left = heavy < cells ? masses[heavy] : 0;  // of the heavy cell's mass
  for (std::uint32_t light = 0; light < cells; ++light) {
    if (masses[light] > bucket) continue;
    set(light, masses[light], heavy);
    left -= bucket - masses[light];  // 0 once no heavy cell is left
    // A heavy cell with a bucket or less left takes from the next one.
    while (heavy < cells && left <= bucket) {
      const std::uint32_t next = heavy_from(heavy + 1);
      set(heavy, left, next);
      left = next < cells ? masses[next] - (bucket - left) : 0;
      heavy = next;
    }
  }
}
template <class Entry>
std::vector<Entry> entries_of(std::span<const typename Entry::Mass> masses) {
  std::vector<Entry> entries(masses.size());
  make_entries(masses.data(), static_cast<std::uint32_t>(masses.size()), entries.data());
  return entries;
}

template <class Entry>
std::vector<typename Entry::Mass> masses_of(const WholeWeights& weights) {
  return masses_of<Entry>(weights.each.size(), [&](std::size_t i) { return weights.each[i]; });
}

}  // namespace rivulet::detail
