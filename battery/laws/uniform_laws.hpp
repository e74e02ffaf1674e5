// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "kokkos_compat.hpp"

// Distribution functions that map the sorted statistics of TestU01's tests to uniform numbers. A
// key is a statistic times 2^32, or the bits of a double.

namespace rivulet::detail {

/// Computes P(largest of t uniform numbers <= x) for sknuth_MaxOft.
struct LargestOfUniforms {
  int t;

  KOKKOS_FUNCTION double operator()(std::uint64_t key) const { return at(fraction(key)); }
  KOKKOS_FUNCTION double at(double x) const {
    return x <= 0 ? 0 : x >= 1 ? 1 : std::pow(x, static_cast<double>(t));
  }
  KOKKOS_FORCEINLINE_FUNCTION static double fraction(std::uint64_t key) {
    return static_cast<double>(key) * 0x1p-32;
  }
};

/// Computes P(product of t uniform numbers <= x) for svaria_SampleProd.
struct ProductOfUniforms {
  int t;

  KOKKOS_FUNCTION double operator()(std::uint64_t key) const {
    double x = 0;
    memcpy(&x, &key, sizeof x);
    return at(x);
  }
  KOKKOS_FUNCTION double at(double x) const {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double logarithm = -std::log(x);
    double term = 1;
    double sum = 1;
    for (int j = 1; j < t; ++j) {
      term *= logarithm / j;
      sum += term;
    }
    return x * sum;
  }
};

/// Computes P(sum of n uniform numbers <= x) for svaria_SampleMean, with sum_of_uniforms_series().
struct SumOfUniforms {
  int n;
  const double* series;

  KOKKOS_FUNCTION double operator()(std::uint64_t key) const {
    return at(LargestOfUniforms::fraction(key));
  }
  KOKKOS_FUNCTION double at(double x) const {
    if (x <= 0) return 0;
    if (x >= n) return 1;
    return 2 * x > n ? 1 - below_half(n - x) : below_half(x);
  }
  KOKKOS_FUNCTION double below_half(double x) const {
    const int interval = static_cast<int>(x);
    const double y = x - interval - 0.5;
    const double* const row = series + interval * (n + 1);
    double value = 0;
    for (int i = n; i >= 0; --i) value = value * y + row[i];
    return value > 0 ? value : 0;
  }
};

}  // namespace rivulet::detail
