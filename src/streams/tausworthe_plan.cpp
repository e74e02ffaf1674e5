// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/tausworthe_plan.hpp"

#include <fmt/format.h>

#include <cmath>

#include "error.hpp"

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
  const std::uint64_t log2_jump = request().tausworthe_log2_jump;
  const Uint128 segments = log2_jump < 128 ? cycle_.period() >> log2_jump : 0;
  if (streams() > segments) {
    throw Error(
        fmt::format("{} streams do not fit on the generator's cycle", streams()),
        fmt::format("they start 2^{} steps apart, and its period is {}", log2_jump, period_text()),
        "Ask for fewer streams, or a shorter distance.");
  }
  if (log2_jump < 64 && request().numbers_per_stream > std::uint64_t{1} << log2_jump) {
    throw Error(fmt::format("streams of {} numbers would overlap", request().numbers_per_stream),
                fmt::format("they start 2^{} steps apart", log2_jump),
                "Draw fewer numbers from each, or start them further apart.");
  }
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
             "78000 numbers, and streams run into each other within about as many. It is kept to "
             "compare with the paper, and as a bad generator that statistics must catch"}};
  }
  if (is_native()) {
    return {
        {"method", "jump-ahead on the one cycle of all good states"},
        {"period", period_text() + ", whose factors are pairwise coprime"},
        {"distance", fmt::format("2^{} steps from each stream's start to the next one's",
                                 request().tausworthe_log2_jump)},
        {"proved", fmt::format("{} * 2^{} is at most the period, and no stream draws more than {} "
                               "numbers, which is at most 2^{}: no two meet",
                               streams(), request().tausworthe_log2_jump,
                               request().numbers_per_stream, request().tausworthe_log2_jump)}};
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
  if (!is_listing()) return {};
  return {
      "hybrid_tausworthe_listing is known to be bad (streams repeat themselves after some 78000 "
      "numbers); use streams.generator=hybrid_tausworthe for results"};
}

std::vector<StreamFact> TausworthePlan::facts() const {
  if (!is_native()) return {{"seed_factor", std::uint64_t{published_tausworthe_factor}}};
  return {{"run_seed", request().seed},
          {"log2_jump", request().tausworthe_log2_jump, "log2 of steps"}};
}

std::vector<StreamColumn> TausworthePlan::columns(StreamBlock block) const {
  StreamColumn column =
      is_native()
          ? StreamColumn{"jump", "start, after the state hashed from run_seed", "2^log2_jump steps"}
          : StreamColumn{"seed", "id * seed_factor modulo 2^32"};
  for (std::uint64_t id = block.first; id < block.first + block.count; ++id) {
    column.values.push_back(
        is_native() ? id : published_tausworthe_factor * static_cast<std::uint32_t>(id));
  }
  return {column};
}

}  // namespace rivulet
