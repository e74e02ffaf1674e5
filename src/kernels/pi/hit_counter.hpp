// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "draw/draw.hpp"
#include "draw/launches.hpp"
#include "draw/stream_source.hpp"
#include "kernels/pi/count_hits.hpp"

namespace rivulet {

/// Counts the points of one rank's streams that lie inside a shape. Derived classes draw and test
/// the points.
class HitCounter {
 public:
  virtual ~HitCounter() = default;
  HitCounter(const HitCounter&) = delete;
  HitCounter& operator=(const HitCounter&) = delete;

  /// Seconds spent so far on drawing and on counting. A fused kernel reports all its time as
  /// compute.
  struct Seconds {
    double rng = 0;
    double compute = 0;
  };
  /// Reports progress: the points per stream since the last call.
  using Advance = std::function<void(std::uint64_t points)>;

  /// Puts every stream at its start and resets all counts. The first call computes the jumps.
  /// Waits.
  void restart();
  /// Continues after `points` points of every stream, a multiple of round_points(). Call it after
  /// restart(). Waits.
  void resume(std::uint64_t points);

  /// Cuts the streams into segments for points begin .. end - 1 of each stream. Without this call,
  /// count() does it. Waits.
  void prepare(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Counts points begin .. end - 1 of every stream; streams with fewer points end earlier. begin
  /// must be the last call's end, and a multiple of round_points(). Waits.
  void count(const StreamShare& share, std::uint64_t begin, std::uint64_t end,
             const Advance& advance = {});

  /// Runs the kernels once, which keeps the cost of first launches out of later timings. Call it
  /// before the first restart().
  void warm_up();

  /// Hits of each local stream so far.
  const HitView& hits() const { return hits_; }
  std::vector<std::uint64_t> hits_of_streams() const;
  /// Runs can stop and resume at multiples of this number of points.
  std::uint64_t round_points() const { return source_->period(shape_).items; }
  Seconds seconds() const { return seconds_; }
  /// Bytes of generator state on this rank.
  std::uint64_t state_bytes() const { return source_->state_bytes(); }
  /// Bytes of the buffer of words; nullopt for a fused kernel, which has none.
  virtual std::optional<std::uint64_t> buffer_bytes() const { return std::nullopt; }

  // The steps of count().

  /// Returns the work of points begin .. end - 1, on streams or on segments of streams. Waits.
  Work place(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Adds the hits of a part of that work. Parts must be consecutive. Waits.
  virtual void count_part(const Work& work) = 0;

 protected:
  /// `shape`: the words of a point.
  HitCounter(const Space& space, std::unique_ptr<StreamSource> source, ItemShape shape);

  /// Allocates memory for a work. place() calls it.
  virtual void make_room(const Work&) {}

  Space space_;
  std::unique_ptr<StreamSource> source_;
  HitView hits_;
  Seconds seconds_;

 private:
  ItemShape shape_;
  Work work_;
  bool is_prepared_ = false;
  Launches launches_;
};

/// Generates and counts in one kernel.
template <class Point>
class FusedHitCounter final : public HitCounter {
 public:
  FusedHitCounter(const Space& space, std::unique_ptr<StreamSource> source)
      : HitCounter(space, std::move(source), CountHits<Point>::shape) {}

  void count_part(const Work& work) override {
    const Kokkos::Timer watch;
    draw(*source_, work, CountHits<Point>{hits_, work});
    space_.fence();
    seconds_.compute += watch.seconds();
  }
};

}  // namespace rivulet
