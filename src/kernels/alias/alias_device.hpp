// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/alias/alias_rounds.hpp"
#include "kernels/alias/alias_scratch.hpp"
#include "kernels/alias/alias_team.hpp"

namespace rivulet::detail {

/// Counts, and keeps if requested, the samples that a device's thread draws.
template <class Cells, class Rounds>
struct AliasTake {
  struct Words {
    const std::uint32_t* word;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int w) const { return word[w]; }
  };

  Cells cells;
  Rounds rounds;
  std::uint32_t* kept;  ///< destination of sample 0's cell, or nullptr
  int limit;            ///< samples from here on are discarded

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, const std::uint32_t* word) const {
    if (i >= limit) return;
    const std::uint32_t place = cells.draw(rounds.levels, rounds.level_words, Words{word});
    cells.count(place);
    if (kept != nullptr) kept[i] = cells.cell(place);
  }
};

/// The lane mapping on a device: teams of threads with a stream each. Near: a team's scratch memory
/// holds the table and the counts; cells are not kept. levels and level_words: 0 for any number.
template <class Streams, int levels, int level_words, bool near>
struct AliasDeviceKernel {
  Streams streams;
  SegmentBatch batch;
  AliasSamples samples;
  AliasMemory memory;
  AliasScratch scratch;
  AliasRounds<Streams, levels, level_words> rounds;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first, char* shared) const {
    const std::uint64_t stream = first + static_cast<std::uint64_t>(team.team_rank());
    const std::uint64_t copies = memory.histogram.copies();
    if constexpr (near) {
      scratch.load(team, shared);
      draw(stream, scratch.lane(shared, team.team_rank()));
      const auto number = static_cast<std::uint64_t>(team.league_rank());
      scratch.flush(team, shared, memory.histogram.copy(number % copies));
    } else {
      draw(stream, memory.cells(stream % copies));
    }
  }

  template <class Cells>
  KOKKOS_FORCEINLINE_FUNCTION void draw(std::uint64_t stream, const Cells& cells) const {
    if (stream >= streams.count()) return;
    const auto period = static_cast<std::uint32_t>(rounds.samples);
    AliasTake<Cells, AliasRounds<Streams, levels, level_words>> take{cells, rounds, nullptr,
                                                                     rounds.samples};
    if (!near && samples.stride != 0) take.kept = samples.of(stream);
    typename Streams::Engine engine = streams.load(stream);
    // At most as many as a team's counts hold (in_countable_pieces).
    auto left = static_cast<std::uint32_t>(batch.points(stream));
    for (; left >= period; left -= period) {
      rounds.draw(engine, take);
      if (take.kept != nullptr) take.kept += period;
    }
    streams.store(stream, engine);
    if (left == 0) return;
    take.limit = static_cast<int>(left);
    rounds.draw(engine, take);
  }
};

/// The team mapping on a device: each warp of a team draws one stream; the warps share the counts.
template <class Streams>
struct AliasDeviceTeams {
  AliasTeam<Streams> warp;
  AliasMemory memory;
  AliasScratch scratch;
  int streams_per_team;
  std::size_t stream_bytes;  ///< of scratch memory

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first, char* shared) const {
    char* const own =
        shared + scratch.bytes() + static_cast<std::size_t>(team.team_rank()) * stream_bytes;
    const std::uint64_t copy =
        static_cast<std::uint64_t>(team.league_rank()) % memory.histogram.copies();
    if (scratch.bytes() > 0) {
      scratch.load(team, shared);
      draw(team, first, own, [&](int sample) { return scratch.lane(shared, sample); });
      scratch.flush(team, shared, memory.histogram.copy(copy));
    } else {
      draw(team, first, own, [&](int) { return memory.cells(copy); });
    }
  }

  template <class CellsOf>
  KOKKOS_FUNCTION void draw(const StreamTeam& team, std::uint64_t first, char* own,
                            const CellsOf& cells_of) const {
    const StreamLanes lanes(team);
    for (int i = team.team_rank(); i < streams_per_team; i += team.team_size()) {
      const std::uint64_t stream = first + static_cast<std::uint64_t>(i);
      if (stream < warp.streams.count()) warp.draw(lanes, stream, own, cells_of);
    }
  }
};

/// Scratch memory that any GPU gives a team besides Kokkos' own.
inline constexpr std::size_t device_scratch = std::size_t{40} << 10;

