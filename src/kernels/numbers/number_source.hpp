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

/// Options of a NumberSource. Only `type`, `interval` and `law` affect the numbers; the other
/// members affect the speed.
struct NumberRequest {
  NumberType type = NumberType::float64;
  Interval interval = Interval::closed_open;  ///< of floating-point numbers
  StreamMapping mapping = StreamMapping::lane;
  int streams_per_team = 1;    ///< streams per Kokkos team, for the team mapping
  std::uint64_t segments = 0;  ///< per stream; 0 chooses the fastest number
  /// If true, segments may be drawn by lanes where that is faster (segments.hpp), even if `mapping`
  /// is team.
  bool segments_by_lanes = false;
  /// Minimum size in bytes of an output that a CPU writes with non-temporal stores.
  std::uint64_t stream_from = min_streamed_bytes;
  /// Distribution of floating-point numbers. If the law is not uniform from 0 to 1, one of the
  /// layout's strides must be 1, and `interval` must be law.interval().
  Law law{};
};

/// Numbers begin .. begin+count-1 of local streams first .. first+streams-1. `first` must be a
/// multiple of tile_streams. A stream's draws must leave no gaps: `begin` is the end of the
/// stream's last draw. Number 0 is the first number after the last restart(), advance() or
/// restore().
struct NumberPiece {
  std::uint64_t first = 0;
  std::uint64_t streams = 0;
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

/// The memory layout of a piece. Number begin + i of stream first + s is stored at
/// to[s * stream_stride + i * number_stride]. Draws are fast if one of the strides is 1.
struct NumberLayout {
  std::uint64_t stream_stride = 1;
  std::uint64_t number_stride = 1;
};

/// The memory layout of a Work, whose streams may be cut into segments.
struct NumberPlaces {
  NumberLayout layout;
  std::uint64_t segment_stride = 0;  ///< numbers between segment starts; 0: as streams are laid out
  std::uint64_t streams = 1;         ///< number of streams that are cut

  /// Returns the offset of the first number of stream or segment `i`.
  KOKKOS_FUNCTION std::uint64_t offset(std::uint64_t i) const {
    if (segment_stride == 0 || i < streams) return i * layout.stream_stride;
    return i % streams * layout.stream_stride + i / streams * segment_stride;
  }
};

/// Draws numbers from one rank's streams of any generator.
class NumberSource {
 public:
  NumberSource(const Space& space, const StreamPlan& plan, StreamRange range,
               const NumberRequest& request);

  /// Moves every stream to its start. Call it before the first draw.
  void restart() { source_->restart(); }

  /// Writes a piece's numbers to `to`, which the space must be able to access, and advances the
  /// piece's streams. Asynchronous on a GPU. States are stored only at period boundaries, so if a
  /// piece begins inside a period, that period is drawn again from its start, and the used numbers
  /// are skipped. For long pieces, this costs little.
  void draw(const NumberPiece& piece, const NumberLayout& layout, void* to);

  /// Returns the work of a piece without cutting streams.
  Work work_of(const NumberPiece& piece) const { return source_->uncut(range_of(piece)); }
  /// Returns the work that cut() would return for a piece if memory suffices. Does not
  /// advance the streams.
  Work segments_of(const NumberPiece& piece) const;
  /// Cuts a piece's streams into segments, for later calls of draw_segments(). Advances the streams
  /// as if the piece had been drawn. Returns the work. If the piece begins inside a period, each
  /// stream is one segment. Blocking.
  const Work& cut(const NumberPiece& piece);
  const Work& last_cut() const { return cut_; }
  /// Returns the work for a part of the segments: numbers part.begin .. part.begin+part.count-1 of
  /// the segments with indices part.first .. part.first+part.streams-1.
  Work part_of(const NumberPiece& part) const;
  /// Writes the numbers of a part of the segments (part_of()). Each segment continues at the end of
  /// its last draw. Writes may run past the end of a short segment and fill rows up to
  /// number_stride, so that the threads of a warp stay in step. Asynchronous on a GPU.
  void draw_segments(const NumberPiece& part, const NumberLayout& layout, void* to);

  /// Advances every stream by `periods` periods, in time O(log periods). A stream inside a period
  /// advances from the start of that period. Asynchronous.
  void advance(Uint128 periods) { source_->advance(periods * source_->period(shape_).rounds); }

  /// Returns the numbers per period. States are stored only at period boundaries.
  std::uint64_t period() const { return source_->period(shape_).items; }

  /// Returns how many streams or segments to draw concurrently: more streams or segments would not
  /// be drawn faster. Returns the largest value if there is no limit. `numbers`: numbers per stream
  /// or segment.
  std::uint64_t max_useful_streams(std::uint64_t numbers) const;

  /// Number of local streams.
  std::uint64_t count() const { return range().count; }
  StreamRange range() const { return source_->range(); }
  /// Bytes of generator state on this rank.
  std::uint64_t state_bytes() const { return source_->state_bytes(); }

  /// Returns the states at the last period boundary. Blocking.
  std::vector<std::byte> save() const { return source_->save(); }
  /// Restores states that save() returned for the same generator and number of streams. Throws
  /// Error if the size differs.
  void restore(std::span<const std::byte> states) { source_->restore(states); }

  const NumberRequest& request() const { return request_; }
  std::size_t number_bytes() const { return rivulet::number_bytes(request_.type); }

 private:
  ItemRange range_of(const NumberPiece& piece) const;
  void store(const Work& work, const NumberPlaces& places, void* to);
  void apply_law(const NumberPiece& piece, const NumberLayout& layout, void* to) const;

  Space space_;
  NumberRequest request_;
  ItemShape shape_;
  std::unique_ptr<StreamSource> source_;
  Work cut_;
};

/// Creates a source. Throws Error if the streams do not fit in memory, or if the generator lacks
/// the mapping. `plan` must outlive the source.
std::unique_ptr<NumberSource> make_number_source(const Space& space, const StreamPlan& plan,
                                                 StreamRange range, const NumberRequest& request);

}  // namespace rivulet
