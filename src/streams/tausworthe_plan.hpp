// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "rivulet/detail/rng/tausworthe_seeding.hpp"
#include "rivulet/detail/streams/irregular_starts.hpp"
#include "rivulet/detail/uint128.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// What a plan has to know of a generator of the Tausworthe family.
struct TauswortheCycle {
  std::vector<int> exponents;  ///< component i has the period 2^exponents[i] - 1
  bool has_lcg = false;        ///< and a linear congruential part the period 2^32
  std::uint64_t published_ids = 0;

  /// Of the whole: the components' periods are pairwise coprime. 0 without components, where
  /// nothing is known.
  Uint128 period() const;
};

template <class Kind>
TauswortheCycle tausworthe_cycle() {
  constexpr auto exponents = tausworthe_exponents<Kind>();
  TauswortheCycle cycle{
      {exponents.begin(), exponents.end()}, false, published_tausworthe_ids<Kind>};
  cycle.has_lcg = Kind::components > 0 && Kind::words > Kind::components;
  return cycle;
}

/// Where each stream starts. Native: all on the one cycle of all good states, stream s
/// as many steps as starts() says after the state hashed from the run's seed, h(s) being powers of
/// two; disjoint by construction.
/// Published: each from its own seed, id * 1099087573, as the paper that samples alias tables with
/// the hybrid generator; its literal listing has no other. The constructor throws Error where
/// streams would be the same or could not be kept apart as promised.
class TausworthePlan final : public StreamPlan {
 public:
  TausworthePlan(TauswortheCycle cycle, const StreamRequest& request);

  /// No stream can draw more than 2^64 numbers.
  static constexpr IrregularStarts starts() {
    return IrregularStarts(IrregularStarts::least_log2_distance);
  }

  /// Generator::log2_distance: published starts lie by chance.
  static std::optional<unsigned> log2_distance(const StreamRequest& request) {
    if (request.seeding == Seeding::published) return std::nullopt;
    return starts().log2_distance();
  }

  std::vector<std::pair<std::string, std::string>> certificate() const override;
  std::vector<std::string> warnings() const override;
  std::vector<StreamFact> facts() const override;
  std::vector<StreamColumn> columns(StreamRange range) const override;

 private:
  bool is_native() const { return request().seeding == Seeding::native; }
  bool is_listing() const { return cycle_.exponents.empty(); }
  void require_disjoint() const;
  void require_distinct() const;
  std::string period_text() const;
  std::string overlap_bound() const;

  TauswortheCycle cycle_;
};

}  // namespace rivulet
