// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/results/result_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rivulet::io {

void Results::add(Result result) {
  if (!condition_.empty()) result.doc += "; " + condition_;
  results_.push_back(std::move(result));
}

std::string Results::with_blanks(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string Results::name_of(ElementType type) {
  constexpr std::array names{"u8", "u16", "u32", "u64", "i64", "f32", "f64"};
  return names[static_cast<std::size_t>(type)];
}

void Results::write_results(bool is_filled_by_run, ResultsFile& file) const {
  file.group(path_, is_filled_by_run ? "" : description_);
  for (const Result& result : results_) {
    if (result.is_filled_by_run != is_filled_by_run) continue;
    result.write(file, result.is_dataset ? path_of(result) : path_);
    if (result.is_dataset) file.attribute(path_of(result), "dimensions", result.axes);
  }
}

std::set<std::string> Results::attributes() const {
  std::set<std::string> names{"description"};
  for (const Result& result : results_) {
    if (!result.is_dataset) names.insert({result.name, result.name + "_unit"});
  }
  return names;
}

void Results::write_lines(Report& report) const {
  for (const ReportLine& line : report_lines_) report.result(line.name, line.text, line.unit);
}

void Results::write_setup_lines(Report& report) const {
  for (const ReportLine& line : setup_lines_) report.result(line.name, line.text, line.unit);
}

std::string Results::lines() const {
  std::vector<std::array<std::string, 4>> cells;
  std::array<std::size_t, 4> widths{};
  const auto or_none = [](const std::string& text) { return text.empty() ? "-" : text; };
  for (const Result& result : results_) {
    const std::string location = result.is_dataset ? path_of(result) : path_ + "@" + result.name;
    cells.push_back({location, result.type, or_none(result.axes), or_none(result.unit)});
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], cells.back()[i].size());
    }
  }
  std::string text;
  for (std::size_t row = 0; row < cells.size(); ++row) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      text += fmt::format("{:<{}}  ", cells[row][i], widths[i]);
    }
    text += results_[row].doc + "\n";
  }
  return text;
}

}  // namespace rivulet::io
