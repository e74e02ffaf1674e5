// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "sampling/alias_table.hpp"

namespace rivulet::impl {

/// Cells whose masses a thread holds at a time: enough to pay for finding its place.
constexpr int chunk_cells = device_build ? 32 : 1024;

/// What light cells (mass below a bucket) lack and what heavy ones have too much lie side by side
/// on one line of units, in the order of the cells. Chunks of cells: where on the line what is
/// theirs begins, and a last one for where the line ends.
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

/// Tables of `each` cells that lie one after another lack as much as they have too much, so that
/// their parts of the line never mix. Masses: () (first, count, to) computes those of some cells.
template <class Masses>
struct Tables {
  Masses masses;
  std::uint64_t cells;  ///< of all tables
  std::uint32_t each;   ///< 0: there is one table
  EntryView entries;

  KOKKOS_FORCEINLINE_FUNCTION int chunk(std::uint64_t chunk, std::uint64_t* to) const {
    const std::uint64_t first = chunk * chunk_cells;
    const int count = cells - first < chunk_cells ? static_cast<int>(cells - first) : chunk_cells;
    masses(first, count, to);
    return count;
  }
  KOKKOS_FORCEINLINE_FUNCTION static AliasEntry full(std::uint32_t cell, std::uint32_t each) {
    return {~std::uint32_t{0}, each == 0 ? cell : cell % each};
  }
};

/// Sums chunks; cells that are full already become entries.
template <class Masses>
struct SumChunks {
  Tables<Masses> tables;
  StartView starts;

  KOKKOS_FUNCTION void operator()(std::uint64_t chunk) const {
    std::uint64_t mass[static_cast<std::size_t>(chunk_cells)];
    const int count = tables.chunk(chunk, mass);
    LineStarts sum;
    std::uint64_t any_full = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t lacks = bucket_units - mass[i];
      const std::uint64_t light = std::uint64_t{0} - ((mass[i] >> 32) == 0 ? 1 : 0);
      sum.lacking += lacks & light;
      sum.excess -= lacks & ~light;
      any_full |= lacks == 0 ? 1 : 0;
    }
    starts(chunk) = sum;
    for (int i = 0; any_full != 0 && i < count; ++i) {
      if (mass[i] != bucket_units) continue;
      const auto cell = static_cast<std::uint32_t>(chunk * chunk_cells + static_cast<unsigned>(i));
      tables.entries(cell) = tables.full(cell, tables.each);
    }
  }
};

struct ScanChunks {
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

/// The sweep: lights that begin before the current heavy cell's end take it as alias; the light
/// that reaches beyond the end takes the rest out of that heavy cell's own bucket, whose alias is
/// the next one. Both follow from merging lights by their beginnings with heavies by their ends, so
/// parts of the line are independent. Parts lie between the beginnings of chunks: each looks at
/// about as many cells, however they are distributed.
template <class Masses>
struct MergeParts {
  Tables<Masses> tables;
  StartView starts;  ///< of all chunks, and the line's end
  std::uint64_t parts;

  /// The cells of one chunk on the line that are still to be merged.
  struct Lights {
    std::uint64_t chunk;
    int at = 0;
    int count = 0;
    std::uint64_t begin[static_cast<std::size_t>(chunk_cells + 2)];  ///< then the next chunk's
    std::uint32_t cell[static_cast<std::size_t>(chunk_cells + 1)];
  };
  /// The same, and one cell more: that which is an alias next.
  struct Heavies {
    std::uint64_t chunk;
    int at = 0;
    int count = 0;
    std::uint64_t end[static_cast<std::size_t>(chunk_cells + 2)];
    std::uint32_t cell[static_cast<std::size_t>(chunk_cells + 2)];
  };

  KOKKOS_FUNCTION std::uint64_t chunks() const { return starts.extent(0) - 1; }

