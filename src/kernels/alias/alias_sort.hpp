// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "generators/generator_type.hpp"
#include "kernels/alias/alias_buckets.hpp"
#include "kernels/alias/alias_device.hpp"
#include "kernels/alias/alias_rounds.hpp"
#include "kernels/alias/alias_sampler.hpp"

// Sampling from a table that is larger than a device's cache. A random draw costs two distant
// sectors of memory, one read for its bucket and one changed for its count. Here draws are first
// sorted by the table's sections and then looked up section by section, each of which fits the
// cache with its counts, so that memory is accessed sequentially. Counts of aliases, which may lie
// in other sections, are kept beside their buckets and added at the end.

namespace rivulet::detail {

/// Draws from a table of one level in memory, separately for each section of the table. Copies
/// share the memory.
class AliasSections {
 public:
  AliasSections(std::uint64_t cells, const AliasSectionSizes& shape);

  KOKKOS_FUNCTION int count() const { return count_; }
  /// Draws that should be in memory at a time.
  std::uint64_t draws() const { return draws_; }
  /// Capacity of a section, in draws.
  KOKKOS_FUNCTION std::uint64_t room() const { return room_; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t section_of(std::uint64_t position) const {
    return static_cast<std::uint32_t>(position >> 32) >> log2_cells_;
  }

  /// Reserves n more draws of a section and returns the first one's place; places from room() on do
  /// not exist.
  KOKKOS_FUNCTION std::uint64_t reserve(int section, std::uint32_t n) const {
    return Kokkos::atomic_fetch_add(found_.data() + section * apart, std::uint64_t{n});
  }
  /// Draws of a section that are stored.
  KOKKOS_FUNCTION std::uint64_t placed(int section) const {
    const std::uint64_t all = found_.data()[section * apart];
    return all < room_ ? all : room_;
  }
  /// The draws of a section.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* positions(std::uint32_t section) const {
    return positions_.data() + section * room_;
  }
  void empty(const Space& space) const;

 private:
  /// Sections whose draws a team's scratch memory can count.
  static constexpr std::uint64_t most_sections = 512;
  /// Counters that all teams increment lie in separate cache lines.
  static constexpr int apart = 16;

  int log2_cells_;
  int count_ = 0;
  std::uint64_t draws_;
  std::uint64_t room_ = 0;
  Kokkos::View<std::uint64_t*, Space> positions_;
  Kokkos::View<std::uint64_t*, Space> found_;
};

/// Buckets with their counts, and sections, for sorted draws of one level.
struct AliasSorted {
  CountedBucket* buckets;
  AliasSections sections;

  KOKKOS_FORCEINLINE_FUNCTION void count(std::uint64_t position, const AliasEntry& entry) const {
    const std::uint32_t is_alias = static_cast<std::uint32_t>(position) < entry.threshold ? 0 : 1;
    Kokkos::atomic_add(&buckets[position >> 32].drawn[is_alias], 1U);
  }
};

/// Draws of lanes<Word> streams a thread, sorted. A team's scratch memory collects the draws of a
/// round, sorted by section, so that the draws of a section are stored side by side.
template <class Streams>
struct AliasSort {
  using Engine = typename Streams::Engine;
  using Rounds = AliasRounds<Streams, 1, 2>;
  static constexpr int width = lanes<Word>;
  /// Periods of a round: what registers hold. On an H200 16 samples a thread (hybrid Tausworthe)
  /// took 0.79 of the time of 8, and 8 took 0.70 of that of 4.
  static constexpr int periods = std::max(16 / Rounds::samples, 1);
  static constexpr int samples = periods * Rounds::samples;
  static constexpr int per_thread = samples * width;

  Streams streams;
  SegmentBatch batch;
  std::uint32_t cells;
  AliasSorted to;

  /// Sample k of lane l at k * width + l.
  struct Draws {
    std::uint64_t position[static_cast<std::size_t>(per_thread)];
    std::uint32_t
        rank[static_cast<std::size_t>(per_thread)];  ///< among the team's draws of its section
  };
  struct Put {
    std::uint64_t* position;
    std::uint32_t cells;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int sample, const Word* word) const {
      for (int l = 0; l < width; ++l) {
        position[sample * width + l] = alias_position(WordTraits<Word>::lane(word[0], l),
                                                      WordTraits<Word>::lane(word[1], l), cells);
      }
    }
  };

