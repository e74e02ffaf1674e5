// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>

#include "kernels/battery/counting.hpp"
#include "kernels/battery/items.hpp"
#include "kernels/battery/sorted_keys.hpp"

// Points are t numbers that follow each other, and a point's cell is made of these.

namespace rivulet {
namespace detail {
namespace {

/// The cell of t numbers below d, the first coordinate most significant.
struct CellOfDigits {
  PointShape shape;
  KOKKOS_FUNCTION std::uint64_t operator()(const std::uint32_t* word) const {
    std::uint64_t cell = 0;
    for (int j = 0; j < shape.t; ++j) {
      cell = cell * shape.d + strip_number(word[j], shape.r, shape.d);
    }
    return cell;
  }
};

/// That of their order.
struct CellOfOrder {
  int r;
  int t;
  KOKKOS_FUNCTION std::uint64_t operator()(const std::uint32_t* word) const {
    return order_of(word, r, t);
  }
};

/// What is done with the cells of points: keys, one for each, or counts.
struct KeepCell {
  std::uint64_t* keys;
  KOKKOS_FUNCTION void operator()(std::uint64_t point, std::uint64_t, std::uint64_t cell) const {
    keys[point] = cell;
  }
};
struct CountCell {
  Histogram histogram;
  KOKKOS_FUNCTION void operator()(std::uint64_t, std::uint64_t lane, std::uint64_t cell) const {
    histogram.add(lane, cell);
  }
};

/// The points of a tile, `each` words apart.
template <class Cell, class Found>
struct TilePoints {
  const std::uint32_t* words;
  std::uint64_t each;
  std::uint64_t first;  ///< index of the tile's first point
  LaneItems share;
  Cell cell;
  Found found;
  KOKKOS_FUNCTION void operator()(std::uint64_t lane) const {
    for (std::uint64_t i = share.begin(lane); i < share.end(lane); i += share.step()) {
      found(first + i, lane, cell(words + i * each));
    }
  }
};

template <class Cell, class Found>
void draw_points(const Space& space, const TilePoints<Cell, Found>& points) {
  Kokkos::parallel_for("rivulet::battery_cells", LaneRange(space, 0, points.share.lanes), points);
}

/// Cells of n points of t words each.
template <class Cell, class Found>
void draw_points(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int t, const Cell& cell,
                 const Found& found) {
  const auto each = static_cast<std::uint64_t>(t);
  const std::uint64_t at_once = tiles.most() / each;
  for (std::uint64_t done = 0; done < n; done += at_once) {
    const std::uint64_t points = std::min(at_once, n - done);
    const std::uint32_t* const words = tiles.read(position + done * each, points * each);
    draw_points(
        tiles.space(),
        TilePoints<Cell, Found>{
            words, each, done, {battery_lanes(tiles.space(), points), points}, cell, found});
  }
}

/// Cells of n points that begin at each of n words, which are a circle.
template <class Cell, class Found>
void draw_overlapping_points(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int t,
                             const Cell& cell, const Found& found) {
  using Words = Kokkos::View<std::uint32_t*, Space>;
  using Read = Kokkos::View<const std::uint32_t*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Space& space = tiles.space();
  const auto shared = static_cast<std::uint64_t>(t) - 1;
  // Points that begin at the last words end with the first ones.
  const Words around("rivulet::battery_around", 2 * shared);
  const auto read = [&](std::uint64_t at, std::uint64_t to) {
    Kokkos::deep_copy(space, Kokkos::subview(around, Kokkos::make_pair(to, to + shared)),
                      Read(tiles.read(position + at, shared), shared));
    space.fence();
  };
  read(0, shared);
  const std::uint64_t at_once = tiles.most() - shared;
  for (std::uint64_t done = 0; done < n - shared; done += at_once) {
    const std::uint64_t points = std::min(at_once, n - shared - done);
    const std::uint32_t* const words = tiles.read(position + done, points + shared);
    draw_points(space, TilePoints<Cell, Found>{
                           words, 1, done, {battery_lanes(space, points), points}, cell, found});
  }
  read(n - shared, 0);
  draw_points(
      space,
      TilePoints<Cell, Found>{
          around.data(), 1, n - shared, {battery_lanes(space, shared), shared}, cell, found});
  space.fence();
}

SortedKeys sorted_cells(WordTiles& tiles, std::uint64_t position, const PointShape& shape) {
  SortedKeys keys(tiles.space(), shape.n);
  draw_points(tiles, position, shape.n, shape.t, CellOfDigits{shape}, KeepCell{keys.data()});
  keys.sort(static_cast<int>(std::bit_width(shape.cells() - 1)));
  return keys;
}

}  // namespace
}  // namespace detail

std::uint64_t PointShape::cells() const {
  std::uint64_t all = 1;
  for (int j = 0; j < t; ++j) all *= d;
  return all;
}

std::uint64_t count_collisions(WordTiles& tiles, std::uint64_t position, const PointShape& shape) {
  return detail::sorted_cells(tiles, position, shape).repeated();
}

std::uint64_t count_overlapping_collisions(WordTiles& tiles, std::uint64_t position,
                                           const PointShape& shape) {
  detail::SortedKeys keys(tiles.space(), shape.n);
  detail::draw_overlapping_points(tiles, position, shape.n, shape.t, detail::CellOfDigits{shape},
                                  detail::KeepCell{keys.data()});
  keys.sort(static_cast<int>(std::bit_width(shape.cells() - 1)));
  return keys.repeated();
}

std::uint64_t count_equal_orders(WordTiles& tiles, std::uint64_t position, std::uint64_t n, int r,
                                 int t, std::uint64_t orders) {
  detail::SortedKeys keys(tiles.space(), n);
  detail::draw_points(tiles, position, n, t, detail::CellOfOrder{r, t},
                      detail::KeepCell{keys.data()});
  keys.sort(static_cast<int>(std::bit_width(orders - 1)));
  return keys.repeated();
}

TestCounts count_serial(WordTiles& tiles, std::uint64_t position, const PointShape& shape) {
  const detail::Histogram histogram(tiles.space(), shape.cells());
  detail::draw_overlapping_points(tiles, position, shape.n, shape.t, detail::CellOfDigits{shape},
                                  detail::CountCell{histogram});
  return {{histogram.squares(tiles.space()), histogram.squares(tiles.space(), shape.d)}, shape.n};
}

std::uint64_t count_equal_spacings(WordTiles& tiles, std::uint64_t position,
                                   const PointShape& shape) {
  detail::SortedKeys keys = detail::sorted_cells(tiles, position, shape);
  keys.to_spacings(shape.cells());
  keys.sort(keys.bits());
  return keys.repeated();
}

}  // namespace rivulet
