// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "draw/work.hpp"
#include "jobs/common/counts.hpp"

namespace rivulet {

struct PiCounts {
  static constexpr const char* made_of = "hits";
  static constexpr bool is_in_rows = true;
  static constexpr bool may_grow = true;  ///< points, at a resume

  StreamShare share;                ///< of points over the family
  NumbersById<std::uint64_t> hits;  ///< of each stream

  template <class Io>
  void fields(Io& io) {
    if (io.in_checkpoint()) io.number("points", share.total, "points");
    io.rows("hits", hits, "points inside the quarter circle, stream by stream", "points");
  }
  PiCounts& operator+=(const PiCounts& other);
  /// (points, hits) of every stream.
  std::vector<std::uint64_t> words() const;
  std::uint64_t all_hits() const;
};

/// Points and hits of the streams of all batches up to each one.
struct PiRunning {
  std::vector<std::uint64_t> points;
  std::vector<std::uint64_t> hits;
};

/// The running sums of a rank's counts over the batches of a run of the streams `all`: batch b of B
/// has the run's streams i = 0, 1, .. with floor(i B / all.count) = b.
PiRunning running_sums(const PiCounts& counts, StreamRange all, std::uint64_t batches);

/// The estimate from the counts. f = 1 inside the quarter circle and 0 outside, after "Tuning a
/// Monte Carlo Algorithm on GPUs" (The Portland Group, 2010).
struct PiEstimate {
  double pi = 0;              ///< 4 mean
  double mean = 0;            ///< of f
  double variance = 0;        ///< of the mean: (mean of f^2 - mean^2) / (N - 1)
  double standard_error = 0;  ///< of pi: 4 sqrt(variance)
  double deviation = 0;       ///< (pi - exact) / standard_error; 0 if the error is 0
};

/// Least number of points for an estimate of the standard error.
inline constexpr std::uint64_t least_points = 2;

/// points >= least_points, hits <= points.
PiEstimate pi_estimate(std::uint64_t hits, std::uint64_t points);

}  // namespace rivulet