  struct Scratch {
    std::uint64_t* sorted;
    std::uint64_t* place;  ///< of a section's draws in memory, minus their begin in `sorted`
    std::uint32_t* count;
    std::uint32_t* begin;  ///< of a section in `sorted`; one more ends the last

    KOKKOS_FUNCTION Scratch(char* memory, int threads, int sections)
        : sorted(reinterpret_cast<std::uint64_t*>(memory)),
          place(sorted + threads * per_thread),
          count(reinterpret_cast<std::uint32_t*>(place + sections)),
          begin(count + sections) {}
  };
  static std::size_t scratch_bytes(int threads, int sections) {
    return static_cast<std::size_t>(threads * per_thread + sections) * sizeof(std::uint64_t) +
           static_cast<std::size_t>(2 * sections + 1) * sizeof(std::uint32_t);
  }

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first, char* memory) const {
    const int sections = to.sections.count();
    const Scratch scratch(memory, team.team_size(), sections);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sections),
                         [&](int s) { scratch.count[s] = 0; });
    const std::uint64_t own = first + static_cast<std::uint64_t>(team.team_rank() * width);
    const bool live = own < streams.count();
    Engine engine = streams.load(live ? own : first);
    std::uint32_t left[width];
    for (int l = 0; l < width; ++l) left[l] = points(own + static_cast<std::uint64_t>(l));
    team.team_barrier();
    // No stream has more points than the first: all threads meet at the barriers.
    for (std::uint32_t most = points(first); most > 0; most -= less(most)) {
      Draws draws;
      draw(engine, draws, left[0], std::make_integer_sequence<int, periods>{});
      each(left, [&](int i) {
        draws.rank[i] =
            Kokkos::atomic_fetch_add(scratch.count + to.sections.section_of(draws.position[i]), 1U);
      });
      team.team_barrier();
      reserve(team, scratch);
      team.team_barrier();
      each(left, [&](int i) {
        const std::uint32_t section = to.sections.section_of(draws.position[i]);
        scratch.sorted[scratch.begin[section] + draws.rank[i]] = draws.position[i];
      });
      team.team_barrier();
      hand_on(team, scratch);
      for (int l = 0; l < width; ++l) left[l] -= less(left[l]);
    }
    if (live) streams.store(own, engine);
  }

 private:
  /// Samples of a local stream; 0 for streams beyond the last.
  KOKKOS_FUNCTION std::uint32_t points(std::uint64_t stream) const {
    if (stream >= streams.count()) return 0;
    return static_cast<std::uint32_t>(batch.points(stream));
  }
  /// The reduction of what is left by a round.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t less(std::uint32_t left) {
    constexpr auto round = static_cast<std::uint32_t>(samples);
    return left < round ? left : round;
  }

  /// Draws only the requested rounds, so that a stream stops at its batch's end.
  template <int... period>
  KOKKOS_FORCEINLINE_FUNCTION void draw(Engine& engine, Draws& draws, std::uint32_t left,
                                        std::integer_sequence<int, period...>) const {
    ((left > static_cast<std::uint32_t>(period * Rounds::samples)
          ? Rounds::draw(engine, Put{draws.position + period * Rounds::samples * width, cells})
          : void()),
     ...);
  }

  /// Calls f for each of a thread's draws.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static void each(const std::uint32_t (&left)[width], const F& f) {
    for (int k = 0; k < samples; ++k) {
      for (int l = 0; l < width; ++l) {
        if (static_cast<std::uint32_t>(k) < left[l]) f(k * width + l);
      }
    }
  }

  /// Reserves places for each section's draws. Leaves counts of 0.
  KOKKOS_FUNCTION void reserve(const StreamTeam& team, const Scratch& scratch) const {
    const int sections = to.sections.count();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, sections),
                          [&](int s, std::uint32_t& before, bool last) {
                            const std::uint32_t n = scratch.count[s];
                            if (last) {
                              scratch.begin[s] = before;
                              scratch.place[s] = (n > 0 ? to.sections.reserve(s, n) : 0) - before;
                              scratch.count[s] = 0;
                              if (s == sections - 1) scratch.begin[sections] = before + n;
                            }
                            before += n;
                          });
  }

  /// Stores the draws; draws without room are looked up at once.
  KOKKOS_FUNCTION void hand_on(const StreamTeam& team, const Scratch& scratch) const {
    const auto all = static_cast<int>(scratch.begin[to.sections.count()]);
    for (int i = team.team_rank(); i < all; i += team.team_size()) {
      const std::uint64_t position = scratch.sorted[i];
      const std::uint32_t section = to.sections.section_of(position);
      const std::uint64_t at = scratch.place[section] + static_cast<std::uint64_t>(i);
      if (at < to.sections.room()) {
        to.sections.positions(section)[at] = position;
      } else {
        to.count(position, to.buckets[position >> 32].entry);
      }
    }
  }
};

