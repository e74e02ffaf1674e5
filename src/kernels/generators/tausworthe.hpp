// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/generators/rank_starter.hpp"
#include "kernels/generators/tausworthe_streams.hpp"
#include "rivulet/detail/host_parallel.hpp"
#include "rivulet/detail/streams/tausworthe_starts.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// No algebra leads ahead of the listing, whose circles are short: a host's work.
class ListingStarter {
 public:
  using Streams = TauswortheStreams<HybridTauswortheListing>;

  ListingStarter(const TausworthePlan&, StreamRange range) : range_(range) {}

  void seed(const Space& space, const Streams& streams) const {
    using States = detail::RankStates<Streams>;
    for_each_stream(
        space, "rivulet::seed_streams", range_.count,
        detail::PublishedStarts<detail::TauswortheOnCycle<HybridTauswortheListing>, States>{
            {streams}, range_.first});
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
struct TauswortheGenerator {
  using Plan = TausworthePlan;
  using Streams = TauswortheStreams<Kind>;
  using Starter = TauswortheStarter<Kind>;

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
    facts.state_bytes = Kind::words * sizeof(std::uint32_t);
    if (Kind::components > 0) facts.log2_distance = TausworthePlan::log2_distance;
    return facts;
  }

  static std::unique_ptr<Plan> plan(const StreamRequest& request, const io::Communicator&) {
    return std::make_unique<Plan>(tausworthe_cycle<Kind>(), request);
  }
};

}  // namespace rivulet
