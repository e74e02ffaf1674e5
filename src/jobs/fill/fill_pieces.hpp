// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/results/results_file.hpp"
#include "kernels/numbers/number_source.hpp"
#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"

namespace rivulet {

/// The order of the streams' numbers in an array. Either every stream fills a contiguous share of
/// the array, or the array is a sequence of cycles with `run` numbers of every stream. The
/// interleaved order has a run of 1.
struct FillOrder {
  std::uint64_t numbers = 0;
  std::uint64_t streams = 1;
  std::uint64_t run = 0;  ///< 0 for shares, whose lengths differ by at most one

  bool in_shares() const { return run == 0; }
  bool interleaved() const { return run == 1; }
  /// Returns the numbers per cycle. Not defined for shares.
  std::uint64_t cycle() const { return streams * run; }

  /// Returns how many numbers a stream has. `stream`: global id.
  std::uint64_t count(std::uint64_t stream) const;
  std::uint64_t count(StreamRange range) const;
  /// Returns the array index of a stream's number i, which must be below count(stream).
  std::uint64_t index_of(std::uint64_t stream, std::uint64_t i) const;
};

/// Numbers `begin` .. `end` - 1 of each of the first `streams` streams in a range.
struct FillRange {
  std::uint64_t streams = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Divides all numbers of the range's streams into at most three stages, and returns the stages. In
/// every stream, a stage begins at the number where the previous stage ends.
std::vector<FillRange> fill_stages(const FillOrder& order, StreamRange range);
/// Returns the parts of the stages that contain numbers `begin` .. `end` - 1 of each stream.
std::vector<FillRange> part_of(std::vector<FillRange> stages, std::uint64_t begin,
                               std::uint64_t end);

/// The destination of the numbers, which determines the shape of pieces.
enum class FillTarget {
  memory,  ///< numbers are discarded; pieces stay in the caches
  file,    ///< pieces have long runs
  pipe     ///< pieces have whole cycles, in the array's order
};

struct FillLimits {
  std::uint64_t memory = 0;        ///< bytes of the buffer; 0 for the fastest size
  std::uint64_t number_bytes = 4;  ///< 4 or 8
  std::uint64_t period = 1;        ///< NumberSource::period()
  std::uint64_t busy_streams = 1;  ///< streams that keep the machine busy, in whole tiles
};

/// Upper limits of a piece.
struct FillPieceLimits {
  std::uint64_t streams = 0;
  std::uint64_t numbers = 0;      ///< per stream
  std::uint64_t boundary = 0;     ///< pieces do not cross multiples of this number; 0: no limit
  bool needs_reordering = false;  ///< true if numbers are reordered in a second buffer
};

/// Limits on the size of the buffer, in bytes.
struct FillBytes {
  std::uint64_t most = 0;   ///< fill.memory; if that is auto, the preferred size
  std::uint64_t least = 0;  ///< one period per stream of a tile; more for a pipe
};
FillBytes fill_bytes(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                     const FillLimits& limits);

/// Returns the shape of pieces. Throws Error if the memory limit is below FillBytes::least. The
/// message states this minimum.
FillPieceLimits fill_shape(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                           const FillLimits& limits);

/// Returns a shape with `numbers` numbers per stream, and with as many streams as then fit in the
/// buffer of `shape`. Returns `shape` itself if it has no more than `numbers` numbers per stream,
/// if `boundary` is not 0, or if `numbers` is 0.
FillPieceLimits with_fewer_numbers(FillPieceLimits shape, std::uint64_t numbers,
                                   std::uint64_t local_streams);

/// Returns the length of a step, counted in numbers per stream. A fill of a file can be interrupted
/// and continued at multiples of the step. For the interleaved order, a step is one period. If runs
/// are short, a step has whole runs, and at least one period. Otherwise, a step has whole periods,
/// and is long enough to amortise a write.
std::uint64_t fill_step(const FillOrder& order, const FillLimits& limits);

class FillPieces {
 public:
  FillPieces(const FillOrder& order, StreamRange range, const FillPieceLimits& shape);
  FillPieces(std::vector<FillRange> stages, const FillPieceLimits& shape);

  std::optional<NumberPiece> next();

 private:
  std::uint64_t end_of_piece(const FillRange& stage) const;

  std::vector<FillRange> stages_;
  FillPieceLimits shape_;
  std::size_t stage_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t begin_ = 0;
};

/// Returns true if a piece consists of whole runs, not of partial runs or partial shares.
bool has_whole_runs(const FillOrder& order, const NumberPiece& piece);

/// Returns the ranges of the file that a piece's numbers fill. The ranges are in the array's order.
std::vector<io::StridedRanges> file_ranges(const FillOrder& order, StreamRange range,
                                           const NumberPiece& piece);

}  // namespace rivulet
