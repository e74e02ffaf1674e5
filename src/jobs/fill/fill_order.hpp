// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

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
  /// Numbers in one cycle, not for shares.
  std::uint64_t cycle() const { return streams * run; }

  /// Numbers of a stream (global id).
  std::uint64_t count(std::uint64_t stream) const;
  /// Numbers of the streams of a range.
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

/// All numbers of the range's streams, as at most three stages, each of which begins where the one
/// before ended.
std::vector<FillRange> fill_stages(const FillOrder& order, StreamRange range);
/// The numbers begin .. end-1 of each stream in these stages.
std::vector<FillRange> part_of(std::vector<FillRange> stages, std::uint64_t begin,
                               std::uint64_t end);

}  // namespace rivulet
