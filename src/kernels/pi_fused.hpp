// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/for_each_stream.hpp"
#include "kernels/pi_batch.hpp"

namespace rivulet {
namespace impl {

/// The words of block_words points of every lane, drawn before the first is looked at: on a CPU a
/// generator's step and a point's test are both long chains, and a core overlaps chains of one kind
/// better than the two interleaved (measured 1.25 x). They stay in registers and the nearest cache.
template <class Point, class Engine>
struct PointWords {
  static constexpr int points = Engine::block_words;
  Word words[static_cast<std::size_t>(points * Point::words)];

  KOKKOS_FORCEINLINE_FUNCTION void draw(Engine& engine) {
    for (int b = 0; b < Point::words; ++b) {
      Word* to = words + b * Engine::block_words;
      engine.block([to](auto k, Word word) RIVULET_INLINE_LAMBDA { to[k.value] = word; });
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
  using Words = PointWords<Point, Engine>;

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
      const std::uint64_t now = left < periods_a_flush ? left : periods_a_flush;
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

/// The team mapping: the members make a stream's next block together and count its points.
template <class Point, class Streams>
struct FusedTeam {
  Streams streams;
  PiBatch batch;
  HitView hits;

  static constexpr int n = Streams::block_words;
  /// The block before and the one or two of a period.
  static constexpr int scratch_words = n * (1 + Point::words);

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t stream,
                                  const TeamWords& x) const {
    const auto parameters = streams.parameters(stream);
    const std::uint64_t points = batch.points(streams.block().first + stream);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                         [&](int k) { x(k) = streams.word(k, stream); });
    team.team_barrier();
    std::uint64_t own = 0;
    for (std::uint64_t done = 0; done < points; done += n) {
      const std::uint64_t left = points - done;
      const int now = left < static_cast<std::uint64_t>(n) ? static_cast<int>(left) : n;
      next_period(team, x, parameters.a);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, now), [&](int i) {
        const auto word = [&](int w) {
          return Streams::temper(x(n + Point::words * i + w), parameters);
        };
        std::uint32_t one = 0;
        Point::count(word(0), word(Point::words - 1), one);
        own += one;
      });
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                           [&](int k) { x(k) = x(n * Point::words + k); });
      team.team_barrier();
    }
    team.team_reduce(Kokkos::Sum<std::uint64_t>(own));
    Kokkos::single(Kokkos::PerTeam(team), [&] { hits(stream) += own; });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                         [&](int k) { streams.word(k, stream) = x(k); });
  }

  KOKKOS_FUNCTION static void next_period(const StreamTeam& team, const TeamWords& x,
                                          std::uint32_t a) {
    for (int b = 0; b < Point::words; ++b) {
      Streams::team_block(team, block(x, b), block(x, b + 1), a);
    }
  }
  KOKKOS_FUNCTION static TeamWords block(const TeamWords& x, int b) {
    return TeamWords(x.data() + b * n, static_cast<std::size_t>(n));
  }
};

}  // namespace impl

/// Adds each stream's hits among the points of a batch to hits(local stream) and moves the streams
/// on. Point is one of pi_point.hpp. Asynchronous.
template <class Point, class Streams>
void count_pi_fused(const Space& space, const Streams& streams, StreamMapping mapping,
                    const PiBatch& batch, const HitView& hits) {
  if (mapping == StreamMapping::lane) {
    for_each_stream_lane(space, "rivulet::pi_fused", streams.count(),
                         impl::FusedLanes<Point, Streams>{streams, batch, hits});
  } else {
    using Body = impl::FusedTeam<Point, Streams>;
    for_each_stream_team(space, "rivulet::pi_fused_team", streams.count(), Body::scratch_words,
                         Body{streams, batch, hits});
  }
}

}  // namespace rivulet
