// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "generators/draw_words.hpp"
#include "generators/generator_type.hpp"
#include "kernels/alias/alias_device.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "kernels/alias/alias_sort.hpp"
#include "kernels/alias/alias_team.hpp"
#include "launching/stream_batch.hpp"

namespace rivulet {

namespace detail {

/// The lane mapping on a CPU: a group of lanes<Word> streams at a time.
template <class Streams>
struct AliasLaneKernel {
  using Engine = typename Streams::Engine;
  static constexpr int period = Streams::round_words;  ///< draws of each lane
  static constexpr int width = lanes<Word>;
  using Draws = AliasDraws<period>;

  Streams streams;
  AliasTable::Levels table;
  int level_words;
  AliasHistogram histogram;
  SegmentBatch batch;
  AliasSamples samples;
  AliasToken token;
  bool beyond_cache;  ///< the table is too large for the nearest caches

  /// A group's workspace. The words lie lane by lane, so that each can be read alone.
  struct Workspace {
    std::uint64_t first;
    int live;
    std::uint64_t copy;
    Draws draws;
    std::uint32_t words[static_cast<std::size_t>(3 * AliasTable::most_levels * period * width)];
  };

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    Workspace group;
    group.first = first;
    group.live = live_lanes(first, streams.count());
    const AliasCopy copy(token, histogram);
    group.copy = copy.number();
    group.draws.prepare(table);
    Engine engine = streams.load(first);
    const LanePoints points(batch, first, group.live, static_cast<std::uint64_t>(period));
    for (std::uint64_t done = 0; done < points.resting(); ++done) {
      draw_period(engine, group, points, done);
    }
    streams.store(first, engine);
    if (points.any_rest()) draw_period(engine, group, points, points.resting());
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void draw_period(Engine& engine, Workspace& group,
                                               const LanePoints& points,
                                               std::uint64_t number) const {
    draw(engine, group);
    Word limit(static_cast<std::uint32_t>(period));
    if (number < points.whole_periods()) {
      count_all(group);
    } else {  // not all lanes need the period as a whole
      limit = points.in_period(number);
      count_some(group, limit);
    }
    if (samples.stride != 0) keep(group, number, limit);
  }

