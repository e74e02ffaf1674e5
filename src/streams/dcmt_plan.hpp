// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "rivulet/detail/rng/dcmt_set.hpp"
#include "streams/sets_plan.hpp"

namespace rivulet {

/// Published seeds of twisters: 0x33ff times the stream id (genrand in List 6.16 of "The
/// OpenCL Programming Book", Fixstars).
inline constexpr std::uint32_t published_seed_factor = 0x33ff;

/// The least distance of twisters on one set: by default more words than any job draws, and than
/// any position of the library's sequences is away from the first.
inline constexpr GeneratorOption log2_jump_option{
    "log2_jump", 128, 64, 2201,
    "twisters on the same parameter set start at least 2^this steps apart; at most the generator's "
    "exponent minus 2"};

/// Which parameter set and which part of its period each stream owns: stream s draws from set
/// s % sets, starting as many steps after the set's seeded state as
/// IrregularStarts(log2_jump) says of index s / sets. Disjoint by construction; the constructor
/// throws Error where that cannot be promised.
class DcmtPlan final : public SetsPlan {
 public:
  DcmtPlan(DcmtSets sets, const StreamRequest& request);

  const DcmtSets& parameter_sets() const { return sets_; }
  std::uint64_t sets() const override { return sets_.sets.size(); }
  std::uint64_t log2_jump() const { return request().options.of(log2_jump_option); }
  IrregularStarts starts() const override {
    return IrregularStarts(static_cast<unsigned>(log2_jump()));
  }
  int degree() const override { return sets_.p; }
  Gf2Polynomial polynomial(std::uint64_t set) const override;
  /// Generator::log2_distance: published seeding has one stream per set.
  static std::optional<unsigned> log2_distance(const StreamRequest& request);

  std::vector<std::pair<std::string, std::string>> certificate() const override;
  std::vector<StreamFact> facts() const override;
  std::vector<StreamColumn> columns(StreamRange range) const override;
  std::string parameters_digest() const override;

 private:
  DcmtSets sets_;
};

}  // namespace rivulet
