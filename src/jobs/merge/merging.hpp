// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/deck/deck.hpp"
#include "io/results/results_file.hpp"
#include "io/terminal/report.hpp"
#include "jobs/merge/results_part.hpp"

namespace rivulet {

/// What is one job's own in putting parts of its results together.
class Merging {
 public:
  virtual ~Merging() = default;

  /// Takes in the next part, in the order of streams. Throws Error if the part's data do not give
  /// its digest. Holds on to no more than a single part's dataset.
  virtual void add(const ResultsPart& part, const io::ReadFile& file) = 0;
  /// Of all parts: what a single run with their streams has.
  virtual std::string digest() const = 0;
  /// Writes the group /results/JOB.
  virtual void write(io::ResultsFile& file, const std::vector<ResultsPart>& parts) const = 0;
  virtual void report(io::Report& report) const = 0;
};

/// A line of the list of jobs whose results can be merged.
struct MergingEntry {
  std::string job;
  /// Keys whose values do not change results, besides those of the section streams.
  std::vector<std::string> free_keys;
  /// From the deck of a part.
  std::unique_ptr<Merging> (*make)(const io::Deck& deck);
};

/// Throws Error, with the reason, for a part whose job's results cannot be merged.
const MergingEntry& merging_of(const ResultsPart& part);

std::unique_ptr<Merging> make_pi_merging(const io::Deck& deck);
std::unique_ptr<Merging> make_alias_merging(const io::Deck& deck);
std::unique_ptr<Merging> make_fill_merging(const io::Deck& deck);
std::unique_ptr<Merging> make_correlate_merging(const io::Deck& deck);
std::unique_ptr<Merging> make_occlusion_merging(const io::Deck& deck);

}  // namespace rivulet
