// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/pi/pi_report.hpp"

#include <span>
#include <vector>

namespace rivulet {

void write_pi_estimate(io::ResultsFile& file, std::uint64_t hits, std::uint64_t points) {
  const PiEstimate estimate = pi_estimate(hits, points);
  file.attribute(pi_group, "points", points, "points");
  file.attribute(pi_group, "hits", hits, "points");
  file.attribute(pi_group, "pi", estimate.pi, "1");
  file.attribute(pi_group, "mean", estimate.mean, "1");
  file.attribute(pi_group, "variance", estimate.variance, "1");
  file.attribute(pi_group, "standard_error", estimate.standard_error, "1");
  file.attribute(pi_group, "deviation", estimate.deviation, "standard errors");
}

void write_pi_running(io::ResultsFile& file, const PiRunning& running, bool root) {
  const auto whole = [root](const std::vector<std::uint64_t>& values) {
    return std::span(values.data(), root ? values.size() : 0);
  };
  const std::uint64_t batches = running.points.size();
  const std::string where = pi_group;
  file.dataset(where + "/running_points", whole(running.points), 0, batches,
               "points of all streams after each batch", "points");
  file.dataset(where + "/running_hits", whole(running.hits), 0, batches, "hits among them",
               "points");
}

void report_pi_estimate(io::Report& report, std::uint64_t hits, std::uint64_t points) {
  const PiEstimate estimate = pi_estimate(hits, points);
  report.result("points", points);
  report.result("hits", hits);
  report.result("pi", estimate.pi);
  report.result("mean", estimate.mean);
  report.result("variance", estimate.variance);
  report.result("standard error", estimate.standard_error);
  report.result("deviation", estimate.deviation, "standard errors", 4);
}

}  // namespace rivulet
