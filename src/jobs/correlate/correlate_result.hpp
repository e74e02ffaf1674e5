// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/common/counts.hpp"
#include "kernels/correlation/correlation.hpp"

namespace rivulet {

/// The counts of the correlate job: exact sums over S streams of n numbers each. A number is 2 k -
/// 65535, where the integer k consists of 16 bits of a word.
struct CorrelationSums {
  static constexpr const char* message_name = "sums of products";
  static constexpr bool is_in_rows = false;

  std::uint64_t streams = 0;
  std::uint64_t numbers = 0;       ///< n
  Int128 sum = 0;                  ///< sum of all S n numbers
  Int128 squares = 0;              ///< sum of the squares
  std::vector<std::int64_t> ends;  ///< j = 0 .. lags-1: sum of all numbers j and n - 1 - j
  std::vector<Int128> products;    ///< m = 0 .. lags: sum of x(i) y(i + m)
  bool is_autocorrelation = true;  ///< if true, lag 0 is 1 by definition

  template <class Io>
  void fields(Io& io) {
    io.sum("sum", sum, {"sum of the numbers, 2 k - 65535 each"});
    io.sum("squares", squares, {"sum of their squares"});
    io.totals("product", products, {"sum of products", "", "lag"});
    io.totals("ends", ends,
              {"sum of the j-th numbers from both ends of all streams, j = 0, 1, ...", "", "end"});
  }
  CorrelationSums& operator+=(const CorrelationSums& other);
  /// Returns three words per lag m: m, and the upper and lower words of the sum of products.
  std::vector<std::uint64_t> words() const;
  /// True if numbers of magnitude up to 65535 can have these sums. Larger sums could overflow 128
  /// bits later.
  bool are_possible() const;
};

struct CorrelationResult {
  std::vector<double> correlation;  ///< C_m / V
  double mean = 0;                  ///< mean of the numbers as (k + 1/2) / 65536
  double variance = 0;              ///< V, the variance of (k + 1/2) / 65536
  double band = 0;                  ///< white noise is within +-band at 99 % of the lags
  std::uint64_t outside = 0;        ///< lags outside the band, except lag 0 of an autocorrelation
  double expected_outside = 0;      ///< mean of `outside` for white noise
  double outside_error = 0;         ///< standard deviation of `outside` for white noise
  double largest = 0;               ///< largest |C_m / V|, except lag 0 of an autocorrelation
  std::uint64_t largest_lag = 0;
};

/// Returns the correlations of the numbers after subtraction of their mean. Without streams, they
/// are NaN. Throws Error if all numbers are equal.
CorrelationResult correlation_result(const CorrelationSums& sums);

}  // namespace rivulet
