// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "jobs/pi/pi_result.hpp"

namespace rivulet {

inline constexpr const char* pi_group = "/results/pi";

/// Writes points, hits and the estimate as attributes of the group. Collective.
void write_pi_estimate(io::ResultsFile& file, std::uint64_t hits, std::uint64_t points);

/// Writes the running estimate, which is the same on all ranks. Collective.
void write_pi_running(io::ResultsFile& file, const PiRunning& running, bool root);

void report_pi_estimate(io::Report& report, std::uint64_t hits, std::uint64_t points);

}  // namespace rivulet
