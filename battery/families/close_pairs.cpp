// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <iterator>

#include "battery/families/family.hpp"
#include "rivulet/detail/team_atomics.hpp"

// Finds close pairs of points in the maximum norm on the torus. If the cells of a grid are at least
// as wide as the searched distance, both points of a pair are in the same cell or in adjacent
// cells. Points are therefore sorted by cell, and each point is compared only with the points in
// its own cell and in adjacent cells. Coordinates are multiplied by 2^32, so distances are exact
// integers.

namespace rivulet::detail {
namespace {

constexpr std::uint64_t most_pairs = 1U << 16;  ///< maximum number of pairs that one search stores
constexpr std::uint64_t kept_pairs = 128;       ///< distances kept per replication
constexpr int min_pairs = 30;                   ///< TestU01's m

/// A grid over the first `coordinates` coordinates, with `side` >= 3 cells per coordinate. Without
/// coordinates, the grid is one cell.
struct Grid {
  int coordinates = 0;
  std::uint64_t side = 1;
  std::uint64_t cells = 1;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t place(std::uint32_t number) const {
    return number * side >> 32;
  }
};

/// Returns the grid with the lowest estimated work per point. The work is to look up the point's
/// own cell and the adjacent cells, and to compare the point with the points in these cells.
Grid grid_for(std::uint64_t n, int t, std::uint32_t limit) {
  constexpr double lookup = 8;  // cost of a binary search relative to one comparison of points
  const auto widest = static_cast<std::uint64_t>(std::ldexp(1.0, 32) / (limit + 1.0));
  Grid best;
  double min_work = to_double(n);
  for (int c = 1; c <= t; ++c) {
    const double all = std::pow(4 * to_double(n), 1.0 / c);
    const std::uint64_t side = std::min(widest, static_cast<std::uint64_t>(all));
    if (side < 3) break;
    const double cells = std::pow(to_double(side), c);
    const double work = std::pow(3.0, c) * (lookup + to_double(n) / cells);
    if (work >= min_work) continue;
    min_work = work;
    best = {c, side, static_cast<std::uint64_t>(cells)};
  }
  return best;
}

struct Points {
  const std::uint32_t* words;
  int r;
  int t;

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t at(std::uint64_t point, int j) const {
    return words[point * to_u64(t) + to_u64(j)] << r;
  }
};

/// Writes one key per point. The lowest index_bits bits are the point's index, and the higher bits
/// are its cell.
void put_cells(const Space& space, const Points& points, const Grid& grid, int index_bits,
               std::uint64_t n, std::uint64_t* keys) {
  for_each(
      space, n, "rivulet::battery_cells", KOKKOS_LAMBDA(const std::uint64_t i) {
        std::uint64_t cell = 0;
        for (int j = 0; j < grid.coordinates; ++j) {
          cell = cell * grid.side + grid.place(points.at(i, j));
        }
        keys[i] = cell << index_bits | i;
      });
}

/// Stores the distances of pairs that are at most `limit` apart.
struct FindPairs {
  Points points;
  Grid grid;
  int index_bits;
  std::uint64_t count;
  const std::uint64_t* keys;
  std::uint32_t limit;
  Owned<std::uint32_t> distances;
  Kokkos::View<std::uint64_t, Space> found;

