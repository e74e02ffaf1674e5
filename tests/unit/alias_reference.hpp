// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "host_copy.hpp"
#include "rivulet/detail/cumulative_rounding.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

template <class T>
Kokkos::View<const T*, Space> device_copy(const std::vector<T>& values) {
  const Kokkos::View<T*, Space> view("rivulet::test_values", values.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}

template <class Entry>
void expect_same(const std::vector<Entry>& entries, const std::vector<Entry>& expected) {
  ASSERT_EQ(entries.size(), expected.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ASSERT_EQ(entries[i].threshold, expected[i].threshold) << i;
    ASSERT_EQ(entries[i].alias, expected[i].alias) << i;
  }
}

template <class Entry>
std::vector<std::vector<Entry>> entries_of(const AliasTableOf<Entry>& table) {
  std::vector<std::vector<Entry>> levels;
  for (int level = 0; level < table.levels().count; ++level) {
    levels.push_back(host_copy(table.levels().entries[level]));
  }
  return levels;
}

/// The number of 32-bit words that a draw reads per level.
template <class Entry>
inline constexpr int level_words = Entry::bits / 32 + 1;

/// The bucket and the coin that, by definition, a level's words select for `cells` cells.
struct BucketAndCoin {
  std::uint64_t bucket;
  std::uint64_t coin;
};
template <class Entry>
BucketAndCoin bucket_and_coin(const std::uint32_t* words, std::uint64_t cells) {
  Uint128 number = 0;
  for (int w = 0; w < level_words<Entry>; ++w) number = number << 32 | words[w];
  const Uint128 position = number * cells >> 32;
  const auto bucket = static_cast<std::uint64_t>(position >> Entry::bits);
  return {bucket, static_cast<std::uint64_t>(position - (Uint128{bucket} << Entry::bits))};
}

/// Returns the cell that words[0 ..] draw.
template <class Entry>
std::uint32_t drawn_cell(const std::vector<std::vector<Entry>>& levels,
                         const std::vector<std::uint64_t>& extents, const std::uint32_t* words) {
  std::uint64_t cell = 0;
  for (std::size_t level = 0; level < levels.size(); ++level, words += level_words<Entry>) {
    const BucketAndCoin at = bucket_and_coin<Entry>(words, extents[level]);
    const Entry entry = levels[level][cell * extents[level] + at.bucket];
    cell = cell * extents[level] + (at.coin < entry.threshold ? at.bucket : entry.alias);
  }
  return static_cast<std::uint32_t>(cell);
}

inline constexpr int common_weight_kinds = 6;

/// Returns random weights, of which at least one is positive. The kinds are: smooth (0), with ties
/// (1), over hundreds of decades (2), with zeros (3), with a few very large weights (4), subnormal
/// (5), and powers of two down to 2^-59 (6) or 2^-39 (7).
inline std::vector<double> random_weights(std::mt19937_64& engine, std::size_t cells, int kind) {
  std::uniform_real_distribution<double> unit;
  std::vector<double> weights(cells);
  for (double& weight : weights) {
    const double u = unit(engine);
    if (kind == 0) weight = u;
    if (kind == 1) weight = std::floor(10 * u);
    if (kind == 2) weight = std::pow(10.0, 600 * u - 300);
    if (kind == 3) weight = u < 0.9 ? 0 : u;
    if (kind == 4) weight = 1 / (u + 1e-12);
    if (kind == 5) weight = u * std::numeric_limits<double>::min();
    if (kind == 6) weight = std::ldexp(1.0, -static_cast<int>(60 * u));
    if (kind == 7) weight = std::ldexp(1.0, -static_cast<int>(40 * u));
  }
  weights[engine() % cells] += kind == 5 ? 1e-310 : 1;
  return weights;
}

/// Returns floor(a * b / divisor), computed one bit of `a` at a time. Requires b <= divisor. The
/// result and 3 * divisor must fit in 128 bits.
inline Uint128 scaled(Uint128 a, Uint128 b, Uint128 divisor) {
  Uint128 quotient = 0;
  Uint128 remainder = 0;
  for (int bit = 127; bit >= 0; --bit) {
    quotient <<= 1;
    remainder = 2 * remainder + ((a >> bit & 1) != 0 ? b : 0);
    for (; remainder >= divisor; remainder -= divisor) ++quotient;
  }
  return quotient;
}

/// Returns the masses, computed by cumulative rounding. A bucket has 2^bits units.
inline std::vector<Uint128> rounded_masses(const std::vector<Uint128>& weights, int bits) {
  const Uint128 total = std::accumulate(weights.begin(), weights.end(), Uint128{0});
  const Uint128 units = Uint128{weights.size()} << bits;
  if (total == 0) return std::vector<Uint128>(weights.size(), Uint128{1} << bits);
  std::vector<Uint128> cumulative(weights.size());
  std::partial_sum(weights.begin(), weights.end(), cumulative.begin());
  for (Uint128& sum : cumulative) sum = (scaled(2 * units, sum, total) + 1) / 2;
  std::adjacent_difference(cumulative.begin(), cumulative.end(), cumulative.begin());
  return cumulative;
}
/// Returns the weights in units of 2^exponent, truncated to integers.
inline std::vector<Uint128> integer_weights(const std::vector<double>& weights, int exponent) {
  std::vector<Uint128> integers;
  for (const double weight : weights) {
    int above = 0;
    const double fraction = std::frexp(weight, &above);
    const Uint128 significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const int shift = above - 53 - exponent;
    integers.push_back(shift >= 0     ? significand << shift
                       : shift > -128 ? significand >> -shift
                                      : 0);
  }
  return integers;
}
template <class Entry>
std::vector<typename Entry::Mass> rounded_masses(const std::vector<double>& weights, int exponent) {
  const auto masses = rounded_masses(integer_weights(weights, exponent), Entry::bits);
  return {masses.begin(), masses.end()};
}
inline int exponent_of(const std::vector<double>& weights) {
  return detail::weight_exponent(*std::ranges::max_element(weights), weights.size());
}
template <class Entry>
std::vector<typename Entry::Mass> rounded_masses(const std::vector<double>& weights) {
  return rounded_masses<Entry>(weights, exponent_of(weights));
}

template <class Entry = AliasEntry>
AliasTableOf<Entry> table_of(const std::vector<double>& weights,
                             const std::vector<std::uint64_t>& extents) {
  return make_alias_table<Entry>(Space(), ExactWeights{device_copy(weights), exponent_of(weights)},
                                 extents);
}

/// Inverts the sweep: returns the units that the buckets assign to each cell.
template <class Entry>
std::vector<typename Entry::Mass> masses_of_entries(const std::vector<Entry>& entries) {
  constexpr auto units = detail::units_of_bucket<Entry>;
  std::vector<typename Entry::Mass> masses(entries.size());
  for (std::size_t bucket = 0; bucket < entries.size(); ++bucket) {
    const Entry entry = entries[bucket];
    const auto own_units = entry.alias == bucket ? units : entry.threshold;
    masses[bucket] += own_units;
    masses[entry.alias] += units - own_units;
  }
  return masses;
}

/// Sweeps with two pointers over light and heavy cells, in the order of their indices.
template <class Entry>
std::vector<Entry> sequential_sweep(std::vector<typename Entry::Mass> masses) {
  using Mass = typename Entry::Mass;
  using Threshold = decltype(Entry::threshold);
  constexpr Mass bucket = detail::units_of_bucket<Entry>;
  const auto cells = static_cast<std::uint32_t>(masses.size());
  std::vector<Entry> entries(cells);
  const std::vector<Mass> original = masses;
  const auto next_heavy = [&](std::uint32_t from) {
    while (from < cells && original[from] <= bucket) ++from;
    return from;
  };
  std::uint32_t heavy = next_heavy(0);
  const auto set = [&](std::uint32_t cell, Mass threshold, std::uint32_t alias) {
    entries[cell] = threshold == bucket ? Entry{static_cast<Threshold>(~Threshold{0}), cell}
                                        : Entry{static_cast<Threshold>(threshold), alias};
  };
  for (std::uint32_t light = 0; light < cells; ++light) {
    if (original[light] > bucket) continue;
    set(light, original[light], heavy);
    if (original[light] == bucket) continue;
    masses[heavy] -= bucket - original[light];
    while (heavy < cells && masses[heavy] <= bucket) {
      const std::uint32_t next = next_heavy(heavy + 1);
      set(heavy, masses[heavy], next);
      if (masses[heavy] < bucket) masses[next] -= bucket - masses[heavy];
      heavy = next;
    }
  }
  return entries;
}

}  // namespace rivulet
