// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <NTL/ZZ.h>

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

inline Uint128 to_uint128(const NTL::ZZ& value) {
  unsigned char bytes[16] = {};
  NTL::BytesFromZZ(bytes, value, sizeof bytes);  // the least significant first
  Uint128 number = 0;
  for (int i = 15; i >= 0; --i) number = number << 8 | bytes[i];
  return number;
}

/// The largest-remainder rule in integers of any length, of weights cut off below 2^exponent, with
/// 2^bits units a bucket.
inline std::vector<Uint128> largest_remainder_of_bits(const std::vector<double>& weights,
                                                      int exponent, int bits) {
  std::vector<NTL::ZZ> exact;
  NTL::ZZ total(0);
  for (const double weight : weights) {
    int above = 0;
    const double fraction = std::frexp(weight, &above);
    NTL::ZZ significand(static_cast<long>(std::ldexp(fraction, 53)));
    const long shift = above - 53 - exponent;
    exact.push_back(shift >= 0 ? significand << shift : significand >> -shift);
    total += exact.back();
  }
  const NTL::ZZ units = NTL::ZZ(static_cast<long>(weights.size())) << bits;
  std::vector<Uint128> masses(weights.size(), Uint128{1} << bits);
  if (total == 0) return masses;
  std::vector<NTL::ZZ> rest(weights.size());
  NTL::ZZ left(units);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    NTL::ZZ whole;
    NTL::DivRem(whole, rest[i], units * exact[i], total);
    masses[i] = to_uint128(whole);
    left -= whole;
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto a, auto b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(NTL::conv<long>(left)); ++i) {
    masses[order[i]] += 1;
  }
  return masses;
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
