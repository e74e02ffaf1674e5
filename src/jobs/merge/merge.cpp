// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "io/deck/deck.hpp"
#include "io/results/results_file.hpp"
#include "io/words/messages.hpp"
#include "io/words/scalar_text.hpp"
#include "jobs/common/drawing_job.hpp"
#include "jobs/common/merge_input.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

/// The report lists at most this many parts by name.
constexpr std::size_t max_listed_parts = 16;

/// Creates the part's job with `deck`. Throws Error if the job's results cannot be merged.
std::unique_ptr<DrawingJob> merging_job(const MergeInput& part, const std::string& deck,
                                        const std::string& place) {
  std::string list;
  for (const JobEntry& entry : jobs()) {
    auto job = entry.make();
    auto* const drawing = dynamic_cast<DrawingJob*>(job.get());
    if (drawing == nullptr) continue;
    if (entry.name == part.job) {
      io::Deck::parse(deck, place).read_into(job->schema());
      static_cast<void>(job.release());
      return std::unique_ptr<DrawingJob>(drawing);
    }
    list += (list.empty() ? "" : ", ") + entry.name;
  }
  throw Error(fmt::format("'{}' has results of job '{}'", part.path, part.job),
              "results of this job cannot be made in parts",
              fmt::format("Merge results of: {}.", list));
}

std::string text_attribute(const io::ReadFile& file, const std::string& object,
                           const std::string& name) {
  return file.has_attribute(object, name) ? file.attribute<std::string>(object, name) : "";
}

/// Writes a dataset with the rows of all parts, in the order of `parts`. Its description and unit
/// are those of the first part. Only one part's rows are in memory at a time.
template <class T>
void join(io::ResultsFile& file, const std::vector<MergeInput>& parts, const std::string& path,
          const std::function<std::uint64_t(const MergeInput&)>& rows_of) {
  std::uint64_t rows = 0;
  for (const MergeInput& part : parts) rows += rows_of(part);
  {
    const io::ReadFile first = parts.front().open();
    file.create(path, {io::element_type<T>(), rows}, text_attribute(first, path, "description"),
                text_attribute(first, path, "unit"));
  }
  std::uint64_t at = 0;
  for (const MergeInput& part : parts) {
    const auto values = part.open().dataset<T>(path);
    if (values.size() != rows_of(part)) {
      part.fail_damaged(fmt::format("{} has {} rows, not {}", path, values.size(), rows_of(part)));
    }
    file.write(path, std::span<const T>(values), 1, at);
    at += values.size();
  }
}

/// Copies the attributes of `object` from `part`, except those whose names are in `written`.
void copy_attributes(io::ResultsFile& file, const MergeInput& part, const std::string& object,
                     const std::set<std::string>& written) {
  for (const auto& [name, value] : part.open().attributes(object)) {
    if (!written.contains(name)) file.attribute(object, name, value);
  }
}

/// Returns the sum of the parts' figures of merit, and its unit. The sum is the rate of parts that
/// run concurrently.
std::pair<double, std::string> figure_of_merit(const std::vector<MergeInput>& parts) {
  std::pair<double, std::string> sum;
  for (const MergeInput& part : parts) {
    const io::ReadFile file = part.open();
    sum.first += file.attribute<double>("/timing", "figure_of_merit");
    sum.second = text_attribute(file, "/timing", "figure_of_merit_unit");
  }
  return sum;
}

void write_config(io::ResultsFile& file, const std::vector<MergeInput>& parts,
                  const std::string& deck) {
  const std::string where = "/config";
  std::vector<std::string> hosts;
  std::vector<std::string> merged;
  std::uint64_t ranks = 0;
  for (const MergeInput& part : parts) {
    const auto some = part.open().lines(where + "/hosts");
    hosts.insert(hosts.end(), some.begin(), some.end());
    merged.push_back(
        fmt::format("{}: {}, digest {}", io::printable(part.path), part.text(), part.digest));
    ranks += part.ranks;
  }
  file.group(where);
  copy_attributes(file, parts.front(), where, {"ranks", "written"});
  file.attribute(where, "ranks", ranks);
  file.attribute(where, "written", io::utc_now());
  file.text(where + "/deck", io::printable(deck),
            "resolved deck (YAML) of a single run with the same result");
  file.text(where + "/kokkos", parts.front().open().text(where + "/kokkos"),
            "Kokkos::print_configuration of the first part");
  file.lines(where + "/hosts", hosts, "host of each rank, part after part");
  file.lines(where + "/merged", merged, "the parts that `rivulet merge` put together");
}

