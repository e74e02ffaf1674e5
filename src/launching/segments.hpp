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
  std::uint64_t rounds = 0;   ///< per segment; a stream's last segment may be drawn only in part

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

/// Properties of a draw that determine the number of segments per stream.
struct SegmentWork {
  StreamMapping mapping = StreamMapping::lane;
  int lanes = team_lanes;                ///< device lanes per stream in the team mapping
  std::uint64_t streams = 0;             ///< streams of the rank
  std::uint64_t rounds = 0;              ///< rounds to draw per stream
  std::uint64_t jump_rounds = 1;         ///< time of a jump, in rounds of one stream
  std::uint64_t min_numbers_to_cut = 0;  ///< shorter draws are faster uncut (generator_type.hpp)
  std::uint64_t written = 0;             ///< numbers that all streams together write to memory
};

/// The parallel hardware: threads of a CPU, or lanes of a device.
struct MachineSize {
  bool device;
  std::uint64_t threads;  ///< concurrent threads

  MachineSize(bool is_device, std::uint64_t thread_count)
      : device(is_device), threads(thread_count) {}
  /// The size of this machine for this thread's launches. On a CPU, the size is one thread if
  /// ThisThreadOnly is active. The conversion is implicit.
  MachineSize(const Space& space);
};

/// Returns the number of streams that keep the whole machine busy until the end of a draw. These
/// are several streams per concurrent thread or, in the team mapping of a device, several per group
/// of lanes that draws a stream together.
std::uint64_t busy_streams(const MachineSize& machine, const SegmentWork& work);

/// True if the uncut streams write to a device's memory so fast that a cut does not pay off. This
/// is the case if there are at least busy_streams() / 8 streams, except in long draws with cheap
/// jumps.
///
/// Measured on an H200 for floats of dcmt521, relative to the memory bandwidth: In the lane
/// mapping, 67584 streams reach 0.94 uncut, and 0.53 if each draw cuts them anew. In teams of eight
/// lanes, 16896 streams reach 0.75 uncut, and 0.65 cut.
///
/// Measured on an H200 for uint32 (2026-11-29): The rate of 67584 uncut streams, divided by the
/// rate of twice as many segments, is 1.00 for dcmt521, 0.99 for lfsr113 and 1.02 for RANMAR, but
/// 0.72 for philox4x64, 0.79 for pcg64dxsm and 0.82 for mrg32k3a.
bool write_at_full_speed(const MachineSize& machine, const SegmentWork& work);

/// Minimum length of a draw, in numbers, for which jumps by long polynomials pay off. A core
/// computes the jumps of dcmt521 in about 2 ms; a team draws 2 million numbers in that time. The
/// value is only an estimate: draws of equal length share polynomials, so not every draw computes
/// them.
constexpr std::uint64_t min_numbers_for_polynomial_jumps = 20'000'000;

/// True if the lane mapping draws this number of segments faster than the team mapping. The
/// generator must have both mappings.
bool lanes_are_better(const MachineSize& machine, std::uint64_t segments);

/// Returns the number of segments per stream for the fastest draw. There are enough segments to
/// keep the machine (or a device's memory) busy, but so few that no segment takes less time than
/// the jump to its start. Returns 1 if there are enough streams.
std::uint64_t best_segments(const MachineSize& machine, const SegmentWork& work);

/// Returns the number of segments per stream that fills the vectors of all CPU threads: one vector
/// per thread, or up to 16 if jumps are cheap relative to the draw. Returns 1 if the streams
/// suffice. Also returns 1 unless a cut, including its jumps, would at least halve the time of an
/// uncut draw in the lane mapping.
std::uint64_t segments_for_vectors(const MachineSize& machine, const SegmentWork& work);

/// Cuts each stream into at most `count` segments of equal length. No segment is empty.
Segments cut_evenly(std::uint64_t streams, std::uint64_t rounds, std::uint64_t count);

}  // namespace rivulet
