// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launching/segments.hpp"

#include <algorithm>

#include "rivulet/detail/ceil_divide.hpp"
#include "rivulet/detail/this_thread.hpp"

namespace rivulet {
namespace {

/// Number of streams (on a CPU, vectors of streams) that each thread draws one after the other.
/// With only one stream per thread, all other threads would be idle while the slowest threads
/// finish. The best numbers were measured: 2 on an H200 (540672 streams in all), 16 on a CPU.
constexpr std::uint64_t streams_per_thread(const MachineSize& machine) {
  return machine.device ? 2 : 16;
}

/// Number of streams that each thread draws in the team mapping. On a device, scratch memory limits
/// the occupancy, so fewer warps run concurrently than the number of threads allows.
constexpr std::uint64_t team_streams_per_thread(const MachineSize& machine) {
  return machine.device ? 2 : 4;
}

/// True if a device writes numbers to memory, and each lane or each whole warp draws a stream.
/// best_segments() then aims at only a quarter of busy_streams(), because the more streams there
/// are, the farther apart their rows are in memory.
///
/// Measured on an H200 for 4e9 uint32 (2026-11-29): In the lane mapping, ten generators reach 0.95
/// to 1 of their best rate with 135168 streams, 0.85 to 1 with 540672 streams, and 0.69 to 1 with
/// 67584 streams. mt19937 reaches 1 with 4224 streams and 0.98 with 16896 streams.
bool writes_rows(const MachineSize& machine, const SegmentWork& work) {
  const bool is_whole_warp_or_lane =
      work.mapping == StreamMapping::lane || work.lanes == team_lanes;
  return machine.device && work.written > 0 && is_whole_warp_or_lane;
}

}  // namespace

MachineSize::MachineSize(const Space& space)
    : MachineSize(device_build, !device_build && ThisThreadOnly::active()
                                    ? 1
                                    : static_cast<std::uint64_t>(space.concurrency())) {}

std::uint64_t busy_streams(const MachineSize& machine, const SegmentWork& work) {
  const std::uint64_t threads = machine.threads;
  if (work.mapping == StreamMapping::lane) {
    const auto lanes_per_thread = static_cast<std::uint64_t>(machine.device ? 1 : lanes<Word>);
    return streams_per_thread(machine) * threads * lanes_per_thread;
  }
  const std::uint64_t teams = team_streams_per_thread(machine) * threads;
  if (!machine.device) return threads == 1 ? 1 : teams;
  return std::max(teams / static_cast<std::uint64_t>(work.lanes), std::uint64_t{1});
}

bool write_at_full_speed(const MachineSize& machine, const SegmentWork& work) {
  constexpr std::uint64_t busy_divisor = 8;
  // min_numbers_to_cut is valid for CPUs. A device draws 1000 numbers while a core draws one, and a
  // cut saves at most a third of the time. On a device, a cut therefore pays off only in draws of
  // more than long_draw * min_numbers_to_cut numbers.
  constexpr std::uint64_t long_draw = 1 << 14;
  const bool cheap = work.min_numbers_to_cut < min_numbers_for_polynomial_jumps &&
                     work.written > long_draw * work.min_numbers_to_cut;
  return machine.device && !cheap && busy_divisor * work.streams >= busy_streams(machine, work);
}

bool lanes_are_better(const MachineSize& machine, std::uint64_t segments) {
  // On a device, the lane mapping needs 32 times as many segments as the team mapping (a warp per
  // segment). The lane mapping pays off once a quarter of the threads are busy. Draws have this
  // many segments if they are long, or if jumps are cheap (RANMAR's jumps are not). On a CPU, the
  // lane mapping draws a whole vector of segments in the time in which the team mapping draws a few
  // segments (at least two).
  const std::uint64_t min_segments =
      device_build ? machine.threads / 4 : static_cast<std::uint64_t>(tile_streams) / 2;
  return segments >= min_segments;
}

std::uint64_t best_segments(const MachineSize& machine, const SegmentWork& work) {
  if (work.streams == 0) return 1;
  const bool writes = writes_rows(machine, work);
  const std::uint64_t busy = busy_streams(machine, work);
  const std::uint64_t busy_segments =
      writes ? ceil_divide(busy / 4, work.streams) : busy / work.streams;
  std::uint64_t max_by_jump_time = work.rounds / std::max(work.jump_rounds, std::uint64_t{1});
  // Jumps of a few streams cost less than jump_rounds says. (On an H200, the jumps of mt19937 take
  // 0.9 ms, the time of about 2^13 rounds. Measured on 2026-11-29.)
  if (writes && work.mapping == StreamMapping::team) max_by_jump_time *= 4;
  return std::max(std::min(busy_segments, max_by_jump_time), std::uint64_t{1});
}

std::uint64_t segments_for_vectors(const MachineSize& machine, const SegmentWork& work) {
  const std::uint64_t concurrent_streams =
      machine.threads * static_cast<std::uint64_t>(lanes<Word>);
  if (work.streams >= concurrent_streams || work.streams == 0) return 1;
  const std::uint64_t rounds = work.rounds * work.streams / concurrent_streams;
  if (work.jump_rounds + rounds > work.rounds / 2) return 1;
  constexpr std::uint64_t cheap = 16;
  const std::uint64_t turns = std::clamp(rounds / (cheap * work.jump_rounds), std::uint64_t{1},
                                         streams_per_thread(machine));
  return turns * concurrent_streams / work.streams;
}

Segments cut_evenly(std::uint64_t streams, std::uint64_t rounds, std::uint64_t count) {
  if (rounds == 0 || count <= 1) return {0, streams, 1, rounds};
  const std::uint64_t length = ceil_divide(rounds, count);
  return {0, streams, ceil_divide(rounds, length), length};
}

}  // namespace rivulet
