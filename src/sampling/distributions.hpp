// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace rivulet {

// Unnormalised weights of named distributions. The host computes them, because devices' exponential
// functions differ in the last bits.

/// Weights exp(-[(x - x0)^2 + (y - y0)^2 + alpha (x - x0) (y - y0)]) at the integers x = 0 ..
/// columns - 1, y = 0 .. rows - 1, row by row. This is equation 3 of Mohanty, Mohanty, Carminati,
/// "Efficient pseudo-random number generation for Monte-Carlo simulations using graphic processors"
/// (2012). Lengths are in units of `width` (1 in the paper). The weights have a peak if |alpha| < 2
/// and a ridge if |alpha| = 2 (alpha = 2 in the paper). If |alpha| > 2, they grow without bound.
struct CorrelatedGaussian {
  std::uint64_t rows = 10;
  std::uint64_t columns = 10;
  double x0 = 5;
  double y0 = 5;
  double alpha = 2;
  double width = 1;
};
std::vector<double> weights_of(const CorrelatedGaussian& gaussian);

/// Returns exp(-rate i) for i = 0 .. cells - 1.
std::vector<double> exponential_weights(std::uint64_t cells, double rate);

/// Returns (i + 1/2)^-exponent for i = 0 .. cells - 1, which is x^-exponent at the middle of each
/// cell.
std::vector<double> power_law_weights(std::uint64_t cells, double exponent);

/// Returns the weights by rank, (i + 1)^-exponent for i = 0 .. cells - 1.
std::vector<double> zipf_weights(std::uint64_t cells, double exponent);

}  // namespace rivulet
