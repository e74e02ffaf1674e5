// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// The report lists moments only for tables with at most this many axes.
constexpr std::size_t max_reported_axes = 3;

std::vector<double> optional_dataset(const io::ReadFile& file, const std::string& path) {
  return file.has(path) ? file.dataset<double>(path) : std::vector<double>{};
}

/// Declares moments. The means form a vector; covariances and correlations form matrices of axes x
/// axes elements.
void declare_moments(Results& out, const std::string& name, const std::vector<AliasMoment>& moments,
                     std::size_t columns) {
  const auto put = [&](const std::string& end, const std::string& doc, auto member) {
    std::vector<double> values;
    for (const AliasMoment& one : moments) values.push_back(one.*member);
    out.dataset(name + end, std::move(values), name == "mean" ? "axis" : "axis,other_axis", "", doc,
                columns);
  };
  put("", "of the samples' coordinates", &AliasMoment::sample);
  put("_table", "of the table's coordinates", &AliasMoment::table);
  put("_error", "standard error of the samples' " + name, &AliasMoment::error);
}

void report_moment(Results& out, const std::string& name, const AliasMoment& moment) {
  out.report_line(name, moment.sample);
  out.report_line(name + " of the table", moment.table);
  out.report_line(name + " deviation", moment.deviation(), "standard errors", 4);
}

void report_moments(Results& out, const std::vector<AliasAxis>& axes, const AliasResult& result) {
  if (axes.size() > max_reported_axes || out.is_description()) return;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    report_moment(out, "mean " + axes[a].name, result.means[a]);
    report_moment(out, "variance " + axes[a].name, result.covariances[a * axes.size() + a]);
  }
  for (std::size_t a = 0; a < axes.size(); ++a) {
    for (std::size_t b = a + 1; b < axes.size(); ++b) {
      const std::string pair = axes[a].name + " " + axes[b].name;
      const std::size_t at = a * axes.size() + b;
      report_moment(out, "covariance " + pair, result.covariances[at]);
      report_moment(out, "correlation " + pair, result.correlations[at]);
    }
  }
}

}  // namespace

MergedTable table_of(const MergeInput& part, std::uint64_t cells) {
  const io::ReadFile file = part.open();
  MergedTable table;
  table.shape.extents = file.attribute<std::vector<std::uint64_t>>(alias_group, "shape");
  const auto names = file.attribute<std::vector<std::string>>(alias_group, "axes");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string points = fmt::format("{}/points{}", alias_group, i);
    AliasAxis axis{names[i]};
    axis.unit_cells = !file.has(points);
    axis.points = optional_dataset(file, points);
    axis.edges = optional_dataset(file, fmt::format("{}/edges{}", alias_group, i));
    if (file.has_attribute(points, "unit")) axis.unit = file.attribute<std::string>(points, "unit");
    table.shape.axes.push_back(std::move(axis));
  }
  table.requested = file.dataset<double>(std::string(alias_group) + "/asked");
  table.drawn = file.dataset<double>(std::string(alias_group) + "/table");
  const bool is_complete = table.requested.size() == cells && table.drawn.size() == cells &&
                           table.shape.axes.size() == table.shape.extents.size() &&
                           cells_of(table.shape.extents) == cells;
  if (!is_complete) part.fail_damaged("its histogram is not of its table's cells");
  return table;
}

void require_same_table(const MergedTable& one, const std::string& path, const MergedTable& other,
                        const std::string& other_path) {
  const auto same_axis = [](const AliasAxis& a, const AliasAxis& b) {
    return a.name == b.name && a.points == b.points && a.edges == b.edges;
  };
  if (one.shape.extents == other.shape.extents && one.requested == other.requested &&
      one.drawn == other.drawn && std::ranges::equal(one.shape.axes, other.shape.axes, same_axis)) {
    return;
  }
  throw Error(fmt::format("'{}' and '{}' are not of the same table", path, other_path),
              "their runs read different weights",
              "Repeat one of the runs with the weights of the other.");
}

