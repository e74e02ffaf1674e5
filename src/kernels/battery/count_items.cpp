// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>

#include "kernels/battery/counting.hpp"
#include "kernels/battery/items.hpp"
#include "kernels/battery/sorted_keys.hpp"

namespace rivulet {
namespace {

using detail::Histogram;

/// Items of a tile, shared by lanes.
template <class Item>
struct CountItems {
  Item item;
  Histogram histogram;
  detail::LaneItems share;
  const std::uint32_t* words;
  std::uint64_t each;   ///< words of an item
  std::uint64_t first;  ///< index of the tile's first item

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) {
      item(words + i * each, first + i, lane, histogram);
    }
  }
};

template <class Item>
TestCounts count_items(WordTiles& tiles, std::uint64_t position, std::uint64_t n,
                       std::uint64_t cells, const Item& item) {
  const Space& space = tiles.space();
  const Histogram histogram(space, cells);
  const std::uint64_t each = item.words();
  const std::uint64_t at_once = tiles.most() / each;
  for (std::uint64_t done = 0; done < n; done += at_once) {
    const std::uint64_t items = std::min(at_once, n - done);
    const std::uint64_t lanes = detail::battery_lanes(space, items);
    const std::uint32_t* const words = tiles.read(position + done * each, items * each);
    Kokkos::parallel_for("rivulet::battery_items", detail::LaneRange(space, 0, lanes),
                         CountItems<Item>{item, histogram, {lanes, items}, words, each, done});
  }
  return {histogram.sums(space), n * each};
}

std::uint64_t cells_to(int last) { return static_cast<std::uint64_t>(last) + 1; }

/// The least number, times 2^32, of each of d classes floor(d u^t). Neighbouring classes have
/// neighbouring numbers: a guess from the inverse is off by a few.
std::vector<std::uint32_t> class_limits(int d, int t) {
  const double power = t;
  const double classes = d;
  const auto class_of = [&](std::int64_t u) {
    return static_cast<int>(std::pow(std::ldexp(static_cast<double>(u), -32), power) * classes);
  };
  std::vector<std::uint32_t> least(static_cast<std::size_t>(d));
  for (int c = 1; c < d; ++c) {
    auto u = static_cast<std::int64_t>(std::ldexp(std::pow(c / classes, 1 / power), 32));
    while (class_of(u) >= c) --u;
    while (class_of(u) < c) ++u;
    least[static_cast<std::size_t>(c)] = static_cast<std::uint32_t>(u);
  }
  return least;
}

}  // namespace

TestCounts count_poker_hands(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                             std::uint32_t d, int k) {
  return count_items(tiles, position, n, cells_to(std::min(static_cast<int>(d), k)),
                     detail::PokerHand{r, d, k});
}

TestCounts count_weights(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                         std::uint64_t limit, int k) {
  return count_items(tiles, position, n, cells_to(k), detail::NumbersBelow{r, limit, k});
}

TestCounts count_ranks(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                       int rows, int columns) {
  return count_items(tiles, position, n, cells_to(std::min(rows, columns)),
                     detail::MatrixRank{r, s, rows, columns});
}

TestCounts count_weight_pairs(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                              int s, int length) {
  return count_items(tiles, position, n, cells_to(length) * cells_to(length),
                     detail::WeightPair{r, s, length});
}

TestCounts count_walks(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int s,
                       int length) {
  return count_items(tiles, position, n, detail::RandomWalk::statistics * cells_to(length),
                     detail::RandomWalk{r, s, length});
}

LargestCounts count_largest(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r, int d,
                            int t) {
  const std::vector<std::uint32_t> limits = class_limits(d, t);
  Kokkos::View<std::uint32_t*, Space> least("rivulet::battery_classes", limits.size());
  Kokkos::deep_copy(
      least, Kokkos::View<const std::uint32_t*, Kokkos::HostSpace,
                          Kokkos::MemoryTraits<Kokkos::Unmanaged>>(limits.data(), limits.size()));
  detail::SortedKeys keys(tiles.space(), n);
  LargestCounts found{count_items(tiles, position, n, static_cast<std::uint64_t>(d),
                                  detail::LargestNumber{r, t, least.data(), d, keys.data()}),
                      {}};
  keys.sort(32);
  found.largest = keys.on_host();
  return found;
}

}  // namespace rivulet
