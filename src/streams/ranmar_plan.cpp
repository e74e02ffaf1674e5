// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "streams/ranmar_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// How many of places [first, last) of the row lie in [from, to].
std::uint64_t places_within(std::uint64_t first, std::uint64_t last, RanmarSeed from,
                            RanmarSeed to) {
  const auto low = std::max(first, static_cast<std::uint64_t>(ranmar_index(from)));
  const auto high = std::min(last, static_cast<std::uint64_t>(ranmar_index(to)) + 1);
  return high > low ? high - low : 0;
}

/// The bound S^2 L / 2^(97 k) of docs/ranmar.md, as a power of two rounded up.
std::string overlap_bound(const StreamRequest& request, int bits) {
  const double log2_streams = std::log2(static_cast<double>(request.streams));
  const double log2_numbers = std::log2(static_cast<double>(request.numbers_per_stream));
  const double exponent = 2 * log2_streams + log2_numbers - ranmar_words * bits;
  return fmt::format("2^{}", static_cast<int>(std::ceil(exponent)));
}

}  // namespace

RanmarPlan::RanmarPlan(int bits, const StreamRequest& request) : StreamPlan(request), bits_(bits) {
  if (is_native()) return;
  const RanmarSeed start{static_cast<std::int64_t>(ij()), static_cast<std::int64_t>(kl())};
  if (!is_valid(start)) {
    throw SeedError(fmt::format("RANMAR has no sequence (ij, kl) = ({}, {})", start.ij, start.kl),
                    "ij ranges over 0 .. 31328 and kl over 0 .. 30081", "Choose a pair in range.");
  }
  first_ = static_cast<std::uint64_t>(ranmar_index(start));
  const std::uint64_t left = static_cast<std::uint64_t>(RanmarSeed::count) - first_;
  if (request.streams <= left) return;
  throw SeedError(
      fmt::format("{} streams from (ij, kl) = ({}, {}) on do not exist", request.streams, ij(),
                  kl()),
      fmt::format("published sequences are numbered ij * 30082 + kl, and only {} remain "
                  "from there on",
                  left),
      "Start at a smaller pair, ask for fewer streams, or set streams.seeding=native.");
}

std::uint64_t RanmarPlan::weak_streams() const {
  if (is_native()) return 0;
  const std::uint64_t last = first_ + streams();
  return places_within(first_, last, {31328, 0}, {31328, 168}) +
         places_within(first_, last, {31328, 29913}, {31328, 30081});
}

std::vector<std::pair<std::string, std::string>> RanmarPlan::certificate() const {
  std::vector<std::pair<std::string, std::string>> lines;
  if (is_native()) {
    lines = {{"method", "distinct (run seed, stream id), hashed into the 97 words of the start"},
             {"proved",
              "all starts differ (the hash is a permutation of its 128 bits) and each has an odd "
              "word, so every sequence has the full period"}};
  } else {
    const RanmarSeed first = seed_of(0);
    const RanmarSeed last = seed_of(streams() - 1);
    lines = {{"method", "distinct published seeds (ij, kl), consecutive in ij * 30082 + kl"},
             {"seeds", fmt::format("({}, {}) to ({}, {})", first.ij, first.kl, last.ij, last.kl)},
             {"proved", "no two streams have the same (ij, kl)"}};
  }
  lines.emplace_back(
      "only probable",
      fmt::format(
          "that no two streams overlap in the {} numbers that each draws at most: if starts "
          "were random words, the chance of an overlap would be below {}",
          request().numbers_per_stream, overlap_bound(request(), bits_)));
  return lines;
}

std::vector<std::string> RanmarPlan::warnings() const {
  std::vector<std::string> lines;
  if (const std::uint64_t weak = weak_streams(); weak > 0) {
    lines.push_back(
        fmt::format("{} of the streams have weak seeds (ij = 31328 with kl = 0 .. 168 or 29913 .. "
                    "30081 starts with little of its randomness); choose a smaller streams.ij, or "
                    "streams.seeding=native",
                    weak));
  }
  return lines;
}

std::vector<StreamFact> RanmarPlan::facts() const {
  if (is_native()) return {{"run_seed", request().seed}};
  return {{"ij", ij()}, {"kl", kl()}};
}

std::vector<StreamColumn> RanmarPlan::columns(StreamRange range) const {
  if (is_native()) {
    StreamColumn key{"seed", "stream id that, with run_seed, is hashed into the start"};
    for (std::uint64_t i = 0; i < range.count; ++i) key.values.push_back(range.first + i);
    return {key};
  }
  StreamColumn ij{"ij", "first of the pair of published seeds"};
  StreamColumn kl{"kl", "second of the pair of published seeds"};
  for (std::uint64_t i = 0; i < range.count; ++i) {
    const RanmarSeed seed = seed_of(range.first + i);
    ij.values.push_back(static_cast<std::uint64_t>(seed.ij));
    kl.values.push_back(static_cast<std::uint64_t>(seed.kl));
  }
  return {ij, kl};
}

}  // namespace rivulet
