// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "battery/counting/bits.hpp"
#include "battery/counting/histogram.hpp"
#include "battery/counting/sorted_keys.hpp"
#include "battery/words/word_tiles.hpp"

// Counts the items of a sequence. An item type has words(), the number of words per item. It also
// has cell(words), which returns the item's cell, or a call operator (words, index, to), which
// calls to.add(cell, count). If the type has history(), an item may also read history() words
// before its own words, but no words before item 0. If the type has a constant `sums`, which is the
// number of cells, its counters are in registers.

namespace rivulet::detail {

/// Base of items that are t numbers, one per word.
struct Numbers {
  int r;
  int t;

  std::uint64_t words() const { return to_u64(t); }
};

/// A lane's counters in a histogram.
struct LaneCells {
  const Histogram& histogram;
  std::uint64_t lane;

  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint64_t cell, std::uint64_t count = 1) const {
    histogram.add(lane, cell, count);
  }
};

/// A lane's counters in registers.
template <int cells>
struct LaneSums {
  std::uint64_t sums[cells] = {};

  KOKKOS_FORCEINLINE_FUNCTION void add(int cell, std::uint64_t count = 1) { sums[cell] += count; }
};

/// A team's counters in the scratch memory of a device.
struct TeamCells {
  std::uint32_t* counts;

  KOKKOS_FORCEINLINE_FUNCTION void add(std::uint64_t cell, std::uint64_t count = 1) const {
    Kokkos::atomic_add(counts + cell, static_cast<std::uint32_t>(count));
  }
};

/// Kernel that divides the items of a tile among lanes, and counts them.
template <class Item>
struct CountItems {
  Item item;
  Histogram histogram;
  LaneItems share;
  const std::uint32_t* words;
  std::uint64_t each;   ///< distance between items, in words
  std::uint64_t first;  ///< index of the tile's first item

  KOKKOS_FORCEINLINE_FUNCTION void count(std::uint64_t i, auto& to) const {
    if constexpr (requires(const Item& candidate) { candidate.cell(words); }) {
      to.add(item.cell(words + i * each));
    } else {
      item(words + i * each, first + i, to);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void count_all(std::uint64_t lane, auto& to) const {
    for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) count(i, to);
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    LaneCells cells{histogram, lane};
    if constexpr (requires { Item::sums; }) {
      LaneSums<Item::sums> lane_sums;
      count_all(lane, lane_sums);
      for (int k = 0; k < Item::sums; ++k) cells.add(to_u64(k), lane_sums.sums[k]);
    } else {
      count_all(lane, cells);
    }
  }
};

/// Kernel that divides the items of a tile among teams, and counts them. A team's scratch memory
/// must hold all cells.
template <class Item>
struct CountItemsByTeam {
  using Policy = Kokkos::TeamPolicy<Space>;
  /// Teams are large for two reasons: scratch memory leaves less L1 cache for the words, and
  /// adjacent lanes share cache lines.
  static constexpr int max_threads = 1024;
  static constexpr std::uint64_t max_cells = 8192;  ///< 32 KiB; Kokkos offers 40 KiB of scratch
  static constexpr std::uint64_t max_words = 64;    ///< longer items need all of L1

  CountItems<Item> all;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto cells = static_cast<int>(all.histogram.cells());
    TeamCells team_cells{static_cast<std::uint32_t*>(
        team.team_shmem().get_shmem(static_cast<std::size_t>(cells) * sizeof(std::uint32_t)))};
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, cells),
                         [&](int i) { team_cells.counts[i] = 0; });
    team.team_barrier();
    const std::uint64_t lane =
        to_u64(team.league_rank()) * to_u64(team.team_size()) + to_u64(team.team_rank());
    for (std::uint64_t i = lane; i < all.share.items; i += all.share.lanes)
      all.count(i, team_cells);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, cells), [&](int i) {
      if (team_cells.counts[i] == 0) return;
      all.histogram.add(to_u64(team.league_rank()), to_u64(i), team_cells.counts[i]);
    });
  }
};

/// Counts a tile's items. On a device, teams count them if the limits of CountItemsByTeam allow it
/// and each team has more items than cells.
template <class Item>
void count_tile(const Space& space, CountItems<Item> kernel) {
  if constexpr (device_build && !requires { Item::sums; }) {
    using ByTeam = CountItemsByTeam<Item>;
    const std::uint64_t cells = kernel.histogram.cells();
    // Kokkos 3 allocates multiples of 8 bytes.
    const auto scratch =
        Kokkos::PerTeam(static_cast<int>((cells + 1) / 2 * 2 * sizeof(std::uint32_t)));
    const auto policy = [&](std::uint64_t teams, int threads) {
      return typename ByTeam::Policy(space, static_cast<int>(teams), threads)
          .set_scratch_size(0, scratch);
    };
    if (cells <= ByTeam::max_cells && kernel.each <= ByTeam::max_words) {
      const int threads =
          std::min(ByTeam::max_threads,
                   policy(1, 1).team_size_max(ByTeam{kernel}, Kokkos::ParallelForTag()));
      const auto each = static_cast<std::uint64_t>(threads);
      const std::uint64_t teams = (kernel.share.lanes + each - 1) / each;
      if (kernel.share.items > cells * teams) {
        kernel.share.lanes = teams * each;
        Kokkos::parallel_for("rivulet::battery_team_items", policy(teams, threads), ByTeam{kernel});
        return;
      }
    }
  }
  Kokkos::parallel_for("rivulet::battery_items", LaneRange(space, 0, kernel.share.lanes), kernel);
}

/// Adds items `from` .. from + sample.n - 1 to the histogram.
template <class Item>
void add_items(const Sample& sample, std::uint64_t from, const Item& item,
               const Histogram& histogram) {
  const std::uint64_t each = item.words();
  std::uint64_t history = 0;
  if constexpr (requires { item.history(); }) history = item.history();
  const std::uint64_t at_once = (sample.tiles.capacity() - history) / each;
  for (std::uint64_t done = from; done < from + sample.n; done += at_once) {
    const std::uint64_t items = std::min(at_once, from + sample.n - done);
    const std::uint64_t before = std::min(history, done * each);
    const std::uint32_t* const words =
        sample.read(done * each - before, items * each + before) + before;
    count_tile(sample.space(), CountItems<Item>{item, histogram, lane_items(sample.space(), items),
                                                words, each, done});
  }
}

/// Stores the cells of items in order. The only counter is the sum of the cells modulo 2^64.
template <class Item>
struct KeptCells {
  static constexpr int sums = 1;

  Item item;
  std::uint64_t* cells;

  std::uint64_t words() const { return item.words(); }
  KOKKOS_FUNCTION void operator()(const std::uint32_t* word, std::uint64_t index, auto& to) const {
    cells[index] = item.cell(word);
    to.add(0, cells[index]);
  }
};

/// Returns the sorted cells of items. Requires cells below 2^bits.
template <class Item>
SortedKeys sorted_cells(const Sample& sample, const Item& item, int bits) {
  SortedKeys keys(sample.space(), sample.n);
  add_items(sample, 0, KeptCells<Item>{item, keys.data()}, Histogram(sample.space(), 1));
  keys.sort(bits);
  return keys;
}

}  // namespace rivulet::detail
