// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/rng/mtgp_sets.hpp"
#include "rivulet/detail/streams/kept_jumps.hpp"
#include "streams/sets_plan.hpp"

namespace rivulet {

/// Which of the authors' parameter sets and which part of its period each stream owns. Native: each
/// set's state is made of the run's seed by init_by_array. Published: by mtgp32_init_state, as
/// cuRAND's set-up does, a stream a set. The constructor throws Error where more are asked for.
class MtgpPlan final : public SetsPlan {
 public:
  explicit MtgpPlan(const StreamRequest& request);

  std::uint64_t sets() const override { return detail::mtgp_set_count; }
  const MtgpSet& set(std::uint64_t number) const { return detail::mtgp_sets[number]; }
  IrregularStarts starts() const override { return detail::mtgp_starts; }
  int degree() const override { return Mtgp11213Recurrence::p; }
  Gf2Polynomial polynomial(std::uint64_t set) const override;
  std::shared_ptr<const JumpPolynomials> jumps(std::uint64_t set,
                                               std::uint64_t most) const override;

  std::vector<std::pair<std::string, std::string>> certificate() const override;
  std::vector<StreamFact> facts() const override;
  std::vector<StreamColumn> columns(StreamRange range) const override;

 private:
  bool is_native() const { return request().seeding == Seeding::native; }
};

}  // namespace rivulet
