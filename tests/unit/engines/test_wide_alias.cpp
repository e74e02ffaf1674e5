// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "alias_samplers.hpp"
#include "sampling/alias_table.hpp"

namespace rivulet {

/// A few scripted draws by one thread of the space.
struct DrawScript {
  static constexpr int draws = 8;
  WideAliasTable::Levels table;
  Kokkos::View<const std::uint32_t*, Space> words;
  Kokkos::View<std::uint32_t*, Space> cells;

  KOKKOS_FUNCTION void operator()(int) const {
    AliasDraws<WideAliasEntry, 1, draws> drawn;
    const auto count = static_cast<int>(cells.extent(0));
    drawn.draw(table, count, words.data(), cells.extent(0), false);
    for (int i = 0; i < count; ++i) cells(i) = drawn.cell[i];
  }
};

namespace {

using Extents = std::vector<std::uint64_t>;

ExactWeights<double> exact_of(const std::vector<double>& weights) {
  const auto view = device_copy(weights);
  return {view, weight_exponent(largest_weight(Space(), view), weights.size())};
}

WideAliasTable wide_table(const std::vector<double>& weights, const Extents& extents) {
  return make_alias_table<WideAliasEntry>(Space(), exact_of(weights), extents);
}

/// The mass that buckets give each cell.
std::vector<Uint128> masses_of(const std::vector<WideAliasEntry>& entries) {
  std::vector<Uint128> masses(entries.size());
  for (std::size_t bucket = 0; bucket < entries.size(); ++bucket) {
    const WideAliasEntry entry = entries[bucket];
    const Uint128 own = entry.alias == bucket ? Uint128{1} << 64 : entry.threshold;
    masses[bucket] += own;
    masses[entry.alias] += (Uint128{1} << 64) - own;
  }
  return masses;
}

/// Weights over hundreds of decades, or a few, with ties and zeros.
std::vector<double> weights_of_kind(std::mt19937_64& engine, std::size_t cells, int kind) {
  std::uniform_real_distribution<double> unit;
  std::vector<double> weights(cells);
  for (double& weight : weights) {
    const double u = unit(engine);
    if (kind == 0) weight = u;
    if (kind == 1) weight = std::floor(10 * u);
    if (kind == 2) weight = std::ldexp(1.0, -static_cast<int>(60 * u));
    if (kind == 3) weight = std::pow(10.0, 600 * u - 300);
    if (kind == 4) weight = u < 0.9 ? 0 : u;
    if (kind == 5) weight = std::ldexp(1.0, -static_cast<int>(40 * u));
  }
  weights[engine() % cells] += 1;
  return weights;
}

TEST(WideAlias, MassesAreExactAndBucketsLoseNone) {
  std::mt19937_64 engine(20261122);
  for (int i = 0; i < 300; ++i) {
    const std::size_t cells = i % 50 == 49 ? 70000 : 1 + engine() % 300;
    const auto weights = weights_of_kind(engine, cells, i % 5);
    const int exponent = weight_exponent(*std::ranges::max_element(weights), cells);
    const auto entries = host_copy(wide_table(weights, {cells}).levels().entries[0]);
    ASSERT_TRUE(masses_of(entries) == largest_remainder_of_bits(weights, exponent, 64)) << i;
    for (std::size_t c = 0; c < cells; ++c) {
      if (weights[c] != 0) continue;
      ASSERT_EQ(entries[c].threshold, 0U);
      ASSERT_NE(entries[c].alias, c);
    }
    for (const WideAliasEntry& entry : entries) ASSERT_GT(weights[entry.alias], 0.0);
  }
}

TEST(WideAlias, TheSweepIsThatOfNarrowBuckets) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 100; ++i) {
    const auto weights = weights_of_kind(engine, 1 + engine() % 200, i % 5);
    const auto narrow = largest_remainder(weights);
    std::vector<Uint128> wide;
    for (const std::uint64_t mass : narrow) wide.push_back(Uint128{mass} << 32);
    const auto entries = detail::entries_of<WideAliasEntry>(wide);
    const auto expected = sequential_sweep(narrow);
    for (std::size_t c = 0; c < expected.size(); ++c) {
      ASSERT_EQ(entries[c].alias, expected[c].alias) << i << ' ' << c;
      if (expected[c].alias == c) {
        ASSERT_EQ(entries[c].threshold, ~std::uint64_t{0});
      } else {
        ASSERT_EQ(entries[c].threshold, std::uint64_t{expected[c].threshold} << 32);
      }
    }
  }
}

