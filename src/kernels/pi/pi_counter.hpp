// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/launching/launches.hpp"
#include "kernels/launching/stream_batch.hpp"
#include "kernels/pi/pi_choice.hpp"
#include "kernels/pi/stream_hits.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Points of every stream from `begin` on, in batches that end at `marks`, which ascend; all but
/// the last are multiples of the counter's round_points().
struct PiRange {
  StreamShare share;
  std::uint64_t begin = 0;
  std::vector<std::uint64_t> marks;

  std::uint64_t end() const { return marks.back(); }
};

/// Counts points in the quarter circle on one rank's streams, whatever the generator.
class PiCounter {
 public:
  virtual ~PiCounter() = default;

  /// Seconds so far by what they went to; the fused kernel's are all compute.
  struct Seconds {
    double rng = 0;
    double compute = 0;
  };
  /// Is told of points that each stream has made since it was told last.
  using Advance = std::function<void(std::uint64_t points)>;

  /// Puts every stream at its start and every count at 0. The first time computes the jumps.
  virtual void restart() = 0;
  /// After restart(): continues after `points` points of every stream, a multiple of
  /// round_points(), with these hits of each local stream. Waits.
  virtual void resume(std::uint64_t points, const std::vector<std::uint64_t>& hits) = 0;

  /// Cuts the streams into segments for count(range), and puts these to their starts, which count()
  /// otherwise does. Waits.
  void prepare(const PiRange& range);
  /// Counts a range, which begins where the last one ended; this rank's hits in each of its
  /// batches. Waits.
  std::vector<std::uint64_t> count(const PiRange& range, const Advance& advance = {});
  void count(const StreamBatch& batch) { count(PiRange{batch.share, batch.begin, {batch.end}}); }

  /// Runs the kernels once for the sake of what happens only the first time. Before the first
  /// restart().
  virtual void warm_up() = 0;

  /// Hits of each local stream so far.
  virtual const HitView& hits() const = 0;
  /// Batches begin at multiples of this many points.
  virtual std::uint64_t round_points() const = 0;
  virtual Seconds seconds() const = 0;
  /// Bytes of generator state on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  /// Bytes of the buffer of words; 0 for the fused kernel.
  virtual std::uint64_t buffer_bytes() const = 0;

  // The steps of count(): of each of the ranges, place(), count_segments() up to segment_points(),
  // and batch_hits().

  /// The ranges in which batches are counted soonest.
  virtual std::vector<PiRange> ranges(const PiRange& range) = 0;
  /// Cuts the streams for a range, which begins where the last one ended. Waits.
  virtual void place(const PiRange& range) = 0;
  /// Points of a segment, or of the longest.
  virtual std::uint64_t segment_points() const = 0;
  /// Counts points from .. upto-1 of every segment, from where the last call ended; waits.
  virtual void count_segments(std::uint64_t from, std::uint64_t upto) = 0;
  /// After the last of them: the hits of each of the range's batches.
  virtual std::vector<std::uint64_t> batch_hits() = 0;

 private:
  Launches launches_;
  bool is_prepared_ = false;
};

/// Throws Error if the machine has no room for the streams, or choice.memory not for a round of one
/// tile of them, or the generator lacks the mapping. plan must outlive the counter.
std::unique_ptr<PiCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                           StreamRange range, StreamMapping mapping,
                                           const PiChoice& choice);

}  // namespace rivulet
