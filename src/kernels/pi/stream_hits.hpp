// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kernels/launching/stream_batch.hpp"
#include "kokkos_compat.hpp"
#include "rng/word.hpp"

namespace rivulet {

/// Hits of each local stream, summed over batches.
using HitView = Kokkos::View<std::uint64_t*, Space>;

/// Points after which 32-bit lane counters are emptied, at the latest a period later.
inline constexpr std::uint64_t points_per_flush = std::uint64_t{1} << 31;

/// Where a launch on a CPU adds up the hits of several batches, where streams are not cut: else
/// each batch would go through all states, which take longer to read than the few points of a
/// stream.
struct BatchSums {
  const std::uint64_t* ends = nullptr;  ///< of batches, in points as batch.from; or none
  std::uint64_t batches = 0;
  std::uint64_t first = 0;   ///< that the launch has points of
  std::uint64_t copies = 1;  ///< so that threads seldom meet
  HitView sums;              ///< copy c of batch b's at c * batches + b
};

/// Where kernels add the hits of streams or segments: index i's to slots(i) or, behind the point
/// where a batch of its stream ends, to slots(streams + i).
struct HitSlots {
  HitView slots;
  const std::uint64_t* split = nullptr;  ///< for each number of a segment, in its points; or none
  BatchSums batches = {};

  /// The point of a slice of a segment, counted from `from`, at which the second slot begins.
  KOKKOS_FUNCTION std::uint64_t split_of(const SegmentBatch& batch, std::uint64_t index) const {
    if (split == nullptr) return ~std::uint64_t{0};
    const std::uint64_t at = split[batch.cut.number(index)];
    return at > batch.from ? at - batch.from : 0;
  }
  KOKKOS_FUNCTION void add(const SegmentBatch& batch, std::uint64_t index, bool behind,
                           std::uint64_t hits) const {
    slots(behind ? batch.cut.total() + index : index) += hits;
  }
};

/// What the lanes of a group have of a batch, and where their hits go.
struct LaneSlots {
  const SegmentBatch& batch;
  const HitSlots& hits;
  const LanePoints& points;
  std::uint64_t first;
  int live;

  /// Period at which a lane's second slot begins.
  KOKKOS_FUNCTION std::uint64_t split(int l) const {
    return hits.split_of(batch, first + static_cast<std::uint64_t>(l)) / points.period();
  }
  /// The next period from which on a lane's hits go elsewhere, behind `done`.
  KOKKOS_FUNCTION std::uint64_t next(std::uint64_t done) const {
    std::uint64_t next = points.resting();
    for (int l = 0; l < live; ++l) {
      const std::uint64_t end = points.whole_of(l);
      if (end > done && end < next) next = end;
      const std::uint64_t at = split(l);
      if (at > done && at < next) next = at;
    }
    return next;
  }
  /// Whether a lane's points end within period `done`, while others go on.
  KOKKOS_FUNCTION bool any_ends_within(std::uint64_t done) const {
    for (int l = 0; l < live; ++l) {
      const std::uint32_t some = points.in_period(l, done);
      if (some > 0 && some < points.period()) return true;
    }
    return false;
  }
  /// Adds each lane's hits in periods from `done` on.
  KOKKOS_FUNCTION void add(std::uint64_t done, const std::uint64_t (&count)[lanes<Word>]) const {
    for (int l = 0; l < live; ++l) {
      if (points.in_period(l, done) == 0) continue;
      hits.add(batch, first + static_cast<std::uint64_t>(l), done >= split(l), count[l]);
    }
  }
};

/// Adds hits in a launch to the sums of their batches, if there are any.
class BatchOfPeriods {
 public:
  /// Periods are counted from the launch's first point on. `caller` tells apart those that may add
  /// at the same time.
  KOKKOS_FUNCTION BatchOfPeriods(const HitSlots& to, const SegmentBatch& batch,
                                 std::uint64_t period, std::uint64_t caller)
      : all_(to.batches),
        from_(batch.from),
        period_(period),
        copy_(caller % all_.copies),
        batch_(all_.first) {}

  KOKKOS_FORCEINLINE_FUNCTION bool has_sums() const {
    return !device_build && all_.ends != nullptr;
  }
  /// Periods from `done` on to the end of its batch.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t left(std::uint64_t done) {
    if (!has_sums()) return ~std::uint64_t{0};
    go_to(done);
    return end_ - done;
  }
  /// Adds hits in periods from `done` on, which are of one batch, where there are sums.
  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint64_t done, std::uint64_t hits) {
    go_to(done);
    Kokkos::atomic_add(&all_.sums(copy_ * all_.batches + batch_), hits);
  }

 private:
  /// Batches end with periods, but for the last one.
  KOKKOS_FUNCTION void go_to(std::uint64_t done) {
    const std::uint64_t at = from_ + done * period_;
    while (done >= end_) {
      const bool is_last = batch_ + 1 == all_.batches;
      if (!is_last && all_.ends[batch_] <= at) {
        ++batch_;
      } else {
        end_ = is_last ? ~std::uint64_t{0} : done + (all_.ends[batch_] - at) / period_;
      }
    }
  }

  const BatchSums& all_;
  std::uint64_t from_;
  std::uint64_t period_;
  std::uint64_t copy_;
  std::uint64_t batch_;
  std::uint64_t end_ = 0;  ///< of the batch, in periods
};

/// Counts what a group of lanes has of a batch. Counting: rounds(periods, count) adds the hits of
/// whole periods, some(limit, count) those of the first points of one, rest() is called where the
/// streams come to rest.
template <class Counting>
KOKKOS_FORCEINLINE_FUNCTION void count_lanes(const LaneSlots& to, Counting&& counting) {
  const std::uint64_t most = points_per_flush / to.points.period();
  BatchOfPeriods batch(to.hits, to.batch, to.points.period(),
                       to.first / static_cast<std::uint64_t>(lanes<Word>));
  // The lanes are streams of one length but for a point.
  const auto add_to_batch = [&batch, &to](std::uint64_t done, const Word& count) {
    if (!batch.has_sums()) return;
    std::uint64_t hits = 0;
    for (int l = 0; l < to.live; ++l) hits += WordTraits<Word>::lane(count, l);
    batch.add(done, hits);
  };
  std::uint64_t done = 0;
  while (done < to.points.resting()) {
    std::uint64_t total[lanes<Word>] = {};
    const auto add = [&](const Word& count) {
      for (int l = 0; l < lanes<Word>; ++l) total[l] += WordTraits<Word>::lane(count, l);
      add_to_batch(done, count);
    };
    const std::uint64_t from = done;
    if constexpr (lanes < Word >> 1) {
      if (to.any_ends_within(done)) {
        Word count(0u);
        counting.some(to.points.in_period(done), count);
        add(count);
        to.add(from, total);
        ++done;
        continue;
      }
    }
    for (const std::uint64_t next = to.next(done); done < next;) {
      const std::uint64_t within = next - done < most ? next - done : most;
      const std::uint64_t left = batch.left(done);
      const std::uint64_t now = within < left ? within : left;
      Word count(0u);
      counting.rounds(now, count);
      add(count);
      done += now;
    }
    to.add(from, total);
  }
  counting.rest();
  if (!to.points.any_rest()) return;
  Word count(0u);
  counting.some(to.points.in_period(done), count);
  std::uint64_t total[lanes<Word>];
  for (int l = 0; l < lanes<Word>; ++l) total[l] = WordTraits<Word>::lane(count, l);
  add_to_batch(done, count);
  to.add(done, total);
}

}  // namespace rivulet
