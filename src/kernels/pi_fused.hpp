// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/for_each_stream.hpp"
#include "kernels/pi_batch.hpp"

namespace rivulet {
namespace impl {

/// The words of block_words points of every lane, drawn before the first is looked at: on a CPU a
/// generator's step and a point's test are both long chains, and a core overlaps chains of one kind
/// better than the two interleaved (measured 1.25 x). They stay in registers and the nearest cache.
template <class Point, class Streams>
struct PointWords {
  static constexpr int points = Streams::block_words;
  Word words[static_cast<std::size_t>(points * Point::words)];

  KOKKOS_FORCEINLINE_FUNCTION void draw(typename Streams::Engine& engine) {
    for (int b = 0; b < Point::words; ++b) {
      Word* to = words + b * Streams::block_words;
      engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA { to[k] = word; });
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void count(int point, Word& hits) const {
    const Word* from = words + point * Point::words;
    Point::count(from[0], from[Point::words - 1], hits);
  }
};

/// Generates and counts without the words ever leaving registers.
template <class Point, class Streams>
struct FusedLanes {
  using Engine = typename Streams::Engine;
  using Words = PointWords<Point, Streams>;

  Streams streams;
  PiBatch batch;
  HitView hits;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const int live = live_lanes(first, streams.count());
    const LanePoints points(batch, streams.block().first + first, live, Streams::block_words);
    Engine engine = streams.load(first);
    Words words;
    LaneHits total;
    for (std::uint64_t left = points.whole_periods; left > 0;) {
      constexpr std::uint64_t most = points_a_flush / Streams::block_words;
      const std::uint64_t now = left < most ? left : most;
      Word count(0u);
      for (std::uint64_t period = 0; period < now; ++period) {
        words.draw(engine);
        for (int i = 0; i < Words::points; ++i) words.count(i, count);
      }
      total.add(count);
      left -= now;
    }
    streams.store(first, engine);
    if (points.any_rest) total.add(rest(engine, words, points.rest));
    total.add_to(hits, first, live);
  }

  /// Hits of the points after the last whole period. Leaves the streams beyond them: only a
  /// stream's last batch has a rest.
  KOKKOS_FUNCTION static Word rest(Engine& engine, Words& words, const Word& points) {
    words.draw(engine);
    Word count(0u);
    for (int i = 0; i < Words::points; ++i) {
      Word one(0u);
      words.count(i, one);
      count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), points));
    }
    return count;
  }
};

/// The team mapping: the lanes of a team's thread make a stream's next numbers together and count
/// their points.
template <class Point, class Streams>
struct FusedTeam {
  using Engine = typename Streams::TeamEngine;
  using Integer = typename Streams::Integer;

  Streams streams;
  PiBatch batch;
  HitView hits;

  /// Draws that make a whole number of points: as many as a draw has numbers.
  static constexpr int draws = Point::words * Streams::numbers_a_word;
  static constexpr int points_a_period = Engine::team_numbers;
  static constexpr std::size_t numbers_offset = (Engine::scratch_bytes + 7) / 8 * 8;
  static constexpr std::size_t scratch_bytes =
      numbers_offset + sizeof(Integer) * draws * Engine::team_numbers;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t stream,
                                  void* scratch) const {
    auto* const numbers = reinterpret_cast<Integer*>(static_cast<char*>(scratch) + numbers_offset);
    Engine engine(lanes, streams, stream, scratch);
    const std::uint64_t points = batch.points(streams.block().first + stream);
    std::uint64_t total = 0;
    for (std::uint64_t done = 0; done < points; done += points_a_period) {
      const std::uint64_t left = points - done;
      for (int d = 0; d < draws; ++d) engine.draw(lanes, numbers + d * Engine::team_numbers);
      total += lanes.sum(left < points_a_period ? static_cast<int>(left) : points_a_period,
                         [&](int i, std::uint64_t& sum) {
                           std::uint32_t one = 0;
                           Point::count(Streams::word_of(numbers, Point::words * i),
                                        Streams::word_of(numbers, Point::words * (i + 1) - 1), one);
                           sum += one;
                         });
    }
    lanes.once([&] { hits(stream) += total; });
    engine.store(lanes, streams, stream);
  }
};

}  // namespace impl

/// Adds each stream's hits among the points of a batch to hits(local stream) and moves the streams
/// on. Point is one of pi_point.hpp. Streams without a team mapping go by lanes. Asynchronous.
template <class Point, class Streams>
void count_pi_fused(const Space& space, const Streams& streams, StreamMapping mapping,
                    const PiBatch& batch, const HitView& hits) {
  if constexpr (Streams::has_team) {
    if (mapping == StreamMapping::team) {
      using Body = impl::FusedTeam<Point, Streams>;
      for_each_stream_team(space, "rivulet::pi_fused_team",
                           {streams.count(), 1, Body::scratch_bytes}, Body{streams, batch, hits});
      return;
    }
  }
  for_each_stream_lane(space, "rivulet::pi_fused", streams.count(),
                       impl::FusedLanes<Point, Streams>{streams, batch, hits});
}

}  // namespace rivulet
