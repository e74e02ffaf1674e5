// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/launching/for_each_stream.hpp"
#include "machine/streaming_store.hpp"
#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"
#include "rivulet/detail/uint128.hpp"
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

/// Streams cut into segments: segment j of stream s has the index j * streams + s, and holds its
/// numbers begin + j * length .. , `length` of them or, in the last one, what is left of `count`.
struct NumberSegments {
  NumberPiece whole;
  std::uint64_t segments = 1;  ///< of each stream
  std::uint64_t length = 0;

  /// Segments of all streams.
  KOKKOS_FUNCTION std::uint64_t total() const { return segments * whole.streams; }
  /// Where a segment begins, counted from whole.begin.
  KOKKOS_FUNCTION std::uint64_t start(std::uint64_t index) const {
    return index < whole.streams ? 0 : index / whole.streams * length;
  }
  /// Number of the numbers begin .. begin+count-1 that a segment has.
  KOKKOS_FUNCTION std::uint64_t numbers(std::uint64_t index, std::uint64_t begin,
                                        std::uint64_t count) const {
    const std::uint64_t left = whole.count - start(index);
    const std::uint64_t has = left < length ? left : length;
    const std::uint64_t end = has < begin + count ? has : begin + count;
    return end > begin ? end - begin : 0;
  }
};

/// Draws numbers from one rank's streams, whatever the generator.
class NumberSource {
 public:
  virtual ~NumberSource() = default;

  /// Puts every stream at its start, where they are not before the first call either.
  virtual void restart() = 0;

  /// Writes a piece's numbers to memory that the space reaches, and moves its streams on.
  /// Asynchronous. A piece that begins within a period draws that period again from its start and
  /// leaves out what was used: cheap for long pieces, and states need no more than a round's words.
  virtual void draw(const NumberPiece& piece, const NumberLayout& layout, void* to) = 0;

  /// How cut() would cut a piece.
  virtual NumberSegments segments_of(const NumberPiece& piece) const = 0;
  /// Cuts a piece's streams into segments for it, which draw_segments() then draws in parts, and
  /// moves the streams on, as if the piece was drawn. One segment each where a piece begins within
  /// a period. Waits.
  virtual NumberSegments cut(const NumberPiece& piece) = 0;
  /// Numbers part.begin .. part.begin+part.count-1 of the segments of indices part.first ..
  /// part.first+part.streams-1, of each from where its last draw ended; they go where those of
  /// streams would. As single threads with less to do than others keep a device waiting, segments
  /// that end before their streams' other ones go on, and rows may be filled up to number_stride.
  /// Asynchronous.
  virtual void draw_segments(const NumberPiece& part, const NumberLayout& layout, void* to) = 0;

  /// Moves every stream on by a number of periods, in time that grows with its logarithm. Streams
  /// in the midst of a period count from its start. Asynchronous.
  virtual void advance(Uint128 periods) = 0;

  /// Streams are in memory as they were at multiples of this many numbers.
  virtual std::uint64_t period() const = 0;

  /// Streams or segments, in whole tiles, that are drawn side by side into memory as fast as any
  /// more; without a limit where more are never slower.
  virtual std::uint64_t enough_side_by_side() const = 0;

  /// Local streams: the range's.
  virtual std::uint64_t count() const = 0;
  virtual StreamRange range() const = 0;
  /// Bytes of generator state on this rank.
  virtual std::uint64_t state_bytes() const = 0;

  /// The states, as at the last multiple of a period. Waits.
  virtual std::vector<std::byte> save() const = 0;
  /// Puts back what save() gave, of a source of the same generator and number of streams; throws
  /// Error for anything of another size.
  virtual void restore(std::span<const std::byte> states) = 0;

  const NumberRequest& request() const { return request_; }
  std::size_t number_bytes() const { return rivulet::number_bytes(request_.type); }

 protected:
  explicit NumberSource(const NumberRequest& request) : request_(request) {}

 private:
  NumberRequest request_;
};

/// Throws Error if the machine has no room for the streams, or the generator lacks the mapping.
/// plan must outlive the source.
std::unique_ptr<NumberSource> make_number_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const NumberRequest& request);

}  // namespace rivulet
