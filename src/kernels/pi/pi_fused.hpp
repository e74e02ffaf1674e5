// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/generators/draw_words.hpp"
#include "kernels/generators/generator_type.hpp"
#include "kernels/launching/for_each_stream.hpp"
#include "kernels/launching/stream_batch.hpp"
#include "kernels/pi/pi_count.hpp"
#include "kernels/pi/pi_fused_warp.hpp"
#include "kernels/pi/pi_point.hpp"
#include "kernels/pi/stream_hits.hpp"

namespace rivulet {
namespace detail {

/// round_words points of every lane on a device, each looked at as soon as its words are drawn:
/// other warps fill the waits, and all words of a long state's round would not fit in registers
/// beside it.
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

/// How kernels count points of a kind that is known as they are compiled. round_words points of
/// every lane at a time.
template <class Point>
struct OwnPoints {
  static constexpr int most_words = Point::words;
  KOKKOS_FUNCTION static constexpr int words() { return Point::words; }

  template <class Streams>
  KOKKOS_FORCEINLINE_FUNCTION static void count_rounds(typename Streams::Engine& engine,
                                                       std::uint64_t rounds, Word& count) {
    if constexpr (device_build) {
      for (std::uint64_t round = 0; round < rounds; ++round) {
        PointsAtOnce<Point, Streams>::draw(
            engine,
            [&count](int, Word u, Word v) RIVULET_INLINE_LAMBDA { Point::count(u, v, count); });
      }
    } else {
      // The words are drawn before the first is looked at: a generator's step and a point's test
      // are both long chains, and a core overlaps chains of one kind better than the two
      // interleaved (measured 1.25 x). They stay in registers and the nearest cache.
      static_assert(device_build || Point::words == 1);
      Word words[static_cast<std::size_t>(Streams::round_words)];
      for (std::uint64_t round = 0; round < rounds; ++round) {
        Word* const to = words;
        engine.draw_words([to](int k, Word word) RIVULET_INLINE_LAMBDA { to[k] = word; });
        for (const Word& word : words) Point::count(word, word, count);
      }
    }
  }

  /// Of a round, the first `limit` points of each lane.
  template <class Streams>
  KOKKOS_FORCEINLINE_FUNCTION static void count_some(typename Streams::Engine& engine,
                                                     const Word& limit, Word& count) {
    if constexpr (device_build) {
      PointsAtOnce<Point, Streams>::draw(
          engine, [&count, limit](int i, Word u, Word v)
                      RIVULET_INLINE_LAMBDA { count_one_of<Point>(i, u, v, limit, count); });
    } else {
      std::uint32_t words[static_cast<std::size_t>(Streams::round_words * lanes<Word>)];
      draw_words_to<Streams>(engine, words);
      for (int i = 0; i < Streams::round_words; ++i) {
        const Word word = WordTraits<Word>::load(words + i * lanes<Word>);
        count_one_of<Point>(i, word, word, limit, count);
      }
    }
  }

  /// Of one stream on a CPU, whose numbers a team drew.
  template <class Streams>
  static std::uint64_t count_numbers(const typename Streams::Integer* numbers, int points,
                                     std::uint32_t*) {
    std::uint32_t hits = 0;  // no wider, as compilers would widen every vector
    for (int i = 0; i < points; ++i) {
      Point::count(Streams::word_of(numbers, Point::words * i),
                   Streams::word_of(numbers, Point::words * (i + 1) - 1), hits);
    }
    return hits;
  }
};

/// The same on a CPU by pointers, for kinds that are not worth kernels of their own.
struct OtherPoints {
  static constexpr int most_words = 2;
  PointCounts kind;

  int words() const { return kind.words; }

  template <class Streams>
  void count_rounds(typename Streams::Engine& engine, std::uint64_t rounds, Word& count) const {
    RoundWords<Streams> words;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      words.draw(engine, kind.words);
      kind.count(words.word, Streams::round_words, count);
    }
  }
  template <class Streams>
  void count_some(typename Streams::Engine& engine, const Word& limit, Word& count) const {
    RoundWords<Streams> words;
    words.draw(engine, kind.words);
    kind.count_some(words.word, Streams::round_words, limit, count);
  }
  /// In `words` is room for these.
  template <class Streams>
  std::uint64_t count_numbers(const typename Streams::Integer* numbers, int points,
                              std::uint32_t* words) const {
    const int count = kind.words * points;
    for (int i = 0; i < count; ++i) words[i] = Streams::word_of(numbers, i);
    return kind.count_one(words, points);
  }

 private:
  template <class Streams>
  struct RoundWords {
    static constexpr int size = Streams::round_words * lanes<Word>;
    std::uint32_t word[static_cast<std::size_t>(most_words * size)];

    void draw(typename Streams::Engine& engine, int rounds) {
      for (int r = 0; r < rounds; ++r) draw_words_to<Streams>(engine, word + r * size);
    }
  };
};

/// Generates and counts. Points: OwnPoints or OtherPoints.
template <class Points, class Streams>
struct FusedLanes {
  using Engine = typename Streams::Engine;
  using Bounds = typename Streams::Bounds;

