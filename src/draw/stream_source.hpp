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

/// How streams meet the hardware. No item depends on it.
struct DrawOptions {
  StreamMapping mapping = StreamMapping::lane;
  std::uint64_t segments = 0;  ///< that each stream is cut into; 0 for as many as are fastest
  /// Whether lanes may draw segments where they are faster (segments.hpp), whatever the mapping of
  /// streams that are not cut.
  bool segments_by_lanes = false;
  int streams_per_team = 1;  ///< of a GPU's team mapping: warps that share a Kokkos team
};

/// The streams of one rank, of any generator: where they are, how they are cut into segments, and
/// what draws items from them. Items are counted from where the streams were put last, by
/// restart(), advance() or restore().
class StreamSource {
 public:
  virtual ~StreamSource() = default;
  StreamSource(const StreamSource&) = delete;
  StreamSource& operator=(const StreamSource&) = delete;

  /// Puts every stream at its start. The first call computes the jumps.
  virtual void restart() = 0;
  /// After restart(): the streams come to rest where each has drawn `rounds` rounds. Items are
  /// counted from the starts.
  virtual void resume(Uint128 rounds) = 0;
  /// Moves every stream on, from the period that its last draw ended in, in time that grows with
  /// the number's logarithm. Asynchronous.
  virtual void advance(Uint128 rounds) = 0;

  /// The items between which streams can rest.
  virtual ItemPeriod period(ItemShape shape) const = 0;
  /// The work of a range of items as place() would cut it, if there is the memory for segments.
  /// `written`: whether the numbers go to memory.
  virtual Work cut_of(const ItemRange& range, ItemShape shape, bool written = false) const = 0;
  /// Cuts the streams into segments for a range, which begins where their last draw ended, and
  /// moves the segments to their starts. The streams move on as if the range was drawn. Returns the
  /// work of the whole range, which can be drawn in parts. Waits.
  virtual Work place(const ItemRange& range, ItemShape shape, bool written = false) = 0;
  /// The work of a range of items whose streams are not cut.
  virtual Work uncut(const ItemRange& range) const = 0;

#if !RIVULET_DEVICE_BUILD
  /// Draws a work's items, from where the last draw of the same streams or segments ended. Waits.
  virtual void draw(const Work& work, const HostConsumer<std::uint32_t>& consumer) = 0;
  virtual void draw(const Work& work, const HostConsumer<std::uint64_t>& consumer) = 0;
#endif

  /// What draws a work: the segments that place() made last, or streams.
  virtual StreamMapping mapping_of(const Work& work) const = 0;
  /// Local streams.
  virtual StreamRange range() const = 0;
  /// Bytes of generator states on this rank.
  virtual std::uint64_t state_bytes() const = 0;
  /// The states, as at the last multiple of a period. Waits.
  virtual std::vector<std::byte> save() = 0;
  /// Puts back what save() gave, of a source of the same generator and number of streams; throws
  /// Error for anything of another size.
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

/// Throws Error if the machine has no room for the streams, or the generator lacks the mapping.
/// `plan` must outlive the source.
std::unique_ptr<StreamSource> make_stream_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const DrawOptions& options);

}  // namespace rivulet
