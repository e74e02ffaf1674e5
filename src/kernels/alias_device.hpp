// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "kernels/alias_scratch.hpp"
#include "kernels/alias_team.hpp"

namespace rivulet::impl {

/// Puts a stream's words together to samples and hands each to use(index, words). (A functor, not a
/// lambda: it must be inlined.)
template <int words, class Use>
struct AliasWords {
  Use use;
  std::uint32_t word[static_cast<std::size_t>(words)] = {};
  int have = 0;
  int sample = 0;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int, std::uint32_t next) {
    for (int w = 1; w < words; ++w) word[w - 1] = word[w];
    word[words - 1] = next;
    if (++have < words) return;
    have = 0;
    use(sample++, word);
  }
};

/// The least blocks of a generator that make whole samples, drawn by a device's thread.
template <class Streams, int levels>
struct AliasBlocks {
  using Engine = typename Streams::Engine;
  static constexpr int words = 2 * levels;
  static constexpr int common = std::gcd(Streams::block_words, words);
  static constexpr int blocks = words / common;
  static constexpr int samples = Streams::block_words / common;
  /// Whether so few words that all blocks may be written out one by one: then the compiler knows
  /// which words end a sample, and they go from the generator to the lookups in registers.
  static constexpr bool short_enough = blocks * Streams::block_words <= 160;

  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw(Engine& engine, const Use& use) {
    if constexpr (short_enough) {
      AliasWords<words, Use> sink{use};
      draw_in_registers(engine, sink, std::make_integer_sequence<int, blocks>{});
    } else {
      draw_in_memory(engine, use);
    }
  }

 private:
  template <class Sink, int... block>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_in_registers(Engine& engine, Sink& sink,
                                                            std::integer_sequence<int, block...>) {
    ((static_cast<void>(block), engine.draw_words(sink)), ...);
  }

  /// A block's words, behind what the last one left over.
  struct Buffer {
    std::uint32_t word[static_cast<std::size_t>(Streams::block_words + words)];
    int have = 0;

    KOKKOS_FORCEINLINE_FUNCTION void operator()(int k, std::uint32_t next) {
      word[have + k] = next;
    }
  };

  template <class Use>
  KOKKOS_FORCEINLINE_FUNCTION static void draw_in_memory(Engine& engine, const Use& use) {
    Buffer buffer;
    int sample = 0;
    for (int block = 0; block < blocks; ++block) {
      engine.draw_words(buffer);
      buffer.have += Streams::block_words;
      int from = 0;
      for (; from + words <= buffer.have; from += words) use(sample++, buffer.word + from);
      buffer.have -= from;
      for (int w = 0; w < buffer.have; ++w) buffer.word[w] = buffer.word[from + w];
    }
  }
};

/// What becomes of samples that a device's thread draws.
template <class Cells, int levels>
struct AliasTake {
  struct Words {
    const std::uint32_t* word;
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(int w) const { return word[w]; }
  };

  Cells cells;
  std::uint32_t* kept;  ///< where the cell of sample 0 goes, or nullptr
  int limit;            ///< samples from here on are left out

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, const std::uint32_t* word) const {
    if (i >= limit) return;
    const std::uint32_t cell = cells.draw(levels, Words{word});
    cells.count(cell);
    if (kept != nullptr) kept[i] = cell;
  }
};

/// The lane mapping on a device: teams of threads with a stream each. Near: the table and the
/// counts of a team are in its scratch memory; cells are not kept.
template <class Streams, int levels, bool near>
struct AliasDeviceLanes {
  using Blocks = AliasBlocks<Streams, levels>;

  Streams streams;
  PiBatch batch;
  AliasSamples samples;
  AliasMemory memory;
  AliasScratch scratch;

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
    constexpr auto period = static_cast<std::uint64_t>(Blocks::samples);
    AliasTake<Cells, levels> take{cells, nullptr, Blocks::samples};
    if (!near && samples.stride != 0) take.kept = samples.of(stream);
    typename Streams::Engine engine = streams.load(stream);
    std::uint64_t left = batch.points(streams.block().first + stream);
    for (; left >= period; left -= period) {
      Blocks::draw(engine, take);
      if (take.kept != nullptr) take.kept += period;
    }
    streams.store(stream, engine);
    if (left == 0) return;
    take.limit = static_cast<int>(left);
    Blocks::draw(engine, take);
  }
};

