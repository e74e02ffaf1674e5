// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "algebra/irregular_starts.hpp"
#include "streams/stream_plan.hpp"

namespace rivulet {

/// Published seeds of twisters: 0x33ff times the stream id (seed 000's List 6.16, genrand).
inline constexpr std::uint32_t published_seed_factor = 0x33ff;

/// Which parameter set and which part of its period each stream owns: stream s draws from set
/// s % sets, starting IrregularStarts(log2_jump).start(s / sets) steps after the set's seeded
/// state. Disjoint by construction; the constructor throws Error where that cannot be promised.
class DcmtPlan final : public StreamPlan {
 public:
  DcmtPlan(DcmtSets sets, const StreamRequest& request);

  const DcmtSets& parameter_sets() const { return sets_; }
  std::uint64_t sets() const { return sets_.sets.size(); }
  std::uint64_t set_of(std::uint64_t stream) const { return stream % sets(); }
  /// Number of the stream among those of its set.
  std::uint64_t index_of(std::uint64_t stream) const { return stream / sets(); }
  IrregularStarts starts() const {
    return IrregularStarts(static_cast<unsigned>(request().log2_jump));
  }

  std::vector<std::pair<std::string, std::string>> certificate() const override;
  std::vector<StreamFact> facts() const override;
  std::vector<StreamColumn> columns(StreamRange range) const override;

 private:
  DcmtSets sets_;
};

}  // namespace rivulet
