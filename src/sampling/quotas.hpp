// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sampling/exact_weights.hpp"

namespace rivulet::detail {

/// A cell in the order in which left-over units are distributed: the largest remainder first, of
/// equal remainders the lowest index.
struct Remainder {
  Uint128 rest;
  std::uint64_t cell;

  KOKKOS_FUNCTION bool not_after(const Remainder& other) const {
    return rest > other.rest || (rest == other.rest && cell <= other.cell);
  }
};

/// The remainder of rank `rank`, from 1, in that order.
inline Remainder remainder_number(std::uint64_t rank, std::span<Remainder> of) {
  const auto wanted = of.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(of.begin(), wanted, of.end(), [](const Remainder& a, const Remainder& b) {
    return a.cell != b.cell && a.not_after(b);
  });
  return *wanted;
}

/// Cells that a thread computes at a time: their data stay in its nearest cache.
constexpr int piece_cells = device_build ? 16 : 256;
KOKKOS_FORCEINLINE_FUNCTION int piece_of(std::uint64_t first, std::uint64_t end) {
  return end - first < piece_cells ? static_cast<int>(end - first) : piece_cells;
}

/// The quotas of one table's cells, exactly. Two doubles give them to 2^-50 of a unit, which
/// settles all but about one cell in 2^26 of tables without pattern; 128-bit integers settle the
/// rest. So results never depend on rounding.
template <class Weight>
class Quotas {
 public:
  static constexpr int digit_bits = 12;
  static constexpr std::uint64_t digits = std::uint64_t{1} << digit_bits;
  /// The mark of a fast pass for a cell that it cannot settle.
  static constexpr std::uint64_t unsettled = ~std::uint64_t{0};

  /// Quotas in one of several tables of `cells` cells each; cells are numbered as the weights are.
  KOKKOS_FUNCTION Quotas(const ExactWeights<Weight>& weights, Uint128 total, std::uint64_t cells)
      : weights_(weights), quota_of_(total, cells) {
    const double high = in_double(total);
    const auto high_exact = static_cast<Uint128>(high);
    const double low =
        total >= high_exact ? in_double(total - high_exact) : -in_double(high_exact - total);
    const auto units = static_cast<double>(quota_of_.units());  // exact: below 2^32 cells
    scale_ = units / high;
    scale_low_ = (fma(-scale_, high, units) - scale_ * low) / high;
  }

  KOKKOS_FUNCTION Uint128 total() const { return quota_of_.total(); }
  KOKKOS_FUNCTION std::uint64_t units() const { return quota_of_.units(); }
  KOKKOS_FORCEINLINE_FUNCTION Quota exact(std::uint64_t cell) const {
    const Uint128 weight = weights_(cell);
    return quota_of_(weight, in_double(weight));
  }
  /// The first digit, to the base 2^digit_bits, of a remainder over the total.
  KOKKOS_FUNCTION std::uint64_t digit_of(Uint128 rest) const {
    const Uint128 scaled = rest << digit_bits;
    auto digit = static_cast<std::uint64_t>(in_double(scaled) / in_double(total()));
    while (digit * total() > scaled) --digit;
    while ((digit + 1) * total() <= scaled) ++digit;
    return digit;
  }

  /// Whole units and first digits of cells first .. first + count - 1.
  KOKKOS_FUNCTION void split(std::uint64_t first, int count, std::uint64_t* whole,
                             std::uint64_t* digit) const {
    std::uint64_t any = 0;
    const auto cells_here = static_cast<std::uint64_t>(count);
    for (std::uint64_t i = 0; i < cells_here; ++i) {
      const Estimate quota = estimate(first + i);
      const double scaled = quota.rest * static_cast<double>(digits);
      const double carry = floor(quota.rest);
      const std::uint64_t mask =
          unless_below(0x1p-1000, quota.floor + quota.rest) &
          (unless_below(0x1p50, quota.floor) | ~unless_below(0x1p-24, scaled - rint(scaled)));
      whole[i] = integer_of(quota.floor + carry);
      digit[i] = integer_of(floor(scaled) - carry * static_cast<double>(digits)) | mask;
      any |= mask;
    }
    if (any == 0) return;
    for (int i = 0; i < count; ++i) {
      if (digit[i] != unsettled) continue;
      const Quota quota = exact(first + static_cast<std::uint64_t>(i));
      whole[i] = static_cast<std::uint64_t>(quota.whole);
      digit[i] = digit_of(quota.rest);
    }
  }

