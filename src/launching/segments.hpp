// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "launching/for_each_stream.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// A division of streams into segments of equal length. Kernels draw each segment as if it were a
/// stream. Segment j of stream s has the index j * streams + s, so neighbouring indices belong to
/// neighbouring streams at the same position.
struct Segments {
  std::uint64_t first = 0;    ///< local index of the first stream to cut
  std::uint64_t streams = 0;  ///< number of streams to cut
  std::uint64_t count = 1;    ///< segments per stream
  std::uint64_t rounds = 0;   ///< per segment; a stream's last segment may be drawn in part only

  /// Returns the local index of the segment's stream.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream(std::uint64_t index) const {
    return first + (index < streams ? index : index % streams);
  }
  /// Returns the segment's number j within its stream.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t number(std::uint64_t index) const {
    return index < streams ? 0 : index / streams;
  }
  KOKKOS_FUNCTION std::uint64_t total() const { return streams * count; }
};

/// A draw's properties that determine into how many segments its streams are cut.
struct SegmentWork {
  StreamMapping mapping = StreamMapping::lane;
  int lanes = team_lanes;         ///< device lanes per stream in the team mapping
  std::uint64_t streams = 0;      ///< streams of the rank
  std::uint64_t rounds = 0;       ///< rounds to draw per stream
  std::uint64_t jump_rounds = 1;  ///< time of a jump, in rounds of one stream
  std::uint64_t worth_cuts = 0;   ///< least numbers for which a cut pays (generator_type.hpp)
  std::uint64_t written = 0;      ///< numbers of all streams if they go to memory, else 0
};

/// The parallel hardware: threads of a CPU, or lanes of a device.
struct MachineSize {
  bool device = device_build;
  std::uint64_t threads = 1;  ///< concurrent threads
};

/// Returns the number of streams that keep the whole machine busy to the end: several per
/// concurrent thread.
std::uint64_t busy_streams(const MachineSize& machine, const SegmentWork& work);
std::uint64_t busy_streams(const Space& space, const SegmentWork& work);

/// True if the uncut streams write to a device's memory so fast that a cut does not pay. An eighth
/// of busy_streams() is enough. Cheap jumps still pay in long draws. (Measured on an H200, floats
/// of dcmt521, relative to the bandwidth: by lanes, 67584 uncut streams reach 0.94, and 0.53 if
/// each draw cuts them anew. By teams of eight lanes, 16896 streams reach 0.75 and 0.65. Measured
/// on 2026-11-29, uint32 of 67584 uncut streams relative to twice as many segments: dcmt521 1.00,
/// lfsr113 0.99, RANMAR 1.02, but philox4x64 0.72, pcg64dxsm 0.79, mrg32k3a 0.82.)
bool write_at_full_speed(const MachineSize& machine, const SegmentWork& work);
bool write_at_full_speed(const Space& space, const SegmentWork& work);

/// Numbers in a draw above which jumps by long polynomials are cheap. The jumps of dcmt521 take a
/// core about 2 ms, the time of 2 million numbers by a team. (An estimate: draws of equal length
/// share polynomials.)
constexpr std::uint64_t costly_cuts = 20'000'000;

/// True if the lane mapping draws this number of segments faster than the team mapping. For
/// generators that have both mappings.
bool lanes_are_better(const Space& space, std::uint64_t segments);

/// Returns the number of segments per stream that finishes the work soonest. The segments keep the
/// machine, or a device's memory, busy, but none takes less time than the jump to its start.
/// Returns 1 if there are enough streams.
std::uint64_t best_segments(const MachineSize& machine, const SegmentWork& work);
std::uint64_t best_segments(const Space& space, const SegmentWork& work);

/// Returns the number of segments per stream that fills the vectors of a CPU's threads. Each thread
/// gets one vector if that halves the time of uncut streams by lane, and up to 16 if jumps are
/// cheap relative to the draw.
std::uint64_t segments_for_vectors(const Space& space, const SegmentWork& work);

/// Cuts each stream into at most `count` segments of equal length, none empty.
Segments cut_evenly(std::uint64_t streams, std::uint64_t rounds, std::uint64_t count);

}  // namespace rivulet
