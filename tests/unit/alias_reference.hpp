// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sampling/alias_table.hpp"

namespace rivulet {

template <class View>
std::vector<typename View::non_const_value_type> host_copy(const View& view) {
  const auto host = Kokkos::create_mirror_view(view);
  Kokkos::fence();
  Kokkos::deep_copy(host, view);
  return {host.data(), host.data() + host.extent(0)};
}

template <class T>
Kokkos::View<const T*, Space> device_copy(const std::vector<T>& values) {
  const Kokkos::View<T*, Space> view("rivulet::test_values", values.size());
  const auto host = Kokkos::create_mirror_view(view);
  std::copy(values.begin(), values.end(), host.data());
  Kokkos::deep_copy(view, host);
  return view;
}

inline bool same_entry(const AliasEntry& a, const AliasEntry& b) {
  return a.threshold == b.threshold && a.alias == b.alias;
}

/// The largest-remainder rule with 2^bits units a bucket. Products and quotients are made together,
/// a bit at a time, and never exceed 128 bits.
inline std::vector<Uint128> largest_remainder_of_bits(const std::vector<Uint128>& weights,
                                                      int bits) {
  const Uint128 total = std::accumulate(weights.begin(), weights.end(), Uint128{0});
  const Uint128 units = Uint128{weights.size()} << bits;
  std::vector<Uint128> masses(weights.size(), Uint128{1} << bits);
  if (total == 0) return masses;
  EXPECT_LT(total, Uint128{1} << 126);
  std::vector<Uint128> rest(weights.size());
  Uint128 left = units;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    masses[i] = 0;
    for (int bit = 127; bit >= 0; --bit) {
      masses[i] <<= 1;
      rest[i] = 2 * rest[i] + ((units >> bit & 1) != 0 ? weights[i] : 0);
      for (; rest[i] >= total; rest[i] -= total) ++masses[i];
    }
    left -= masses[i];
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto a, auto b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(left); ++i) {
    masses[order[i]] += 1;
  }
  return masses;
}
/// The same for weights cut off below 2^exponent.
inline std::vector<Uint128> largest_remainder_of_bits(const std::vector<double>& weights,
                                                      int exponent, int bits) {
  std::vector<Uint128> exact;
  for (const double weight : weights) {
    int above = 0;
    const double fraction = std::frexp(weight, &above);
    const Uint128 significand = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const int shift = above - 53 - exponent;
    exact.push_back(shift >= 0 ? significand << shift : shift > -128 ? significand >> -shift : 0);
  }
  return largest_remainder_of_bits(exact, bits);
}
inline std::vector<std::uint64_t> largest_remainder(const std::vector<double>& weights,
                                                    int exponent) {
  const auto masses = largest_remainder_of_bits(weights, exponent, 32);
  return {masses.begin(), masses.end()};
}
inline std::vector<std::uint64_t> largest_remainder(const std::vector<double>& weights) {
  return largest_remainder(weights,
                           weight_exponent(*std::ranges::max_element(weights), weights.size()));
}

/// The inverse of the sweep: the units that buckets give each cell.
inline std::vector<std::uint64_t> masses_of_entries(const std::vector<AliasEntry>& entries) {
  std::vector<std::uint64_t> masses(entries.size());
  for (std::size_t bucket = 0; bucket < entries.size(); ++bucket) {
    const AliasEntry entry = entries[bucket];
    const std::uint64_t own = entry.alias == bucket ? bucket_units : entry.threshold;
    masses[bucket] += own;
    masses[entry.alias] += bucket_units - own;
  }
  return masses;
}

/// Two pointers over light and heavy cells, in the order of their indices.
inline std::vector<AliasEntry> sequential_sweep(std::vector<std::uint64_t> masses) {
  constexpr std::uint64_t bucket = std::uint64_t{1} << 32;
  const auto cells = static_cast<std::uint32_t>(masses.size());
  std::vector<AliasEntry> entries(cells);
  const auto next_heavy = [&, original = masses](std::uint32_t from) {
    while (from < cells && original[from] <= bucket) ++from;
    return from;
  };
  std::uint32_t heavy = next_heavy(0);
  const auto set = [&](std::uint32_t cell, std::uint64_t threshold, std::uint32_t alias) {
    entries[cell] = threshold == bucket ? AliasEntry{~std::uint32_t{0}, cell}
                                        : AliasEntry{static_cast<std::uint32_t>(threshold), alias};
  };
  const std::vector<std::uint64_t> original = masses;
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
