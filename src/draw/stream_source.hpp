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

/// How streams map to the hardware. Items do not depend on it.
struct DrawOptions {
  StreamMapping mapping = StreamMapping::lane;
  std::uint64_t segments = 0;  ///< segments per stream; 0 for the fastest number
  /// True if lanes may draw segments where they are faster (segments.hpp). Uncut streams keep
  /// `mapping`.
  bool segments_by_lanes = false;
  int streams_per_team = 1;  ///< streams per Kokkos team in a GPU's team mapping
};

/// The streams of one rank, of any generator: their positions, their segments, and the draw of
/// items from them. Items are counted from where restart(), advance() or restore() put the streams
/// last.
class StreamSource {
 public:
  virtual ~StreamSource() = default;
  StreamSource(const StreamSource&) = delete;
  StreamSource& operator=(const StreamSource&) = delete;

  /// Moves every stream to its start. The first call computes the jumps.
  virtual void restart() = 0;
  /// Advances each stream by `rounds` rounds after restart(), but items are still counted from the
  /// starts.
  virtual void resume(Uint128 rounds) = 0;
  /// Advances every stream by `rounds` rounds, from the start of the period where its last draw
  /// ended, in O(log rounds). Asynchronous.
  virtual void advance(Uint128 rounds) = 0;

  /// The period of items: between periods, streams can rest in memory.
  virtual ItemPeriod period(ItemShape shape) const = 0;
  /// The work of a range of items as place() would cut it with enough memory for segments.
  /// `written`: true if the numbers go to memory.
  virtual Work cut_of(const ItemRange& range, ItemShape shape, bool written = false) const = 0;
  /// Cuts the streams into segments for a range, and moves the segments to their starts. The range
  /// must begin where the streams' last draw ended. The streams advance as if the range were drawn.
  /// Returns the work of the whole range, which can be drawn in parts. Blocking.
  virtual Work place(const ItemRange& range, ItemShape shape, bool written = false) = 0;
  /// The work of a range of items without a cut.
  virtual Work uncut(const ItemRange& range) const = 0;

#if !RIVULET_DEVICE_BUILD
  /// Draws a work's items, from where the last draw of these streams or segments ended. Blocking.
  virtual void draw(const Work& work, const HostConsumer<std::uint32_t>& consumer) = 0;
  virtual void draw(const Work& work, const HostConsumer<std::uint64_t>& consumer) = 0;
#endif

  /// The mapping for a work: of the segments that place() made last, or of uncut streams.
  virtual StreamMapping mapping_of(const Work& work) const = 0;
  /// Global ids of this rank's streams.
  virtual StreamRange range() const = 0;
  /// Bytes of generator states on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  /// Returns the states at the last period boundary. Blocking.
  virtual std::vector<std::byte> save() = 0;
  /// Restores what save() returned for the same generator and number of streams. Throws Error for
  /// data of another size.
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

/// Makes the source of a rank's streams. Throws Error if there is no memory for the streams, or the
/// generator lacks the mapping. `plan` must outlive the source.
std::unique_ptr<StreamSource> make_stream_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const DrawOptions& options);

}  // namespace rivulet
