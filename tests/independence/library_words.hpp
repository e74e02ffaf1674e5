// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/generators.hpp"
#include "host_copy.hpp"
#include "kernels/numbers/number_source.hpp"
#include "parameters/creator.hpp"
#include "ready_generators.hpp"
#include "rivulet/detail/rng/shipped_sets.hpp"
#include "rivulet/detail/streams/dcmt_plan.hpp"
#include "word_table.hpp"

namespace rivulet::independence {

/// The 32 bits of a generator's numbers that a test uses.
enum class Shown {
  uint32,  ///< the library's uint32
  lowest   ///< the raw number's lowest 32 bits; 24-bit numbers have leading zeros
};

/// Streams of the library.
struct LibraryStreams {
  std::string generator;
  std::uint64_t seed = 20261122;
  Seeding seeding = Seeding::native;
  DcmtSets sets = {};  ///< for twisters only
  Shown shown = Shown::uint32;

  const Generator& facts() const { return built_generator(generator); }
};

/// Returns a single set for all streams. For exponents 1279 and 2203 no set is shipped, so it is
/// created.
inline DcmtSets one_set(int p) {
  return {p, "one set", {p < 1279 ? shipped_dcmt(p).sets[0] : create_dcmt_set(p, 0, 1)}};
}

/// Returns the lowest 32 bits of a raw k-bit number n, given as the double n / 2^k and `bits` = k.
inline std::uint32_t lowest_of(double number, int bits) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::ldexp(number, bits)));
}

inline std::unique_ptr<StreamPlan> plan_of(const LibraryStreams& streams,
                                           const StreamRequest& request) {
  if (streams.sets.sets.empty()) return streams.facts().plan(request, io::Communicator::self());
  auto plan = std::make_unique<DcmtPlan>(streams.sets, request);
  plan->set_generator(streams.facts());
  return plan;
}

/// Returns `numbers` numbers of each stream of a contiguous range, stream after stream.
template <class Number>
std::vector<Number> numbers_of(const LibraryStreams& streams, StreamRange range,
                               std::uint64_t numbers) {
  const auto plan = plan_of(streams, {.streams = range.first + range.count,
                                      .seed = streams.seed,
                                      .seeding = streams.seeding,
                                      .numbers_per_stream = numbers});
  const auto source =
      make_number_source(Space(), *plan, range,
                         {.type = sizeof(Number) == 4 ? NumberType::uint32 : NumberType::float64,
                          .mapping = streams.facts().mappings.front()});
  source->restart();
  const Kokkos::View<Number*, Space> drawn("rivulet::test", range.count * numbers);
  source->draw({0, range.count, 0, numbers}, {numbers, 1}, drawn.data());
  return host_copy(drawn);
}

inline std::vector<std::uint32_t> words_of(const LibraryStreams& streams, StreamRange range,
                                           std::uint64_t numbers) {
  const int bits = streams.facts().bits;
  if (streams.shown == Shown::uint32 || bits == 32) {
    return numbers_of<std::uint32_t>(streams, range, numbers);
  }
  std::vector<std::uint32_t> words;
  for (const double number : numbers_of<double>(streams, range, numbers)) {
    words.push_back(lowest_of(number, bits));
  }
  return words;
}

inline WordTable drawn(const LibraryStreams& streams, std::span<const std::uint64_t> ids,
                       std::uint64_t numbers) {
  WordTable table(ids.size(), numbers);
  for (std::size_t begin = 0; begin < ids.size();) {
    std::size_t end = begin + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    const auto words = words_of(streams, {ids[begin], end - begin}, numbers);
    std::ranges::copy(words, table.stream(begin).begin());
    begin = end;
  }
  return table;
}

/// Returns a function that draws streams of one seed. Its ids are stream ids.
inline TableFunction table_of_streams(LibraryStreams streams) {
  return [streams = std::move(streams)](std::span<const std::uint64_t> ids, std::uint64_t numbers) {
    return drawn(streams, ids, numbers);
  };
}

/// Returns a function that draws stream 0 of several seeds. Its ids are seeds.
inline TableFunction table_of_seeds(LibraryStreams streams) {
  return
      [streams = std::move(streams)](std::span<const std::uint64_t> seeds, std::uint64_t numbers) {
        WordTable table(seeds.size(), numbers);
        LibraryStreams one = streams;
        for (std::size_t s = 0; s < seeds.size(); ++s) {
          one.seed = seeds[s];
          std::ranges::copy(words_of(one, {0, 1}, numbers), table.stream(s).begin());
        }
        return table;
      };
}

/// A generator that is linear over GF(2), at least in the word bits that a test looks at;
/// `dimension` is the number of state bits.
struct LinearSubject {
  std::string name;
  TableFunction make_table;
  std::uint64_t dimension;
  Bits bits = {0, 32};
};

inline void PrintTo(const LinearSubject& subject, std::ostream* out) { *out << subject.name; }

/// Bit 31 of a word is its lowest.
inline constexpr Bits lowest_bit{31, 1};

/// Generators whose streams share one recurrence.
inline std::vector<LinearSubject> linear_subjects() {
  std::vector<LinearSubject> all;
  for (const int p : {521, 607, 1279, 2203}) {
    LibraryStreams streams{.generator = "dcmt" + std::to_string(p), .sets = one_set(p)};
    std::string name = streams.generator + "_on_one_set";
    all.push_back(
        {std::move(name), table_of_streams(std::move(streams)), static_cast<std::uint64_t>(p)});
  }
  all.push_back({"lfsr113", table_of_streams({.generator = "lfsr113"}), 113});
  all.push_back({"lowest_of_ranmar48",
                 table_of_streams({.generator = "ranmar48", .shown = Shown::lowest}), 97,
                 lowest_bit});
  // The state has 88 bits, and two more for the congruential part, whose lowest bit alternates.
  all.push_back({"lowest_of_hybrid_tausworthe",
                 table_of_streams({.generator = "hybrid_tausworthe", .shown = Shown::lowest}), 90,
                 lowest_bit});
  return all;
}

}  // namespace rivulet::independence