/// The team mapping on a device: a stream to each warp of a team, whose counts they share.
template <class Streams>
struct AliasDeviceTeams {
  AliasTeam<Streams> warp;
  AliasMemory memory;
  AliasScratch scratch;
  int streams_a_team;
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
    for (int i = team.team_rank(); i < streams_a_team; i += team.team_size()) {
      const std::uint64_t stream = first + static_cast<std::uint64_t>(i);
      if (stream < warp.streams.count()) warp.draw(lanes, stream, own, cells_of);
    }
  }
};

/// Scratch memory that any GPU gives a team beside what Kokkos takes for itself.
inline constexpr std::size_t device_scratch = std::size_t{40} << 10;

/// Streams that each of a device's processors (2048 threads) gets: more to a team leave some idle.
inline std::uint64_t streams_a_processor(const Space& space, std::uint64_t streams) {
  const auto processors = static_cast<std::uint64_t>(std::max(space.concurrency() / 2048, 1));
  return std::max<std::uint64_t>(streams / processors, 1);
}

/// A batch cut so that a team's counts of 32 bits cannot overflow.
template <class Draw>
void in_countable_pieces(const PiBatch& batch, const AliasSamples& samples, std::uint64_t block,
                         std::uint64_t streams_a_team, const Draw& draw) {
  const std::uint64_t end = std::min(batch.end, batch.share.most());
  const std::uint64_t most = AliasScratch::most_samples / streams_a_team / block * block;
  for (std::uint64_t begin = batch.begin; begin < end; begin += most) {
    AliasSamples rest = samples;
    if (samples.stride != 0) {
      rest.cells = Kokkos::subview(samples.cells,
                                   Kokkos::make_pair(static_cast<std::size_t>(begin - batch.begin),
                                                     samples.cells.extent(0)));
    }
    draw(PiBatch{batch.share, begin, std::min(begin + most, end)}, rest);
  }
}

template <class Streams, int levels>
void sample_device_lanes(const Space& space, const Streams& streams, const AliasMemory& memory,
                         const PiBatch& batch, const AliasSamples& samples) {
  const std::uint64_t busy = streams_a_processor(space, streams.count());
  int threads = 256;
  while (threads > team_lanes && static_cast<std::uint64_t>(threads) > busy) threads /= 2;
  const auto a_team = static_cast<std::uint64_t>(threads);
  const AliasScratch scratch(memory.table, memory.histogram, device_scratch);
  in_countable_pieces(
      batch, samples, Streams::block_words, a_team,
      [&](const PiBatch& piece, const AliasSamples& to) {
        if (scratch.fits() && samples.stride == 0) {
          for_each_stream_block(
              space, "rivulet::alias_near", {streams.count(), threads, threads, 1, scratch.bytes()},
              AliasDeviceLanes<Streams, levels, true>{streams, piece, to, memory, scratch});
        } else {
          for_each_stream_block(
              space, "rivulet::alias", {streams.count(), threads, threads, 1, 0},
              AliasDeviceLanes<Streams, levels, false>{streams, piece, to, memory, scratch});
        }
      });
}

template <class Streams>
void sample_device_teams(const Space& space, const Streams& streams, int streams_a_team,
                         const AliasMemory& memory, const PiBatch& batch,
                         const AliasSamples& samples) {
  const auto levels = memory.table.count;
  const std::size_t stream_bytes =
      AliasTeam<Streams>(streams, batch, samples, levels).scratch_bytes();
  const std::uint64_t busy = streams_a_processor(space, streams.count());
  const int a_team =
      streams_a_team > 0 ? streams_a_team : static_cast<int>(std::min<std::uint64_t>(busy, 8));
  // A few streams' words leave room for a small table.
  const int warps = std::clamp(static_cast<int>(device_scratch / 2 / stream_bytes), 1, a_team);
  const std::size_t own = static_cast<std::size_t>(warps) * stream_bytes;
  const AliasScratch scratch(memory.table, memory.histogram, device_scratch - own);
  const auto block = static_cast<std::uint64_t>(AliasTeamPeriod<Streams>(levels).samples);
  in_countable_pieces(
      batch, samples, block, static_cast<std::uint64_t>(a_team),
      [&](const PiBatch& piece, const AliasSamples& to) {
        for_each_stream_block(
            space, "rivulet::alias_team",
            {streams.count(), a_team, warps, team_lanes, scratch.bytes() + own},
            AliasDeviceTeams<Streams>{
                {streams, piece, to, levels}, memory, scratch, a_team, stream_bytes});
      });
}

}  // namespace rivulet::impl
