// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "rivulet/detail/rng/ranmar_seeding.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/text.hpp"

namespace rivulet {

/// RANMAR's published seeds of stream 0. The default is the pair whose numbers RANMAR's authors
/// print (Marsaglia, Zaman & Tsang, Stat. Probab. Lett. 9 (1990) 35). CORSIKA has the same default.
inline constexpr GeneratorOption ij_option{"ij", 1802, 0, 31328,
                                           "RANMAR, published seeding: first seed of stream 0"};
inline constexpr GeneratorOption kl_option{
    "kl", 9373, 0, 30081,
    "RANMAR, published seeding: second seed of stream 0; later streams count up, wrapping into ij"};

/// Assigns each stream a RANMAR sequence. Native seeding hashes (run seed, stream id). With
/// published seeding, a pair has the number ij * 30082 + kl. Stream s has the pair s positions
/// after (ij, kl): kl + s, with a carry into ij, as in M. F. McCann's thesis (docs/classical.md).
/// The constructor throws SeedError if the first pair is out of range or too few pairs follow it.
class RanmarPlan final : public StreamPlan {
 public:
  /// `bits`: width of the variant's words, 24 or 48.
  RanmarPlan(int bits, const StreamRequest& request) : StreamPlan(request), bits_(bits) {
    if (is_native()) return;
    const RanmarSeed start{static_cast<std::int64_t>(ij()), static_cast<std::int64_t>(kl())};
    require_valid<SeedError>(start);
    first_ = static_cast<std::uint64_t>(ranmar_index(start));
    const std::uint64_t available = static_cast<std::uint64_t>(RanmarSeed::count) - first_;
    if (streams() <= available) return;
    throw SeedError(detail::text_of(streams(), " streams from (ij, kl) = (", ij(), ", ", kl(),
                                    ") on do not exist"),
                    detail::text_of("published sequences are numbered ij * 30082 + kl, and only ",
                                    available, " remain from there on"),
                    "Start at a smaller pair, lower streams.count, or set streams.seeding=native.");
  }

  /// Returns the published pair of a stream.
  RanmarSeed seed_of(std::uint64_t stream) const {
    return ranmar_seed(static_cast<std::int64_t>(first_ + stream));
  }
  /// Returns the number of streams with one of the 338 weak pairs. With such a pair, the products
  /// from which the start's bits are computed stay at 1 and -1 modulo 179. The state therefore
  /// lacks most of its randomness.
  std::uint64_t weak_streams() const {
    if (is_native()) return 0;
    return places_within({31328, 0}, {31328, 168}) + places_within({31328, 29913}, {31328, 30081});
  }

  Certificate certificate() const override {
    Certificate lines;
    if (is_native()) {
      lines = {{"method", "distinct (run seed, stream id), hashed into the 97 words of the start"},
               {"proved",
                "all starts differ (the hash is a permutation of its 128 bits) and each has an odd "
                "word, so every sequence has the full period"}};
    } else {
      const RanmarSeed first = seed_of(0);
      const RanmarSeed last = seed_of(streams() - 1);
      lines = {{"method", "distinct published seeds (ij, kl), consecutive in ij * 30082 + kl"},
               {"seeds", detail::text_of("(", first.ij, ", ", first.kl, ") to (", last.ij, ", ",
                                         last.kl, ")")},
               {"proved", "no two streams have the same (ij, kl)"}};
    }
    lines.emplace_back(
        "only probable",
        detail::text_of("that no two streams overlap in the ", request().numbers_text(),
                        " numbers that each draws at most: if starts were random words, the chance "
                        "of an overlap would be below ",
                        overlap_bound(ranmar_words * bits_)));
    return lines;
  }
  std::vector<std::string> warnings() const override {
    const std::uint64_t weak = weak_streams();
    if (weak == 0) return {};
    return {detail::text_of(weak,
                            " of the streams have weak seeds (ij = 31328 with kl = 0 .. 168 or "
                            "29913 .. 30081 gives a start with little randomness). Lower "
                            "streams.ij, or set streams.seeding=native.")};
  }
  std::vector<StreamFact> facts() const override {
    if (is_native()) return StreamPlan::facts();
    return {{"ij", ij()}, {"kl", kl()}};
  }
  std::vector<StreamColumn> columns(StreamRange range) const override {
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

 private:
  std::uint64_t ij() const { return request().options.of(ij_option); }
  std::uint64_t kl() const { return request().options.of(kl_option); }

  /// Returns the number of streams whose pair is in [from, to].
  std::uint64_t places_within(RanmarSeed from, RanmarSeed to) const {
    const auto low = std::max(first_, static_cast<std::uint64_t>(ranmar_index(from)));
    const auto high =
        std::min(first_ + streams(), static_cast<std::uint64_t>(ranmar_index(to)) + 1);
    return high > low ? high - low : 0;
  }

  int bits_;
  std::uint64_t first_ = 0;  ///< number of stream 0's pair
};

}  // namespace rivulet
