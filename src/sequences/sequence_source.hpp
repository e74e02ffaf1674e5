// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/numbers/number_source.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "sequences/prefetcher.hpp"
#include "sequences/sequence_options.hpp"

namespace rivulet {

/// Returns the process-wide launch mutex. A thread holds it while it launches kernels on all
/// threads of a CPU.
std::mutex& kokkos_threads();

struct SequenceSeconds {
  double kernel = 0;    ///< drawing
  double transfer = 0;  ///< waiting for copies from a device to the host
};

/// Draws a sequence's numbers in units. A unit is one period of each stream in interleaved order,
/// or block_length numbers in blocked order. Not thread-safe.
class SequenceSource final : public UnitSource {
 public:
  /// `options` must have passed check(). Throws Error.
  explicit SequenceSource(const SequenceOptions& options);

  const Space& space() const { return space_; }
  std::uint64_t unit() const { return unit_; }  ///< in numbers
  std::size_t number_bytes() const { return source_->number_bytes(); }
  std::uint64_t state_bytes() const { return source_->state_bytes(); }
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The digest of the twisters' parameter sets, 64 hexadecimal digits; empty for other generators.
  const std::string& parameters_digest() const { return parameters_digest_; }
  SequenceSeconds& seconds() { return seconds_; }
  const SequenceSeconds& seconds() const { return seconds_; }

  std::optional<Uint128> next() const override { return next_; }
  /// The time is logarithmic in the distance (linear for sfc64).
  void move_to(Uint128 unit, const SequenceStates* before) override;
  void draw(std::uint64_t units, std::byte* to) override;
  SequenceStates save() const override;
  /// Restores saved states, so that a later move_to() begins there and not at the start. Ignores
  /// states saved at a position that is not a multiple of this machine's period. Throws Error if
  /// the states' size does not match.
  void restore(const SequenceStates& states);

 private:
  Space space_;
  Order order_;
  bool profiled_;
  SequenceSeconds seconds_;
  std::uint64_t instances_;
  std::unique_ptr<StreamPlan> plan_;
  std::unique_ptr<NumberSource> source_;
  std::uint64_t share_ = 0;  ///< numbers per stream and unit
  std::uint64_t unit_ = 0;
  std::optional<Uint128> next_;
  std::optional<Uint128> periods_;  ///< position of the streams' states in periods, if known
  Uint128 base_ = 0;                ///< position per stream from which items are counted
  std::vector<std::string> warnings_;
  std::string parameters_digest_;
};

}  // namespace rivulet
