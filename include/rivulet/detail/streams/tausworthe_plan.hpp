// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Macros.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rivulet/detail/rng/seed_hash.hpp"
#include "rivulet/detail/rng/tausworthe.hpp"
#include "rivulet/detail/streams/cycle_plan.hpp"
#include "rivulet/detail/text.hpp"
#include "rivulet/detail/uint128.hpp"

namespace rivulet {

/// seed_per_thread in the hybrid generator's paper (docs/classical.md): thread `id` has the seed
/// id * this factor modulo 2^32.
inline constexpr std::uint32_t published_tausworthe_factor = 1099087573;

/// The first id whose published start may equal the start of a smaller id. The factor is odd, so
/// 2^32 ids have 2^32 different seeds. Each start keeps all bits of the seed (except for Lfsr113).
template <class Kind>
inline constexpr std::uint64_t published_tausworthe_ids = std::uint64_t{1} << 32;

/// Every component of lfsr113 drops the lowest bit of a seed, so the seeds 2 j and 2 j + 1 have the
/// same start. The first ids with such seeds are 0 and 1881311869. The seeds 0 .. 3 also have the
/// same start, because the first component replaces the seeds 0 and 1 by 2 and 3. The first ids
/// with two of these seeds are 0 and 1348968311, which has the seed 3. The limit is the smaller of
/// 1881311869 and 1348968311.
template <>
inline constexpr std::uint64_t published_tausworthe_ids<Lfsr113> = 1348968311;

/// Returns the native start of stream 0, with one hash word per part. The other streams are jumps
/// from this start.
template <class Kind>
KOKKOS_FUNCTION typename Tausworthe<Kind>::State native_tausworthe_start(std::uint64_t run_seed) {
  const SeedHash hash(run_seed, 0, Kind::tag);
  typename Tausworthe<Kind>::State start;
  for (int i = 0; i < Kind::words; ++i) {
    start.z[i] = static_cast<std::uint32_t>(hash.bits(32 * i, 32));
  }
  Kind::make_valid(start.z);
  return start;
}

/// Returns the published start of stream `id`. All parts (the components and the linear
/// congruential part) have the seed id * 1099087573 modulo 2^32. If a seed is too small for a
/// component, the component adds its smallest valid seed.
template <class Kind>
KOKKOS_FUNCTION typename Tausworthe<Kind>::State published_tausworthe_start(std::uint64_t id) {
  typename Tausworthe<Kind>::State start;
  for (auto& word : start.z) word = published_tausworthe_factor * static_cast<std::uint32_t>(id);
  Kind::make_valid(start.z);
  return start;
}

/// Properties of a Tausworthe generator that its plan needs.
struct TauswortheCycle {
  std::vector<int> exponents;  ///< component i has the period 2^exponents[i] - 1
  bool has_lcg = false;        ///< has a linear congruential part, of period 2^32
  std::uint64_t published_ids = 0;

  /// Returns the period of the whole generator: the product of the parts' periods, which are
  /// pairwise coprime. Without components, returns 0 (unknown).
  Uint128 period() const {
    if (exponents.empty()) return 0;
    Uint128 product = has_lcg ? Uint128{1} << 32 : 1;
    for (const int k : exponents) product *= (Uint128{1} << k) - 1;
    return product;
  }
  std::string period_text() const {
    std::string text;
    for (const int k : exponents) text += detail::text_of("(2^", k, " - 1)");
    return has_lcg ? text + " 2^32" : text;
  }
  /// Returns the number of streams that fit in the period.
  std::uint64_t max_streams() const {
    return static_cast<std::uint64_t>(period() >> cycle_starts.log2_room());
  }
};

template <class Kind>
TauswortheCycle tausworthe_cycle() {
  return {{Kind::exponents.begin(), Kind::exponents.end()},
          Kind::has_lcg,
          published_tausworthe_ids<Kind>};
}

/// Plan for Tausworthe streams. Native seeding is CyclePlan's. With published seeding, a stream has
/// the seed id * 1099087573, as in the paper that samples alias tables with the hybrid generator
/// (docs/classical.md). hybrid_tausworthe_listing, the paper's listing taken literally, has only
/// published seeding. The constructor throws Error if two streams would be equal, if the streams do
/// not fit on the cycle, and for the listing with native seeding.
class TausworthePlan final : public CyclePlan {
 public:
  TausworthePlan(TauswortheCycle cycle, const StreamRequest& request)
      : CyclePlan(request, cycle.period_text(), 0), cycle_(std::move(cycle)) {
    if (is_native() && is_listing()) {
      throw Error("hybrid_tausworthe_listing has no native seeding",
                  "it reproduces the published listing, which fixes the seeds of its streams",
                  "Set streams.seeding=published, or streams.generator=hybrid_tausworthe for the "
                  "generator that the paper means.");
    }
    is_native() ? require_fit(cycle_.max_streams()) : require_distinct();
  }

