// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_count.hpp"

#include "kernels/pi/pi_point.hpp"

namespace rivulet {
namespace {

template <class Point>
struct CountStored {
  WordBuffer buffer;
  StoredPiece piece;
  std::uint64_t first_id;  ///< global id of the piece's first stream
  std::uint64_t period;
  HitView hits;

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const int live = live_lanes(offset, piece.streams);
    const LanePoints points(piece.points, first_id + offset, live, period);
    LaneHits total;
    const std::uint32_t* from = buffer.at(offset, 0);
    const std::uint64_t whole = points.whole_periods * period;
    for (std::uint64_t done = 0; done < whole;) {
      const std::uint64_t upto = done + points_per_flush < whole ? done + points_per_flush : whole;
      Word count(0u);
      for (; done < upto; ++done) point(from, count);
      total.add(count);
    }
    total.add(rest(from, points));
    total.add_to(hits, piece.first + offset, live);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void point(const std::uint32_t*& from, Word& count) {
    const Word x = WordTraits<Word>::load(from);
    const Word y = WordTraits<Word>::load(from + (Point::words - 1) * tile_streams);
    from += Point::words * tile_streams;
    Point::count(x, y, count);
  }

  KOKKOS_FUNCTION Word rest(const std::uint32_t* from, const LanePoints& points) const {
    Word count(0u);
    if (!points.any_rest) return count;
    for (std::uint64_t i = 0; i < period; ++i) {
      Word one(0u);
      point(from, one);
      count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), points.rest));
    }
    return count;
  }
};

/// PointCounts of a kind.
template <class Point>
struct CountPoints {
  static void count(const std::uint32_t* words, int points, Word& hits) {
    Word total = hits;
    for (int i = 0; i < points; ++i) CountStored<Point>::point(words, total);
    hits = total;
  }
  static void count_some(const std::uint32_t* words, int points, const Word& limit, Word& hits) {
    for (int i = 0; i < points; ++i) {
      Word one(0u);
      CountStored<Point>::point(words, one);
      hits += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), limit));
    }
  }
  static std::uint64_t count_one(const std::uint32_t* words, int points) {
    std::uint32_t hits = 0;
    for (int i = 0; i < points; ++i) {
      Point::count(words[Point::words * i], words[Point::words * (i + 1) - 1], hits);
    }
    return hits;
  }
};

}  // namespace

PointCounts point_counts(const PiChoice& choice) {
  PointCounts counts{};
  with_point(choice, [&counts](auto point) {
    using Count = CountPoints<decltype(point)>;
    counts = {point.words, Count::count, Count::count_some, Count::count_one};
  });
  return counts;
}

void clear_hits(const Space& space, const HitView& hits) {
  Kokkos::deep_copy(space, hits, std::uint64_t{0});
}

void count_pi_stored(const Space& space, const PiChoice& choice, const StoredPiece& piece,
                     const StoredWords& words, const HitView& hits) {
  with_point(choice, [&](auto point) {
    for_each_stream_lane(
        space, "rivulet::pi_count", piece.streams,
        CountStored<decltype(point)>{words.buffer, piece, words.first_id, words.period, hits});
  });
}

}  // namespace rivulet
