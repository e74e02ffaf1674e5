// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/generators/generator_type.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "kernels/launching/stream_batch.hpp"
#include "kernels/pi/pi_point.hpp"
#include "kernels/pi/stream_hits.hpp"

namespace rivulet {
namespace impl {

/// Words of a round of every lane, one after the other: a function of its own, which all that is
/// not worth a copy of the unrolled round shares.
template <class Streams>
KOKKOS_FUNCTION __attribute__((noinline)) void draw_words_apart(typename Streams::Engine& engine,
                                                                Word* to) {
  engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA { to[k] = word; });
}

/// The words of round_words points of every lane, drawn before the first is looked at: on a CPU a
/// generator's step and a point's test are both long chains, and a core overlaps chains of one kind
/// better than the two interleaved (measured 1.25 x). They stay in registers and the nearest cache.
template <class Point, class Streams>
struct PointWords {
  static constexpr int points = Streams::round_words;
  Word words[static_cast<std::size_t>(points * Point::words)];

  KOKKOS_FORCEINLINE_FUNCTION void draw(typename Streams::Engine& engine) {
    if constexpr (std::is_same_v<Point, PackedCentred>) {  // what measurements are made of
      Word* const to = words;
      engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA { to[k] = word; });
    } else {
      draw_apart(engine);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw_apart(typename Streams::Engine& engine) {
    for (int b = 0; b < Point::words; ++b) {
      draw_words_apart<Streams>(engine, words + b * Streams::round_words);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void count(int point, Word& hits) const {
    const Word* from = words + point * Point::words;
    Point::count(from[0], from[Point::words - 1], hits);
  }
};

/// The same points on a device, each looked at as soon as its words are drawn: other warps fill the
/// waits, and all words of a long state's round would not fit in registers beside it.
template <class Point, class Streams>
struct PointsAtOnce {
  static constexpr int points = Streams::round_words;

  /// The next points, each to use(int point, first word, last word).
  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw(typename Streams::Engine& engine, const Use& use) {
    Word first(0u);
    draw_part<0>(engine, first, use);
    if constexpr (Point::words == 2) draw_part<1>(engine, first, use);
  }

  template <int part, class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_part(typename Streams::Engine& engine, Word& first,
                                                    const Use& use) {
    engine.draw_words([&first, &use](int k, Word word) RIVULET_INLINE_LAMBDA {
      const int index = part * Streams::round_words + k;
      if (index % Point::words == 0) first = word;
      if ((index + 1) % Point::words == 0) use(index / Point::words, first, word);
    });
  }
};

/// Generates and counts without the words ever leaving registers.
template <class Point, class Streams>
struct FusedLanes {
  using Engine = typename Streams::Engine;
  using Words = PointWords<Point, Streams>;
  using Bounds = typename Streams::Bounds;

  Streams streams;
  StreamBatch batch;
  HitView hits;

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const int live = live_lanes(first, streams.count());
    const LanePoints points(batch, streams.range().first + first, live, Streams::round_words);
    Engine engine = streams.load(first);
    LaneHits total;
    for (std::uint64_t left = points.whole_periods; left > 0;) {
      constexpr std::uint64_t most = points_per_flush / Streams::round_words;
      const std::uint64_t now = left < most ? left : most;
      Word count(0u);
      count_periods(engine, now, count);
      total.add(count);
      left -= now;
    }
    streams.store(first, engine);
    if (points.any_rest) total.add(rest(engine, points.rest));
    total.add_to(hits, first, live);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void count_periods(Engine& engine, std::uint64_t periods,
                                                        Word& count) {
    if constexpr (device_build) {
      using AtOnce = PointsAtOnce<Point, Streams>;
      for (std::uint64_t period = 0; period < periods; ++period) {
        AtOnce::draw(engine, [&count](int, Word u, Word v)
                                 RIVULET_INLINE_LAMBDA { Point::count(u, v, count); });
      }
    } else {
      Words words;
      for (std::uint64_t period = 0; period < periods; ++period) {
        words.draw(engine);
        for (int i = 0; i < Words::points; ++i) words.count(i, count);
      }
    }
  }

  /// Hits of the points after the last whole period. Leaves the streams beyond them: only a
  /// stream's last batch has a rest.
  KOKKOS_FUNCTION static Word rest(Engine& engine, const Word& points) {
    Word count(0u);
    if constexpr (device_build) {
      using AtOnce = PointsAtOnce<Point, Streams>;
      AtOnce::draw(engine, [&count, points](int i, Word u, Word v) RIVULET_INLINE_LAMBDA {
        Word one(0u);
        Point::count(u, v, one);
        count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), points));
      });
    } else {
      Words words;
      words.draw_apart(engine);
      for (int i = 0; i < Words::points; ++i) {
        Word one(0u);
        words.count(i, one);
        count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), points));
      }
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
  StreamBatch batch;
  HitView hits;

  /// Draws that make a whole number of points: as many as a draw has numbers.
  static constexpr int draws = Point::words * Streams::numbers_per_word;
  static constexpr int points_per_period = Engine::team_numbers;
  static constexpr std::size_t numbers_offset = whole_scratch(Engine::scratch_bytes);
  static constexpr std::size_t scratch_bytes =
      numbers_offset + sizeof(Integer) * draws * Engine::team_numbers;

