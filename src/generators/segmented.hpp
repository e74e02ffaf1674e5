// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>

#include "generators/generator_type.hpp"
#include "generators/warp_engine.hpp"
#include "io/terminal/messages.hpp"
#include "launching/segments.hpp"

namespace rivulet {

/// A rank's streams, where they are put, and their segments, which have states in memory of their
/// own that one cut after the other uses. (The one place that cuts streams: jobs and sequences say
/// what they are going to draw.) The plan must outlive it.
template <GeneratorType G>
class Segmented {
 public:
  using Streams = typename G::Streams;

  /// `asked`: segments of each stream; 0 for as many as are best. by_lanes: whether lanes may draw
  /// segments though the mapping is another.
  Segmented(const typename G::Plan& plan, StreamRange range, StreamMapping mapping,
            std::uint64_t asked, bool by_lanes = false)
      : streams_(plan, range),
        starter_(plan, range),
        mapping_(mapping),
        asked_(asked),
        by_lanes_(by_lanes && StreamsByLane<Streams>) {}

  const Streams& streams() const { return streams_; }
  Streams& streams() { return streams_; }
  StreamRange all() const { return {0, streams_.range().count}; }

  /// Every stream to its start.
  void restart(const Space& space) { starter_.seed(space, streams_); }
  /// Advances every stream by `rounds` rounds.
  void advance(const Space& space, Uint128 rounds) { starter_.advance(space, streams_, rounds); }
  /// Advances some streams, which were drawn in segments, by `rounds` rounds. Streams without state
  /// do not move.
  void advance(const Space& space, Uint128 rounds, StreamRange some) {
    if constexpr (CutsStreams<G> && !StreamsWithoutState<Streams>) {
      starter_.advance(space, streams_, rounds, some);
    }
  }

  /// The cut of some streams for `periods` periods of rounds_per_period rounds each; segments end
  /// between periods. One segment each if generator or machine gain nothing by more.
  Segments cut(const Space& space, StreamRange some, std::uint64_t periods,
               std::uint64_t rounds_per_period) const {
    std::uint64_t count = 1;
    if constexpr (CutsStreams<G>) {
      const SegmentWork work{mapping_, team_members<Streams>(), some.count,
                             periods * rounds_per_period, Streams::jump_rounds};
      count = asked_ > 0 ? asked_ : best_count(space, work);
    }
    return cut_into(some, periods, rounds_per_period, count);
  }
  /// What draws the segments of a cut.
  StreamMapping mapping_of(const Space& space, const Segments& cut) const {
    return by_lanes_ && lanes_are_better(space, cut.total()) ? StreamMapping::lane : mapping_;
  }
  /// The same into at most `count` segments.
  static Segments cut_into(StreamRange some, std::uint64_t periods, std::uint64_t rounds_per_period,
                           std::uint64_t count) {
    Segments cut = cut_evenly(some.count, periods, count);
    cut.first = some.first;
    cut.rounds *= rounds_per_period;
    return cut;
  }
  /// The most segments of each stream that are reasonable, `wanted` at most.
  std::uint64_t at_most(const Space& space, std::uint64_t streams, std::uint64_t wanted) const {
    if constexpr (!CutsStreams<G>) return 1;
    // Multiple of the segments that a machine works on at a time.
    constexpr std::uint64_t turns = 16;
    const SegmentWork work{mapping_, team_members<Streams>(), streams, 1, 1};
    return std::min(wanted,
                    turns * busy_streams(space, work) / std::max(streams, std::uint64_t{1}));
  }

  /// Memory for the states of that many segments; false where there is none.
  bool make_room(const Segments& cut) {
    if constexpr (CutsStreams<G>) {
      try {
        if (segments_ && cut_.total() != cut.total()) segments_.reset();
        if (!segments_) segments_.emplace(streams_);
        segments_->become(cut);
        cut_ = cut;
        return true;
      } catch (const std::exception& failure) {
        segments_.reset();
        if (!io::tells_of_memory(failure)) throw;
      }
    }
    return false;
  }
  /// Moves the segments to their starts; the streams are stored `resting` rounds after theirs. To
  /// be called after make_room().
  void place(const Space& space, Uint128 resting) {
    if constexpr (CutsStreams<G>) {
      starter_.place(space, after_rounds(streams_, resting), *segments_, cut_);
    }
  }
  /// Bytes of all states.
  std::uint64_t state_bytes() const {
    return streams_.state_bytes() + (segments_ ? segments_->state_bytes() : 0);
  }
  /// Where place() put them, or kernels left them.
  const Streams& segments() const { return *segments_; }

 private:
  std::uint64_t best_count(const Space& space, SegmentWork work) const {
    const std::uint64_t by_mapping = best_segments(space, work);
    if (!by_lanes_) return by_mapping;
    const auto numbers = static_cast<std::uint64_t>(Streams::round_numbers) * work.rounds;
    if (!device_build && numbers * work.streams < Streams::worth_cuts) return 1;
    work.mapping = StreamMapping::lane;
    const std::uint64_t by_lanes =
        device_build ? best_segments(space, work) : segments_for_vectors(space, work);
    const bool is_better =
        mapping_ == StreamMapping::lane || lanes_are_better(space, by_lanes * work.streams);
    return is_better ? by_lanes : by_mapping;
  }

  Streams streams_;
  typename G::Starter starter_;
  StreamMapping mapping_;
  std::uint64_t asked_;
  bool by_lanes_;
  Segments cut_;
  std::optional<Streams> segments_;
};

}  // namespace rivulet