void declare_alias(Results& out, const AliasOptions& options, const AliasGrid& shape,
                   const AliasResult& result) {
  const std::vector<AliasAxis>& axes = shape.axes;
  std::vector<std::string> names;
  for (const AliasAxis& axis : axes) names.push_back(axis.name);
  out.stored("shape", shape.extents, "cells", "extents of the table", "axis");
  out.stored("layout", name_of(options.table.layout), "", "as in the deck");
  out.stored("within", name_of(options.within), "", "as in the deck");
  out.stored("keep", name_of(options.keep), "", "as in the deck");
  out.stored("axes", names, "", "names of the axes", "axis");
  out.value("zero_cells", result.zero_cells, "cells", "cells that are never drawn",
            {.name = "cells never drawn", .unit = ""});
  out.value("zero_cell_samples", result.zero_cell_samples, "samples", "samples in them: 0",
            {.name = "samples in them", .unit = ""});
  out.value("pooled_cells", result.pooled_cells, "cells", "cells of expectation below 5",
            {.name = "cells pooled", .unit = ""});
  out.value("chi_square", result.chi_square, "", "of the histogram against `asked`",
            {.name = "chi-square"});
  out.value("degrees_of_freedom", result.degrees_of_freedom, "", "of chi-square");
  out.value("p_value", result.p_value, "", "probability of a chi-square at least as large",
            {.name = "p-value"});
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::string number = std::to_string(axis);
    out.when(!axes[axis].unit_cells, "for each axis 0, 1, ... with coordinates", [&] {
      out.dataset("points" + number, axes[axis].points, "point" + number, axes[axis].unit,
                  "coordinate of each cell along " + axes[axis].name);
    });
    out.when(!axes[axis].edges.empty(), "for each axis with edges", [&] {
      out.dataset("edges" + number, axes[axis].edges, "edge" + number, axes[axis].unit,
                  "where cells along it begin, and the last one ends");
    });
  }
  declare_moments(out, "mean", result.means, 1);
  declare_moments(out, "covariance", result.covariances, axes.size());
  declare_moments(out, "correlation", result.correlations, axes.size());
  report_moments(out, axes, result);
  out.report_line("largest deviation of a moment", result.largest_deviation(), "standard errors",
                  4);
}

void declare_table(Results& out, const TableFacts& table, double samples) {
  const AliasPrecision& precision = table.precision;
  out.value("bits", static_cast<std::uint64_t>(table.bits), "bits", "width of the thresholds",
            {.name = "bits of a threshold", .unit = ""});
  out.stored("words_per_sample", table.words_per_sample, "words", "words that choose a cell");
  out.value("largest_change", precision.largest_change(), "",
            "largest abs(`table` / `asked` - 1) of a cell",
            {.name = "largest relative change of a cell", .digits = 4});
  out.stored("lost_cells", precision.lost_cells, "cells",
             "cells that are never drawn, though of positive weight");
  out.when(!table.warnings.empty(), "if there are any", [&] {
    out.stored("warnings", table.warnings, "", "warnings of lost and changed cells", "warning");
  });
  if (!table.warnings.empty()) {
    const double changed = std::max(precision.changed.requested, precision.changed.drawn);
    const double lost = static_cast<double>(precision.lost_cells) * precision.lost.requested;
    const double met = samples * (changed + lost);
    for (const std::string& one : table.warnings)
      out.report_line(met < 1e-3 ? "note" : "warning", one);
    out.report_line("samples expected in these cells", met, "", 2);
  }
  out.stored("table_seconds", table.seconds, "s", "time to build the table");
}

void declare_stored_samples(Results& out, const AliasOptions& options,
                            const std::vector<AliasAxis>& axes) {
  out.when(options.keep != KeepSamples::none, "unless alias.keep=none", [&] {
    out.filled_by_run("indices", {io::ElementType::u32, options.samples, 1, false}, "sample", "",
                      "cell of each sample, stream after stream; the last axis varies fastest");
  });
  out.when(options.keep == KeepSamples::coordinates, "with alias.keep=coordinates", [&] {
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      out.filled_by_run(fmt::format("coordinate{}", axis),
                        {io::ElementType::f64, options.samples, 1, false}, "sample",
                        axes[axis].unit, "of each sample along " + axes[axis].name);
    }
  });
}

}  // namespace rivulet
