// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/pi/pi_result.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace rivulet {

PiCounts& PiCounts::operator+=(const PiCounts& other) {
  hits += other.hits;
  if (other.running_points.size() == running_points.size() &&
      other.running_hits.size() == running_hits.size()) {
    add_each(running_points, other.running_points);
    add_each(running_hits, other.running_hits);
  } else {
    running_points.clear();
    running_hits.clear();
  }
  return *this;
}

std::vector<std::uint64_t> PiCounts::words() const {
  std::vector<std::uint64_t> words;
  words.reserve(2 * hits.values.size());
  for (std::uint64_t i = 0; i < hits.values.size(); ++i) {
    words.insert(words.end(), {share.of(hits.first + i), hits.values[i]});
  }
  return words;
}

std::uint64_t PiCounts::all_hits() const {
  return std::accumulate(hits.values.begin(), hits.values.end(), std::uint64_t{0});
}

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
