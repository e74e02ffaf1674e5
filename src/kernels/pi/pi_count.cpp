// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/pi/pi_count.hpp"

#include <KokkosBlas1_sum.hpp>
#include <algorithm>

#include "kernels/pi/pi_point.hpp"

namespace rivulet {
namespace {

/// The next point of each lane, of words that lie side by side.
template <class Point>
KOKKOS_FORCEINLINE_FUNCTION void count_point(const std::uint32_t*& from, Word& count) {
  const Word x = WordTraits<Word>::load(from);
  const Word y = WordTraits<Word>::load(from + (Point::words - 1) * tile_streams);
  from += Point::words * tile_streams;
  Point::count(x, y, count);
}

template <class Point>
struct CountStored {
  WordBuffer buffer;
  StoredPiece piece;
  std::uint64_t period;
  HitSlots hits;

  struct Counting {
    const std::uint32_t* from;
    std::uint64_t period;

    KOKKOS_FORCEINLINE_FUNCTION void rounds(std::uint64_t periods, Word& count) {
      for (std::uint64_t i = 0; i < periods * period; ++i) count_point<Point>(from, count);
    }
    KOKKOS_FORCEINLINE_FUNCTION void some(const Word& limit, Word& count) {
      for (std::uint64_t i = 0; i < period; ++i) {
        Word one(0u);
        count_point<Point>(from, one);
        count += one & (Word(0u) - one_where_below(static_cast<std::uint32_t>(i), limit));
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void rest() const {}
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t offset) const {
    const int live = live_lanes(offset, piece.streams);
    const std::uint64_t first = piece.first + offset;
    const LanePoints points(piece.points, first, live, period);
    count_lanes({piece.points, hits, points, first, live}, Counting{buffer.at(offset, 0), period});
  }
};

/// Thread t sums index t, t + stride, ... of segments; the stride is a multiple of the streams, so
/// that these are of one stream.
struct AddSegmentHits {
  SegmentHits what;
  std::uint64_t stride;

  KOKKOS_FUNCTION void operator()(std::uint64_t thread) const {
    std::uint64_t of_stream = 0;
    std::uint64_t of_batch = 0;
    std::uint64_t batch = 0;
    const std::uint64_t total = what.cut.total();
    for (std::uint64_t i = thread; i < total; i += stride) {
      const std::uint64_t own = what.batch[what.cut.number(i)];
      for (std::uint64_t slot = 0; slot < slots(); ++slot) {
        std::uint64_t& hits = what.from.slots(slot * total + i);
        if (own + slot != batch) flush(batch, of_batch);
        batch = own + slot;
        of_batch += hits;
        of_stream += hits;
        hits = 0;
      }
    }
    flush(batch, of_batch);
    Kokkos::atomic_add(&what.streams(what.cut.stream(thread)), of_stream);
  }

  KOKKOS_FUNCTION std::uint64_t slots() const { return what.from.split == nullptr ? 1 : 2; }
  KOKKOS_FUNCTION void flush(std::uint64_t batch, std::uint64_t& hits) const {
    if (hits > 0) Kokkos::atomic_add(&what.batches(batch), hits);
    hits = 0;
  }
};

/// PointCounts of a kind.
template <class Point>
struct CountPoints {
  static void count(const std::uint32_t* words, int points, Word& hits) {
    Word total = hits;
    for (int i = 0; i < points; ++i) count_point<Point>(words, total);
    hits = total;
  }
  static void count_some(const std::uint32_t* words, int points, const Word& limit, Word& hits) {
    for (int i = 0; i < points; ++i) {
      Word one(0u);
      count_point<Point>(words, one);
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

std::uint64_t sum_of(const HitView& hits) { return KokkosBlas::sum(hits); }

void add_segment_hits(const Space& space, const SegmentHits& what) {
  // Sums of some ten or hundred segments a thread.
  constexpr std::uint64_t threads = 8192;
  const std::uint64_t streams = what.cut.streams;
  const std::uint64_t stride = (threads + streams - 1) / streams * streams;
  for_each_stream(space, "rivulet::pi_segments", std::min(stride, what.cut.total()),
                  AddSegmentHits{what, stride});
}

void count_pi_stored(const Space& space, const PiChoice& choice, const StoredPiece& piece,
                     const StoredWords& words, const HitSlots& hits) {
  with_point(choice, [&](auto point) {
    for_each_stream_lane(space, "rivulet::pi_count", piece.streams,
                         CountStored<decltype(point)>{words.buffer, piece, words.period, hits});
  });
}

}  // namespace rivulet