  KOKKOS_FUNCTION std::uint64_t point(std::uint64_t i) const {
    return keys[i] & ((std::uint64_t{1} << index_bits) - 1);
  }
  /// Compares the i-th point with later points of a cell.
  KOKKOS_FUNCTION void compare(std::uint64_t i, std::uint64_t cell) const {
    const std::uint64_t this_point = point(i);
    const std::uint64_t end = cell + 1;
    for (std::uint64_t k = keys_below(keys, count, cell << index_bits); k < count; ++k) {
      if (keys[k] >> index_bits >= end) return;
      if (k <= i) continue;
      const std::uint64_t other = point(k);
      std::uint32_t distance = 0;
      for (int j = points.t - 1; j >= 0 && distance <= limit; --j) {
        const std::uint32_t difference = points.at(this_point, j) - points.at(other, j);
        const std::uint32_t coordinate_distance =
            difference < 0 - difference ? difference : 0 - difference;
        distance = coordinate_distance > distance ? coordinate_distance : distance;
      }
      if (distance > limit) continue;
      const std::uint64_t index = Kokkos::atomic_fetch_add(&found(), std::uint64_t{1});
      if (index < distances.extent(0)) distances(index) = distance;
    }
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    // Stops the search after too many pairs. Without this limit, n equal points would need n^2
    // comparisons.
    if (relaxed_load(&found()) > distances.extent(0)) return;
    std::uint64_t neighbours = 1;
    for (int j = 0; j < grid.coordinates; ++j) neighbours *= 3;
    for (std::uint64_t neighbour = 0; neighbour < neighbours; ++neighbour) {
      std::uint64_t cell = 0;
      std::uint64_t steps = neighbour;
      for (int j = 0; j < grid.coordinates; ++j, steps /= 3) {
        const std::uint64_t shifted =
            grid.place(points.at(point(i), j)) + grid.side + steps % 3 - 1;
        cell = cell * grid.side + shifted % grid.side;
      }
      compare(i, cell);
    }
  }
};

/// Returns the ascending distances, times 2^32, of all pairs of points that are at most `reach`
/// apart. Returns at least the `min_pairs` smallest distances, and at most most_pairs distances.
Replication nearest_pairs(const Sample& sample, Test test, double reach) {
  const Space& space = sample.space();
  const std::uint64_t n = sample.n;
  const auto words = uninitialised<std::uint32_t>("rivulet::battery_points", n * to_u64(test.t));
  copy_words(sample.tiles, sample.position, words);
  const Points points{words.data(), test.r, test.t};
  SortedKeys keys(space, n);
  const Owned<std::uint32_t> distances("rivulet::battery_distances", most_pairs);
  const Kokkos::View<std::uint64_t, Space> found("rivulet::battery_found");
  const int index_bits = static_cast<int>(std::bit_width(n - 1));
  const auto find = [&](std::uint32_t limit) {
    const Grid grid = grid_for(n, test.t, limit);
    put_cells(space, points, grid, index_bits, n, keys.data());
    keys.sort(index_bits + static_cast<int>(std::bit_width(grid.cells - 1)));
    Kokkos::deep_copy(space, found, std::uint64_t{0});
    Kokkos::parallel_for(
        "rivulet::battery_pairs", LaneRange(space, 0, n),
        FindPairs{points, grid, index_bits, n, keys.data(), limit, distances, found});
    space.fence();
    std::uint64_t pairs = 0;
    Kokkos::deep_copy(pairs, found);
    return pairs;
  };
  Replication result{{}, words.extent(0)};
  // Within the first limit, three times as many pairs are expected as within `reach`. The actual
  // number is nearly always larger than `min_pairs`. If numbers have few bits, one limit may yield
  // too few pairs, and the next larger limit too many. The missing pairs then all have the larger
  // distance.
  constexpr std::int64_t farthest = std::int64_t{1} << 31;
  std::int64_t too_few = -1, too_many = farthest + 1;
  auto limit = static_cast<std::int64_t>(
      std::min(std::ldexp(reach * std::pow(3.0, 1.0 / test.t), 32), static_cast<double>(farthest)));
  while (too_few + 1 < too_many) {
    const std::uint64_t pairs = find(static_cast<std::uint32_t>(limit));
    if (pairs > most_pairs) {
      too_many = limit;
      limit = too_few < 0 ? limit / 16 : (too_few + too_many) / 2;
      continue;
    }
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distances);
    result.counts.assign(on_host.data(), on_host.data() + pairs);
    std::sort(result.counts.begin(), result.counts.end());
    if (pairs >= min_pairs) return result;
    too_few = limit;
    limit = too_many > farthest ? std::min(2 * limit + 1, farthest) : (too_few + too_many) / 2;
  }
  if (too_many <= farthest) result.counts.resize(most_pairs, static_cast<std::uint64_t>(too_many));
  return result;
}

/// Returns f such that, on average, distance^t / f pairs of n points are at most `distance` apart.
double volume_per_pair(double n, int t) { return std::ldexp(2 / (n * (n - 1)), -t); }

double distance_of(std::uint64_t counted) { return std::ldexp(to_double(counted), -32); }

/// Returns the number of near pairs, followed by the 128 smallest distances. Near pairs are the
/// `min_pairs` closest pairs and all pairs within close_pairs_reach().
Replication count_pairs(const Sample& sample, Test test) {
  const double reach = close_pairs_reach(to_double(test.n), test.t, min_pairs);
  Replication found = nearest_pairs(sample, test, reach);
  std::size_t near = 0;
  while (near < found.counts.size() &&
         (near < to_u64(min_pairs) || distance_of(found.counts[near]) <= reach)) {
    ++near;
  }
  found.counts.resize(kept_pairs);
  found.counts.insert(found.counts.begin(), near);
  return found;
}

std::vector<PValue> judge_pairs(Test test, Counters counters, Reals) {
  std::vector<std::vector<double>> distances;
  for (const Counters row : rows_of(test, counters)) {
    std::ranges::transform(row.subspan(1, std::min(row[0], kept_pairs)),
                           std::back_inserter(distances.emplace_back()), distance_of);
  }
  std::vector<PValue> found = close_pairs_p_values(to_double(test.n), test.t, min_pairs, distances);
  if (test.t <= 2) found.pop_back();  // as in TestU01's batteries
  return found;
}

/// Transforms the spacings of sorted uniform values in [0, 1] into new sorted uniform values.
std::vector<double> after_spacings(const std::vector<double>& sorted) {
  std::vector<double> spacings = sorted;
  spacings.push_back(1);
  std::adjacent_difference(spacings.begin(), spacings.end(), spacings.begin());
  std::sort(spacings.begin(), spacings.end());
  std::vector<double> values;
  double sum = 0;
  double smaller = 0;
  for (std::size_t i = 0; i + 1 < spacings.size(); ++i) {
    sum += to_double(spacings.size() - i) * (spacings[i] - smaller);
    smaller = spacings[i];
    values.push_back(sum);
  }
  return values;
}

/// Interleaves the bits of t numbers. Each number contributes as many leading bits as fit into 64
/// bits.
struct InterleavedBits : Numbers {
  KOKKOS_FUNCTION std::uint64_t cell(const std::uint32_t* word) const {
    std::uint64_t bits = 0;
    for (int b = 31; b > 31 - 64 / t && b >= 0; --b) {
      for (int j = 0; j < t; ++j) bits = bits << 1 | (word[j] << r >> b & 1);
    }
    return bits;
  }
};

/// Judges the largest number of agreed bits by its exact tails. TestU01's right tail omits the
/// observed value.
std::vector<PValue> judge_agreed_bits(Test test, Counters counters, Reals) {
  const auto longest = static_cast<int>(*std::ranges::max_element(counters));
  const double pairs = to_double(test.N) * to_double(test.n) * (to_double(test.n) - 1) / 2;
  const auto exponent = [&](int agreed) {  // ln P(no pair agrees in `agreed` bits)
    return pairs * std::log1p(-std::exp2(-static_cast<double>(test.t) * agreed));
  };
  const double left = std::exp(exponent(longest + 1));
  const double right = longest == 0 ? 1 : -std::expm1(exponent(longest));
  return {{"", static_cast<double>(longest), discrete_p({left, right}),
           discrete_p({left, -std::expm1(exponent(longest + 1))})}};
}

}  // namespace

