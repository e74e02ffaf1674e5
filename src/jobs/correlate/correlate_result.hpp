// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/common/counts.hpp"
#include "kernels/correlation/correlation.hpp"

namespace rivulet {

/// The counts of the correlate job: exact sums over S streams of n numbers 2 k - 65535 each.
struct CorrelationSums {
  static constexpr const char* made_of = "sums of products";
  static constexpr bool is_in_rows = false;

  std::uint64_t streams = 0;
  std::uint64_t numbers = 0;       ///< n
  Int128 sum = 0;                  ///< of all S n numbers
  Int128 squares = 0;              ///< of their squares
  std::vector<std::int64_t> ends;  ///< of the j-th numbers from both ends, j = 0 .. lags-1
  std::vector<Int128> products;    ///< x(i) y(i + m), m = 0 .. lags
  bool with_itself = true;         ///< autocorrelation: lag 0 is 1 by definition

  template <class Io>
  void fields(Io& io) {
    io.sum("sum", sum, {"sum of the numbers, 2 k - 65535 each"});
    io.sum("squares", squares, {"sum of their squares"});
    io.whole("product", products, {"sum of products", "", "lag"});
    io.whole("ends", ends,
             {"sum of the j-th numbers from both ends of all streams, j = 0, 1, ...", "", "end"});
  }
  CorrelationSums& operator+=(const CorrelationSums& other);
  /// (m, upper, lower word of the sum of products) by lag.
  std::vector<std::uint64_t> words() const;
  /// True if numbers of at most 65535 in magnitude can have these sums. Other sums could overflow.
  bool are_possible() const;
};

struct CorrelationResult {
  std::vector<double> correlation;  ///< C_m / V
  double mean = 0;                  ///< of the numbers as (k + 1/2) / 65536
  double variance = 0;              ///< V, of the same numbers
  double band = 0;                  ///< 99 % of white noise is within +- this
  std::uint64_t outside = 0;        ///< lags outside the band, without lag 0 of an autocorrelation
  double expected_outside = 0;      ///< mean of `outside` for white noise
  double outside_error = 0;         ///< standard deviation of `outside` for white noise
  double largest = 0;               ///< |C_m / V|, without lag 0 of an autocorrelation
  std::uint64_t largest_lag = 0;
};

/// Computes correlations of the numbers minus their mean. Throws Error if all numbers are equal.
/// Sums of no streams give NaNs.
CorrelationResult correlation_result(const CorrelationSums& sums);

}  // namespace rivulet
