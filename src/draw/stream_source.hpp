// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "draw/consumer.hpp"
#include "draw/work.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/uint128.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// How streams map to the hardware. The items do not depend on these options.
struct DrawOptions {
  StreamMapping mapping = StreamMapping::lane;
  std::uint64_t segments = 0;  ///< segments per stream; 0 selects the fastest number
  /// True if lanes may draw segments where this is faster (segments.hpp). Uncut streams always use
  /// `mapping`.
  bool segments_by_lanes = false;
  int streams_per_team = 1;  ///< streams per Kokkos team in a GPU's team mapping
};

/// The streams of one rank, for any generator. Draws items, moves streams, and cuts streams into
/// segments. Items are counted from the position that the last restart(), advance() or restore()
/// set.
class StreamSource {
 public:
  virtual ~StreamSource() = default;
  StreamSource(const StreamSource&) = delete;
  StreamSource& operator=(const StreamSource&) = delete;

  /// Moves every stream to its start. The first call computes the jumps.
  virtual void restart() = 0;
  /// After restart(), advances each stream by `rounds` rounds. Items are still counted from the
  /// streams' starts.
  virtual void resume(Uint128 rounds) = 0;
  /// Advances every stream by `rounds` rounds, in O(log rounds). The rounds are counted from the
  /// last period boundary at or before the end of the stream's last draw. Blocking.
  virtual void advance(Uint128 rounds) = 0;

  /// Returns the period of items of `shape`. Stream states can be stored only at period boundaries.
  virtual ItemPeriod period(ItemShape shape) const = 0;
  /// Returns the work that cut_streams() would return for a range, given enough memory for
  /// segments. `written` is true if the numbers are written to memory.
  virtual Work plan_cut(const ItemRange& range, ItemShape shape, bool written = false) const = 0;
  /// Cuts the streams for a range as plan_cut() says, and moves the segments to their starts. The
  /// range must begin where the streams' last draw ended. Cut streams advance as if the range were
  /// drawn. Returns the work of the whole range, which can be drawn in parts. Blocking.
  virtual Work cut_streams(const ItemRange& range, ItemShape shape, bool written = false) = 0;
  /// Returns the work of a range of uncut streams.
  virtual Work uncut(const ItemRange& range) const = 0;

#if !RIVULET_DEVICE_BUILD
  /// Draws a work's items. The work must begin where the last draw of these streams or segments
  /// ended. Blocking.
  virtual void draw(const Work& work, const HostConsumer<std::uint32_t>& consumer) = 0;
  virtual void draw(const Work& work, const HostConsumer<std::uint64_t>& consumer) = 0;
#endif

  /// Returns the mapping for a work: that of the segments from the last cut_streams(), or that of
  /// uncut streams.
  virtual StreamMapping mapping_of(const Work& work) const = 0;
  /// Returns the global ids of this rank's streams.
  virtual StreamRange range() const = 0;
  /// Returns the bytes of generator states on this rank, including segments.
  virtual std::uint64_t state_bytes() const = 0;
  /// Returns the states at the last period boundary. Blocking.
  virtual std::vector<std::byte> save() = 0;
  /// Restores states that save() returned for the same generator and number of streams. Throws
  /// Error if the data do not fit.
  virtual void restore(std::span<const std::byte> states) = 0;

  const StreamPlan& plan() const { return plan_; }
  const DrawOptions& options() const { return options_; }

 protected:
  StreamSource(const StreamPlan& plan, const DrawOptions& options)
      : plan_(plan), options_(options) {}

 private:
  const StreamPlan& plan_;
  DrawOptions options_;
};

/// Creates the source of a rank's streams. Throws Error if there is too little memory for the
/// streams, or if the generator does not support the mapping. `plan` must outlive the source.
std::unique_ptr<StreamSource> make_stream_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const DrawOptions& options);

}  // namespace rivulet
