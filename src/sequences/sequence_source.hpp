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

/// Where the time of a profiled sequence went.
struct SequenceSeconds {
  double kernel = 0;    ///< drawing
  double transfer = 0;  ///< waiting for copies from a device to the host
};

/// Draws a sequence's numbers in units: in interleaved order what a round of each stream makes, in
/// blocked order block_length numbers. Not for two threads at once.
class SequenceSource {
 public:
  /// The options have been checked. Throws Error.
  explicit SequenceSource(const SequenceOptions& options);

  std::uint64_t unit() const { return unit_; }  ///< in numbers
  std::size_t number_bytes() const { return source_->number_bytes(); }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Of the twisters' parameter sets, 64 hexadecimal digits; empty if there are none.
  const std::string& parameters_digest() const { return parameters_digest_; }

  /// To another unit, forwards or back, in logarithmic time. After a failure the place is lost;
  /// the next move finds it again from the start.
  void move_to(Uint128 unit);

  /// Draws the next units into memory of the host: all there when it returns.
  void draw(std::uint64_t units, void* to);
  /// The same, but where the device works on its own they come later, and wait() waits for them.
  void begin_draw(std::uint64_t units, void* to);
  void wait();

  const SequenceSeconds& seconds() const { return seconds_; }

  /// States from which the next unit can be drawn.
  SequenceStates save() const;
  /// Puts saved states back, so that a move to a unit begins there and not at the start. Throws
  /// Error if their size is another.
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