void write_streams(io::ResultsFile& file, const std::vector<MergeInput>& parts) {
  const std::string where = "/streams";
  file.group(where);
  // A certificate covers a number of draws per stream. A single run would need the certificate for
  // the largest number, so the attributes are copied from the part with this number.
  copy_attributes(file, *std::ranges::max_element(parts, {}, &MergeInput::numbers), where,
                  {"count", "count_unit"});
  file.attribute(where, "count", parts.back().end() - parts.front().first, "streams");
  const std::vector<MergeInput> drawn =
      parts.front().portion.is_of_streams() ? parts : std::vector{parts.front()};
  for (const std::string& name : parts.front().open().list(where)) {
    join<std::uint64_t>(file, drawn, where + "/" + name,
                        [](const MergeInput& part) { return part.count; });
  }
}

void write_timing(io::ResultsFile& file, const std::vector<MergeInput>& parts) {
  const std::string where = "/timing";
  file.group(where);
  copy_attributes(file, parts.front(), where, {"figure_of_merit", "figure_of_merit_unit"});
  const auto [value, unit] = figure_of_merit(parts);
  file.attribute(where, "figure_of_merit", value, unit);
  for (const std::string& name : parts.front().open().list(where)) {
    join<double>(file, parts, where + "/" + name,
                 [](const MergeInput& part) { return part.ranks; });
  }
}

void require_other_file(const std::string& output, const std::vector<MergeInput>& parts) {
  for (const MergeInput& part : parts) {
    if (!io::is_same_file(io::identity_of(part.path), io::identity_of(output))) continue;
    throw Error(fmt::format("--output {} is one of the files to merge", output),
                "the merged result would replace it", "Name another file with --output.");
  }
}

std::vector<MergeInput> read_parts(const std::vector<std::string>& inputs) {
  std::vector<MergeInput> parts;
  for (const std::string& path : inputs) {
    parts.push_back(read_part(path));
    MergeInput& part = parts.back();
    const auto job = merging_job(part, part.deck, path + ": /config/deck");
    part.portion = job->portion(part);
    part.numbers = job->requirements().numbers.value_or(0);
    if (parts.size() > 1) require_same_deck(parts.front(), parts.back());
  }
  return in_order(std::move(parts));
}

void report_parts(io::Report& report, const std::vector<MergeInput>& parts, const Portion& whole) {
  report.details("Parts");
  for (std::size_t i = 0; i < parts.size() && i < max_listed_parts; ++i) {
    report.result(parts[i].path, parts[i].text());
  }
  if (parts.size() > max_listed_parts)
    report.result("more", parts.size() - max_listed_parts, "files");
  std::string all =
      whole.names.empty() ? whole.text() : fmt::format("{} {}s", whole.names.size(), whole.unit);
  if (whole.is_of_streams()) all += fmt::format(" of {}", parts.front().family_streams);
  report.result("together", all);
}

}  // namespace

int merge_results(const io::Communicator& world, const std::vector<std::string>& inputs,
                  const std::string& output, io::Report& report) {
  if (world.size() > 1) {
    throw Error(fmt::format("`rivulet merge` on {} MPI ranks", world.size()),
                "one process reads and writes the files", "Start it without mpiexec.");
  }
  const std::vector<MergeInput> parts = read_parts(inputs);
  require_other_file(output, parts);
  const Portion whole = merged_portion(parts);
  const MergeInput& first = parts.front();
  const std::string text = merged_deck(parts, whole.settings(), output);
  const auto job = merging_job(first, text, "merged deck");

  // The file is opened before the work, so errors appear early.
  io::ResultsFile file(world, output, "results", version, io::FileForm::plain,
                       job->output().layout);
  Results results(world, results_group(first.job));
  const std::string digest = job->merge(parts, results);
  write_config(file, parts, text);
  write_streams(file, parts);
  write_timing(file, parts);
  results.write(file);
  // The first part may have attributes that `results` does not declare.
  copy_attributes(file, first, results.path(), results.attributes());
  file.attribute("/", "digest", digest);
  file.commit();

  report_parts(report, parts, whole);
  report.section("Result");
  results.write_lines(report);
  report.result("results file", output);
  const auto [merit, unit] = figure_of_merit(parts);
  report.finish(merit, unit, digest);
  return results.status();
}

}  // namespace rivulet
