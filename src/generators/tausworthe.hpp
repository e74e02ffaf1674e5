// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "generators/generator_type.hpp"
#include "generators/rank_starter.hpp"
#include "generators/stream_memory.hpp"
#include "launching/for_each_stream.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/rng/tausworthe.hpp"
#include "rivulet/detail/streams/tausworthe_plan.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// A rank's streams of the Tausworthe family in device memory. They support only the lane
/// mapping: the state is small and a step is short, so lanes have no work to share.
template <class Kind>
class TauswortheStreams : public StreamsInMemory<std::uint32_t>,
                          public RoundsOfWords<Tausworthe<Kind, Word>::round_words> {
 public:
  using Plan = TausworthePlan;
  using Integer = std::uint32_t;
  template <class W>
  using EngineOf = Tausworthe<Kind, W>;
  using Engine = EngineOf<Word>;
  static constexpr int words = Kind::words;
  static constexpr int bits = 32;
  /// Cost of a segment's jumps, in rounds. On a CPU, each bit of the segment's index costs
  /// matrix-vector products that take as long as 20 rounds. An index typically has about six bits.
  static constexpr std::uint64_t jump_rounds = 128;
  /// Fewest numbers per draw for which segments pay off on a CPU, which computes a jump in 10 us.
  static constexpr std::uint64_t min_numbers_to_cut = 50'000;

  /// Allocates the states; the starter fills them.
  TauswortheStreams(const TausworthePlan&, StreamRange range) : StreamsInMemory(words, range) {}

  KOKKOS_FUNCTION Tausworthe<Kind> scalar(std::uint64_t stream) const {
    typename Tausworthe<Kind>::State state;
    for (int k = 0; k < words; ++k) state.z[k] = word(k, stream);
    return Tausworthe<Kind>(state);
  }

  template <class W = Word>
  KOKKOS_FUNCTION EngineOf<W> load(std::uint64_t first) const {
    typename EngineOf<W>::State state;
    for (int k = 0; k < words; ++k) state.z[k] = WordTraits<W>::load(&word(k, first));
    return EngineOf<W>(state);
  }

  template <class W = Word>
  KOKKOS_FUNCTION void store(std::uint64_t first, const EngineOf<W>& engine) const {
    for (int k = 0; k < words; ++k) WordTraits<W>::store(engine.state().z[k], &word(k, first));
  }
};

/// Starter for HybridTauswortheListing. This generator's map is not linear, so no jump matrix
/// exists. Its cycles are short, so the host computes the jumps.
class ListingStarter {
 public:
  using Streams = TauswortheStreams<HybridTauswortheListing>;

  ListingStarter(const TausworthePlan&, StreamRange range) : range_(range) {}

  void seed(const Space& space, const Streams& streams) const {
    for_each_stream(
        space, "rivulet::seed_streams", range_.count,
        detail::SeparateStarts<detail::TauswortheOnCycle<HybridTauswortheListing>, Streams>{
            streams, 0, range_.first});  // the starts do not depend on the seed
    space.fence();
  }
  void advance(const Space& space, const Streams& streams, Uint128 rounds) const {
    space.fence();
    const Uint128 steps = rounds * Streams::round_numbers;
    std::vector<std::byte> saved = streams.save();
    for_each_on_host("rivulet::advance_streams", range_.count, [&](std::size_t stream) {
      std::uint32_t word = 0;
      std::byte* const at = saved.data() + stream * sizeof word;
      std::memcpy(&word, at, sizeof word);
      word = HybridTauswortheListing::advanced(word, steps);
      std::memcpy(at, &word, sizeof word);
    });
    streams.restore(saved);
  }

 private:
  StreamRange range_;
};

template <class Kind>
using TauswortheStarter =
    std::conditional_t<Kind::components == 0, ListingStarter,
                       RankStarter<TauswortheStreams<Kind>, detail::TauswortheStarts<Kind>>>;

/// A combined Tausworthe generator.
template <TauswortheKind Kind>
struct TauswortheGenerator : GeneratorBase<TauswortheStreams<Kind>, TauswortheStarter<Kind>> {
  static Generator facts() {
    Generator facts;
    facts.name = Kind::name;
    facts.doc = Kind::doc;
    facts.period = Kind::period;
    facts.disjoint =
        Kind::components > 0 ? "jump-ahead on one cycle, at least 2^64 steps apart" : "";
    facts.published = "Tausworthe generators 1099087573 * stream id";
    facts.fails = Kind::components > 0
                      ? "MatrixRank, LinearComp, PractRand from 64 MB on"
                      : "3 of SmallCrush, MatrixRank, LinearComp, PractRand from 64 MB on";
    if (Kind::components > 0) facts.log2_distance = TausworthePlan::log2_distance;
    return facts;
  }

  static std::unique_ptr<TausworthePlan> plan(const StreamRequest& request,
                                              const io::Communicator&) {
    return std::make_unique<TausworthePlan>(tausworthe_cycle<Kind>(), request);
  }
};

}  // namespace rivulet
