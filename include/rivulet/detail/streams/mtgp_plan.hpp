// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rivulet/detail/rng/mtgp_sets.hpp"
#include "rivulet/detail/streams/jump_polynomials.hpp"
#include "rivulet/detail/streams/sets_plan.hpp"

namespace rivulet {

/// Assigns each stream one of the parameter sets by MTGP32's authors, and a part of that set's
/// period. Native seeding computes each set's state from the run's seed with init_by_array.
/// Published seeding uses mtgp32_init_state, as cuRAND's set-up does, for one stream per set. The
/// constructor throws Error if published seeding is requested for more streams than there are sets.
class MtgpPlan final : public SetsPlan {
 public:
  explicit MtgpPlan(const StreamRequest& request) : SetsPlan(request) {
    if (!is_native() && streams() > sets()) refuse_shared_sets();
  }

  std::uint64_t sets() const override { return detail::mtgp_set_count; }
  const MtgpSet& set(std::uint64_t number) const { return detail::mtgp_sets[number]; }
  IrregularStarts starts() const override { return detail::mtgp_starts; }
  int degree() const override { return Mtgp11213Recurrence::p; }
  Gf2Polynomial polynomial(std::uint64_t set) const override {
    return detail::mtgp_polynomial_of(set);
  }
  std::shared_ptr<const JumpPolynomials> jumps(std::uint64_t set,
                                               std::uint64_t max_index) const override {
    return detail::mtgp_jumps(set, max_index);
  }

  Certificate certificate() const override {
    return {
        {"method", "distinct irreducible characteristic polynomials; jump-ahead on the same one"},
        {"parameter source", "the 200 sets of MTGP32, exponent 11213, by its authors"},
        {"parameter sets used", std::to_string(std::min(sets(), streams()))},
        {"period", "2^11213 - 1, a prime: an irreducible characteristic polynomial is primitive"},
        {"across sets",
         "all characteristic polynomials differ and are irreducible (proved for the table), so "
         "they are pairwise coprime and no two sequences satisfy a common recurrence"},
        {"within a set", within_a_set()}};
  }
  std::vector<StreamColumn> columns(StreamRange range) const override {
    StreamColumn set{"parameter_set", "number of the parameter set in the authors' table"};
    StreamColumn seed{"seed", is_native() ? "number of the set that, with run_seed and the set's "
                                            "parameters, keys init_by_array"
                                          : "argument of mtgp32_init_state"};
    for (std::uint64_t id = range.first; id < range.first + range.count; ++id) {
      const std::uint64_t number = set_of(id);
      set.values.push_back(number);
      seed.values.push_back(is_native() ? number : published_mtgp_seed(request().seed, number));
    }
    return {set, seed, indices(range)};
  }
};

}  // namespace rivulet
