// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cmath>

#include "battery/counting/counting_items.hpp"
#include "rivulet/detail/team_atomics.hpp"

// Pairs of points within a distance, in the maximum norm on a torus, are in cells that touch each
// other if cells are at least as wide: points are sorted by cells of some of their coordinates, and
// each is compared with the points of those around it. Coordinates are multiplied by 2^32, so that
// distances are exact integers.

namespace rivulet {
namespace {

using detail::LaneRange;

/// Cells of the first coordinates: `side` cells each, none or at least three.
struct Grid {
  int coordinates = 0;
  std::uint64_t side = 1;
  std::uint64_t cells = 1;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t place(std::uint32_t number) const {
    return number * side >> 32;
  }
};

/// That in which a point has least to do: looking up the cells around its own, and comparing it
/// with their points.
Grid grid_for(std::uint64_t n, int t, std::uint32_t limit) {
  constexpr double lookup = 8;  // comparisons' worth of a binary search
  const auto widest = static_cast<std::uint64_t>(std::ldexp(1.0, 32) / (limit + 1.0));
  Grid best;
  double least = static_cast<double>(n);
  for (int c = 1; c <= t; ++c) {
    const double all = std::pow(4 * static_cast<double>(n), 1.0 / c);
    const std::uint64_t side = std::min(widest, static_cast<std::uint64_t>(all));
    if (side < 3) break;
    const double cells = std::pow(static_cast<double>(side), c);
    const double work = std::pow(3.0, c) * (lookup + static_cast<double>(n) / cells);
    if (work >= least) continue;
    least = work;
    best = {c, side, static_cast<std::uint64_t>(cells)};
  }
  return best;
}

struct Points {
  const std::uint32_t* words;
  int r;
  int t;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t at(std::uint64_t point, int j) const {
    return words[point * static_cast<std::uint64_t>(t) + static_cast<std::uint64_t>(j)] << r;
  }
};

/// Keys: a point's cell above its index.
struct CellKeys {
  Points points;
  Grid grid;
  int index_bits;
  std::uint64_t* keys;

  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    std::uint64_t cell = 0;
    for (int j = 0; j < grid.coordinates; ++j)
      cell = cell * grid.side + grid.place(points.at(i, j));
    keys[i] = cell << index_bits | i;
  }
};

/// Puts the distances of pairs that are at most `limit` apart.
struct FindPairs {
  Points points;
  Grid grid;
  int index_bits;
  std::uint64_t count;
  const std::uint64_t* keys;
  std::uint32_t limit;
  std::uint32_t* distances;
  std::uint64_t room;
  std::uint64_t* found;

