// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sampling/cell_queue.hpp"
#include "sampling/quotas.hpp"

namespace rivulet::detail {

/// Begin of a chunk's part on the two lines, deficits of light cells and excesses of heavy cells;
/// the entry after the last chunk is the end of both lines, at the same place.
struct LineStarts {
  std::uint64_t lacking = 0;
  std::uint64_t excess = 0;

  KOKKOS_FUNCTION LineStarts& operator+=(const LineStarts& other) {
    lacking += other.lacking;
    excess += other.excess;
    return *this;
  }
};
using StartView = Kokkos::View<LineStarts*, Space>;

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t chunks_of(std::uint64_t cells) {
  return (cells + chunk_cells - 1) / chunk_cells;
}

/// Masses of a table in memory.
struct StoredMasses {
  const std::uint64_t* from;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::uint64_t first, int count,
                                              std::uint64_t* to) const {
    for (int i = 0; i < count; ++i) to[i] = from[first + static_cast<std::uint64_t>(i)];
  }
};

/// A table that is made. Masses: () (first, count, to) computes the masses of `count` cells, which
/// sum to `cells` buckets over the table.
template <class Masses>
struct MadeTable {
  Masses masses;
  std::uint64_t cells;
  AliasEntry* entries;

  /// The masses of a chunk's cells; returns their number.
  KOKKOS_FORCEINLINE_FUNCTION int chunk(std::uint64_t chunk, std::uint64_t* to) const {
    const std::uint64_t first = chunk * chunk_cells;
    const int count = cells - first < chunk_cells ? static_cast<int>(cells - first) : chunk_cells;
    masses(first, count, to);
    return count;
  }
  KOKKOS_FORCEINLINE_FUNCTION static AliasEntry full(std::uint32_t cell) {
    return {~std::uint32_t{0}, cell};
  }
};

/// Sums chunks; full cells become entries at once.
template <class Masses>
struct SumMasses {
  MadeTable<Masses> table;
  LineStarts* starts;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    std::uint64_t mass[static_cast<std::size_t>(chunk_cells)];
    const int count = table.chunk(chunk, mass);
    LineStarts sum;
    std::uint64_t any_full = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t lacks = bucket_units - mass[i];
      const std::uint64_t light = std::uint64_t{0} - ((mass[i] >> 32) == 0 ? 1 : 0);
      sum.lacking += lacks & light;
      sum.excess -= lacks & ~light;
      any_full |= lacks == 0 ? 1 : 0;
    }
    starts[chunk] = sum;
    for (int i = 0; any_full != 0 && i < count; ++i) {
      if (mass[i] != bucket_units) continue;
      const auto cell = static_cast<std::uint32_t>(chunk * chunk_cells + static_cast<unsigned>(i));
      table.entries[cell] = table.full(cell);
    }
  }
};

struct ScanSums {
  using value_type = LineStarts;
  StartView starts;

  KOKKOS_FUNCTION void init(LineStarts& sum) const { sum = LineStarts(); }
  KOKKOS_FUNCTION void join(LineStarts& sum, const LineStarts& other) const { sum += other; }
  KOKKOS_FUNCTION void join(volatile LineStarts& sum, const volatile LineStarts& other) const {
    sum.lacking = sum.lacking + other.lacking;
    sum.excess = sum.excess + other.excess;
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t chunk, LineStarts& sum, bool final) const {
    const LineStarts own = starts(chunk);
    if (final) starts(chunk) = sum;
    sum += own;
  }
};

/// The sweep: light cells that begin before the current heavy cell's end take it as alias; the
/// light cell that crosses the end takes the rest out of that heavy cell's own bucket, whose alias
/// is the next heavy cell. Both follow from merging light cells by their beginnings with heavy
/// cells by their ends, so parts of the line are independent. Parts lie between the beginnings of
/// chunks: each covers about as many cells, whatever their distribution.
template <class Masses>
struct MergeCells {
  /// Parts that a thread merges alternately, step by step: a step waits for the one before of its
  /// part.
  static constexpr int ways = device_build ? 1 : 2;

  MadeTable<Masses> table;
  const LineStarts* starts;  ///< of all chunks, and the line's end
  std::uint64_t parts;

  /// The cells of a part that are loaded and not merged yet. After the last light cell follows the
  /// place where the next chunk begins; after the last heavy cell follows one more cell, the next
  /// alias.
  struct MergeState {
    CellQueue<Kind::light> lights;
    CellQueue<Kind::heavy> heavies;
    std::uint64_t to;
    // Ends of the usable cells: before the first cell beyond `to`, which is never used, or (not
    // all) before cells that a further chunk must follow.
    int end_lights = 0;
    int end_heavies = 0;
    bool all_lights = false;
    bool all_heavies = false;
  };

  KOKKOS_FUNCTION std::uint64_t chunks() const { return chunks_of(table.cells); }

