// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/tausworthe_plan.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rivulet/error.hpp"

namespace rivulet {

Uint128 TauswortheCycle::period() const {
  if (exponents.empty()) return 0;
  Uint128 period = has_lcg ? Uint128{1} << 32 : 1;
  for (const int k : exponents) period *= (Uint128{1} << k) - 1;
  return period;
}

TausworthePlan::TausworthePlan(TauswortheCycle cycle, const StreamRequest& request)
    : StreamPlan(request), cycle_(std::move(cycle)) {
  if (is_native() && is_listing()) {
    throw Error("hybrid_tausworthe_listing has no native seeding",
                "it is the published listing to the letter, and its streams start from that "
                "listing's seeds",
                "Set streams.seeding=published, or streams.generator=hybrid_tausworthe for the "
                "generator that was meant.");
  }
  is_native() ? require_disjoint() : require_distinct();
}

void TausworthePlan::require_disjoint() const {
  const Uint128 fit = cycle_.period() >> starts().log2_room();
  if (streams() <= fit) return;
  throw Error(fmt::format("{} streams do not fit on the generator's cycle", streams()),
              fmt::format("they start at least 2^{} steps apart, and its period {} has room for {}",
                          starts().log2_distance(), period_text(), static_cast<std::uint64_t>(fit)),
              "Ask for fewer streams.");
}

void TausworthePlan::require_distinct() const {
  if (streams() <= cycle_.published_ids) return;
  throw Error(fmt::format("{} streams would not all differ", streams()),
              fmt::format("published seeds, id * {} modulo 2^32, make {} different streams of this "
                          "generator",
                          published_tausworthe_factor, cycle_.published_ids),
              is_listing() ? "Ask for fewer streams."
                           : "Ask for fewer streams, or set streams.seeding=native.");
}

std::string TausworthePlan::period_text() const {
  std::string text;
  for (const int k : cycle_.exponents) text += fmt::format("(2^{} - 1)", k);
  return cycle_.has_lcg ? text + " 2^32" : text;
}

/// S^2 L / period, as a power of two rounded up: two of S starts are within L steps of each other
/// in (S^2 - S) / 2 ways, each with probability (2 L - 1) / period.
std::string TausworthePlan::overlap_bound() const {
  const double exponent = 2 * std::log2(static_cast<double>(streams())) +
                          std::log2(static_cast<double>(request().numbers_per_stream)) -
                          std::log2(static_cast<double>(cycle_.period()));
  return fmt::format("2^{}", static_cast<int>(std::ceil(exponent)));
}

std::vector<std::pair<std::string, std::string>> TausworthePlan::certificate() const {
  if (is_listing()) {
    return {{"method", "published seeds id * 1099087573 modulo 2^32, all different"},
            {"proved",
             "nothing more. The listing is a map of 32 bits: a stream repeats itself after some "
             "75000 numbers, and streams run into each other within about as many. It is kept to "
             "compare with the paper, and as a bad generator that statistics must catch"}};
  }
  if (is_native()) {
    return {
        {"method", "jump-ahead on the one cycle of all good states"},
        {"period", period_text() + ", whose factors are pairwise coprime"},
        {"distance", fmt::format("irregular, at least 2^{} steps between the starts of any two",
                                 starts().log2_distance())},
        {"proved", fmt::format("{} * 2^{} is at most the period, and no stream draws more than {} "
                               "numbers, which is at most 2^{}: no two meet",
                               streams(), starts().log2_room(), request().numbers_per_stream,
                               starts().log2_distance())}};
  }
  return {{"method", "published seeds id * 1099087573 modulo 2^32, the same for all components"},
          {"period", period_text()},
          {"proved", "all streams start at different places of the one cycle of all good states"},
          {"only probable",
           fmt::format("that no two streams overlap in the {} numbers that each draws at most: if "
                       "starts were random places, the chance of an overlap would be below {}",
                       request().numbers_per_stream, overlap_bound())}};
}

std::vector<std::string> TausworthePlan::warnings() const {
  if (is_listing()) {
    return {
        "hybrid_tausworthe_listing is known to be bad (streams repeat themselves after some 75000 "
        "numbers); use streams.generator=hybrid_tausworthe for results"};
  }
  if (is_native() || streams() == 1) return {};
  return {
      "published seeds make the first numbers of neighbouring streams correlate (they are "
      "multiples "
      "of one another, and the same for all components); use streams.seeding=native for results"};
}

std::vector<StreamFact> TausworthePlan::facts() const {
  if (!is_native()) return {{"seed_factor", std::uint64_t{published_tausworthe_factor}}};
  return {{"run_seed", request().seed},
          {"log2_jump", std::uint64_t{starts().log2_distance()}, "log2 of steps"}};
}

std::vector<StreamColumn> TausworthePlan::columns(StreamRange range) const {
  if (is_native()) return {};  // the id says it all
  StreamColumn seed{"seed", "id * seed_factor modulo 2^32"};
  for (std::uint64_t id = range.first; id < range.first + range.count; ++id) {
    seed.values.push_back(published_tausworthe_factor * static_cast<std::uint32_t>(id));
  }
  return {seed};
}

}  // namespace rivulet
