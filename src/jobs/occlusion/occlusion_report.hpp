// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "jobs/occlusion/occlusion_options.hpp"
#include "jobs/occlusion/picture_error.hpp"

namespace rivulet {

inline constexpr const char* occlusion_group = "/results/occlusion";

/// The dataset of the picture after so many passes.
std::string open_name(std::uint64_t passes);

/// What pictures say: of each its mean radiance and, where there are several, its error.
struct PictureStatistics {
  std::vector<double> radiances;
  std::vector<double> errors;
};
PictureStatistics statistics_of(const Pictures& pictures);

/// Writes pictures and statistics, which root has and other ranks have none of: tables of rows of
/// pixels or, of a part of the pixels, one after the other. Collective.
void write_pictures(io::ResultsFile& file, const OcclusionOptions& options,
                    const Pictures& pictures, const PictureStatistics& statistics);

void report_pictures(io::Report& report, const OcclusionOptions& options,
                     const PictureStatistics& statistics);

}  // namespace rivulet
