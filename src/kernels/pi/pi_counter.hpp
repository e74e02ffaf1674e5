// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "draw/launches.hpp"
#include "draw/work.hpp"
#include "kernels/pi/count_hits.hpp"
#include "kernels/pi/pi_choice.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Counts points in the quarter circle on one rank's streams, whatever the generator.
class PiCounter {
 public:
  virtual ~PiCounter() = default;
  PiCounter(const PiCounter&) = delete;
  PiCounter& operator=(const PiCounter&) = delete;

  /// Seconds so far by what they went to; the fused kernel's are all compute.
  struct Seconds {
    double rng = 0;
    double compute = 0;
  };
  /// Is told of points that each stream has made since it was told last.
  using Advance = std::function<void(std::uint64_t points)>;

  /// Puts every stream at its start and every count at 0. The first time computes the jumps.
  void restart();
  /// After restart(): continues after `points` points of every stream, a multiple of
  /// round_points(), with these hits of each local stream. Waits.
  void resume(std::uint64_t points, const std::vector<std::uint64_t>& hits);

  /// Cuts the streams into segments for points begin .. end - 1 of each stream, which count()
  /// otherwise does. Waits.
  void prepare(const StreamShare& share, std::uint64_t begin, std::uint64_t end);
  /// Counts points begin .. end - 1 of every stream, as far as the streams have them; begin is the
  /// last end, and a multiple of round_points(). Waits.
  void count(const StreamShare& share, std::uint64_t begin, std::uint64_t end,
             const Advance& advance = {});

  /// Runs the kernels once for the sake of what happens only the first time. Before the first
  /// restart().
  void warm_up();

  /// Hits of each local stream so far.
  const HitView& hits() const { return hits_; }
  std::vector<std::uint64_t> hits_of_streams() const;
  /// A run can stop, and go on, at multiples of this many points.
  virtual std::uint64_t round_points() const = 0;
  Seconds seconds() const { return seconds_; }
  /// Bytes of generator state on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  /// Bytes of the buffer of words; 0 for the fused kernel.
  virtual std::uint64_t buffer_bytes() const { return 0; }

  // The steps of count().

  /// The work of a range, on streams or on segments of them. Waits.
  virtual Work place(const ItemRange& points) = 0;
  /// Adds the hits of a part of that work, which begins where the last part ended. Waits.
  virtual void count_part(const Work& work) = 0;

 protected:
  PiCounter(const Space& space, StreamRange range);

  /// Puts every stream at its start.
  virtual void restart_streams() = 0;
  /// Moves every stream on by a multiple of round_points().
  virtual void resume_streams(std::uint64_t points) = 0;

  Space space_;
  StreamRange range_;
  HitView hits_;
  Seconds seconds_;

 private:
  Work work_;
  bool is_prepared_ = false;
  Launches launches_;
};

/// Throws Error if the machine has no room for the streams, or choice.memory not for a period of
/// one tile of them, or the generator lacks the mapping. plan must outlive the counter.
std::unique_ptr<PiCounter> make_pi_counter(const Space& space, const StreamPlan& plan,
                                           StreamRange range, StreamMapping mapping,
                                           const PiChoice& choice);

}  // namespace rivulet
