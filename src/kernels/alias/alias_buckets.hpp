// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "generators/draw_words.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "launching/stream_batch.hpp"

// Sampling from a table that is larger than the caches. A draw costs two lines of memory, one read
// for its bucket and one changed for its count, and memory bandwidth limits the rate. Here each
// bucket has its counts beside it, so that a draw changes one line; the counts of cells follow from
// them when the histogram is requested.

namespace rivulet::detail {

/// A bucket, and the draws of its own cell and of its alias that are not in the histogram yet.
struct alignas(16) CountedBucket {
  AliasEntry entry;
  std::uint32_t drawn[2];

  /// 1 if a position in this bucket selects the alias, else 0.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t is_alias(std::uint64_t position) const {
    return static_cast<std::uint32_t>(position) < entry.threshold ? 0 : 1;
  }
};

/// The buckets of a table of one level, with counts. Copies share the memory.
class AliasBuckets {
 public:
  /// Draws that the counts can hold.
  static constexpr std::uint64_t most_draws = ~std::uint32_t{0};

  AliasBuckets(const Space& space, const EntryView& entries);

  static std::uint64_t bytes(std::uint64_t cells) { return cells * sizeof(CountedBucket); }

  KOKKOS_FUNCTION CountedBucket* data() const { return buckets_.data(); }
  /// Prepares for `draws` more draws; settles if the counts might overflow.
  void expect(const Space& space, const AliasHistogram& histogram, std::uint64_t draws);
  /// Adds the counts to the histogram of the table's cells and resets them. Waits.
  void settle(const Space& space, const AliasHistogram& histogram);
  /// Resets the counts.
  void clear(const Space& space);

 private:
  Kokkos::View<CountedBucket*, Space> buckets_;
  std::uint64_t unsettled_ = 0;
};

/// The lane mapping on a CPU: a group of lanes<Word> streams at a time. Words of the next period
/// are drawn while the buckets of this one come from memory.
template <class Streams>
struct AliasBucketKernel {
  using Engine = typename Streams::Engine;
  static constexpr int period = Streams::round_words;  ///< draws of each lane
  static constexpr int width = lanes<Word>;

  Streams streams;
  CountedBucket* buckets;
  std::uint32_t cells;
  bool shared;  ///< counts are shared by threads
  SegmentBatch batch;
  AliasSamples samples;

  /// Position of draw d of lane l, at d * width + l.
  struct Positions {
    std::uint64_t of[static_cast<std::size_t>(period * width)];
  };
  struct ActiveLanes {
    std::uint64_t first;
    int live;
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    const ActiveLanes group{first, live_lanes(first, streams.count())};
    const Word all(static_cast<std::uint32_t>(period));
    Engine engine = streams.load(first);
    const LanePoints points(batch, first, group.live, static_cast<std::uint64_t>(period));
    const auto limit = [&](std::uint64_t number) {
      return number < points.whole_periods() ? all : points.in_period(number);
    };
    Positions positions[2];
    const std::uint64_t end = points.resting();
    for (std::uint64_t done = 0; done < end; ++done) {
      draw(engine, positions[done % 2]);
      if (done > 0) count(group, positions[(done - 1) % 2], done - 1, limit(done - 1));
    }
    streams.store(first, engine);
    if (points.any_rest()) draw(engine, positions[end % 2]);
    if (end > 0) count(group, positions[(end - 1) % 2], end - 1, limit(end - 1));
    if (points.any_rest()) count(group, positions[end % 2], end, limit(end));
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void draw(Engine& engine, Positions& positions) const {
    std::uint32_t words[static_cast<std::size_t>(2 * period * width)];
    for (int b = 0; b < 2; ++b) draw_words_to<Streams>(engine, words + b * period * width);
    for (int d = 0; d < period; ++d) {
      const std::uint32_t* const from = words + 2 * d * width;
      for (int l = 0; l < width; ++l) {
        positions.of[d * width + l] = alias_position(from[l], from[width + l], cells);
      }
    }
    for (const std::uint64_t position : positions.of) prefetch<true>(buckets + (position >> 32));
  }

  /// Counts the first limit draws of each lane of a period, and keeps their cells if requested.
  KOKKOS_FORCEINLINE_FUNCTION void count(const ActiveLanes& group, const Positions& positions,
                                         std::uint64_t number, const Word& limit) const {
    for (int l = 0; l < group.live; ++l) {
      const auto end = static_cast<int>(WordTraits<Word>::lane(limit, l));
      const std::uint64_t place = (group.first + static_cast<std::uint64_t>(l)) * samples.stride +
                                  number * static_cast<std::uint64_t>(period);
      for (int d = 0; d < end; ++d) {
        const std::uint64_t position = positions.of[d * width + l];
        const auto own = static_cast<std::uint32_t>(position >> 32);
        CountedBucket& bucket = buckets[own];
        const std::uint32_t which = bucket.is_alias(position);
        if (samples.stride != 0) {
          samples.cells.data()[place + static_cast<std::uint64_t>(d)] =
              which == 0 ? own : bucket.entry.alias;
        }
        if (shared) {
          Kokkos::atomic_add(&bucket.drawn[which], 1U);
        } else {
          ++bucket.drawn[which];
        }
      }
    }
  }
};

}  // namespace rivulet::detail
