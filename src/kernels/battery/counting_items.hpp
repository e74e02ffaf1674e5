// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/battery/counting.hpp"
#include "kernels/battery/histogram.hpp"

// What counts items (items.hpp, linked_items.hpp) over all tiles.

namespace rivulet::detail {

/// Items of a tile, shared by lanes.
template <class Item>
struct CountItems {
  Item item;
  Histogram histogram;
  LaneItems share;
  const std::uint32_t* words;
  std::uint64_t each;   ///< words of an item
  std::uint64_t first;  ///< index of the tile's first item

  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    if constexpr (requires { Item::sums; }) {
      std::uint64_t sum[Item::sums] = {};
      for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) {
        item(words + i * each, first + i, sum);
      }
      for (int k = 0; k < Item::sums; ++k) {
        histogram.add(lane, static_cast<std::uint64_t>(k), sum[k]);
      }
    } else {
      for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) {
        item(words + i * each, first + i, lane, histogram);
      }
    }
  }
};

/// Adds n items to a histogram, from the item of index `from` of those that begin at `position`.
template <class Item>
void add_items(WordTiles& tiles, std::uint64_t position, std::uint64_t from, std::uint64_t n,
               const Item& item, const Histogram& histogram) {
  const std::uint64_t each = item.words();
  std::uint64_t history = 0;
  if constexpr (requires { item.history(); }) history = item.history();
  const std::uint64_t at_once = (tiles.most() - history) / each;
  for (std::uint64_t done = from; done < from + n; done += at_once) {
    const std::uint64_t items = std::min(at_once, from + n - done);
    const std::uint64_t lanes = battery_lanes(tiles.space(), items);
    const std::uint64_t before = std::min(history, done * each);
    const std::uint32_t* const words =
        tiles.read(position + done * each - before, items * each + before) + before;
    Kokkos::parallel_for("rivulet::battery_items", LaneRange(tiles.space(), 0, lanes),
                         CountItems<Item>{item, histogram, {lanes, items}, words, each, done});
  }
}

/// Adds the words from .. from+words-1, which are items of a word each, or of `grouped` where these
/// begin at multiples of it.
template <class Item>
void add_grouped(WordTiles& tiles, std::uint64_t position, std::uint64_t from, std::uint64_t words,
                 Item item, int grouped, const Histogram& histogram) {
  const auto each = static_cast<std::uint64_t>(grouped);
  const std::uint64_t upto = from + words;
  const std::uint64_t first = std::min(upto, (from + each - 1) / each * each);
  const std::uint64_t last = std::max(first, upto / each * each);
  item.grouped = 1;
  add_items(tiles, position, from, first - from, item, histogram);
  item.grouped = grouped;
  add_items(tiles, position, first / each, (last - first) / each, item, histogram);
  item.grouped = 1;
  add_items(tiles, position, last, upto - last, item, histogram);
}

template <class Item>
TestCounts count_grouped(WordTiles& tiles, std::uint64_t position, std::uint64_t words,
                         std::uint64_t cells, const Item& item, int grouped) {
  const Histogram histogram(tiles.space(), cells);
  add_grouped(tiles, position, 0, words, item, grouped, histogram);
  return {histogram.sums(tiles.space()), words};
}

template <class Item>
TestCounts count_items(WordTiles& tiles, std::uint64_t position, std::uint64_t n,
                       std::uint64_t cells, const Item& item) {
  const Histogram histogram(tiles.space(), cells);
  add_items(tiles, position, 0, n, item, histogram);
  return {histogram.sums(tiles.space()), n * item.words()};
}

}  // namespace rivulet::detail
