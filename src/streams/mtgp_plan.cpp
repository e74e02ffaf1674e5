// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/mtgp_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rivulet/detail/streams/kept_jumps.hpp"
#include "rivulet/error.hpp"

namespace rivulet {
MtgpPlan::MtgpPlan(const StreamRequest& request) : SetsPlan(request) {
  if (is_native() || streams() <= sets()) return;
  throw Error(
      fmt::format("{} streams are more than {} parameter sets can make disjoint under the "
                  "published seeding",
                  streams(), sets()),
      "it gives every stream a seed of its own, so two streams on one set would overlap by chance",
      fmt::format("Ask for at most {} streams, or set streams.seeding=native.", sets()));
}

Gf2Polynomial MtgpPlan::polynomial(std::uint64_t set) const {
  return detail::mtgp_polynomial_of(set);
}

std::shared_ptr<const JumpPolynomials> MtgpPlan::jumps(std::uint64_t set,
                                                       std::uint64_t most) const {
  return detail::mtgp_jumps(set, most);
}

std::vector<std::pair<std::string, std::string>> MtgpPlan::certificate() const {
  const std::uint64_t rounds = (streams() - 1) / sets() + 1;
  std::vector<std::pair<std::string, std::string>> lines{
      {"method", "distinct irreducible characteristic polynomials; jump-ahead on the same one"},
      {"parameter source", "the 200 sets of MTGP32, exponent 11213, by its authors"},
      {"parameter sets used", std::to_string(std::min(sets(), streams()))},
      {"period", "2^11213 - 1, a prime: an irreducible characteristic polynomial is primitive"},
      {"across sets",
       "all characteristic polynomials differ and are irreducible (proved for the table), so they "
       "are pairwise coprime and no two sequences satisfy a common recurrence"}};
  if (rounds > 1) {
    lines.emplace_back(
        "within a set",
        fmt::format("{} streams start at irregular places, at least 2^{} steps apart, and draw at "
                    "most {} words each: {} * 2^{} <= 2^{}",
                    rounds, starts().log2_distance(), request().numbers_per_stream, rounds,
                    starts().log2_room(), degree()));
  } else {
    lines.emplace_back("within a set", "one stream per set");
  }
  return lines;
}

std::vector<StreamFact> MtgpPlan::facts() const {
  return {{"run_seed", request().seed},
          {"log2_jump", std::uint64_t{starts().log2_distance()}, "log2 of steps"}};
}

std::vector<StreamColumn> MtgpPlan::columns(StreamRange range) const {
  StreamColumn set{"parameter_set", "number of the parameter set in the authors' table"};
  StreamColumn seed{"seed", is_native()
                                ? "number of the set that, with run_seed and the set's parameters, "
                                  "keys init_by_array"
                                : "argument of mtgp32_init_state"};
  StreamColumn index{"index", "number of the stream on its set, which determines its start"};
  for (std::uint64_t id = range.first; id < range.first + range.count; ++id) {
    const std::uint64_t number = set_of(id);
    set.values.push_back(number);
    seed.values.push_back(is_native() ? number : published_mtgp_seed(request().seed, number));
    index.values.push_back(index_of(id));
  }
  return {set, seed, index};
}

}  // namespace rivulet
