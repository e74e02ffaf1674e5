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
      {"correlate", {"correlate.method", "correlate.memory"}, make_correlate_merging},
      {"occlusion", {}, make_occlusion_merging},
  };
  return list;
}

}  // namespace

const MergingEntry& merging_of(const ResultsPart& part) {
  std::string list;
  for (const MergingEntry& one : mergings()) {
    if (one.job == part.job) return one;
    list += (list.empty() ? "" : ", ") + one.job;
  }
  throw Error(fmt::format("'{}' has results of job '{}'", part.path, part.job),
              "they are not of ranges of streams", fmt::format("Merge results of: {}.", list));
}

}  // namespace rivulet
