// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/pi/pi_result.hpp"

#include <cmath>
#include <numbers>

namespace rivulet {

PiEstimate pi_estimate(std::uint64_t hits, std::uint64_t points) {
  const auto n = static_cast<double>(points);
  PiEstimate estimate;
  estimate.mean = static_cast<double>(hits) / n;
  estimate.pi = 4 * estimate.mean;
  const double mean_square = estimate.mean;  // f^2 = f
  estimate.variance = (mean_square - estimate.mean * estimate.mean) / (n - 1);
  estimate.standard_error = 4 * std::sqrt(estimate.variance);
  if (estimate.standard_error > 0) {
    estimate.deviation = (estimate.pi - std::numbers::pi) / estimate.standard_error;
  }
  return estimate;
}

}  // namespace rivulet