  /// Beginning number `rank` of the merged beginnings of both lines' chunks.
  KOKKOS_FUNCTION std::uint64_t beginning(std::uint64_t rank) const {
    const std::uint64_t n = chunks();
    if (rank >= 2 * n) return starts[n].lacking;
    std::uint64_t low = rank > n ? rank - n : 0;
    std::uint64_t high = rank < n ? rank : n;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (starts[middle].lacking < starts[rank - 1 - middle].excess) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const std::uint64_t light = low < n ? starts[low].lacking : starts[n].lacking;
    const std::uint64_t heavy = rank - low < n ? starts[rank - low].excess : starts[n].excess;
    return light < heavy ? light : heavy;
  }

  /// The last chunk of a line that begins at or before `place`.
  template <std::uint64_t LineStarts::*start>
  KOKKOS_FUNCTION std::uint64_t chunk_at(std::uint64_t place) const {
    std::uint64_t low = 0;
    std::uint64_t high = chunks();
    while (low + 1 < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (starts[middle].*start <= place) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Appends the light or heavy cells of the queue's chunk.
  template <Kind kind>
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t append(CellQueue<kind>& queue) const {
    std::uint64_t mass[static_cast<std::size_t>(chunk_cells)];
    const int cells = table.chunk(queue.chunk, mass);
    const LineStarts& start = starts[queue.chunk];
    return queue.append(mass, cells, static_cast<std::uint32_t>(queue.chunk * chunk_cells),
                        kind == Kind::light ? start.lacking : start.excess);
  }

  KOKKOS_FORCEINLINE_FUNCTION void fill_lights(MergeState& part) const {
    part.lights.at = 0;
    part.lights.count = 0;
    const std::uint64_t end = append(part.lights);
    part.lights.place[part.lights.count] = end;
  }
  KOKKOS_FORCEINLINE_FUNCTION void limit_lights(MergeState& part) const {
    part.all_lights = part.lights.place[part.lights.count] >= part.to;
    part.end_lights = part.all_lights ? part.lights.first_from(part.to) : part.lights.count;
  }
  KOKKOS_FORCEINLINE_FUNCTION void limit_heavies(MergeState& part) const {
    part.all_heavies = part.heavies.place[part.heavies.count - 1] > part.to;
    part.end_heavies =
        part.all_heavies ? part.heavies.first_from(part.to + 1) : part.heavies.count - 1;
  }

  /// Loads the light cells of the next chunk that has any.
  KOKKOS_FORCEINLINE_FUNCTION void next_lights(MergeState& part) const {
    CellQueue<Kind::light>& lights = part.lights;
    const std::uint64_t begin = starts[++lights.chunk].lacking;
    while (starts[lights.chunk + 1].lacking == begin) ++lights.chunk;
    fill_lights(part);
    limit_lights(part);
  }
  /// Loads the heavy cells of the next chunk that has any; the last one is followed by a cell that
  /// never ends. Keeps the cell that is not used up.
  KOKKOS_FORCEINLINE_FUNCTION void next_heavies(MergeState& part) const {
    CellQueue<Kind::heavy>& heavies = part.heavies;
    heavies.place[0] = heavies.place[heavies.at];
    heavies.cell[0] = heavies.cell[heavies.at];
    heavies.count -= heavies.at;
    heavies.at = 0;
    const std::uint64_t end = starts[heavies.chunk + 1].excess;
    if (end == starts[chunks()].excess) {
      heavies.place[heavies.count] = ~std::uint64_t{0};
      heavies.cell[heavies.count++] = 0;
    } else {
      ++heavies.chunk;
      while (starts[heavies.chunk + 1].excess == end) ++heavies.chunk;
      append(heavies);
    }
    limit_heavies(part);
  }

  /// Moves to the beginning of part `number`; returns whether the part is not empty.
  KOKKOS_FUNCTION bool open(MergeState& part, std::uint64_t number) const {
    const std::uint64_t ranks = 2 * chunks();
    const std::uint64_t from = number < parts ? beginning(number * ranks / parts) : 0;
    part.to = number < parts ? beginning((number + 1) * ranks / parts) : 0;
    if (from == part.to) return false;
    part.lights.chunk = chunk_at<&LineStarts::lacking>(from);
    fill_lights(part);
    part.lights.at = part.lights.first_from(from);
    limit_lights(part);
    part.heavies.chunk = chunk_at<&LineStarts::excess>(from);
    part.heavies.count = 0;
    append(part.heavies);
    part.heavies.at = part.heavies.first_from(from + 1);
    limit_heavies(part);
    return true;
  }

  /// Loads further cells if needed, and returns the number of steps that the loaded cells allow: 0
  /// at the part's end.
  KOKKOS_FORCEINLINE_FUNCTION int prepare(MergeState& part) const {
    if (!part.all_lights && part.lights.at == part.end_lights) next_lights(part);
    while (!part.all_heavies && part.heavies.at >= part.end_heavies) next_heavies(part);
    const int lights = part.end_lights - part.lights.at;
    const int heavies = part.end_heavies - part.heavies.at;
    if (part.all_lights) return part.all_heavies ? lights + heavies : heavies;
    return part.all_heavies || lights < heavies ? lights : heavies;
  }

  KOKKOS_FUNCTION void operator()(std::uint64_t first) const {
    MergeState part[ways];
    bool any[ways];
    for (int w = 0; w < ways; ++w) {
      any[w] = open(part[w], first * ways + static_cast<std::uint64_t>(w));
    }
    if constexpr (ways == 2) {
      while (any[0] && any[1]) {
        const int steps[] = {prepare(part[0]), prepare(part[1])};
        const int both = steps[0] < steps[1] ? steps[0] : steps[1];
        merge<2>(part, both);
        for (int w = 0; w < ways; ++w) any[w] = steps[w] > 0;
      }
    }
    for (int w = 0; w < ways; ++w) {
      while (any[w]) {
        const int steps = prepare(part[w]);
        merge<1>(part + w, steps);
        any[w] = steps > 0;
      }
    }
  }

  /// `steps` steps of each part: a step completes one cell's bucket.
  template <int count>
  [[gnu::noinline]] KOKKOS_FUNCTION void merge(MergeState* part, int steps) const {
    std::size_t light[count];
    std::size_t heavy[count];
    for (int w = 0; w < count; ++w) {
      light[w] = static_cast<std::size_t>(part[w].lights.at);
      heavy[w] = static_cast<std::size_t>(part[w].heavies.at);
    }
    AliasEntry* const entries = table.entries;
    for (int step = 0; step < steps; ++step) {
      for (int w = 0; w < count; ++w) {
        const CellQueue<Kind::light>& lights = part[w].lights;
        const CellQueue<Kind::heavy>& heavies = part[w].heavies;
        const std::uint64_t begin = lights.place[light[w]];
        const std::uint64_t end = heavies.place[heavy[w]];
        // Which cell is next is random, so there must be no branch here.
        const std::uint64_t is_light = begin < end ? 1 : 0;
        const std::uint64_t mask = std::uint64_t{0} - is_light;
        const std::uint64_t of_light = begin - lights.place[light[w] + 1];
        const std::uint64_t threshold = select(mask, of_light, end - begin);
        const std::uint64_t cell = select(mask, lights.cell[light[w]], heavies.cell[heavy[w]]);
        store(entries + cell, static_cast<std::uint32_t>(threshold),
              heavies.cell[heavy[w] + 1 - is_light]);
        if (begin == end) entries[cell] = table.full(static_cast<std::uint32_t>(cell));
        light[w] += is_light;
        heavy[w] += 1 - is_light;
      }
    }
    for (int w = 0; w < count; ++w) {
      part[w].lights.at = static_cast<int>(light[w]);
      part[w].heavies.at = static_cast<int>(heavy[w]);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t select(std::uint64_t mask, std::uint64_t a,
                                                          std::uint64_t b) {
    return b ^ ((a ^ b) & mask);
  }

  /// Stores an entry as one word: gcc would assemble it in a vector register, slowly.
  KOKKOS_FORCEINLINE_FUNCTION static void store(AliasEntry* to, std::uint32_t threshold,
                                                std::uint32_t alias) {
    static_assert(offsetof(AliasEntry, alias) == 4);
    if constexpr (std::endian::native == std::endian::little) {
      const std::uint64_t both = std::uint64_t{alias} << 32 | threshold;
      memcpy(static_cast<void*>(to), &both, sizeof both);
    } else {
      *to = {threshold, alias};
    }
  }
};

/// Makes the buckets of a table. Merges the deficits of light cells with the excesses of heavy
/// cells, both in the order of their indices: the parallel result equals that of make_entries.
template <class Masses>
void merge_masses(const Space& space, const MadeTable<Masses>& table) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  const std::uint64_t chunks = chunks_of(table.cells);
  const StartView starts("rivulet::alias_starts", chunks + 1);
  Kokkos::parallel_for("rivulet::alias_sums", Range(space, 0, chunks),
                       SumMasses<Masses>{table, starts.data()});
  Kokkos::parallel_scan("rivulet::alias_scan", Range(space, 0, chunks + 1), ScanSums{starts});
  const std::uint64_t parts =
      device_build ? chunks : std::min(chunks, 8 * static_cast<std::uint64_t>(space.concurrency()));
  constexpr std::uint64_t ways = MergeCells<Masses>::ways;
  Kokkos::parallel_for("rivulet::alias_merge", Range(space, 0, (parts + ways - 1) / ways),
                       MergeCells<Masses>{table, starts.data(), parts});
}

/// The same by one thread; `starts` has memory for all chunks, and one more.
template <class Masses>
KOKKOS_FUNCTION void merge_small_table(const MadeTable<Masses>& table, LineStarts* starts) {
  const SumMasses<Masses> sum_masses{table, starts};
  LineStarts end;
  for (std::uint64_t chunk = 0; chunk < chunks_of(table.cells); ++chunk) {
    sum_masses(chunk);
    const LineStarts own = starts[chunk];
    starts[chunk] = end;
    end += own;
  }
  starts[chunks_of(table.cells)] = end;
  MergeCells<Masses>{table, starts, 1}(0);
}

}  // namespace rivulet::detail
