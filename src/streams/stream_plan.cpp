// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/stream_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "error.hpp"

namespace rivulet {
namespace {

/// Whole segments of 2^log2_jump steps in a period of 2^p - 1, saturated to 64 bits.
std::uint64_t segments(int p, std::uint64_t log2_jump) {
  const auto exponent = static_cast<std::uint64_t>(p) - log2_jump;
  if (exponent >= 64) return std::numeric_limits<std::uint64_t>::max();
  return (std::uint64_t{1} << exponent) - 1;
}

void require_distinct(const DcmtSets& sets) {
  std::vector<std::uint32_t> twists;
  twists.reserve(sets.sets.size());
  for (const DcmtSet& set : sets.sets) twists.push_back(set.a);
  std::ranges::sort(twists);
  const auto twin = std::ranges::adjacent_find(twists);
  if (twin == twists.end()) return;
  throw Error(
      fmt::format("two parameter sets of '{}' have the twist coefficient {}", sets.source, *twin),
      "they would be the same twister, and streams on them could overlap",
      "Use a parameter file made by `rivulet create`.");
}

void require_disjoint(const DcmtSets& sets, const StreamRequest& request) {
  const std::uint64_t available = sets.sets.size();
  if (request.streams <= available) return;
  const std::uint64_t rounds = (request.streams - 1) / available + 1;
  if (request.seeding == Seeding::published) {
    throw Error(
        fmt::format("{} streams are more than {} parameter sets can make disjoint under "
                    "the published seeding",
                    request.streams, available),
        "it gives every stream a seed of its own, so two streams on one set would overlap "
        "by chance",
        fmt::format("Ask for at most {} streams, or set streams.seeding=native.", available));
  }
  const std::uint64_t limit = segments(sets.p, request.log2_jump);
  if (rounds <= limit) return;
  throw Error(fmt::format("{} streams are more than can be made disjoint", request.streams),
              fmt::format("{} parameter sets of period 2^{} - 1 hold {} streams each when they "
                          "start 2^{} steps apart",
                          available, sets.p, limit, request.log2_jump),
              "Lower streams.log2_jump, or create more parameter sets.");
}

}  // namespace

StreamPlan::StreamPlan(const DcmtSets& sets, const StreamRequest& request)
    : request_(request), sets_(sets.sets.size()), p_(sets.p), source_(sets.source) {
  if (request.streams == 0) {
    throw Error("no streams", "streams.count is 0, and every number comes from a stream",
                "Ask for at least one.");
  }
  if (sets.sets.empty()) {
    throw Error("no parameter sets", "'" + sets.source + "' holds none",
                "Use streams.parameters=shipped, or a file made by `rivulet create`.");
  }
  if (request.log2_jump < 64 || request.log2_jump >= static_cast<std::uint64_t>(sets.p)) {
    throw Error(fmt::format("streams.log2_jump={} does not fit", request.log2_jump),
                fmt::format("streams must start at least 2^64 steps apart, and the period is "
                            "2^{} - 1",
                            sets.p),
                fmt::format("Choose from 64 to {}.", sets.p - 1));
  }
  require_distinct(sets);
  require_disjoint(sets, request);
}

std::vector<std::pair<std::string, std::string>> StreamPlan::certificate() const {
  const std::uint64_t rounds = (request_.streams - 1) / sets_ + 1;
  std::vector<std::pair<std::string, std::string>> lines{
      {"method", "distinct irreducible characteristic polynomials; jump-ahead on the same one"},
      {"parameter source", source_},
      {"parameter sets used", std::to_string(std::min(sets_, request_.streams))},
      {"period", fmt::format("2^{} - 1", p_)},
      {"across sets",
       "all twist coefficients differ (checked in this run), so the irreducible characteristic "
       "polynomials are pairwise coprime and no two sequences satisfy a common recurrence"}};
  if (rounds > 1) {
    lines.emplace_back("within a set",
                       fmt::format("{} streams start 2^{} steps apart and draw at most {} words "
                                   "each: {} * 2^{} < 2^{} - 1",
                                   rounds, request_.log2_jump, request_.words_per_stream, rounds,
                                   request_.log2_jump, p_));
  } else {
    lines.emplace_back("within a set", "one stream a set");
  }
  return lines;
}

}  // namespace rivulet
