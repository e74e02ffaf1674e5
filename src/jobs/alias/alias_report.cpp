// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_report.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace rivulet {
namespace {

/// Axes whose moments are told one by one.
constexpr std::size_t most_told = 3;

void write_moments(io::ResultsFile& file, const std::string& name,
                   const std::vector<AliasMoment>& moments, std::size_t columns, bool root,
                   const std::string& of) {
  const auto put = [&](const std::string& end, const std::string& description, auto member) {
    std::vector<double> values;
    for (const AliasMoment& one : moments) values.push_back(one.*member);
    file.table(std::string(alias_group) + "/" + name + end,
               std::span<const double>(values.data(), root ? values.size() : 0), columns, 0,
               values.size() / columns, description);
  };
  put("", of + " of the samples", &AliasMoment::sample);
  put("_table", of + " of the table", &AliasMoment::table);
  put("_error", "standard error of the samples' " + name, &AliasMoment::error);
}

void report_moment(io::Report& report, const std::string& name, const AliasMoment& moment) {
  report.result(name, moment.sample);
  report.result(name + " of the table", moment.table);
  report.result(name + " deviation", moment.deviation(), "standard errors", 4);
}

}  // namespace

void write_alias(io::ResultsFile& file, const AliasOptions& options, const AliasShape& shape,
                 const AliasLayout& layout, const AliasResult& result) {
  const std::string where = alias_group;
  const std::vector<AliasAxis>& axes = shape.axes;
  file.attribute(where, "shape", shape.extents, "cells");
  file.attribute(where, "layout", name_of(options.table.layout));
  file.attribute(where, "within", name_of(options.within));
  file.attribute(where, "keep", name_of(options.keep));
  std::vector<std::string> names;
  for (const AliasAxis& axis : axes) names.push_back(axis.name);
  file.attribute(where, "axes", names);
  file.attribute(where, "chi_square", result.chi_square);
  file.attribute(where, "degrees_of_freedom", result.degrees_of_freedom);
  file.attribute(where, "p_value", result.p_value);
  file.attribute(where, "pooled_cells", result.pooled_cells, "cells");
  file.attribute(where, "zero_cells", result.zero_cells, "cells");
  file.attribute(where, "zero_cell_samples", result.zero_cell_samples, "samples");
  const bool root = layout.part.first == 0 && layout.part.count > 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].unit_cells) continue;
    const std::vector<double>& points = axes[axis].points;
    const std::vector<double>& edges = axes[axis].edges;
    const auto whole = [root](const std::vector<double>& values) {
      return std::span(values.data(), root ? values.size() : 0);
    };
    file.dataset(fmt::format("{}/points{}", where, axis), whole(points), 0, points.size(),
                 "coordinate of each cell along " + axes[axis].name, axes[axis].unit);
    if (edges.empty()) continue;
    file.dataset(fmt::format("{}/edges{}", where, axis), whole(edges), 0, edges.size(),
                 "where cells along it begin, and the last one ends", axes[axis].unit);
  }
  write_moments(file, "mean", result.means, 1, root, "mean of each coordinate");
  write_moments(file, "covariance", result.covariances, axes.size(), root,
                "covariance of each two coordinates");
  write_moments(file, "correlation", result.correlations, axes.size(), root,
                "correlation of each two coordinates");
}

void write_cells(io::ResultsFile& file, CellsWritten cells,
                 const std::vector<std::uint64_t>& counts, std::span<const double> asked,
                 std::span<const double> drawn) {
  const std::string where = alias_group;
  file.dataset(where + "/histogram", counts, cells.first, cells.total,
               "samples in each cell; the last axis varies fastest", "samples");
  file.dataset(where + "/asked", asked, cells.first, cells.total,
               "probability of each cell that the weights ask for");
  file.dataset(where + "/table", drawn, cells.first, cells.total,
               "probability with which each cell is drawn");
}

void write_table(io::ResultsFile& file, const AliasDeckTable& table) {
  const AliasPrecision& precision = table.precision();
  file.attribute(alias_group, "bits", static_cast<std::uint64_t>(table.bits()), "bits");
  file.attribute(alias_group, "words_per_sample", table.words_per_sample(), "words");
  file.attribute(alias_group, "largest_change", precision.largest_change());
  file.attribute(alias_group, "lost_cells", precision.lost_cells, "cells");
  if (const auto warnings = table.warnings(); !warnings.empty()) {
    file.attribute(alias_group, "warnings", warnings);
  }
  file.attribute(alias_group, "table_seconds", table.seconds(), "s");
}

void report_table(io::Report& report, const AliasWeights& weights, const AliasDeckTable& table) {
  report.result("cells", weights.cells());
  report.result("bits of a threshold", table.bits());
  report.result("largest relative change of a cell", table.precision().largest_change(), "", 4);
  for (const std::string& warning : table.warnings()) report.result("warning", warning);
}

void report_alias(io::Report& report, const AliasShape& shape, const AliasResult& result) {
  const std::vector<AliasAxis>& axes = shape.axes;
  report.result("cells never drawn", result.zero_cells);
  report.result("samples in them", result.zero_cell_samples);
  report.result("cells pooled", result.pooled_cells);
  report.result("chi-square", result.chi_square);
  report.result("degrees of freedom", result.degrees_of_freedom);
  report.result("p-value", result.p_value);
  if (axes.size() <= most_told) {
    for (std::size_t a = 0; a < axes.size(); ++a) {
      report_moment(report, "mean " + axes[a].name, result.means[a]);
      report_moment(report, "variance " + axes[a].name, result.covariances[a * axes.size() + a]);
    }
    for (std::size_t a = 0; a < axes.size(); ++a) {
      for (std::size_t b = a + 1; b < axes.size(); ++b) {
        const std::string pair = axes[a].name + " " + axes[b].name;
        const std::size_t at = a * axes.size() + b;
        report_moment(report, "covariance " + pair, result.covariances[at]);
        report_moment(report, "correlation " + pair, result.correlations[at]);
      }
    }
  }
  report.result("largest deviation of a moment", result.largest_deviation(), "standard errors", 4);
}

}  // namespace rivulet
