// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launching/segments.hpp"

#include <algorithm>

#include "rivulet/detail/this_thread.hpp"

namespace rivulet {
namespace {

/// Streams that each working thread takes one after the other: as their times differ, the last
/// threads would otherwise work alone. Measured: on an H200 2 (540672 lanes); on a CPU each thread
/// has 16 vectors.
constexpr std::uint64_t turns_of(const MachineSize& machine) { return machine.device ? 2 : 16; }

/// A device's warps work on streams of their own, of which fewer run at a time than threads could:
/// their scratch memory is in the way.
constexpr std::uint64_t turns_of_teams(const MachineSize& machine) {
  return machine.device ? 2 : 4;
}

/// True if a device's lanes, or whole warps, write numbers. A quarter of the streams that keep them
/// computing are enough then: rows of more are farther apart. (Measured on an H200, 2026-11-29, 4e9
/// uint32: 135168 by lanes reach 0.95 to 1 of the best rate of ten generators, 540672 0.85 to 1,
/// 67584 0.69 to 1; mt19937's 4224 reach 1, 16896 0.98.)
bool write_rows(const MachineSize& machine, const SegmentWork& work) {
  const bool whole = work.mapping == StreamMapping::lane || work.lanes == team_lanes;
  return machine.device && work.written > 0 && whole;
}

/// Threads that take streams: one where no others may be woken.
MachineSize size_of(const Space& space) {
  if (!device_build && ThisThreadOnly::active()) return {device_build, 1};
  return {device_build, static_cast<std::uint64_t>(space.concurrency())};
}

}  // namespace

std::uint64_t busy_streams(const MachineSize& machine, const SegmentWork& work) {
  const std::uint64_t threads = machine.threads;
  if (work.mapping == StreamMapping::lane) {
    const auto lanes_of_each = static_cast<std::uint64_t>(machine.device ? 1 : lanes<Word>);
    return turns_of(machine) * threads * lanes_of_each;
  }
  const std::uint64_t teams = turns_of_teams(machine) * threads;
  if (!machine.device) return threads == 1 ? 1 : teams;
  return std::max(teams / static_cast<std::uint64_t>(work.lanes), std::uint64_t{1});
}

std::uint64_t busy_streams(const Space& space, const SegmentWork& work) {
  return busy_streams(size_of(space), work);
}

bool write_at_full_speed(const MachineSize& machine, const SegmentWork& work) {
  constexpr std::uint64_t share = 8;
  // A device draws 1000 numbers in a core's time for one, and a cut saves no more than a third.
  constexpr std::uint64_t long_draw = 1 << 14;
  const bool cheap = work.worth_cuts < costly_cuts && work.written > long_draw * work.worth_cuts;
  return machine.device && !cheap && share * work.streams >= busy_streams(machine, work);
}

bool write_at_full_speed(const Space& space, const SegmentWork& work) {
  return write_at_full_speed(size_of(space), work);
}

bool lanes_are_better(const Space& space, std::uint64_t segments) {
  // A device's warps want a thirty-second of the segments that its threads want, so these are worth
  // it where each fourth has one: long work, or jumps that are cheap (not RANMAR's). On a CPU a
  // thread computes all lanes of a vector anyhow, in the time that its teams take for two streams
  // or more.
  const std::uint64_t enough =
      device_build ? size_of(space).threads / 4 : static_cast<std::uint64_t>(tile_streams) / 2;
  return segments >= enough;
}

std::uint64_t best_segments(const MachineSize& machine, const SegmentWork& work) {
  if (work.streams == 0) return 1;
  const bool writes = write_rows(machine, work);
  const std::uint64_t busy = busy_streams(machine, work);
  const std::uint64_t wanted =
      writes ? (busy / 4 + work.streams - 1) / work.streams : busy / work.streams;
  std::uint64_t worth_a_jump = work.rounds / std::max(work.jump_rounds, std::uint64_t{1});
  // The jumps of a few streams cost less. (On an H200, 2026-11-29, mt19937's take 0.9 ms, some 2^13
  // of its rounds.)
  if (writes && work.mapping == StreamMapping::team) worth_a_jump *= 4;
  return std::max(std::min(wanted, worth_a_jump), std::uint64_t{1});
}

std::uint64_t best_segments(const Space& space, const SegmentWork& work) {
  return best_segments(size_of(space), work);
}

std::uint64_t segments_for_vectors(const Space& space, const SegmentWork& work) {
  const MachineSize machine = size_of(space);
  const std::uint64_t side_by_side = machine.threads * static_cast<std::uint64_t>(lanes<Word>);
  if (work.streams >= side_by_side || work.streams == 0) return 1;
  const std::uint64_t rounds = work.rounds * work.streams / side_by_side;
  if (work.jump_rounds + rounds > work.rounds / 2) return 1;
  constexpr std::uint64_t cheap = 16;
  const std::uint64_t turns =
      std::clamp(rounds / (cheap * work.jump_rounds), std::uint64_t{1}, turns_of(machine));
  return turns * side_by_side / work.streams;
}

Segments cut_evenly(std::uint64_t streams, std::uint64_t rounds, std::uint64_t count) {
  if (rounds == 0 || count <= 1) return {0, streams, 1, rounds};
  const std::uint64_t length = (rounds + count - 1) / count;
  return {0, streams, (rounds + length - 1) / length, length};
}

}  // namespace rivulet
