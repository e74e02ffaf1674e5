// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "launching/for_each_stream.hpp"
#include "streams/generator.hpp"

namespace rivulet {

/// Streams that are cut into segments of equal length, each drawn as if it was a stream of its own.
/// Segment j of stream s has the index j * streams + s, so that neighbours are at the same position
/// of neighbouring streams.
struct Segments {
  std::uint64_t first = 0;    ///< local index of the first stream that is cut
  std::uint64_t streams = 0;  ///< that are cut
  std::uint64_t count = 1;    ///< segments of each
  std::uint64_t rounds = 0;   ///< of a segment; the last one may be left before its end

  /// Local index of the stream that a segment is of.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t stream(std::uint64_t index) const {
    return first + (index < streams ? index : index % streams);
  }
  /// Which of its stream's segments it is.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t number(std::uint64_t index) const {
    return index < streams ? 0 : index / streams;
  }
  KOKKOS_FUNCTION std::uint64_t total() const { return streams * count; }
};

/// Streams that are to be drawn from, as far as it matters for how many segments they are cut into.
struct SegmentWork {
  StreamMapping mapping = StreamMapping::lane;
  int lanes = team_lanes;         ///< of a device that draw a stream, with teams
  std::uint64_t streams = 0;      ///< of the rank
  std::uint64_t rounds = 0;       ///< to be drawn of each
  std::uint64_t jump_rounds = 1;  ///< that a stream draws in the time of a jump
  std::uint64_t worth_cuts = 0;   ///< the generator's (generator_type.hpp)
  std::uint64_t written = 0;      ///< numbers of all streams, if they go to memory
};

/// What streams are spread over.
struct MachineSize {
  bool device = device_build;
  std::uint64_t threads = 1;  ///< that work at a time
};

/// Streams that keep all of the machine busy to the end: several for each that works at a time.
std::uint64_t busy_streams(const MachineSize& machine, const SegmentWork& work);
std::uint64_t busy_streams(const Space& space, const SegmentWork& work);

/// True if this number of streams, uncut, writes numbers to a device's memory so fast that a cut
/// does not pay: an eighth of those that keep it computing. Jumps that cost little pay in long
/// draws. (Measured on an H200: 67584 streams by lanes write dcmt521's floats at 0.94 of its
/// bandwidth, and at 0.53 if each draw cuts them anew; 16896 by teams of eight lanes at 0.75, and
/// at 0.65. On 2026-11-29, uint32 of 67584 streams beside twice as many segments: dcmt521 1.00,
/// lfsr113 0.99, RANMAR 1.02, but philox4x64 0.72, pcg64dxsm 0.79, mrg32k3a 0.82.)
bool write_at_full_speed(const MachineSize& machine, const SegmentWork& work);
bool write_at_full_speed(const Space& space, const SegmentWork& work);

/// Draws of more numbers make jumps by long polynomials cheap: dcmt521's take a core some 2 ms, the
/// time of 2 million numbers by a team. (An estimate: draws of equal length share polynomials.)
constexpr std::uint64_t costly_cuts = 20'000'000;

/// Whether lanes draw this number of segments faster than teams, if the generator has both.
bool lanes_are_better(const Space& space, std::uint64_t segments);

/// Segments of each stream that finish the work soonest: enough to keep the machine busy, or a
/// device's memory, but none shorter than the jump to its start takes. 1 where there are streams
/// enough.
std::uint64_t best_segments(const MachineSize& machine, const SegmentWork& work);
std::uint64_t best_segments(const Space& space, const SegmentWork& work);

/// Segments of each stream that fill the vectors of a CPU's threads: a vector a thread, if that
/// halves the time of streams by lane, and up to 16 if their jumps are cheap beside the draw.
std::uint64_t segments_for_vectors(const Space& space, const SegmentWork& work);

/// `count` segments of each stream at most, of equal length and none of them empty.
Segments cut_evenly(std::uint64_t streams, std::uint64_t rounds, std::uint64_t count);

}  // namespace rivulet