/// The bucket and the coin of 96 bits, in units of 2^-64 of a bucket.
Uint128 position_of(Uint128 words, std::uint64_t cells) { return words * cells >> 32; }

/// How many of the 2^96 values of three words point below a place, by bisection.
Uint128 values_below(Uint128 place, std::uint64_t cells) {
  Uint128 low = 0;
  Uint128 high = Uint128{1} << 96;
  while (low < high) {
    const Uint128 middle = (low + high) / 2;
    if (position_of(middle, cells) < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

TEST(WideAlias, ProbabilitiesAreCountsOfWords) {
  std::mt19937_64 engine(8);
  for (const std::size_t cells : {1UL, 2UL, 3UL, 37UL, 300UL}) {
    const auto weights = weights_of_kind(engine, cells, 2);
    const WideAliasTable table = wide_table(weights, {cells});
    const auto entries = host_copy(table.levels().entries[0]);
    std::vector<Uint128> values(cells);
    for (std::size_t bucket = 0; bucket < cells; ++bucket) {
      const Uint128 begin = Uint128{bucket} << 64;
      const bool full = entries[bucket].alias == bucket;
      const Uint128 own = full ? Uint128{1} << 64 : entries[bucket].threshold;
      const Uint128 turn = values_below(begin + own, cells);
      values[bucket] += turn - values_below(begin, cells);
      values[entries[bucket].alias] += values_below(begin + (Uint128{1} << 64), cells) - turn;
    }
    const auto drawn = host_copy(cell_probabilities(Space(), table));
    ASSERT_EQ(drawn.size(), cells);
    for (std::size_t c = 0; c < cells; ++c) {
      const auto exact = std::ldexp(static_cast<long double>(values[c]), -96);
      EXPECT_DOUBLE_EQ(drawn[c], static_cast<double>(exact)) << cells << ' ' << c;
    }
  }
}

TEST(WideAlias, NarrowProbabilitiesAreCountsOfWords) {
  std::mt19937_64 engine(9);
  const auto below = [](std::uint64_t place, std::uint64_t cells) {
    Uint128 low = 0;
    Uint128 high = Uint128{1} << 64;
    while (low < high) {
      const Uint128 middle = (low + high) / 2;
      const auto word = static_cast<std::uint64_t>(middle);
      const std::uint64_t at =
          alias_position(static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word),
                         static_cast<std::uint32_t>(cells));
      if (at < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  for (const std::size_t cells : {1UL, 2UL, 3UL, 37UL, 300UL, 5000UL}) {
    auto weights = weights_of_kind(engine, cells, 2);
    if (cells == 2) weights = {0, 1};  // all of the 2^64 values
    const AliasTable table = table_of(weights, {cells});
    const auto entries = host_copy(table.levels().entries[0]);
    std::vector<Uint128> values(cells);
    for (std::size_t bucket = 0; bucket < cells; ++bucket) {
      const bool full = entries[bucket].alias == bucket;
      const std::uint64_t own = full ? bucket_units : entries[bucket].threshold;
      const Uint128 turn = below(bucket * bucket_units + own, cells);
      values[bucket] += turn - below(bucket * bucket_units, cells);
      values[entries[bucket].alias] += below((bucket + 1) * bucket_units, cells) - turn;
    }
    const auto drawn = host_copy(cell_probabilities(Space(), table));
    for (std::size_t c = 0; c < cells; ++c) {
      const auto exact = std::ldexp(static_cast<long double>(values[c]), -64);
      EXPECT_DOUBLE_EQ(drawn[c], static_cast<double>(exact)) << cells << ' ' << c;
    }
  }
}

/// The largest |drawn / asked - 1|.
double largest_change(const std::vector<double>& weights, const std::vector<double>& drawn) {
  const long double sum = std::accumulate(weights.begin(), weights.end(), 0.0L);
  double largest = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] == 0) continue;
    const long double change = std::abs(static_cast<long double>(drawn[c]) * sum / weights[c] - 1);
    largest = std::max(largest, static_cast<double>(change));
  }
  return largest;
}

TEST(WideAlias, UnlikelyCellsHaveTheirProbabilities) {
  const std::vector<std::vector<double>> tables{
      {1, 1e-9}, {1, 1e-10, 5e-11}, {1, 3e-13, 0}, {0x1p-40, 1, 0x1.8p-30, 1}};
  for (const auto& weights : tables) {
    const Extents extents{weights.size()};
    const auto narrow = host_copy(cell_probabilities(Space(), table_of(weights, extents)));
    EXPECT_GT(largest_change(weights, narrow), 1e-6);
    EXPECT_LT(largest_change(weights,
                             host_copy(cell_probabilities(Space(), wide_table(weights, extents)))),
              1e-6);
  }
  // 2 * 2^64 units over 1 + 2^-60: 32 (1 - 2^-60) of them, rounded to 32.
  const auto drawn = host_copy(cell_probabilities(Space(), wide_table({1, 0x1p-60}, {2})));
  EXPECT_EQ(drawn[1], 0x1p-60);
}

TEST(WideAlias, ChainsDrawWhatTheFlatTableDraws) {
  std::mt19937_64 engine(12);
  auto weights = weights_of_kind(engine, 720, 5);
  std::fill(weights.begin(), weights.begin() + 60, 0.0);  // tables that are never drawn from
  for (const Extents& extents :
       {Extents{720}, {24, 30}, {6, 20, 6}, {2, 3, 4, 30}, {2, 3, 4, 5, 6}, {12, 1, 60}}) {
    const auto drawn = host_copy(cell_probabilities(Space(), wide_table(weights, extents)));
    ASSERT_EQ(drawn.size(), weights.size());
    // A level's table of n cells has n 2^64 units, so that 2^-40 of it are 2^24 at the least.
    EXPECT_LT(largest_change(weights, drawn), 4 * 0x1p-24);
    for (std::size_t c = 0; c < 60; ++c) EXPECT_EQ(drawn[c], 0);
  }
}

TEST(WideAlias, RowsSpreadOverRanksAreTheSameTables) {
  std::mt19937_64 engine(4);
  const auto weights = weights_of_kind(engine, 37 * 11, 2);
  const Extents extents{37, 11};
  const auto exact = exact_of(weights);
  const WideAliasTable whole = make_alias_table<WideAliasEntry>(Space(), exact, extents);
  const auto same = [](const WideAliasEntry& a, const WideAliasEntry& b) {
    return a.threshold == b.threshold && a.alias == b.alias;
  };
  const auto all_rows = host_copy(whole.levels().entries[0]);
  const auto all_cells = host_copy(whole.levels().entries[1]);
  const auto all_drawn = host_copy(cell_probabilities(Space(), whole));
  const auto sums = row_sums(Space(), exact, 37);
  for (const AxisRange& own : {AxisRange{0, 20}, {20, 17}}) {
    const WideAliasTable table = make_alias_table<WideAliasEntry>(
        Space(), exact.part(own.first * 11, own.count * 11), extents, own, sums);
    const auto begin = static_cast<std::ptrdiff_t>(own.first * 11);
    const auto cells = host_copy(table.levels().entries[1]);
    EXPECT_TRUE(std::ranges::equal(host_copy(table.levels().entries[0]), all_rows, same));
    EXPECT_TRUE(std::equal(cells.begin(), cells.end(), all_cells.begin() + begin, same));
    const auto drawn = host_copy(cell_probabilities(Space(), table));
    EXPECT_TRUE(std::equal(drawn.begin(), drawn.end(), all_drawn.begin() + begin));
  }
}

/// The cells that the kernel draws by three words each, from a table of one level.
std::vector<std::uint32_t> cells_of_words(const WideAliasTable& table,
                                          const std::vector<std::array<std::uint32_t, 3>>& script) {
  std::vector<std::uint32_t> words;  // all first words, all second ones, all third ones
  for (std::size_t w = 0; w < 3; ++w) {
    for (const auto& one : script) words.push_back(one[w]);
  }
  const Kokkos::View<std::uint32_t*, Space> cells("rivulet::test_cells", script.size());
  Kokkos::parallel_for("rivulet::test_draws", Kokkos::RangePolicy<Space>(0, 1),
                       DrawScript{table.levels(), device_copy(words), cells});
  return host_copy(cells);
}

TEST(WideAliasDraw, ScriptedWordsTakeEveryBranch) {
  // Masses 1/2, 0, 5/2, 1 of a bucket: thresholds 1/2 (alias 2), 0 (2), full, full.
  const WideAliasTable table = wide_table({1, 0, 5, 2}, {4});
  constexpr std::uint32_t half = 0x80000000U;
  constexpr std::uint32_t ones = 0xffffffffU;
  const std::vector<std::array<std::uint32_t, 3>> script{
      {0, 0, 0},                 // bucket 0, coin 0: its own
      {ones >> 3, ones, ones},   // the last coin below 1/2
      {half >> 2, 0, 0},         // coin 1/2 is not below 1/2
      {ones >> 2, ones, ones},   // coin all ones
      {half >> 1, 0, 0},         // bucket 1 with threshold 0, coin 0: never its own
      {half, 0, 0},              // bucket 2, full
      {half | half >> 1, 0, 0},  // bucket 3, full, coin 0
      {ones, ones, ones},        // and with the last coin of all
  };
  EXPECT_EQ(cells_of_words(table, script), (std::vector<std::uint32_t>{0, 0, 2, 2, 2, 2, 3, 3}));
}

TEST(WideAliasDraw, EveryBitOfACoinIsTossed) {
  const WideAliasTable table = wide_table({1, 0x1.8p-50}, {2});
  const std::uint64_t threshold = host_copy(table.levels().entries[0])[1].threshold;
  ASSERT_NE(threshold & 0xffffffffU, 0U);
  const auto words = [](std::uint64_t coin) {  // of bucket 1, which begins at a first word of 2^31
    return std::array{0x80000000U | static_cast<std::uint32_t>(coin >> 33),
                      static_cast<std::uint32_t>(coin >> 1),
                      static_cast<std::uint32_t>(coin & 1) << 31};
  };
  const std::vector<std::array<std::uint32_t, 3>> script{words(0), words(threshold - 1),
                                                         words(threshold)};
  EXPECT_EQ(cells_of_words(table, script), (std::vector<std::uint32_t>{1, 1, 0}));
}

TEST(WideAliasDraw, CarriesReachTheBucket) {
  // The words' product with 3 is all ones but for what the third one adds.
  const WideAliasTable table = wide_table({1, 1, 1}, {3});
  constexpr std::uint32_t third = 0x55555555U;
  const std::vector<std::array<std::uint32_t, 3>> script{
      {third, third, third}, {third, third, third + 1}, {third, third + 1, 0}, {2 * third, ~0U, 0}};
  EXPECT_EQ(cells_of_words(table, script), (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

}  // namespace
}  // namespace rivulet