  KOKKOS_FORCEINLINE_FUNCTION void draw(Engine& engine, Workspace& group) const {
    if constexpr (skips_tempering<Streams>) {
      if (group.draws.by_first_words()) return draw_by_first_words(engine, group);
    }
    draw_words(engine, group);
    if (!group.draws.draw(table, level_words, group.words, beyond_cache)) {
      group.draws.draw_again(table, level_words, group.words);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw_words(Engine& engine, Workspace& group) const {
    for (int b = 0; b < level_words * table.count; ++b) {
      draw_words_to<Streams>(engine, group.words + b * period * width);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw_by_first_words(Engine& engine, Workspace& group) const {
    const Engine before = engine;
    const auto draw_first_words =
        level_words == 3 ? &draw_first_words_to<Streams, 3> : &draw_first_words_to<Streams, 2>;
    draw_first_words(engine, group.words, level_words * table.count);
    if (group.draws.draw(table, level_words, group.words, beyond_cache)) return;
    engine = before;
    draw_words(engine, group);
    group.draws.draw_again(table, level_words, group.words);
  }

  KOKKOS_FORCEINLINE_FUNCTION void count_all(const Workspace& group) const {
    const bool whole = group.live == width;
    const std::uint32_t* const cell = group.draws.cell;
    std::uint64_t* const counts = histogram.copy(group.copy);
    if (whole && histogram.beyond_cache()) {
      for (int i = 0; i < Draws::samples; ++i) prefetch<true>(counts + cell[i]);
    }
    if (!whole || histogram.shared()) {
      count_some(group, Word(static_cast<std::uint32_t>(period)));
    } else if (width % AliasHistogram::ways != 0 || histogram.spread() == 1) {
      for (int i = 0; i < Draws::samples; ++i) ++counts[cell[i]];
    } else {
      count_spread(cell, counts);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void count_spread(const std::uint32_t* cell,
                                                std::uint64_t* counts) const {
    constexpr int ways = AliasHistogram::ways;
    std::uint64_t* way[ways];
    for (int w = 0; w < ways; ++w)
      way[w] = counts + static_cast<std::uint64_t>(w) * histogram.cells();
    for (int i = 0; i < Draws::samples; i += ways) {
      for (int w = 0; w < ways; ++w) ++way[w][cell[i + w]];
    }
  }

  /// Counts the first limit draws of each lane.
  KOKKOS_FUNCTION void count_some(const Workspace& group, const Word& limit) const {
    const auto count = histogram.counter(group.copy);
    for (int l = 0; l < group.live; ++l) {
      const auto end = static_cast<int>(WordTraits<Word>::lane(limit, l));
      for (int d = 0; d < end; ++d) count(group.draws.cell[d * width + l]);
    }
  }

  KOKKOS_FUNCTION void keep(const Workspace& group, std::uint64_t periods,
                            const Word& limit) const {
    for (int l = 0; l < group.live; ++l) {
      const auto end = static_cast<int>(WordTraits<Word>::lane(limit, l));
      std::uint32_t* const to = samples.cells.data() +
                                (group.first + static_cast<std::uint64_t>(l)) * samples.stride +
                                periods * static_cast<std::uint64_t>(period);
      for (int d = 0; d < end; ++d) to[d] = group.draws.cell[d * width + l];
    }
  }
};

}  // namespace detail

/// Samples of a stream between two points where it can stop: batches begin at multiples.
template <class Streams>
std::uint64_t alias_round_samples(StreamMapping mapping, int sample_words) {
  return with_mapping<Streams>(mapping, [sample_words](auto own) {
    using Own = typename decltype(own)::Streams;
    if constexpr (own() == StreamMapping::lane) {
      return static_cast<std::uint64_t>(Own::round_words);
    } else {
      return static_cast<std::uint64_t>(AliasTeamRound<Own>(sample_words).samples);
    }
  });
}

namespace detail {

template <class Streams>
void sample_host_lanes(const Space& space, const Streams& streams, const AliasWork& work) {
  // 2^15 entries are 256 KiB, a part of a core's second cache.
  constexpr std::uint64_t near_entries = std::uint64_t{1} << 15;
  const AliasTable::Levels& table = work.memory.table;
  std::uint64_t entries = 0;
  for (const EntryView& level : table.entries) entries += level.extent(0);
  for_each_stream_lane(space, "rivulet::alias", streams.count(),
                       AliasLaneKernel<Streams>{streams, table, table.level_words(),
                                                work.memory.histogram, work.batch, work.samples,
                                                AliasToken(space), entries > near_entries});
}

template <class Streams>
void sample_host_teams(const Space& space, const Streams& streams, int streams_per_team,
                       const AliasWork& work) {
  const AliasTeam<Streams> team(streams, work.batch, work.samples, work.memory.table);
  for_each_stream_team(space, "rivulet::alias_team",
                       {streams.count(), std::max(streams_per_team, 1), team.scratch_bytes()},
                       AliasHostTeam<Streams>{team, work.memory, AliasToken(space)});
}

}  // namespace detail

/// Draws a batch of each stream or segment, adds its cells to the histogram and advances the
/// streams. Sample i of a stream takes its words w i .. w (i + 1) - 1, w = table.sample_words().
/// Asynchronous.
template <class Streams>
void sample_alias(const Space& space, const Streams& streams, const AliasMapping& mapping,
                  const AliasTable::Levels& table, const AliasHistogram& histogram,
                  const SegmentBatch& batch, const AliasSamples& samples) {
  const detail::AliasMemory memory{table, histogram};
  const detail::AliasWork work{memory, batch, samples};
  with_mapping<Streams>(mapping.streams, [&](auto own) {
    using Own = typename decltype(own)::Streams;
    if constexpr (own() == StreamMapping::lane && device_build) {
      switch (table.count > 2 ? 0 : table.sample_words()) {
        case 2:
          return detail::sample_device_lanes<Own, 1, 2>(space, streams, work);
        case 3:
          return detail::sample_device_lanes<Own, 1, 3>(space, streams, work);
        case 4:
          return detail::sample_device_lanes<Own, 2, 2>(space, streams, work);
        case 6:
          return detail::sample_device_lanes<Own, 2, 3>(space, streams, work);
        default:
          return detail::sample_device_lanes<Own, 0, 0>(space, streams, work);
      }
    } else if constexpr (own() == StreamMapping::lane) {
      detail::sample_host_lanes<Own>(space, streams, work);
    } else if constexpr (device_build) {
      detail::sample_device_teams<Own>(space, streams, mapping.streams_per_team, work);
    } else {
      detail::sample_host_teams<Own>(space, streams, mapping.streams_per_team, work);
    }
  });
}

}  // namespace rivulet