 protected:
  /// Not |value| < limit (true for NaN), without constructs that keep compilers from using vectors.
  /// fabs would not do: a GPU's leaves a NaN negative.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t unless_below(double limit, double value) {
    constexpr std::uint64_t all_but_sign = ~std::uint64_t{0} >> 1;
    return std::uint64_t{0} - ((bits_of(limit) - 1 - (bits_of(value) & all_but_sign)) >> 63);
  }

  /// A quota: floor + rest, where the rest may lie a little outside [0, 1).
  struct Estimate {
    double floor;
    double rest;
  };
  KOKKOS_FORCEINLINE_FUNCTION Estimate estimate(std::uint64_t cell) const {
    const double weight = weights_.in_double(cell);
    // A product that compilers do not fuse with the next operation.
    const double quota = fma(weight, scale_, 0.0);
    const double low = fma(weight, scale_, -quota) + weight * scale_low_;
    const double whole = floor(quota);
    return {whole, (quota - whole) + low};
  }

 private:
  ExactWeights<Weight> weights_;
  QuotaOf quota_of_;
  double scale_;
  double scale_low_;
};

/// A range of first digits of remainders.
struct RemainderDigits {
  std::uint64_t first;
  std::uint64_t count;

  /// A range that probably has the last cell with a left-over unit: of remainders without pattern,
  /// n cells leave about n / 2 units over, so it is near 1/2.
  KOKKOS_FUNCTION static RemainderDigits around_half(std::uint64_t cells) {
    constexpr double half = 2048;  // of 4096 digits
    // Five standard deviations, sqrt(1 / (12 n)), to either side: those of the difference between
    // the number of n uniform remainders above 1/2 and their sum, over n.
    const double reach = 1 + 10 * half / sqrt(12 * static_cast<double>(cells));
    const auto first = reach < half ? static_cast<std::uint64_t>(half - reach) : 0;
    return {first, 2 * (static_cast<std::uint64_t>(half) - first)};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_above(std::uint64_t digit) const {
    return digit >= first + count;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(std::uint64_t digit) const { return digit - first < count; }
};

/// One table's masses, computed at each use rather than stored.
template <class Weight>
class ComputedMasses : public Quotas<Weight> {
 public:
  /// For a table without left-over units: every quota is whole.
  KOKKOS_FUNCTION explicit ComputedMasses(const Quotas<Weight>& quotas) : Quotas<Weight>(quotas) {}
  /// last: the last cell, in their order, that gets a left-over unit.
  KOKKOS_FUNCTION ComputedMasses(const Quotas<Weight>& quotas, const Remainder& last)
      : Quotas<Weight>(quotas),
        last_(last),
        last_part_(in_double(last.rest) / in_double(quotas.total())),
        any_left_(true) {}

  KOKKOS_FUNCTION std::uint64_t cells() const { return this->units() >> 32; }
  KOKKOS_FUNCTION void operator()(std::uint64_t first, int count, std::uint64_t* masses) const {
    std::uint64_t any = 0;
    const auto cells_here = static_cast<std::uint64_t>(count);
    for (std::uint64_t i = 0; i < cells_here; ++i) {
      const auto quota = this->estimate(first + i);
      const double beyond = quota.rest - last_part_;
      const std::uint64_t mask = this->unless_below(0x1p50, quota.floor) |
                                 ~this->unless_below(0x1p-36, beyond - rint(beyond));
      masses[i] = integer_of(quota.floor + ceil(beyond)) | mask;
      any |= mask;
    }
    if (any == 0) return;
    for (int i = 0; i < count; ++i) {
      if (masses[i] != this->unsettled) continue;
      const std::uint64_t cell = first + static_cast<std::uint64_t>(i);
      if (this->total() == 0) {
        masses[i] = bucket_units;
        continue;
      }
      const Quota quota = this->exact(cell);
      masses[i] = static_cast<std::uint64_t>(quota.whole) +
                  (any_left_ && Remainder{quota.rest, cell}.not_after(last_) ? 1 : 0);
    }
  }

 private:
  Remainder last_{0, 0};
  double last_part_ = 0.5;  ///< without left-over units, quotas are whole, and far from this
  bool any_left_ = false;
};

}  // namespace rivulet::detail
