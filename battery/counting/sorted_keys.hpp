// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "battery/counting/histogram.hpp"

namespace rivulet::detail {

/// Returns how many of the ascending keys are below `key`.
KOKKOS_INLINE_FUNCTION std::uint64_t keys_below(const std::uint64_t* keys, std::uint64_t count,
                                                std::uint64_t key) {
  std::uint64_t first = 0;
  while (count > 0) {
    const std::uint64_t half = count / 2;
    const bool is_below = keys[first + half] < key;
    if (is_below) first += half + 1;
    count = is_below ? count - half - 1 : half;
  }
  return first;
}

/// Computes a part of the Anderson-Darling sum. This is a functor instead of a lambda for the
/// reason given in histogram.cpp.
template <class Law>
struct AndersonDarlingPart {
  Law law;
  Owned<std::uint64_t> keys;
  LaneItems share;
  Owned<double> sums;

  KOKKOS_FUNCTION void operator()(std::uint64_t part) const {
    constexpr double min_u = 0x1p-53;  // TestU01's bound, which keeps logarithms finite
    double sum = 0;
    for (std::uint64_t i = share.range_begin(part); i < share.range_begin(part + 1); ++i) {
      double u = law(keys(i));
      u = u < min_u ? min_u : u > 1 - min_u ? 1 - min_u : u;
      const double odd = 2 * static_cast<double>(i) + 1;
      sum += odd * std::log(u) + (2 * static_cast<double>(share.items) - odd) * std::log1p(-u);
    }
    sums(part) = sum;
  }
};

/// Sorts 64-bit integers in memory that the space can access.
class SortedKeys {
 public:
  /// Throws Error if memory is insufficient.
  SortedKeys(const Space& space, std::uint64_t count);
  static std::uint64_t bytes(std::uint64_t count) { return 2 * count * sizeof(std::uint64_t); }

  std::uint64_t* data() const { return keys_.data(); }
  /// Makes the other functions use only the first `count` keys, until the next call of use().
  void use(std::uint64_t count) { count_ = count; }
  /// Sorts keys below 2^bits. The keys must already be sorted by their lowest `sorted_bits` bits.
  void sort(int bits, int sorted_bits = 0);
  /// Replaces each sorted key with the distance to the next key. The last distance wraps around to
  /// the first key. Keys are below `cells` (0 for 2^64).
  void to_spacings(std::uint64_t cells);
  /// Returns the number of bits of the largest key. Blocking.
  int bits() const;
  /// Returns the number of sorted keys that equal their predecessor. Blocking.
  std::uint64_t repeated() const;
  /// Returns the largest number of leading bits on which two adjacent sorted keys agree. Keys have
  /// `bits` bits. Blocking.
  int agreed(int bits) const;
  /// Returns, for each value, how many of the sorted keys are below it. Blocking.
  std::vector<std::uint64_t> below(const std::vector<std::uint64_t>& values) const;
  /// Returns the sum of (2 i + 1) ln u[i] + (2 n - 2 i - 1) ln(1 - u[i]) over n sorted keys, where
  /// u[i] = law(key).
  template <class Law>
  double anderson_darling_sum(const Law& law) const {
    // The number of parts is the same on every machine. The order of summation is therefore also
    // the same, and sums differ only if the last bits of law() or of the logarithms do.
    constexpr std::uint64_t parts = std::uint64_t{1} << 14;
    const Owned<double> sums("rivulet::battery_sums", parts);
    for_each(space_, parts, "rivulet::battery_anderson_darling",
             AndersonDarlingPart<Law>{law, keys_, {parts, count_}, sums});
    const std::vector<double> all = on_host(space_, sums);
    return std::accumulate(all.begin(), all.end(), 0.0);
  }

 private:
  using Keys = Owned<std::uint64_t>;

  Space space_;
  std::uint64_t count_;
  std::uint64_t lanes_;
  Keys keys_;
  Keys other_;
  Keys places_;  ///< next sorted positions, by digit and then by lane
};

}  // namespace rivulet::detail