  template <class Lanes>
  KOKKOS_FUNCTION void operator()(const Lanes& lanes, std::uint64_t stream, void* scratch) const {
    auto* const numbers = reinterpret_cast<Integer*>(static_cast<char*>(scratch) + numbers_offset);
    Engine engine(lanes, streams, stream, scratch);
    const std::uint64_t points = batch.points(streams.range().first + stream);
    std::uint64_t total = 0;
    for (std::uint64_t done = 0; done < points; done += points_per_period) {
      const std::uint64_t left = points - done;
      for (int d = 0; d < draws; ++d) engine.draw(lanes, numbers + d * Engine::team_numbers);
      total += lanes.sum(left < points_per_period ? static_cast<int>(left) : points_per_period,
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

#if RIVULET_LANES_HAND_ON
/// The team mapping of generators with an engine for warps: some points per lane at a time.
template <class Point, class Streams>
struct FusedWarp {
  using Engine = typename Streams::WarpEngine;
  using Integer = typename Streams::Integer;

  Streams streams;
  StreamBatch batch;
  HitView hits;

  /// Numbers of a point: 1, 2 or 4, so that those of so many steps of the warp make whole points.
  static constexpr int draws = Point::words * Streams::numbers_per_word;
  static constexpr int points_per_lane = Engine::numbers_per_lane;
  static constexpr std::size_t scratch_bytes = Engine::scratch_bytes;
  static constexpr auto step = static_cast<std::uint64_t>(team_lanes * points_per_lane);

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t stream,
                                  void* scratch) const {
    Engine engine(lanes, streams, stream, scratch);
    const std::uint64_t points = batch.points(streams.range().first + stream);
    std::uint64_t inside = 0;
    for (std::uint64_t steps = points / step; steps > 0;) {
      constexpr std::uint64_t most = points_per_flush / points_per_lane;
      const std::uint64_t now = steps < most ? steps : most;
      std::uint32_t count = 0;
      for (std::uint64_t i = 0; i < now; ++i) {
        Integer numbers[draws * points_per_lane];
        for (int d = 0; d < draws; ++d) engine.next(lanes, numbers + d * points_per_lane);
        for (int p = 0; p < points_per_lane; ++p) {
          look(lanes, engine.lane(), numbers + p * draws, count);
        }
      }
      inside += count;
      steps -= now;
    }
    inside += finish(lanes, engine, stream, static_cast<int>(points % step));
    const std::uint64_t total =
        lanes.sum(team_lanes, [inside](int, std::uint64_t& sum) { sum += inside; });
    lanes.once([&] { hits(stream) += total; });
  }

  /// The last points, fewer than a step's, and the state after them.
  KOKKOS_FUNCTION std::uint32_t finish(const StreamLanes& lanes, Engine& engine,
                                       std::uint64_t stream, int points) const {
    if (points == 0) {
      engine.store(lanes, 0, streams, stream);
      return 0;
    }
    const int last = points * draws;
    constexpr int made = static_cast<int>(step);
    Integer numbers[draws * points_per_lane];
    for (int d = 0; d < draws; ++d) {
      engine.next(lanes, numbers + d * points_per_lane);
      const int ago = (d + 1) * made - last;
      if (ago >= 0 && ago < made) engine.store(lanes, ago, streams, stream);
    }
    std::uint32_t inside = 0;
    for (int p = 0; p < points_per_lane; ++p) {
      std::uint32_t count = 0;
      const int point = look(lanes, engine.lane(), numbers + p * draws, count);
      inside += p * team_lanes + point < points ? count : 0;
    }
    return inside;
  }

  /// Looks at the lane's point of those of `draws` rows of numbers, one of each lane, and says
  /// which it is.
  KOKKOS_FORCEINLINE_FUNCTION static int look(const StreamLanes& lanes, int lane, Integer* numbers,
                                              std::uint32_t& count) {
    const int point = lanes.template gather<draws>(lane, numbers);
    Point::count(Streams::word_of(numbers, 0), Streams::word_of(numbers, Point::words - 1), count);
    return point;
  }
};
#endif

/// What counts in the team mapping.
template <class Point, class Streams>
struct FusedTeamOf {
  using type = FusedTeam<Point, Streams>;
  static constexpr int streams_per_team = 1;
};
#if RIVULET_LANES_HAND_ON
template <class Point, class Streams>
requires requires { typename Streams::WarpEngine; }
struct FusedTeamOf<Point, Streams> {
  using type = FusedWarp<Point, Streams>;
  static constexpr int streams_per_team =
      4;  ///< rounds of one warp would leave half of a device idle
};
#endif

}  // namespace impl

/// Adds each stream's hits among the points of a batch to hits(local stream) and moves the streams
/// on. Point is one of pi_point.hpp. Asynchronous.
template <class Point, class Streams>
void count_pi_fused(const Space& space, const Streams& streams, StreamMapping mapping,
                    const StreamBatch& batch, const HitView& hits) {
  with_mapping<Streams>(mapping, [&](auto own) {
      using Own = typename decltype(own)::Streams;
    if constexpr (own() == StreamMapping::lane) {
      for_each_stream_lane(space, "rivulet::pi_fused", streams.count(),
                           impl::FusedLanes<Point, Own>{streams, batch, hits});
    } else if constexpr (own() == StreamMapping::team) {
      using Team = impl::FusedTeamOf<Point, Own>;
      using Body = typename Team::type;
      for_each_stream_team(space, "rivulet::pi_fused_team",
                           {streams.count(), Team::streams_per_team, Body::scratch_bytes},
                           Body{streams, batch, hits});
    } else {
      using Body = impl::FusedTeam<Point, Own>;
      for_each_stream_block(space, "rivulet::pi_fused_block", streams.count(), Own::block_warps,
                            Body::scratch_bytes, Body{streams, batch, hits});
    }
  });
}

}  // namespace rivulet
