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

/// Counts the points that lie inside, on one rank's streams. A derived class draws and tests them.
class HitCounter {
 public:
  virtual ~HitCounter() = default;
  HitCounter(const HitCounter&) = delete;
  HitCounter& operator=(const HitCounter&) = delete;

  /// Seconds so far by what they went to; a fused kernel's are all compute.
  struct Seconds {
    double rng = 0;
    double compute = 0;
  };
  /// Gets the number of points that each stream has made since the last call.
  using Advance = std::function<void(std::uint64_t points)>;

  /// Puts every stream at its start and every count at 0. The first time computes the jumps.
  void restart();
  /// After restart(): continues after `points` points of every stream, a multiple of
  /// round_points(). Waits.
  void resume(std::uint64_t points);

  /// Cuts the streams into segments for points begin .. end - 1 of each stream, which count()
  /// otherwise does. Waits.
  void prepare(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Counts points begin .. end - 1 of every stream, as far as the streams have them; begin is the
  /// last end, and a multiple of round_points(). Waits.
  void count(const StreamShare& share, std::uint64_t begin, std::uint64_t end,
             const Advance& advance = {});

  /// Runs the kernels once, so that later times contain no first launch. Call it before the first
  /// restart().
  void warm_up();

  /// Hits of each local stream so far.
  const HitView& hits() const { return hits_; }
  std::vector<std::uint64_t> hits_of_streams() const;
  /// A run can stop, and go on, at multiples of this many points.
  std::uint64_t round_points() const { return source_->period(shape_).items; }
  Seconds seconds() const { return seconds_; }
  /// Bytes of generator state on this rank.
  std::uint64_t state_bytes() const { return source_->state_bytes(); }
  /// Bytes of the buffer of words; nullopt for a fused kernel, which has none.
  virtual std::optional<std::uint64_t> buffer_bytes() const { return std::nullopt; }

  // The steps of count().

  /// Makes the work of points begin .. end - 1, on streams or on segments of them. Waits.
  Work place(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Adds the hits of a part of that work, which begins where the last part ended. Waits.
  virtual void count_part(const Work& work) = 0;

 protected:
  /// `shape`: the words of a point.
  HitCounter(const Space& space, std::unique_ptr<StreamSource> source, ItemShape shape);

  /// Called before the parts of a work.
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
