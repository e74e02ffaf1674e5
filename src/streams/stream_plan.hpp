// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parameters/dcmt_set.hpp"

namespace rivulet {

/// A contiguous range of global stream ids.
struct StreamBlock {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The block of a rank when `streams` ids are split over `ranks` as evenly as they go; the first
/// streams % ranks blocks have one more. A function of its arguments alone: no rank asks another.
constexpr StreamBlock stream_block(std::uint64_t streams, std::uint64_t rank, std::uint64_t ranks) {
  const std::uint64_t share = streams / ranks;
  const std::uint64_t extra = streams % ranks;
  const std::uint64_t first = rank * share + (rank < extra ? rank : extra);
  return {first, share + (rank < extra ? 1 : 0)};
}

/// How a twister's first state is made.
enum class Seeding {
  native,    ///< init_by_array keyed by (run seed, stream id)
  published  ///< init_genrand(0x33ff * stream id), as the OpenCL program does; the seed is not used
};

/// What a run asks of its streams.
struct StreamRequest {
  std::uint64_t streams = 1;
  std::uint64_t seed = 0;
  Seeding seeding = Seeding::native;
  std::uint64_t log2_jump = 200;       ///< distance of streams on one set, as a power of two
  std::uint64_t words_per_stream = 1;  ///< the most that any stream will draw
};

/// Which parameter set and which part of its period each global stream id owns:
/// stream s draws from set s % sets, starting (s / sets) * 2^log2_jump steps after the set's seeded
/// state. Disjoint by construction; the constructor throws Error where that cannot be promised.
class StreamPlan {
 public:
  StreamPlan(const DcmtSets& sets, const StreamRequest& request);

  std::uint64_t streams() const { return request_.streams; }
  std::uint64_t sets() const { return sets_; }
  const StreamRequest& request() const { return request_; }

  std::uint64_t set_of(std::uint64_t stream) const { return stream % sets_; }
  std::uint64_t jump_of(std::uint64_t stream) const { return stream / sets_; }
  /// Id of the stream whose seed the set's streams share: the set's first.
  std::uint64_t seeded_stream(std::uint64_t stream) const { return stream % sets_; }

  /// Why no two streams overlap: names and values for the results file and the report.
  std::vector<std::pair<std::string, std::string>> certificate() const;

 private:
  StreamRequest request_;
  std::uint64_t sets_;
  int p_;
  std::string source_;
};

}  // namespace rivulet