template <class Streams>
void sort_draws(const Space& space, const Streams& streams, const SegmentBatch& batch,
                std::uint32_t cells, const AliasSorted& to) {
  using Sort = AliasSort<Streams>;
  const int sections = to.sections.count();
  int threads = 1;
  if (device_build) {
    const std::uint64_t busy = streams_per_processor(space, streams.count());
    threads = 256;
    while (threads > team_lanes && (static_cast<std::uint64_t>(threads) > busy ||
                                    Sort::scratch_bytes(threads, sections) > device_scratch)) {
      threads /= 2;
    }
  }
  for_each_shared_team(
      space, "rivulet::alias_sort",
      {streams.count(), threads * Sort::width, threads, 1, Sort::scratch_bytes(threads, sections)},
      Sort{streams, batch, cells, to});
}

/// Looks up the stored draws and empties the sections.
void look_up_draws(const Space& space, const AliasSorted& to);

}  // namespace rivulet::detail

namespace rivulet {

/// Whether draws can be sorted. On a device they must fit in registers, unlike the 69 and 97
/// samples of a round of dcmt2203 and RANMAR: sorting RANMAR's took longer than unsorted look-ups.
/// On a CPU, where it does not pay and only tests ask for it, only the shortest rounds.
template <class Streams>
inline constexpr bool sorts_draws = false;
template <StreamsByLane Streams>
inline constexpr bool sorts_draws<Streams> = detail::AliasSort<Streams>::samples <=
                                             (device_build ? 32 : 16);

/// Whether a round of all streams or segments fits.
template <class Streams>
bool fit_in_sections(std::uint64_t streams, const AliasSectionSizes& shape) {
  return streams * Streams::round_words <= shape.draws;
}

/// Does what sample_alias does, with the same counts, for a table of one level drawn by lanes;
/// cells are not kept. Asynchronous.
template <class Streams>
void sample_in_sections(const Space& space, const Streams& streams,
                        const detail::AliasMemory& memory, detail::AliasBuckets& buckets,
                        const detail::AliasSections& sections, const SegmentBatch& batch) {
  constexpr auto round = static_cast<std::uint64_t>(Streams::round_words);
  const std::uint64_t samples = batch.last() > batch.from ? batch.last() - batch.from : 0;
  const std::uint64_t rounds = (samples + round - 1) / round;
  const std::uint64_t most = sections.draws() / streams.count() / round;
  // Pieces of equal size, since each costs a pass over the table.
  const std::uint64_t pieces = (rounds + most - 1) / most;
  const std::uint64_t length = pieces > 0 ? (rounds + pieces - 1) / pieces * round : 0;
  for (SegmentBatch piece = batch; piece.from < batch.last(); piece.from = piece.upto) {
    piece.upto = std::min(piece.from + length, batch.last());
    buckets.expect(space, memory.histogram, (piece.upto - piece.from) * streams.count());
    const detail::AliasSorted to{buckets.data(), sections};
    sort_draws(space, after_samples(streams, piece.from - batch.from, 2), piece,
               memory.table.cells[0], to);
    look_up_draws(space, to);
  }
}

}  // namespace rivulet