  Streams streams;
  SegmentBatch batch;
  HitSlots hits;
  Points kind;

  struct Counting {
    const FusedLanes& own;
    std::uint64_t first;
    Engine engine;

    KOKKOS_FORCEINLINE_FUNCTION void rounds(std::uint64_t periods, Word& count) {
      own.kind.template count_rounds<Streams>(engine, periods, count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void some(const Word& limit, Word& count) {
      own.kind.template count_some<Streams>(engine, limit, count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void rest() { own.streams.store(first, engine); }
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const int live = live_lanes(first, streams.count());
    const LanePoints points(batch, first, live, Streams::round_words);
    count_lanes({batch, hits, points, first, live}, Counting{*this, first, streams.load(first)});
  }
};

/// The team mapping on a CPU: a thread makes a stream's next numbers and counts their points.
template <class Points, class Streams>
struct FusedTeam {
  using Engine = typename Streams::TeamEngine;
  using Integer = typename Streams::Integer;

  Streams streams;
  SegmentBatch batch;
  HitSlots hits;
  Points kind;

  /// Draws that make a whole number of points: as many as a draw has numbers.
  static constexpr int most_draws = Points::most_words * Streams::numbers_per_word;
  static constexpr int points_per_period = Engine::team_numbers;
  static constexpr std::size_t numbers_offset = whole_scratch(Engine::scratch_bytes);
  static constexpr std::size_t words_offset =
      numbers_offset + whole_scratch(sizeof(Integer) * most_draws * points_per_period);
  static constexpr std::size_t scratch_bytes =
      words_offset + sizeof(std::uint32_t) * Points::most_words * points_per_period;

  void operator()(const StreamLanes& lanes, std::uint64_t stream, void* scratch) const {
    auto* const numbers = reinterpret_cast<Integer*>(static_cast<char*>(scratch) + numbers_offset);
    auto* const words =
        reinterpret_cast<std::uint32_t*>(static_cast<char*>(scratch) + words_offset);
    const int draws = kind.words() * Streams::numbers_per_word;
    Engine engine(lanes, streams, stream, scratch);
    const std::uint64_t points = batch.points(stream);
    const std::uint64_t split = hits.split_of(batch, stream);
    std::uint64_t total = 0;
    std::uint64_t before = 0;  // the split
    BatchOfPeriods of_period(hits, batch, points_per_period, stream);
    for (std::uint64_t done = 0; done < points; done += points_per_period) {
      const std::uint64_t left = points - done;
      if (done == split) before = total;
      for (int d = 0; d < draws; ++d) engine.draw(lanes, numbers + d * points_per_period);
      const int now = left < points_per_period ? static_cast<int>(left) : points_per_period;
      const std::uint64_t some = kind.template count_numbers<Streams>(numbers, now, words);
      if (of_period.has_sums()) of_period.add(done / points_per_period, some);
      total += some;
    }
    if (split >= points) before = total;
    hits.add(batch, stream, false, before);
    if (total > before) hits.add(batch, stream, true, total - before);
    engine.store(lanes, streams, stream);
  }
};

template <class Points, class Streams>
void count_pi_fused_of(const Space& space, const Streams& streams, StreamMapping mapping,
                       const Points& points, const SegmentBatch& batch, const HitSlots& hits) {
  with_mapping<Streams>(mapping, [&](auto own) {
    using Own = typename decltype(own)::Streams;
    if constexpr (own() == StreamMapping::lane) {
      for_each_stream_lane(space, "rivulet::pi_fused", streams.count(),
                           FusedLanes<Points, Own>{streams, batch, hits, points});
    } else {
      using Body = std::conditional_t<device_build, FusedWarp<Points, Own>, FusedTeam<Points, Own>>;
      // Blocks of one warp would leave half of a device idle.
      constexpr int threads_per_team = device_build ? 4 : 1;
      for_each_stream_team(space, "rivulet::pi_fused_team",
                           {warps_for<Own>(streams.count()), threads_per_team, Body::scratch_bytes},
                           Body{streams, batch, hits, points});
    }
  });
}

}  // namespace detail

/// Adds the hits of each stream or segment among the points of a batch and moves it on. On a CPU
/// only packed centred points, what measurements are made of, have kernels of their own.
/// Asynchronous.
template <class Streams>
void count_pi_fused(const Space& space, const Streams& streams, StreamMapping mapping,
                    const PiChoice& choice, const SegmentBatch& batch, const HitSlots& hits) {
  const auto count = [&](const auto& points) {
    detail::count_pi_fused_of(space, streams, mapping, points, batch, hits);
  };
  if constexpr (device_build) {
    with_point(choice, [&](auto point) { count(detail::OwnPoints<decltype(point)>{}); });
  } else if (choice.mapping == PointMapping::centred && choice.point == PointKind::packed) {
    count(detail::OwnPoints<PackedCentred>{});
  } else {
    count(detail::OtherPoints{point_counts(choice)});
  }
}

}  // namespace rivulet
