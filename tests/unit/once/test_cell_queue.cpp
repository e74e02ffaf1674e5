// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "sampling/cell_queue.hpp"

namespace rivulet {
namespace {

using detail::CellQueue;
using detail::Kind;

/// Masses below, at and above a bucket, 0 and very large ones among them.
std::vector<std::uint64_t> random_masses(std::mt19937_64& engine, int cells) {
  std::vector<std::uint64_t> masses(static_cast<std::size_t>(cells));
  for (std::uint64_t& mass : masses) {
    const std::uint64_t kind = engine() % 8;
    mass = engine() >> (kind < 4 ? 31 : 8);
    if (kind == 5) mass = bucket_units;
    if (kind == 6) mass = bucket_units + 1;
    if (kind == 7) mass = 0;
  }
  return masses;
}

/// The result that append() promises, cell by cell.
template <Kind kind>
void expect_appended(const std::vector<std::uint64_t>& masses, std::uint32_t first,
                     std::uint64_t end) {
  const auto queue = std::make_unique<CellQueue<kind>>();
  queue->place[0] = 77;  // one cell is there before
  queue->cell[0] = 5;
  queue->count = 1;
  const std::uint64_t returned =
      queue->append(masses.data(), static_cast<int>(masses.size()), first, end);
  int at = 1;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const bool light = masses[i] < bucket_units;
    if (masses[i] == bucket_units || light != (kind == Kind::light)) continue;
    const std::uint64_t begin = end;
    end += light ? bucket_units - masses[i] : masses[i] - bucket_units;
    ASSERT_LT(at, queue->count);
    EXPECT_EQ(queue->place[at], light ? begin : end) << i;
    EXPECT_EQ(queue->cell[at], first + i);
    ++at;
  }
  EXPECT_EQ(at, queue->count);
  EXPECT_EQ(returned, end);
  EXPECT_EQ(queue->place[0], 77U);
  EXPECT_EQ(queue->cell[0], 5U);
}

TEST(CellQueue, HoldsTheCellsOfItsKindInOrder) {
  std::mt19937_64 engine(1);
  for (const int cells :
       {1, 2, 7, 8, 9, 15, 16, 17, detail::chunk_cells - 1, detail::chunk_cells}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const auto masses = random_masses(engine, std::min(cells, detail::chunk_cells));
      expect_appended<Kind::light>(masses, 4000000000U, engine() >> 2);
      expect_appended<Kind::heavy>(masses, 0, engine() >> 2);
    }
  }
}

TEST(CellQueue, FindsPlaces) {
  const auto queue = std::make_unique<CellQueue<Kind::light>>();
  for (const std::uint64_t place : {3, 5, 8, 13, 21}) {
    queue->place[queue->count++] = place;
  }
  EXPECT_EQ(queue->first_from(0), 0);
  EXPECT_EQ(queue->first_from(8), 2);
  EXPECT_EQ(queue->first_from(9), 3);
  EXPECT_EQ(queue->first_from(22), 5);
  queue->at = 4;
  EXPECT_EQ(queue->first_from(5), 4);
}

}  // namespace
}  // namespace rivulet