  /// Implements Generator::log2_distance. Returns nothing for published seeding, because its starts
  /// have no guaranteed distance.
  static std::optional<unsigned> log2_distance(const StreamRequest& request) {
    if (request.seeding == Seeding::published) return std::nullopt;
    return starts().log2_distance();
  }

  Certificate certificate() const override {
    if (is_listing()) {
      return {{"method", "published seeds id * 1099087573 modulo 2^32, all different"},
              {"proved",
               "nothing more. The listing is a map of 32 bits: a stream repeats itself after some "
               "75000 numbers, and streams run into each other within about as many. It is kept to "
               "compare with the paper, and as a bad generator that statistics must catch"}};
    }
    if (is_native()) {
      Certificate all = CyclePlan::certificate();
      all[1].second += ", whose factors are pairwise coprime";
      return all;
    }
    return {{"method", "published seeds id * 1099087573 modulo 2^32, the same for all components"},
            {"period", cycle_.period_text()},
            {"proved", "all streams start at different places of the one cycle of all good states"},
            {"only probable",
             detail::text_of("that no two streams overlap in the ", request().numbers_text(),
                             " numbers that each draws at most: if starts were random places, the "
                             "chance of an overlap would be below ",
                             overlap_bound(std::log2(static_cast<double>(cycle_.period()))))}};
  }
  std::vector<std::string> warnings() const override {
    if (is_listing()) {
      return {
          "hybrid_tausworthe_listing is known to be bad (streams repeat themselves after some "
          "75000 numbers). Set streams.generator=hybrid_tausworthe."};
    }
    if (is_native() || streams() == 1) return {};
    return {
        "published seeds make the first numbers of neighbouring streams correlate (they are "
        "multiples of one another, and the same for all components). Set "
        "streams.seeding=native."};
  }
  std::vector<StreamFact> facts() const override {
    if (is_native()) return CyclePlan::facts();
    return {{"seed_factor", std::uint64_t{published_tausworthe_factor}}};
  }
  std::vector<StreamColumn> columns(StreamRange range) const override {
    if (is_native()) return CyclePlan::columns(range);
    StreamColumn seed{"seed", "id * seed_factor modulo 2^32"};
    for (std::uint64_t id = range.first; id < range.first + range.count; ++id) {
      seed.values.push_back(published_tausworthe_factor * static_cast<std::uint32_t>(id));
    }
    return {seed};
  }

 private:
  bool is_listing() const { return cycle_.exponents.empty(); }

  void require_distinct() const {
    if (streams() <= cycle_.published_ids) return;
    throw Error(detail::text_of(streams(), " streams would not all differ"),
                detail::text_of("published seeds, id * ", published_tausworthe_factor,
                                " modulo 2^32, make ", cycle_.published_ids,
                                " different streams of this generator"),
                is_listing() ? "Lower streams.first or streams.count."
                             : "Lower streams.first or streams.count, or set "
                               "streams.seeding=native.");
  }

  TauswortheCycle cycle_;
};

}  // namespace rivulet
