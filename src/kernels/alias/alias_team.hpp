// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "generators/generator_type.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_histogram.hpp"
#include "launching/for_each_stream.hpp"
#include "launching/stream_batch.hpp"

namespace rivulet {

/// The least number of a team's draws (Streams::TeamEngine::team_numbers numbers each) that makes
/// whole samples.
template <class Streams>
struct AliasTeamRound {
  int draws;
  int samples;

  constexpr explicit AliasTeamRound(int sample_words) {
    const int a_sample = sample_words * Streams::numbers_per_word;
    const int common = std::gcd(Streams::TeamEngine::team_numbers, a_sample);
    draws = a_sample / common;
    samples = Streams::TeamEngine::team_numbers / common;
  }
};

/// The streams after `samples` more samples of each, of `sample_words` words.
template <class Streams>
Streams after_samples(const Streams& streams, std::uint64_t samples, int sample_words) {
  const auto numbers = static_cast<std::uint64_t>(sample_words * Streams::numbers_per_word);
  return after_rounds(streams, Uint128{samples} * numbers / Streams::round_numbers);
}

namespace detail {

/// The team mapping: the lanes of a team's thread make the words of a period of a stream's samples
/// together, in scratch memory, and then take the samples in turn.
template <class Streams>
struct AliasTeam {
  using Engine = typename Streams::TeamEngine;
  using Integer = typename Streams::Integer;
  static constexpr std::size_t numbers_offset = whole_scratch(Engine::scratch_bytes);

  Streams streams;
  SegmentBatch batch;
  AliasSamples samples;
  int levels;
  int level_words;
  AliasTeamRound<Streams> period;

  AliasTeam(const Streams& all, const SegmentBatch& what, const AliasSamples& to,
            const AliasTable::Levels& table)
      : streams(all),
        batch(what),
        samples(to),
        levels(table.count),
        level_words(table.level_words()),
        period(table.sample_words()) {}

  /// Scratch bytes of a stream.
  std::size_t scratch_bytes() const {
    const auto numbers = static_cast<std::size_t>(period.draws * Engine::team_numbers);
    return numbers_offset + whole_scratch(numbers * sizeof(Integer));
  }

  /// Draws a batch of one stream. cells_of(i) is the table for sample i of a period: its
  /// draw(levels, level_words, word) returns the cell's place, count(place) counts it, cell(place)
  /// is its number.
  template <class CellsOf>
  KOKKOS_FUNCTION void draw(const StreamLanes& lanes, std::uint64_t stream, void* scratch,
                            const CellsOf& cells_of) const {
    auto* const numbers = reinterpret_cast<Integer*>(static_cast<char*>(scratch) + numbers_offset);
    Engine engine(lanes, streams, stream, scratch);
    const std::uint64_t count = batch.points(stream);
    const auto whole = static_cast<std::uint64_t>(period.samples);
    const int words = level_words * levels;
    std::uint32_t* kept = samples.stride != 0 ? samples.of(stream) : nullptr;
    for (std::uint64_t done = 0; done < count; done += whole) {
      const std::uint64_t left = count - done;
      for (int d = 0; d < period.draws; ++d) engine.draw(lanes, numbers + d * Engine::team_numbers);
      lanes.each(left < whole ? static_cast<int>(left) : period.samples, [&](int i) {
        const auto word = [&](int j) { return Streams::word_of(numbers, i * words + j); };
        const auto cells = cells_of(i);
        const std::uint32_t place = cells.draw(levels, level_words, word);
        cells.count(place);
        if (kept != nullptr) kept[done + static_cast<std::uint64_t>(i)] = cells.cell(place);
      });
    }
    engine.store(lanes, streams, stream);
  }
};

/// A table and its counts in memory.
struct AliasMemory {
  AliasTable::Levels table;
  AliasHistogram histogram;

  struct Cells {
    const AliasTable::Levels& table;
    AliasHistogram::Counter count;

    template <class Words>
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t draw(int levels, int level_words,
                                                   const Words& word) const {
      return alias_sample(table, levels, level_words, word);
    }
    KOKKOS_FORCEINLINE_FUNCTION std::uint32_t cell(std::uint32_t place) const { return place; }
  };

  /// The cells with one of the ways of a copy of the histogram, for any number `way`.
  KOKKOS_FORCEINLINE_FUNCTION Cells cells(std::uint64_t copy, int way = 0) const {
    return {table, histogram.counter(copy, way)};
  }
};

/// Selects the histogram copy of a CPU's thread.
using AliasToken = Kokkos::Experimental::UniqueToken<Space>;
class AliasCopy {
 public:
  KOKKOS_FUNCTION AliasCopy(const AliasToken& token, const AliasHistogram& histogram)
      : token_(token),
        own_(!histogram.shared() && histogram.copies() > 1),
        thread_(own_ ? token.acquire() : 0) {}
  KOKKOS_FUNCTION ~AliasCopy() {
    if (own_) token_.release(thread_);
  }
  AliasCopy(const AliasCopy&) = delete;
  AliasCopy& operator=(const AliasCopy&) = delete;

  KOKKOS_FUNCTION std::uint64_t number() const { return static_cast<std::uint64_t>(thread_); }

 private:
  const AliasToken& token_;
  bool own_;
  AliasToken::size_type thread_;
};

/// AliasTeam on a CPU.
template <class Streams>
struct AliasHostTeam {
  AliasTeam<Streams> team;
  AliasMemory memory;
  AliasToken token;

  KOKKOS_FUNCTION void operator()(const StreamLanes& lanes, std::uint64_t stream,
                                  void* scratch) const {
    const AliasCopy copy(token, memory.histogram);
    team.draw(lanes, stream, scratch,
              [&](int sample) { return memory.cells(copy.number(), sample); });
  }
};

}  // namespace detail
}  // namespace rivulet