  /// Number `rank` of the beginnings of lights' and of heavies' chunks together.
  KOKKOS_FUNCTION std::uint64_t beginning(std::uint64_t rank) const {
    const std::uint64_t n = chunks();
    if (rank >= 2 * n) return starts(n).lacking;
    std::uint64_t low = rank > n ? rank - n : 0;
    std::uint64_t high = rank < n ? rank : n;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (starts(middle).lacking < starts(rank - 1 - middle).excess) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const std::uint64_t light = low < n ? starts(low).lacking : starts(n).lacking;
    const std::uint64_t heavy = rank - low < n ? starts(rank - low).excess : starts(n).excess;
    return light < heavy ? light : heavy;
  }

  /// The last chunk that begins at or before a place: lights' or heavies'.
  template <std::uint64_t LineStarts::*start>
  KOKKOS_FUNCTION std::uint64_t chunk_at(std::uint64_t place) const {
    std::uint64_t low = 0;
    std::uint64_t high = chunks();
    while (low + 1 < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (starts(middle).*start <= place) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  KOKKOS_FORCEINLINE_FUNCTION void fill(Lights& lights) const {
    std::uint64_t mass[static_cast<std::size_t>(chunk_cells)];
    const int count = tables.chunk(lights.chunk, mass);
    const auto first = static_cast<std::uint32_t>(lights.chunk * chunk_cells);
    std::uint64_t begin = starts(lights.chunk).lacking;
    std::uint32_t n = 0;
    for (int i = 0; i < count; ++i) {
      // Without branches, which would go either way at random.
      const std::uint64_t light = mass[i] < bucket_units ? 1 : 0;
      lights.begin[n] = begin;
      lights.cell[n] = first + static_cast<std::uint32_t>(i);
      begin += (bucket_units - mass[i]) & (std::uint64_t{0} - light);
      n += static_cast<std::uint32_t>(light);
    }
    lights.begin[n] = begin;
    lights.at = 0;
    lights.count = static_cast<int>(n);
  }

  /// Adds a chunk's to the heavy cell that is left, if there is one.
  KOKKOS_FORCEINLINE_FUNCTION void fill(Heavies& heavies) const {
    std::uint64_t mass[static_cast<std::size_t>(chunk_cells)];
    const int count = tables.chunk(heavies.chunk, mass);
    const auto first = static_cast<std::uint32_t>(heavies.chunk * chunk_cells);
    std::uint64_t end = starts(heavies.chunk).excess;
    auto n = static_cast<std::uint32_t>(heavies.count);
    for (int i = 0; i < count; ++i) {
      const std::uint64_t heavy = mass[i] > bucket_units ? 1 : 0;
      end += (mass[i] - bucket_units) & (std::uint64_t{0} - heavy);
      heavies.end[n] = end;
      heavies.cell[n] = first + static_cast<std::uint32_t>(i);
      n += static_cast<std::uint32_t>(heavy);
    }
    heavies.count = static_cast<int>(n);
  }

  /// The lights of the next chunk that has any.
  KOKKOS_FORCEINLINE_FUNCTION void next(Lights& lights) const {
    const std::uint64_t begin = starts(++lights.chunk).lacking;
    while (starts(lights.chunk + 1).lacking == begin) ++lights.chunk;
    fill(lights);
  }
  /// Likewise of heavies, after the last one a cell that never ends.
  KOKKOS_FORCEINLINE_FUNCTION void next(Heavies& heavies) const {
    heavies.end[0] = heavies.end[heavies.at];
    heavies.cell[0] = heavies.cell[heavies.at];
    heavies.count -= heavies.at;
    heavies.at = 0;
    const std::uint64_t end = starts(heavies.chunk + 1).excess;
    if (end == starts(chunks()).excess) {
      heavies.end[heavies.count] = ~std::uint64_t{0};
      heavies.cell[heavies.count++] = 0;
      return;
    }
    ++heavies.chunk;
    while (starts(heavies.chunk + 1).excess == end) ++heavies.chunk;
    fill(heavies);
  }

  KOKKOS_FUNCTION void operator()(std::uint64_t part) const {
    const std::uint64_t ranks = 2 * chunks();
    const std::uint64_t from = beginning(part * ranks / parts);
    const std::uint64_t to = beginning((part + 1) * ranks / parts);
    if (from == to) return;
    Lights lights;
    Heavies heavies;
    lights.chunk = chunk_at<&LineStarts::lacking>(from);
    fill(lights);
    while (lights.at < lights.count && lights.begin[lights.at] < from) ++lights.at;
    heavies.chunk = chunk_at<&LineStarts::excess>(from);
    fill(heavies);
    while (heavies.end[heavies.at] <= from) ++heavies.at;
    do {
      if (heavies.at + 1 >= heavies.count) next(heavies);
      if (lights.at == lights.count && lights.begin[lights.at] < to) next(lights);
    } while (merge(lights, heavies, to));
  }

  /// Merges until cells run out (true) or the place `to` is reached (false).
  KOKKOS_FORCEINLINE_FUNCTION bool merge(Lights& lights, Heavies& heavies, std::uint64_t to) const {
    // With no further lights in the part, heavies go on alone.
    const int end_lights = lights.count + (lights.begin[lights.count] < to ? 0 : 1);
    const int end_heavies = heavies.count - 1;
    AliasEntry* const entries = tables.entries.data();
    const std::uint32_t each = tables.each;
    int light = lights.at;
    int heavy = heavies.at;
    bool more = true;
    while (light < end_lights && heavy < end_heavies) {
      const std::uint64_t begins = lights.begin[light];
      const std::uint64_t ends = heavies.end[heavy];
      // Without branches, which would go either way at random.
      const int takes_light = begins < ends ? 1 : 0;
      const std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(takes_light);
      const std::uint64_t key = (ends - 1) ^ (((ends - 1) ^ begins) & mask);
      if (key >= to) {
        more = false;
        break;
      }
      const std::uint64_t of_light = begins - lights.begin[light + 1];
      const std::uint64_t of_heavy = ends - begins;
      const std::uint32_t own = heavies.cell[heavy];
      const std::uint32_t cell =
          own ^ ((own ^ lights.cell[light]) & static_cast<std::uint32_t>(mask));
      const std::uint32_t alias = heavies.cell[heavy + 1 - takes_light];
      entries[cell] =
          entry_of(cell, bucket_units + (of_heavy ^ ((of_heavy ^ of_light) & mask)), alias, each);
      light += takes_light;
      heavy += 1 - takes_light;
    }
    lights.at = light;
    heavies.at = heavy;
    return more;
  }

  KOKKOS_FORCEINLINE_FUNCTION static AliasEntry entry_of(std::uint32_t cell,
                                                         std::uint64_t threshold,
                                                         std::uint32_t alias, std::uint32_t each) {
    const std::uint32_t first = each == 0 ? 0 : cell / each * each;
    // A full bucket's bit 32 becomes a mask of ones.
    const auto full = static_cast<std::uint32_t>(0 - (threshold >> 32));
    return {static_cast<std::uint32_t>(threshold) | full,
            (alias ^ ((alias ^ cell) & full)) - first};
  }
};

/// The buckets of tables whose masses sum to `cells` buckets.
template <class Masses>
void merge_masses(const Space& space, const Tables<Masses>& tables) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>;
  const std::uint64_t chunks = (tables.cells + chunk_cells - 1) / chunk_cells;
  const StartView starts("rivulet::alias_starts", chunks + 1);
  Kokkos::parallel_for("rivulet::alias_sums", Range(space, 0, chunks),
                       SumChunks<Masses>{tables, starts});
  Kokkos::parallel_scan("rivulet::alias_scan", Range(space, 0, chunks + 1), ScanChunks{starts});
  const std::uint64_t parts =
      device_build ? chunks : std::min(chunks, 8 * static_cast<std::uint64_t>(space.concurrency()));
  Kokkos::parallel_for("rivulet::alias_merge", Range(space, 0, parts),
                       MergeParts<Masses>{tables, starts, parts});
}

}  // namespace rivulet::impl
