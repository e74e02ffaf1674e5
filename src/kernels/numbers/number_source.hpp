// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "draw/stream_source.hpp"
#include "launching/for_each_stream.hpp"
#include "machine/streaming_store.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/uint128.hpp"
#include "sampling/law.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// What numbers a source draws and how; all but the type and the interval change only the speed.
struct NumberRequest {
  NumberType type = NumberType::float64;
  Interval interval = Interval::closed_open;  ///< of floating-point numbers
  StreamMapping mapping = StreamMapping::lane;
  int streams_per_team = 1;    ///< with the team mapping, streams that share a Kokkos team
  std::uint64_t segments = 0;  ///< that each stream is cut into; 0 for as many as are fastest
  /// Whether lanes may draw segments where they are faster (segments.hpp), whatever the mapping of
  /// streams that are not cut.
  bool segments_by_lanes = false;
  /// On a CPU: bytes of a piece from which on its numbers are written by non-temporal stores.
  std::uint64_t stream_from = streamed_from;
  /// Of floating-point numbers, in layouts where a stride is 1. `interval` is law.interval() unless
  /// the law is uniform from 0 to 1.
  Law law{};
};

/// Numbers begin .. begin+count-1 of local streams first .. first+streams-1. first is a multiple of
/// tile_streams. What is drawn of a stream follows without gaps: begin is where its last draw
/// ended, counted from where the streams were put last (restart(), advance() or restore()).
struct NumberPiece {
  std::uint64_t first = 0;
  std::uint64_t streams = 0;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// Where a piece goes: number i (from begin) of stream s (from first) to
/// to[s * stream_stride + i * number_stride]. Fast where one of the two is 1.
struct NumberLayout {
  std::uint64_t stream_stride = 1;
  std::uint64_t number_stride = 1;
};

/// Where the numbers of a work go.
struct NumberPlaces {
  NumberLayout layout;
  std::uint64_t segment_stride = 0;  ///< between segments of a stream, if these lie as it does
  std::uint64_t streams = 1;         ///< that are cut

  /// Of the first number of an index.
  KOKKOS_FUNCTION std::uint64_t place(std::uint64_t i) const {
    if (segment_stride == 0 || i < streams) return i * layout.stream_stride;
    return i % streams * layout.stream_stride + i / streams * segment_stride;
  }
};

/// Draws numbers from one rank's streams, whatever the generator.
class NumberSource {
 public:
  NumberSource(const Space& space, const StreamPlan& plan, StreamRange range,
               const NumberRequest& request);

  /// Puts every stream at its start, where they are not before the first call either.
  void restart() { source_->restart(); }

  /// Writes a piece's numbers to memory that the space reaches, and moves its streams on.
  /// Asynchronous on a GPU. A piece that begins within a period draws that period again from its
  /// start and leaves out what was used: cheap for long pieces, and states need no more than a
  /// round's words.
  void draw(const NumberPiece& piece, const NumberLayout& layout, void* to);

  /// The work of a piece whose streams are not cut.
  Work work_of(const NumberPiece& piece) const { return source_->uncut(range_of(piece)); }
  /// The work of a piece as cut() would cut it.
  Work segments_of(const NumberPiece& piece) const;
  /// Cuts a piece's streams into segments for it, which draw_segments() then draws in parts, and
  /// moves the streams on, as if the piece was drawn. One segment each where a piece begins within
  /// a period. Waits.
  const Work& cut(const NumberPiece& piece);
  const Work& last_cut() const { return cut_; }
  /// The work of a part of the segments: numbers part.begin .. part.begin+part.count-1 of those of
  /// indices part.first .. part.first+part.streams-1.
  Work part_of(const NumberPiece& part) const;
  /// Writes a part's numbers, of each segment from where its last draw ended, as draw() writes
  /// those of streams. Threads with less to do than others would keep a device waiting: segments
  /// that end before their streams' other ones go on, and rows may be filled up to number_stride.
  /// Asynchronous on a GPU.
  void draw_segments(const NumberPiece& part, const NumberLayout& layout, void* to);

  /// Moves every stream on by a number of periods, in time that grows with its logarithm. Streams
  /// in the midst of a period count from its start. Asynchronous.
  void advance(Uint128 periods) { source_->advance(periods * source_->period(shape_).rounds); }

  /// Streams are in memory as they were at multiples of this many numbers.
  std::uint64_t period() const { return source_->period(shape_).items; }

  /// Streams or segments of that many numbers, in whole tiles, that are drawn side by side into
  /// memory as fast as any more; without a limit where more are never slower.
  std::uint64_t enough_side_by_side(std::uint64_t numbers) const;

  /// Local streams: the range's.
  std::uint64_t count() const { return range().count; }
  StreamRange range() const { return source_->range(); }
  /// Bytes of generator state on this rank.
  std::uint64_t state_bytes() const { return source_->state_bytes(); }

  /// The states, as at the last multiple of a period. Waits.
  std::vector<std::byte> save() const { return source_->save(); }
  /// Puts back what save() gave, of a source of the same generator and number of streams; throws
  /// Error for anything of another size.
  void restore(std::span<const std::byte> states) { source_->restore(states); }

  const NumberRequest& request() const { return request_; }
  std::size_t number_bytes() const { return rivulet::number_bytes(request_.type); }

 private:
  ItemRange range_of(const NumberPiece& piece) const;
  void store(const Work& work, const NumberPlaces& places, void* to);
  void make_law(const NumberPiece& piece, const NumberLayout& layout, void* to) const;

  Space space_;
  NumberRequest request_;
  ItemShape shape_;
  std::unique_ptr<StreamSource> source_;
  Work cut_;
};

/// Throws Error if the machine has no room for the streams, or the generator lacks the mapping.
/// plan must outlive the source.
std::unique_ptr<NumberSource> make_number_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const NumberRequest& request);

}  // namespace rivulet
