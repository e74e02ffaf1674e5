// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>

#include "battery/counting/histogram.hpp"

namespace rivulet::detail {

/// A part of Anderson and Darling's sum over sorted keys of which a law makes uniform numbers.
/// Parts do not depend on the machine, so neither does the sum but for the law's last bits.
template <class Law>
struct AndersonDarlingPart {
  static constexpr std::uint64_t parts = std::uint64_t{1} << 14;

  const std::uint64_t* keys;
  LaneItems share;
  Law law;
  double* sums;

  KOKKOS_FUNCTION void operator()(std::uint64_t part) const {
    constexpr double least = 0x1p-53;  // as in TestU01, which keeps logarithms finite by it
    double sum = 0;
    for (std::uint64_t i = share.range_begin(part); i < share.range_begin(part + 1); ++i) {
      double u = law(keys[i]);
      u = u < least ? least : u > 1 - least ? 1 - least : u;
      const double odd = 2 * static_cast<double>(i) + 1;
      sum += odd * std::log(u) + (2 * static_cast<double>(share.items) - odd) * std::log1p(-u);
    }
    sums[part] = sum;
  }
};

/// Integers of 64 bits in memory that the space reaches, to be sorted there.
class SortedKeys {
 public:
  /// Throws Error if there is no memory.
  SortedKeys(const Space& space, std::uint64_t count);
  static std::uint64_t bytes(std::uint64_t count) { return 2 * count * sizeof(std::uint64_t); }

  std::uint64_t* data() const { return keys_.data(); }
  /// Leaves only so many keys, the first, in use, until the next call.
  void use(std::uint64_t count) { count_ = count; }
  /// Sorts; the keys are below 2^bits, and in the order of their lower bits, if some are said to be
  /// sorted.
  void sort(int bits, int sorted_bits = 0);
  /// Puts in place of sorted keys below `cells` (0 for 2^64) the distances to the next one, from
  /// the last one to the first around the end.
  void to_spacings(std::uint64_t cells);
  /// Bits of the largest key.
  int bits() const;
  /// Sorted keys that equal the one before.
  std::uint64_t repeated() const;
  /// Sum of (2 i + 1) ln u[i] + (2 n - 2 i - 1) ln(1 - u[i]) over sorted keys, u[i] = law(key).
  template <class Law>
  double anderson_darling_sum(const Law& law) const;

 private:
  using Keys = Kokkos::View<std::uint64_t*, Space>;

  Space space_;
  std::uint64_t count_;
  std::uint64_t lanes_;
  Keys keys_;
  Keys other_;
  Keys places_;  ///< of each digit, for each lane
};

template <class Law>
double SortedKeys::anderson_darling_sum(const Law& law) const {
  using Part = AndersonDarlingPart<Law>;
  const Kokkos::View<double*, Space> sums("rivulet::battery_sums", Part::parts);
  Kokkos::parallel_for("rivulet::battery_anderson_darling", LaneRange(space_, 0, Part::parts),
                       Part{keys_.data(), {Part::parts, count_}, law, sums.data()});
  space_.fence();
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return std::accumulate(on_host.data(), on_host.data() + Part::parts, 0.0);
}

}  // namespace rivulet::detail