  KOKKOS_FUNCTION std::uint64_t first_not_below(std::uint64_t key) const {
    std::uint64_t first = 0;
    for (std::uint64_t left = count; left > 0;) {
      const std::uint64_t half = left / 2;
      if (keys[first + half] < key) {
        first += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return first;
  }
  KOKKOS_FUNCTION std::uint64_t point(std::uint64_t i) const {
    return keys[i] & ((std::uint64_t{1} << index_bits) - 1);
  }
  /// Compares the i-th point with those of a cell that are behind it.
  KOKKOS_FUNCTION void compare(std::uint64_t i, std::uint64_t cell) const {
    const std::uint64_t own = point(i);
    const std::uint64_t end = cell + 1;
    for (std::uint64_t k = first_not_below(cell << index_bits); k < count; ++k) {
      if (keys[k] >> index_bits >= end) return;
      if (k <= i) continue;
      const std::uint64_t other = point(k);
      std::uint32_t distance = 0;
      for (int j = points.t - 1; j >= 0 && distance <= limit; --j) {
        const std::uint32_t apart = points.at(own, j) - points.at(other, j);
        const std::uint32_t nearer = apart < 0 - apart ? apart : 0 - apart;
        distance = nearer > distance ? nearer : distance;
      }
      if (distance > limit) continue;
      const std::uint64_t place = Kokkos::atomic_fetch_add(found, std::uint64_t{1});
      if (place < room) distances[place] = distance;
    }
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    // Else equal points would all be compared with each other.
    if (detail::relaxed_load(found) > room) return;
    std::uint64_t around = 1;
    for (int j = 0; j < grid.coordinates; ++j) around *= 3;
    for (std::uint64_t one = 0; one < around; ++one) {
      std::uint64_t cell = 0;
      std::uint64_t steps = one;
      for (int j = 0; j < grid.coordinates; ++j, steps /= 3) {
        const std::uint64_t place = grid.place(points.at(point(i), j)) + grid.side + steps % 3 - 1;
        cell = cell * grid.side + place % grid.side;
      }
      compare(i, cell);
    }
  }
};

/// Leading bits in which all coordinates of neighbouring keys agree.
struct AgreedBits {
  const std::uint64_t* keys;
  int bits;
  int t;

  KOKKOS_FUNCTION void operator()(std::uint64_t i, std::uint64_t& most) const {
    std::uint64_t differ = keys[i] ^ keys[i - 1];
    int agreed = bits;
    for (; differ != 0; differ >>= 1) --agreed;
    const auto all = static_cast<std::uint64_t>(agreed / t);
    if (all > most) most = all;
  }
};

}  // namespace

TestCounts count_close_pairs(const Sample& of, int t, int least, double reach) {
  const Space& space = of.space();
  const std::uint64_t n = of.n;
  const Kokkos::View<std::uint32_t*, Space> words(
      Kokkos::view_alloc("rivulet::battery_points", Kokkos::WithoutInitializing),
      n * static_cast<std::uint64_t>(t));
  copy_words(of.tiles, of.position, words);
  const Points points{words.data(), of.r, t};
  detail::SortedKeys keys(space, n);
  const Kokkos::View<std::uint32_t*, Space> distances("rivulet::battery_distances",
                                                      most_close_pairs);
  const Kokkos::View<std::uint64_t, Space> found("rivulet::battery_found");
  const int index_bits = static_cast<int>(std::bit_width(n - 1));
  const auto find = [&](std::uint32_t limit) {
    const Grid grid = grid_for(n, t, limit);
    Kokkos::parallel_for("rivulet::battery_cells", LaneRange(space, 0, n),
                         CellKeys{points, grid, index_bits, keys.data()});
    keys.sort(index_bits + static_cast<int>(std::bit_width(grid.cells - 1)));
    Kokkos::deep_copy(space, found, std::uint64_t{0});
    Kokkos::parallel_for("rivulet::battery_pairs", LaneRange(space, 0, n),
                         FindPairs{points, grid, index_bits, n, keys.data(), limit,
                                   distances.data(), most_close_pairs, found.data()});
    space.fence();
    std::uint64_t pairs = 0;
    Kokkos::deep_copy(pairs, found);
    return pairs;
  };
  TestCounts result{{}, words.extent(0)};
  // Three times as many pairs as within `reach` are expected, and nearly always `least` of them.
  // Other numbers may have too few within one limit and more than there is room for within the
  // next: then all that are missing are that far apart.
  constexpr std::int64_t farthest = std::int64_t{1} << 31;
  std::int64_t too_few = -1, too_many = farthest + 1;
  auto limit = static_cast<std::int64_t>(
      std::min(std::ldexp(reach * std::pow(3.0, 1.0 / t), 32), static_cast<double>(farthest)));
  while (too_few + 1 < too_many) {
    const std::uint64_t pairs = find(static_cast<std::uint32_t>(limit));
    if (pairs > most_close_pairs) {
      too_many = limit;
      limit = too_few < 0 ? limit / 16 : (too_few + too_many) / 2;
      continue;
    }
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distances);
    result.counts.assign(on_host.data(), on_host.data() + pairs);
    std::sort(result.counts.begin(), result.counts.end());
    if (pairs >= static_cast<std::uint64_t>(least)) return result;
    too_few = limit;
    limit = too_many > farthest ? std::min(2 * limit + 1, farthest) : (too_few + too_many) / 2;
  }
  if (too_many <= farthest) {
    result.counts.resize(most_close_pairs, static_cast<std::uint64_t>(too_many));
  }
  return result;
}

TestCounts count_agreed_bits(const Sample& of, int t) {
  const detail::InterleavedBits item{{of.r, t}};
  const int bits = std::min(32, 64 / t) * t;
  const detail::SortedKeys keys = detail::sorted_cells(of, item, bits);
  std::uint64_t most = 0;
  Kokkos::parallel_reduce("rivulet::battery_agreed", LaneRange(of.space(), 1, of.n),
                          AgreedBits{keys.data(), bits, t}, Kokkos::Max<std::uint64_t>(most));
  return {{most}, of.n * item.words()};
}

}  // namespace rivulet
