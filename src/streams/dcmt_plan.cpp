// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/dcmt_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "parameters/creator.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
namespace {

constexpr std::uint64_t least_log2_jump = IrregularStarts::least_log2_distance;

/// Streams that a period of 2^p - 1 has room for, saturated to 64 bits.
std::uint64_t streams_on_a_set(int p, IrregularStarts starts) {
  const unsigned exponent = static_cast<unsigned>(p) - starts.log2_room();
  if (exponent >= 64) return std::numeric_limits<std::uint64_t>::max();
  return std::uint64_t{1} << exponent;
}

void require_log2_jump(int p, std::uint64_t log2_jump) {
  const auto most = static_cast<std::uint64_t>(p) - 2;
  if (log2_jump >= least_log2_jump && log2_jump <= most) return;
  throw Error(fmt::format("streams.log2_jump={} does not fit", log2_jump),
              fmt::format("streams must start at least 2^{} steps apart, each takes up to 4 times "
                          "the distance, and the period is 2^{} - 1",
                          least_log2_jump, p),
              fmt::format("Choose from {} to {}.", least_log2_jump, most));
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

void require_disjoint(const DcmtSets& sets, const StreamRequest& request, IrregularStarts starts) {
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
  const std::uint64_t limit = streams_on_a_set(sets.p, starts);
  if (rounds <= limit) return;
  throw Error(fmt::format("{} streams are more than can be made disjoint", request.streams),
              fmt::format("{} parameter sets of period 2^{} - 1 hold {} streams each when they "
                          "start at least 2^{} steps apart",
                          available, sets.p, limit, starts.log2_distance()),
              "Lower streams.log2_jump, or create more parameter sets.");
}

}  // namespace

DcmtPlan::DcmtPlan(DcmtSets sets, const StreamRequest& request)
    : SetsPlan(request), sets_(std::move(sets)) {
  if (sets_.sets.empty()) {
    throw Error("no parameter sets", "'" + sets_.source + "' holds none",
                "Use streams.parameters=shipped, or a file made by `rivulet create`.");
  }
  require_log2_jump(sets_.p, log2_jump());
  require_distinct(sets_);
  require_disjoint(sets_, request, starts());
}

Gf2Polynomial DcmtPlan::polynomial(std::uint64_t set) const {
  return dcmt_characteristic_polynomial(dcmt_shape(sets_.p), sets_.sets[set].a);
}

std::vector<std::pair<std::string, std::string>> DcmtPlan::certificate() const {
  const std::uint64_t rounds = (streams() - 1) / sets() + 1;
  std::vector<std::pair<std::string, std::string>> lines{
      {"method", "distinct irreducible characteristic polynomials; jump-ahead on the same one"},
      {"parameter source", sets_.source},
      {"parameter sets used", std::to_string(std::min(sets(), streams()))},
      {"period", fmt::format("2^{} - 1", sets_.p)},
      {"across sets",
       "all twist coefficients differ (checked in this run), so the irreducible characteristic "
       "polynomials are pairwise coprime and no two sequences satisfy a common recurrence"}};
  if (rounds > 1) {
    lines.emplace_back(
        "within a set",
        fmt::format("{} streams start at irregular places, at least 2^{} steps apart, and draw at "
                    "most {} words each: {} * 2^{} <= 2^{}",
                    rounds, log2_jump(), request().numbers_per_stream, rounds, starts().log2_room(),
                    sets_.p));
  } else {
    lines.emplace_back("within a set", "one stream per set");
  }
  return lines;
}

std::string DcmtPlan::parameters_digest() const { return digest(sets_); }

std::optional<unsigned> DcmtPlan::log2_distance(const StreamRequest& request) {
  if (request.seeding == Seeding::published) return std::nullopt;
  return static_cast<unsigned>(
      std::max(request.options.of(log2_jump_option), std::uint64_t{least_log2_jump}));
}

std::vector<StreamFact> DcmtPlan::facts() const {
  return {{"run_seed", request().seed},
          {"log2_jump", log2_jump(), "log2 of steps"},
          {"parameters_digest", parameters_digest()}};
}

std::vector<StreamColumn> DcmtPlan::columns(StreamRange range) const {
  const bool native = request().seeding == Seeding::native;
  StreamColumn set{"parameter_set", "id of the parameter set"};
  StreamColumn seed{"seed", native
                                ? "place of the set that, with run_seed and the set's parameters, "
                                  "keys init_by_array"
                                : "argument of init_genrand"};
  StreamColumn index{"index", "number of the stream on its set, which determines its start"};
  for (std::uint64_t id = range.first; id < range.first + range.count; ++id) {
    const std::uint64_t on_set = set_of(id);
    set.values.push_back(sets_.sets[on_set].id);
    seed.values.push_back(native ? on_set
                                 : published_seed_factor * static_cast<std::uint32_t>(on_set));
    index.values.push_back(index_of(id));
  }
  return {set, seed, index};
}

}  // namespace rivulet
