// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/pi/pi_result.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace rivulet {

PiRunning running_sums(const HitCounts& counts, StreamRange all, std::uint64_t batches) {
  PiRunning sums{std::vector<std::uint64_t>(batches), std::vector<std::uint64_t>(batches)};
  for (std::uint64_t i = 0; i < counts.hits.values.size(); ++i) {
    const std::uint64_t id = counts.hits.first + i;
    const auto batch = static_cast<std::size_t>(Uint128{id - all.first} * batches / all.count);
    sums.points[batch] += counts.share.items(id);
    sums.hits[batch] += counts.hits.values[i];
  }
  std::partial_sum(sums.points.begin(), sums.points.end(), sums.points.begin());
  std::partial_sum(sums.hits.begin(), sums.hits.end(), sums.hits.begin());
  return sums;
}

PiEstimate pi_estimate(std::uint64_t hits, std::uint64_t points) {
  const auto n = static_cast<double>(points);
  PiEstimate estimate;
  estimate.mean = static_cast<double>(hits) / n;
  estimate.pi = 4 * estimate.mean;
  const double mean_square = estimate.mean;  // f is 0 or 1, so f^2 = f
  estimate.variance = (mean_square - estimate.mean * estimate.mean) / (n - 1);
  estimate.standard_error = 4 * std::sqrt(estimate.variance);
  if (estimate.standard_error > 0) {
    estimate.deviation = (estimate.pi - std::numbers::pi) / estimate.standard_error;
  }
  return estimate;
}

}  // namespace rivulet
