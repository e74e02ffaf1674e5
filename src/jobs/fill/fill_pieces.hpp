// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/results/results_file.hpp"
#include "kernels/numbers/number_source.hpp"
#include "rivulet/detail/streams/stream_plan.hpp"

namespace rivulet {

/// The arrangement of streams' numbers in an array. Either every stream fills one share of the
/// whole, or the array is a sequence of cycles with `run` numbers of every stream: a run of 1 is
/// the interleaved order.
struct FillOrder {
  std::uint64_t numbers = 0;
  std::uint64_t streams = 1;
  std::uint64_t run = 0;  ///< 0: shares of the whole, which differ by one number at most

  bool in_shares() const { return run == 0; }
  bool interleaved() const { return run == 1; }
  /// Numbers in a cycle. Not for shares.
  std::uint64_t cycle() const { return streams * run; }

  /// Numbers of a stream (global id).
  std::uint64_t count(std::uint64_t stream) const;
  std::uint64_t count(StreamRange range) const;
  /// Index in the array of a stream's number i < count(stream).
  std::uint64_t place(std::uint64_t stream, std::uint64_t i) const;
};

/// Numbers begin .. end-1 of the first `streams` streams of a range.
struct FillRange {
  std::uint64_t streams = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Divides all numbers of the range's streams into at most three stages. Each stage begins where
/// the previous one ends.
std::vector<FillRange> fill_stages(const FillOrder& order, StreamRange range);
/// The numbers begin .. end-1 of each stream in these stages.
std::vector<FillRange> part_of(std::vector<FillRange> stages, std::uint64_t begin,
                               std::uint64_t end);

/// The destination of a fill, which determines the best pieces.
enum class FillTarget {
  memory,  ///< numbers are discarded: pieces stay in cache
  file,    ///< pieces have long runs
  pipe     ///< pieces have whole cycles, in the array's order
};

struct FillLimits {
  std::uint64_t memory = 0;        ///< bytes of buffer; 0: the best size
  std::uint64_t number_bytes = 4;  ///< 4 or 8
  std::uint64_t period = 1;        ///< NumberSource::period()
  std::uint64_t busy_streams = 1;  ///< streams that keep the whole machine busy, in whole tiles
};

/// The largest size of a piece.
struct FillPieceLimits {
  std::uint64_t streams = 0;
  std::uint64_t numbers = 0;   ///< of each stream
  std::uint64_t cut_at = 0;    ///< pieces do not cross multiples of this many numbers; 0: they may
  bool ordered_after = false;  ///< drawn stream by stream, then put in order in a second buffer
};

/// Bytes of the buffer: the deck's or the best value, and the least.
struct FillBytes {
  std::uint64_t most = 0;
  std::uint64_t least = 0;
};
FillBytes fill_bytes(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                     const FillLimits& limits);

/// Throws Error, which names the least memory, if the limit is too small for a period of a tile of
/// streams (or, for a pipe, for a cycle).
FillPieceLimits fill_shape(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                           const FillLimits& limits);

/// A shape of equal size with at most `numbers` numbers of each stream, and more streams if
/// possible.
FillPieceLimits with_fewer_numbers(FillPieceLimits shape, std::uint64_t numbers,
                                   std::uint64_t local_streams);

/// Numbers of each stream between points where a fill of files can be interrupted and continued:
/// whole periods that are worth a write, and whole runs if these are short.
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

/// True if a piece has whole cycles of its streams, rather than a part of each stream's run or
/// share.
bool whole_runs(const FillOrder& order, const NumberPiece& piece);

/// The file's ranges for a piece's numbers, in the array's order.
std::vector<io::StridedRanges> places_of(const FillOrder& order, StreamRange range,
                                         const NumberPiece& piece);

}  // namespace rivulet
