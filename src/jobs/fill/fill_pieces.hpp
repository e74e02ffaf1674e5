// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/results/results_file.hpp"
#include "jobs/fill/fill_order.hpp"
#include "kernels/numbers/number_source.hpp"

namespace rivulet {

/// Where a fill's numbers go, which decides what pieces are good.
enum class FillTarget {
  memory,  ///< made and dropped: pieces that stay in cache
  file,    ///< long runs
  pipe     ///< all streams of a cycle together, in the array's order
};

/// What a piece may be made of.
struct FillLimits {
  std::uint64_t memory = 0;        ///< bytes of buffer, 0 for what is best
  std::uint64_t number_bytes = 4;  ///< 4 or 8
  std::uint64_t period = 1;        ///< of the source
  std::uint64_t busy_streams = 1;  ///< that keep all of the machine busy, whole tiles
};

/// What a piece is at most.
struct FillPieceLimits {
  std::uint64_t streams = 0;
  std::uint64_t numbers = 0;   ///< of each
  std::uint64_t cut_at = 0;    ///< pieces do not cross multiples of it, in numbers; 0: they may
  bool ordered_after = false;  ///< drawn stream by stream, put in order in a second such buffer
};

/// Bytes of buffer: what is given by the deck or is best, and the least that works.
struct FillBytes {
  std::uint64_t most = 0;
  std::uint64_t least = 0;
};
FillBytes fill_bytes(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                     const FillLimits& limits);

/// Throws Error, which names the least that works, if the limit has no room for a period of a tile
/// of streams (or, for a pipe, for a cycle).
FillPieceLimits fill_shape(const FillOrder& order, std::uint64_t local_streams, FillTarget target,
                           const FillLimits& limits);

/// Limits of the same size with at most `numbers` numbers of each stream, and more streams where
/// there are.
FillPieceLimits with_fewer_numbers(FillPieceLimits shape, std::uint64_t numbers,
                                   std::uint64_t local_streams);

/// Numbers of each stream that a fill of files is drawn by, if it may be left and continued after
/// some of these: whole periods that are worth a write, and whole runs where these are short.
std::uint64_t fill_step(const FillOrder& order, const FillLimits& limits);

/// The pieces of one rank, one after the other.
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

/// Whether a piece is whole cycles of its streams rather than part of one run or share of each.
bool whole_runs(const FillOrder& order, const NumberPiece& piece);

/// Where a piece's numbers, in the array's order, belong.
std::vector<io::StridedRanges> places_of(const FillOrder& order, StreamRange range,
                                         const NumberPiece& piece);

}  // namespace rivulet