double close_pairs_reach(double n, int t, int m) {
  return std::pow(m * volume_per_pair(n, t), 1. / t);
}

std::vector<PValue> close_pairs_p_values(double n, int t, int m,
                                         const std::vector<std::vector<double>>& distances) {
  const double square = volume_per_pair(n, t);
  std::vector<double> first_spacings, p_values, all, positions;
  for (const std::vector<double>& replication : distances) {
    double last = 0;
    std::vector<double> spacings;
    for (const double distance : replication) {
      const double jump = std::pow(distance, t) / square;
      if (spacings.size() < to_u64(m)) spacings.push_back(-std::expm1(last - jump));
      if (jump <= m) positions.push_back(jump / m);
      last = jump;
    }
    first_spacings.push_back(spacings[0]);
    p_values.push_back(anderson_darling(spacings).p);
    all.insert(all.end(), spacings.begin(), spacings.end());
  }
  std::sort(positions.begin(), positions.end());
  const auto judged = [](const char* statistic, const std::vector<double>& values) -> PValue {
    if (values.empty()) return {statistic, 0, 1};
    const AndersonDarling found = anderson_darling(values);
    return {statistic, found.statistic, found.p};
  };
  return {judged("NP", first_spacings),
          judged("mNP", p_values),
          judged("mNP1", all),
          judged("mNP2", positions),
          {"NJumps", to_double(positions.size()),
           poisson_p(to_double(distances.size()) * m, positions.size())},
          judged("mNP2S", positions.empty() ? positions : after_spacings(positions))};
}

/// snpair_ClosePairs (N > 1 replications) judges the distances of the 30 closest pairs, and of all
/// pairs within the distance at which 30 pairs are expected. L'Ecuyer, Cordeau & Simard, Oper. Res.
/// 48 (2000) 308.
TestClass families::close_pairs() {
  TestClass pairs("ClosePairs", "t = {t}, p = 0, m = 30");
  pairs.counters = [](Test) { return kept_pairs + 1; };
  pairs.item_words = words_of_group;
  pairs.bytes = [](Test test) {
    return test.n * to_u64(test.t) * sizeof(std::uint32_t) + bytes_of_keys(test);
  };
  pairs.counted = count_pairs;
  pairs.judge = judge_pairs;
  return pairs;
}

/// snpair_ClosePairsBitMatch finds the largest number b <= 64 / t for which two points agree in the
/// b leading bits of all t coordinates.
TestClass families::bit_match() {
  TestClass agreed("ClosePairsBitMatch", "t = {t}");
  agreed.item_words = words_of_group;
  agreed.bytes = bytes_of_keys;
  agreed.counted = [](const Sample& sample, Test test) {
    const InterleavedBits item{{test.r, test.t}};
    const int bits = std::min(32, 64 / test.t) * test.t;
    const auto agreed_bits = to_u64(sorted_cells(sample, item, bits).agreed(bits) / test.t);
    return Replication{{agreed_bits}, sample.n * item.words()};
  };
  agreed.judge = judge_agreed_bits;
  return agreed;
}

}  // namespace rivulet::detail
