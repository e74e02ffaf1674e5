// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/rng/dcmt_set.hpp"
#include "rivulet/detail/rng/twister_polynomial.hpp"
#include "rivulet/detail/streams/sets_plan.hpp"
#include "rivulet/detail/text.hpp"

namespace rivulet {

/// A twister's published seed is the stream id times this factor (genrand in List 6.16 of "The
/// OpenCL Programming Book", Fixstars).
inline constexpr std::uint32_t published_seed_factor = 0x33ff;

/// log2 of the minimum distance between starts on one set, in steps. No job draws as many words as
/// the default distance, and every position in a sequence of the library is below it.
inline constexpr GeneratorOption log2_jump_option{
    "log2_jump", 128, 64, 2201,
    "twisters: streams of a parameter set start at least 2^this steps apart; at most the exponent "
    "minus 2"};

/// Returns a twist coefficient that two sets share, or nullopt if all differ. Two such sets would
/// be the same twister, and their streams could overlap.
inline std::optional<std::uint32_t> common_twist(const DcmtSets& sets) {
  std::vector<std::uint32_t> twists;
  twists.reserve(sets.sets.size());
  for (const DcmtSet& set : sets.sets) twists.push_back(set.a);
  std::sort(twists.begin(), twists.end());
  const auto duplicate = std::adjacent_find(twists.begin(), twists.end());
  if (duplicate == twists.end()) return std::nullopt;
  return *duplicate;
}

/// Assigns each stream a parameter set and a part of that set's period. With n sets, stream s draws
/// from set s % n, where it has the index i = s / n. It starts start(i) steps after the set's
/// seeded state, with start(i) from IrregularStarts(log2_jump). Streams are disjoint by
/// construction. The constructor throws Error if they cannot be disjoint.
class DcmtPlan final : public SetsPlan {
 public:
  /// `digest` identifies the sets.
  DcmtPlan(DcmtSets sets, const StreamRequest& request, std::string digest = {})
      : SetsPlan(request), sets_(std::move(sets)), digest_(std::move(digest)) {
    if (sets_.sets.empty()) {
      throw Error("no parameter sets", "'" + sets_.source + "' holds none",
                  "Use streams.parameters=shipped, or a file made by `rivulet create`.");
    }
    require_log2_jump();
    require_distinct();
    require_disjoint();
  }

  const DcmtSets& parameter_sets() const { return sets_; }
  std::uint64_t sets() const override { return sets_.sets.size(); }
  std::uint64_t log2_jump() const { return request().options.of(log2_jump_option); }
  IrregularStarts starts() const override {
    return IrregularStarts(static_cast<unsigned>(log2_jump()));
  }
  int degree() const override { return sets_.p; }
  Gf2Polynomial polynomial(std::uint64_t set) const override {
    return dcmt_characteristic_polynomial(dcmt_shape(sets_.p), sets_.sets[set].a);
  }
  /// Implements Generator::log2_distance. Returns nullopt for published seeding, which has one
  /// stream per set.
  static std::optional<unsigned> log2_distance(const StreamRequest& request) {
    if (request.seeding == Seeding::published) return std::nullopt;
    return static_cast<unsigned>(std::max(request.options.of(log2_jump_option), min_log2_jump));
  }

  Certificate certificate() const override {
    return {
        {"method", "distinct irreducible characteristic polynomials; jump-ahead on the same one"},
        {"parameter source", sets_.source},
        {"parameter sets used", std::to_string(std::min(sets(), streams()))},
        {"period", detail::text_of("2^", sets_.p, " - 1")},
        {"across sets",
         "all twist coefficients differ (checked in this run), so the irreducible characteristic "
         "polynomials are pairwise coprime and no two sequences satisfy a common recurrence"},
        {"within a set", within_a_set()}};
  }
  std::vector<StreamFact> facts() const override {
    return {{"run_seed", request().seed},
            {"log2_jump", log2_jump(), "log2 of steps"},
            {"parameters_digest", digest_}};
  }
  std::vector<StreamColumn> columns(StreamRange range) const override {
    StreamColumn set{"parameter_set", "id of the parameter set"};
    StreamColumn seed{"seed", is_native() ? "place of the set that, with run_seed and the set's "
                                            "parameters, keys init_by_array"
                                          : "argument of init_genrand"};
    for (std::uint64_t id = range.first; id < range.first + range.count; ++id) {
      const std::uint64_t on_set = set_of(id);
      set.values.push_back(sets_.sets[on_set].id);
      seed.values.push_back(
          is_native() ? on_set : published_seed_factor * static_cast<std::uint32_t>(on_set));
    }
    return {set, seed, indices(range)};
  }
  std::string parameters_digest() const override { return digest_; }

 private:
  static constexpr std::uint64_t min_log2_jump = IrregularStarts::least_log2_distance;

  void require_log2_jump() const {
    const auto max_log2_jump = static_cast<std::uint64_t>(sets_.p) - 2;
    if (log2_jump() >= min_log2_jump && log2_jump() <= max_log2_jump) return;
    throw Error(
        detail::text_of("streams.log2_jump=", log2_jump(), " does not fit"),
        detail::text_of("it must be at least ", min_log2_jump,
                        ", and a stream takes up to 4 * 2^log2_jump steps of the period, 2^",
                        sets_.p, " - 1"),
        detail::text_of("Choose from ", min_log2_jump, " to ", max_log2_jump, "."));
  }
  void require_distinct() const {
    const auto twist = common_twist(sets_);
    if (!twist) return;
    throw Error(detail::text_of("two parameter sets of '", sets_.source,
                                "' have the twist coefficient ", *twist),
                "they would be the same twister, and streams on them could overlap",
                "Use a parameter file made by `rivulet create`.");
  }
  void require_disjoint() const {
    if (streams() <= sets()) return;
    if (!is_native()) refuse_shared_sets();
    const std::uint64_t limit = streams_on_a_set();
    if (max_streams_on_a_set() <= limit) return;
    throw Error(detail::text_of(streams(), " streams are more than can be made disjoint"),
                detail::text_of(sets(), " parameter sets of period 2^", sets_.p, " - 1 hold ",
                                limit, " streams each when they start at least 2^",
                                starts().log2_distance(), " steps apart"),
                "Lower streams.log2_jump, or make more parameter sets with `rivulet create`.");
  }
  /// Returns the number of streams that fit in a period of 2^p - 1, saturated to 64 bits.
  std::uint64_t streams_on_a_set() const {
    const unsigned exponent = static_cast<unsigned>(sets_.p) - starts().log2_room();
    if (exponent >= 64) return std::numeric_limits<std::uint64_t>::max();
    return std::uint64_t{1} << exponent;
  }

  DcmtSets sets_;
  std::string digest_;
};

}  // namespace rivulet