/// Streams for each of a device's processors (2048 threads): with more in a team, some are idle.
inline std::uint64_t streams_per_processor(const Space& space, std::uint64_t streams) {
  const auto processors = static_cast<std::uint64_t>(std::max(space.concurrency() / 2048, 1));
  return std::max<std::uint64_t>(streams / processors, 1);
}

/// Cuts a batch so that a team's counts of 32 bits cannot overflow.
template <class Draw>
void in_countable_pieces(const SegmentBatch& batch, const AliasSamples& samples,
                         std::uint64_t round, std::uint64_t streams_per_team, const Draw& draw) {
  const std::uint64_t most = AliasScratch::most_samples / streams_per_team / round * round;
  for (SegmentBatch piece = batch; piece.from < batch.last(); piece.from = piece.upto) {
    AliasSamples rest = samples;
    if (samples.stride != 0) {
      rest.cells = Kokkos::subview(
          samples.cells, Kokkos::make_pair(static_cast<std::size_t>(piece.from - batch.from),
                                           samples.cells.extent(0)));
    }
    piece.upto = std::min(piece.from + most, batch.last());
    draw(piece, rest);
  }
}

/// Arguments of a kernel besides the streams.
struct AliasWork {
  const AliasMemory& memory;
  const SegmentBatch& batch;
  const AliasSamples& samples;
};

template <class Streams, int levels, int level_words>
void sample_device_lanes(const Space& space, const Streams& streams, const AliasWork& work) {
  const AliasMemory& memory = work.memory;
  const SegmentBatch& batch = work.batch;
  const std::uint64_t busy = streams_per_processor(space, streams.count());
  int threads = 256;
  while (threads > team_lanes && static_cast<std::uint64_t>(threads) > busy) threads /= 2;
  const auto per_team = static_cast<std::uint64_t>(threads);
  const AliasScratch scratch(memory.table, memory.histogram, device_scratch);
  const AliasRounds<Streams, levels, level_words> rounds(memory.table);
  const auto at = [&](const SegmentBatch& piece) {
    return after_samples(streams, piece.from - batch.from, memory.table.sample_words());
  };
  in_countable_pieces(
      batch, work.samples, Streams::round_words, per_team,
      [&](const SegmentBatch& piece, const AliasSamples& to) {
        if (scratch.fits() && work.samples.stride == 0) {
          for_each_shared_team(space, "rivulet::alias_near",
                               {streams.count(), threads, threads, 1, scratch.bytes()},
                               AliasDeviceKernel<Streams, levels, level_words, true>{
                                   at(piece), piece, to, memory, scratch, rounds});
        } else {
          for_each_shared_team(space, "rivulet::alias", {streams.count(), threads, threads, 1, 0},
                               AliasDeviceKernel<Streams, levels, level_words, false>{
                                   at(piece), piece, to, memory, scratch, rounds});
        }
      });
}

template <class Streams>
void sample_device_teams(const Space& space, const Streams& streams, int streams_per_team,
                         const AliasWork& work) {
  const AliasMemory& memory = work.memory;
  const SegmentBatch& batch = work.batch;
  const int words = memory.table.sample_words();
  const std::size_t stream_bytes =
      AliasTeam<Streams>(streams, batch, work.samples, memory.table).scratch_bytes();
  const std::uint64_t busy = streams_per_processor(space, streams.count());
  const int per_team =
      streams_per_team > 0 ? streams_per_team : static_cast<int>(std::min<std::uint64_t>(busy, 8));
  // A team of few streams leaves room for a small table.
  const int warps = std::clamp(static_cast<int>(device_scratch / 2 / stream_bytes), 1, per_team);
  const std::size_t own = static_cast<std::size_t>(warps) * stream_bytes;
  const AliasScratch scratch(memory.table, memory.histogram, device_scratch - own);
  const auto round = static_cast<std::uint64_t>(AliasTeamRound<Streams>(words).samples);
  in_countable_pieces(
      batch, work.samples, round, static_cast<std::uint64_t>(per_team),
      [&](const SegmentBatch& piece, const AliasSamples& to) {
        for_each_shared_team(
            space, "rivulet::alias_team",
            {streams.count(), per_team, warps, team_lanes, scratch.bytes() + own},
            AliasDeviceTeams<Streams>{
                {after_samples(streams, piece.from - batch.from, words), piece, to, memory.table},
                memory,
                scratch,
                per_team,
                stream_bytes});
      });
}

}  // namespace rivulet::detail
