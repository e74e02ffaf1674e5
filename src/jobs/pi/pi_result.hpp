// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/common/hit_counts.hpp"

namespace rivulet {

/// Running sums of points and hits. Element b is the sum over batches 0 .. b.
struct PiRunning {
  std::vector<std::uint64_t> points;
  std::vector<std::uint64_t> hits;
};

/// Returns the running sums of a rank's counts. The run's streams, `all`, are divided into B =
/// `batches` batches: batch b consists of the streams all.first + i with floor(i B / all.count) =
/// b.
PiRunning running_sums(const HitCounts& counts, StreamRange all, std::uint64_t batches);

/// The estimate of pi from the hits of N points, as in "Tuning a Monte Carlo Algorithm on GPUs"
/// (The Portland Group, 2010). f is 1 for a point inside the quarter circle, and 0 outside.
struct PiEstimate {
  double pi = 0;              ///< 4 mean
  double mean = 0;            ///< mean of f
  double variance = 0;        ///< variance of the mean: (mean of f^2 - mean^2) / (N - 1)
  double standard_error = 0;  ///< standard error of `pi`: 4 sqrt(variance)
  double deviation = 0;       ///< (estimate - exact pi) / standard_error; 0 if the error is 0
};

/// Minimum number of points for an estimate of the standard error.
inline constexpr std::uint64_t min_points = 2;

/// Returns the estimate from `hits` hits of `points` points. Requires `points` >= min_points and
/// `hits` <= `points`.
PiEstimate pi_estimate(std::uint64_t hits, std::uint64_t points);

}  // namespace rivulet
