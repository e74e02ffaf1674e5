// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/numbers/number_source.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "sequences/drawn_ahead.hpp"
#include "sequences/sequence_options.hpp"
#include "sequences/sequence_states.hpp"

namespace rivulet {

/// Seconds that a profiled sequence took.
struct SequenceSeconds {
  double kernel = 0;    ///< drawing
  double transfer = 0;  ///< waiting for copies from a device to the host
};

/// Draws a sequence's numbers in units: in interleaved order a round of each stream, in blocked
/// order block_length numbers. Not for two threads at once.
class SequenceSource {
 public:
  /// Takes checked options. Throws Error.
  explicit SequenceSource(const SequenceOptions& options);

  std::uint64_t unit() const { return unit_; }  ///< in numbers
  std::size_t number_bytes() const { return source_->number_bytes(); }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The digest of the twisters' parameter sets, 64 hexadecimal digits; empty for other generators.
  const std::string& parameters_digest() const { return parameters_digest_; }

  /// Moves to another unit, forwards or back, in logarithmic time. After a failure the position is
  /// lost; the next move finds it again from the start.
  void move_to(Uint128 unit);

  /// Draws the next units to host memory; they are complete on return.
  void draw(std::uint64_t units, void* to);
  /// The same, but a device may still be working on return; wait() waits for it.
  void begin_draw(std::uint64_t units, void* to);
  void wait();

  const SequenceSeconds& seconds() const { return seconds_; }

  /// States from which the next unit can be drawn.
  SequenceStates save() const;
  /// Restores saved states, so that a move to a unit begins there and not at the start. Throws
  /// Error if they have another size.
  void restore(const SequenceStates& states);

 private:
  void launch(std::uint64_t units, std::byte* to);
  void put(Uint128 unit);
  void begin_draw_on_host(std::uint64_t units, std::byte* to);
  template <class Action>
  void draw_as(std::uint64_t units, const Action& action);
  SequenceStates own_states() const;

  Space space_;
  Order order_;
  bool profiled_;
  SequenceSeconds seconds_;
  std::uint64_t instances_;
  std::unique_ptr<StreamPlan> plan_;
  std::unique_ptr<NumberSource> source_;
  std::uint64_t share_ = 0;  ///< numbers of each stream in a unit
  std::uint64_t unit_ = 0;
  Uint128 next_ = 0;        ///< unit to be delivered
  Uint128 made_ = 0;        ///< unit to be drawn, not before that
  Uint128 periods_ = 0;     ///< where the streams' states are
  Uint128 base_ = 0;        ///< number of each stream that pieces count from
  bool is_placed_ = false;  ///< whether periods_ is true
  bool is_ready_ = false;   ///< whether next_, made_ and base_ are as well
  std::vector<std::string> warnings_;
  std::string parameters_digest_;
  std::optional<DrawnAhead> ahead_;  ///< what is drawn from made_ - next_ on, on a device
};

}  // namespace rivulet
