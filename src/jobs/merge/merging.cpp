// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/merge/merging.hpp"

#include <fmt/format.h>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

const std::vector<MergingEntry>& mergings() {
  static const std::vector<MergingEntry> list{
      {"pi", {"pi.kernel", "pi.memory", "pi.iterations"}, make_pi_merging},
      {"alias", {"alias.memory", "alias.iterations", "table.memory"}, make_alias_merging},
      {"fill", {"fill.memory", "fill.iterations"}, make_fill_merging},
  };
  return list;
}

std::string why_not(const std::string& job) {
  if (job == "correlate") return "their sums of numbers and squares are not kept";
  if (job == "occlusion") return "a picture is of all its pixels";
  return "they are not of ranges of streams";
}

}  // namespace

const MergingEntry& merging_of(const ResultsPart& part) {
  std::string list;
  for (const MergingEntry& one : mergings()) {
    if (one.job == part.job) return one;
    list += (list.empty() ? "" : ", ") + one.job;
  }
  throw Error(fmt::format("'{}' has results of job '{}'", part.path, part.job), why_not(part.job),
              fmt::format("Merge results of: {}.", list));
}

}  // namespace rivulet
