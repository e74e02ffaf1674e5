// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/merge/merged_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "jobs/common/results.hpp"

namespace rivulet {
namespace {

std::string text_attribute(const io::ReadFile& file, const std::string& object,
                           const std::string& name) {
  return file.has_attribute(object, name) ? file.attribute<std::string>(object, name) : "";
}

template <class T>
void join(io::ResultsFile& file, const std::vector<ResultsPart>& parts, const std::string& path,
          const std::function<std::uint64_t(const ResultsPart&)>& rows_of) {
  std::uint64_t rows = 0;
  for (const ResultsPart& part : parts) rows += rows_of(part);
  {
    const io::ReadFile first = parts.front().open();
    file.create(path, {io::element_type<T>(), rows}, text_attribute(first, path, "description"),
                text_attribute(first, path, "unit"));
  }
  std::uint64_t at = 0;
  for (const ResultsPart& part : parts) {
    const auto values = part.open().dataset<T>(path);
    if (values.size() != rows_of(part)) {
      part.fail_damaged(fmt::format("{} has {} rows, not {}", path, values.size(), rows_of(part)));
    }
    file.write(path, std::span<const T>(values.data(), values.size()), 1, at);
    at += values.size();
  }
}

void write_config(io::ResultsFile& file, const std::vector<ResultsPart>& parts,
                  const std::string& deck) {
  const std::string where = "/config";
  std::vector<std::string> hosts;
  std::vector<std::string> merged;
  std::uint64_t ranks = 0;
  for (const ResultsPart& part : parts) {
    const auto some = part.open().texts(where + "/hosts");
    hosts.insert(hosts.end(), some.begin(), some.end());
    merged.push_back(fmt::format("{}: {}, digest {}", part.path, part.streams_text(), part.digest));
    ranks += part.ranks;
  }
  file.group(where);
  copy_attributes(file, parts.front(), where, {"ranks", "written"});
  file.attribute(where, "ranks", ranks);
  file.attribute(where, "written", utc_now());
  file.text(where + "/deck", deck, "resolved deck (YAML) of a single run with the same result");
  file.text(where + "/kokkos", parts.front().open().text(where + "/kokkos"),
            "Kokkos::print_configuration of the first part");
  file.texts(where + "/hosts", hosts, "host of each rank, part after part");
  file.texts(where + "/merged", merged, "the parts that `rivulet merge` put together");
}

void write_streams(io::ResultsFile& file, const std::vector<ResultsPart>& parts) {
  const std::string where = "/streams";
  file.group(where);
  copy_attributes(file, parts.front(), where, {"count", "count_unit"});
  file.attribute(where, "count", parts.back().end() - parts.front().first, "streams");
  for (const std::string& name : parts.front().open().list(where)) {
    join_rows(file, parts, where + "/" + name);
  }
}

void write_timing(io::ResultsFile& file, const std::vector<ResultsPart>& parts) {
  const std::string where = "/timing";
  file.group(where);
  copy_attributes(file, parts.front(), where, {"figure_of_merit", "figure_of_merit_unit"});
  const FigureOfMerit all = figure_of_merit(parts);
  file.attribute(where, "figure_of_merit", all.value, all.unit);
  for (const std::string& name : parts.front().open().list(where)) {
    join<double>(file, parts, where + "/" + name,
                 [](const ResultsPart& part) { return part.ranks; });
  }
}

}  // namespace

void join_rows(io::ResultsFile& file, const std::vector<ResultsPart>& parts,
               const std::string& path) {
  join<std::uint64_t>(file, parts, path, [](const ResultsPart& part) { return part.count; });
}

void copy_attributes(io::ResultsFile& file, const ResultsPart& part, const std::string& object,
                     const std::vector<std::string>& except) {
  for (const auto& [name, value] : part.open().attributes(object)) {
    if (std::ranges::count(except, name) == 0) file.attribute(object, name, value);
  }
}

void write_common(io::ResultsFile& file, const std::vector<ResultsPart>& parts,
                  const std::string& deck) {
  write_config(file, parts, deck);
  write_streams(file, parts);
  write_timing(file, parts);
}

FigureOfMerit figure_of_merit(const std::vector<ResultsPart>& parts) {
  FigureOfMerit sum;
  for (const ResultsPart& part : parts) {
    const io::ReadFile file = part.open();
    sum.value += file.attribute<double>("/timing", "figure_of_merit");
    sum.unit = text_attribute(file, "/timing", "figure_of_merit_unit");
  }
  return sum;
}

}  // namespace rivulet
