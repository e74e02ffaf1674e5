// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>

#include "battery/counting/counting_items.hpp"

// Points are t numbers that follow each other, and a point's cell is made of these.

namespace rivulet {
namespace {

using detail::CellOfPoint;
using detail::Histogram;
using detail::SortedKeys;

/// Of numbers below so many.
int bits_below(std::uint64_t cells) { return static_cast<int>(std::bit_width(cells - 1)); }

/// Adds the n items that begin at each of n words, which are a circle.
template <class Item>
void add_overlapping(const Sample& of, const Item& item, const Histogram& histogram) {
  const std::uint64_t shared = item.words() - 1;
  const auto add = [&](const std::uint32_t* words, std::uint64_t first, std::uint64_t items) {
    detail::count_tile(
        of.space(),
        detail::CountItems<Item>{
            item, histogram, {detail::battery_lanes(of.space(), items), items}, words, 1, first});
  };
  // Points that begin at the last words end with the first ones.
  const Kokkos::View<std::uint32_t*, Space> around("rivulet::battery_around", 2 * shared);
  const auto keep = [&](std::uint64_t at, std::uint64_t to) {
    copy_words(of.tiles, of.position + at,
               Kokkos::subview(around, Kokkos::make_pair(to, to + shared)));
  };
  keep(0, shared);
  const std::uint64_t at_once = of.tiles.most() - shared;
  for (std::uint64_t done = 0; done < of.n - shared; done += at_once) {
    const std::uint64_t points = std::min(at_once, of.n - shared - done);
    add(of.read(done, points + shared), done, points);
  }
  keep(of.n - shared, 0);
  add(around.data(), of.n - shared, shared);
  of.space().fence();
}

template <class Cell>
TestCounts serial(const Sample& of, const Cell& cell, std::uint32_t d) {
  const Histogram histogram(of.space(), cells_of(d, cell.t));
  add_overlapping(of, cell, histogram);
  return {{histogram.squares(of.space()), histogram.squares(of.space(), d)}, of.n};
}

}  // namespace

std::uint64_t cells_of(std::uint32_t d, int t) {
  std::uint64_t all = 1;
  for (int j = 0; j < t; ++j) all *= d;
  return all;
}

TestCounts count_collisions(const Sample& of, std::uint32_t d, int t) {
  const CellOfPoint cell{{of.r, t}, d};
  return {{detail::sorted_cells(of, cell, bits_below(cells_of(d, t))).repeated()},
          of.n * cell.words()};
}

TestCounts count_overlapping_collisions(const Sample& of, std::uint32_t d, int t) {
  SortedKeys keys(of.space(), of.n);
  add_overlapping(of, detail::KeptCells<CellOfPoint>{{{of.r, t}, d}, keys.data()},
                  Histogram(of.space(), 1));
  keys.sort(bits_below(cells_of(d, t)));
  return {{keys.repeated()}, of.n};
}

TestCounts count_equal_orders(const Sample& of, int t, std::uint64_t orders) {
  const detail::NumberOrder order{{of.r, t}};
  return {{detail::sorted_cells(of, order, bits_below(orders)).repeated()}, of.n * order.words()};
}

TestCounts count_serial(const Sample& of, std::uint32_t d, int t) {
  return serial(of, CellOfPoint{{of.r, t}, d}, d);
}

TestCounts count_serial_rests(const Sample& of, int t) {
  return serial(of, detail::CellOfRests{{of.r, t}}, 3);
}

TestCounts count_equal_spacings(const Sample& of, std::uint32_t d, int t) {
  const CellOfPoint cell{{of.r, t}, d};
  SortedKeys keys = detail::sorted_cells(of, cell, bits_below(cells_of(d, t)));
  keys.to_spacings(cells_of(d, t));
  keys.sort(keys.bits());
  return {{keys.repeated()}, of.n * cell.words()};
}

}  // namespace rivulet
