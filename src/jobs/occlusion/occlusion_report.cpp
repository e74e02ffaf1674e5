// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/occlusion/occlusion_report.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace rivulet {
namespace {

const std::string where = occlusion_group;

void write_pixels(io::ResultsFile& file, const OcclusionOptions& options, const std::string& name,
                  const std::vector<std::uint32_t>& values, const std::string& description) {
  const std::span<const std::uint32_t> pixels(values);
  if (options.has_all_pixels()) {
    file.table(where + "/" + name, pixels, options.width, 0, options.height, description, "rays");
  } else {
    file.dataset(where + "/" + name, pixels, 0, options.pixels().count,
                 description + "; of the pixels that are streams first, first + 1, ...", "rays");
  }
}

}  // namespace

std::string open_name(std::uint64_t passes) { return "open_" + std::to_string(passes); }

PictureStatistics statistics_of(const Pictures& pictures) {
  PictureStatistics found;
  found.errors = picture_errors(pictures);
  for (std::size_t k = 0; k < pictures.passes.size(); ++k) {
    found.radiances.push_back(pictures.mean_radiance(k));
  }
  return found;
}

void write_pictures(io::ResultsFile& file, const OcclusionOptions& options,
                    const Pictures& pictures, const PictureStatistics& statistics) {
  const std::uint64_t kept = options.passes.size();
  for (std::uint64_t k = 0; k < kept; ++k) {
    write_pixels(file, options, open_name(options.passes[k]), pictures.open[k],
                 "rays that met nothing, four a pass, pixel by pixel");
  }
  write_pixels(file, options, "hits", pictures.hits,
               "camera rays that met something, in all passes");
  const bool root = !statistics.radiances.empty();
  const auto along_pictures = [&](const char* name, const auto& values, std::uint64_t total,
                                  const char* description, const char* unit) {
    file.dataset(where + "/" + name, values, 0, total, description, unit);
  };
  along_pictures("passes", root ? options.passes : std::vector<std::uint64_t>(), kept,
                 "passes of each picture", "passes");
  along_pictures("mean", statistics.radiances, kept, "mean radiance of each picture", "1");
  along_pictures("error", statistics.errors, kept > 1 ? kept : 0,
                 "standard error of each picture's radiance, root mean square over pixels", "1");
}

void report_pictures(io::Report& report, const OcclusionOptions& options,
                     const PictureStatistics& statistics) {
  const std::vector<double>& errors = statistics.errors;
  for (std::size_t k = 0; k < options.passes.size(); ++k) {
    const std::string after = " after " + std::to_string(options.passes[k]);
    report.result("mean radiance" + after, statistics.radiances[k]);
    if (!errors.empty()) report.result("error" + after, errors[k], "", 4);
  }
  // Of two pictures both errors come from the one difference that there is. Pictures in which all
  // passes agree have none.
  const bool all_differ = std::ranges::all_of(errors, [](double error) { return error > 0; });
  if (errors.size() > 2 && all_differ) {
    report.result("slope of the error", error_slope(options.passes, errors), "", 4);
  }
}

}  // namespace rivulet
