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

/// Counts points inside a shape, for one rank's streams. Derived classes draw and test the points.
class HitCounter {
 public:
  virtual ~HitCounter() = default;
  HitCounter(const HitCounter&) = delete;
  HitCounter& operator=(const HitCounter&) = delete;

  /// Accumulated times in seconds. A fused kernel reports all its time as `compute`.
  struct Seconds {
    double rng = 0;      ///< drawing
    double compute = 0;  ///< counting
  };
  /// A function that receives the progress: the number of points per stream since its last call.
  using Advance = std::function<void(std::uint64_t points)>;

  /// Moves every stream to its start and resets all counts. The first call computes the jumps.
  /// Blocking.
  void restart();
  /// Skips the first `points` points of every stream. `points` must be a multiple of
  /// round_points(). Call it after restart(). Blocking.
  void resume(std::uint64_t points);

  /// Cuts the streams into segments for points begin .. end - 1 of each stream. This call is
  /// optional: without it, count() cuts the streams. Blocking.
  void prepare(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Counts points begin .. end - 1 of every stream, or up to the stream's last point. `begin` must
  /// be the last call's `end`, and a multiple of round_points(). Blocking.
  void count(const StreamShare& share, std::uint64_t begin, std::uint64_t end,
             const Advance& advance = {});

  /// Runs the kernels once, so later timings exclude the cost of first launches. Call it before the
  /// first restart().
  void warm_up();

  /// Returns the number of hits per local stream so far.
  const HitView& hits() const { return hits_; }
  std::vector<std::uint64_t> hits_of_streams() const;
  /// Runs can stop and resume only at multiples of this number of points.
  std::uint64_t round_points() const { return source_->period(shape_).items; }
  Seconds seconds() const { return seconds_; }
  /// Bytes of generator state on this rank.
  std::uint64_t state_bytes() const { return source_->state_bytes(); }
  /// Bytes of the word buffer; nullopt for a fused kernel, which has none.
  virtual std::optional<std::uint64_t> buffer_bytes() const { return std::nullopt; }

  // The next functions are the steps of count().

  /// Returns the work for points begin .. end - 1 of the streams, cut into segments where that is
  /// faster. Blocking.
  Work cut_streams(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Draws a part of the work that cut_streams() returned, and adds the part's hits. Parts must be
  /// consecutive. Blocking.
  virtual void count_part(const Work& work) = 0;

 protected:
  /// `shape`: the number of words per point.
  HitCounter(const Space& space, std::unique_ptr<StreamSource> source, ItemShape shape);

  /// Allocates the memory that the work needs. Called by cut_streams().
  virtual void reserve_memory(const Work&) {}

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

/// Draws and counts points in one kernel.
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
