// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/merge/merge.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "io/deck/deck.hpp"
#include "io/results/results_file.hpp"
#include "jobs/common/job.hpp"
#include "jobs/common/output_options.hpp"
#include "jobs/merge/merged_deck.hpp"
#include "jobs/merge/merged_file.hpp"
#include "jobs/merge/merging.hpp"
#include "jobs/merge/results_part.hpp"
#include "rivulet/error.hpp"
#include "rivulet/version.hpp"

namespace rivulet {
namespace {

/// Parts that a report lists by name.
constexpr std::size_t most_told = 16;

void require_other_file(const std::string& output, const std::vector<ResultsPart>& parts) {
  for (const ResultsPart& part : parts) {
    std::error_code none;  // where there is no such file yet
    if (!std::filesystem::equivalent(part.path, output, none)) continue;
    throw Error(fmt::format("--output {} is one of the files to merge", output),
                "it would be replaced by what is made of it", "Name another file.");
  }
}

/// The parts in the order of their streams, all of one deck.
std::vector<ResultsPart> read_parts(const std::vector<std::string>& inputs) {
  std::vector<ResultsPart> parts;
  for (const std::string& path : inputs) {
    parts.push_back(read_part(path));
    const MergingEntry& merging = merging_of(parts.back());
    if (parts.size() > 1) require_same_deck(parts.front(), parts.back(), merging.free_keys);
  }
  return in_order(std::move(parts));
}

io::ChunkLayout layout_of(const std::string& name, const io::Deck& deck) {
  const auto job = make_job(name, "merged deck");
  deck.read_into(job->schema());
  return job->output().layout;
}

void report_parts(io::Report& report, const std::vector<ResultsPart>& parts) {
  report.section("Parts");
  for (std::size_t i = 0; i < parts.size() && i < most_told; ++i) {
    report.result(parts[i].path, parts[i].streams_text());
  }
  if (parts.size() > most_told) report.result("more", parts.size() - most_told, "files");
  const std::uint64_t first = parts.front().first;
  report.result("together", fmt::format("streams {} to {} of {}", first, parts.back().end() - 1,
                                        parts.front().of));
}

}  // namespace

void merge_results(const io::Communicator& world, const std::vector<std::string>& inputs,
                   const std::string& output, io::Report& report) {
  if (world.size() > 1) {
    throw Error(fmt::format("`rivulet merge` on {} MPI ranks", world.size()),
                "one process reads and writes the files", "Start it without mpiexec.");
  }
  const std::vector<ResultsPart> parts = read_parts(inputs);
  require_other_file(output, parts);
  const std::string text = merged_deck(parts, output);
  const io::Deck deck = io::Deck::parse(text, "merged deck");
  const auto merging = merging_of(parts.front()).make(deck);

  // Before the work.
  io::ResultsFile file(world, output, "results", version, io::FileForm::plain,
                       layout_of(parts.front().job, deck));
  for (const ResultsPart& part : parts) merging->add(part, part.open());
  write_common(file, parts, text);
  merging->write(file, parts);
  file.attribute("/", "digest", merging->digest());
  file.commit();

  report_parts(report, parts);
  report.section("Result");
  merging->report(report);
  report.result("results file", output);
  const FigureOfMerit merit = figure_of_merit(parts);
  report.finish(merit.value, merit.unit, merging->digest());
}

}  // namespace rivulet
