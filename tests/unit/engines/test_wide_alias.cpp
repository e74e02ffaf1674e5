// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "alias_reference.hpp"
#include "kernels/alias/alias_draw.hpp"
#include "kernels/alias/alias_rows.hpp"
#include "kernels/alias/alias_scratch.hpp"

namespace rivulet {

using Words = std::vector<std::uint32_t>;

/// Kernel that draws once per index, from scripted words. The words of a draw are contiguous.
struct DrawScript {
  AliasTable::Levels table;
  int level_words;
  Kokkos::View<const std::uint32_t*, Space> words;
  Kokkos::View<std::uint32_t*, Space> cells;

  struct DrawWords {
    const std::uint32_t* first;
    KOKKOS_FUNCTION std::uint32_t operator()(int w) const { return first[w]; }
  };
  KOKKOS_FUNCTION DrawWords words_of(std::uint64_t i) const {
    return {words.data() + i * static_cast<std::uint64_t>(level_words * table.count)};
  }
  KOKKOS_FUNCTION void operator()(std::uint64_t i) const {
    cells(i) = alias_sample(table, table.count, level_words, words_of(i));
  }
};

/// Kernel for scripted draws with the table in a team's scratch memory.
struct ScratchScript {
  DrawScript script;
  detail::AliasScratch scratch;

  KOKKOS_FUNCTION void operator()(const StreamTeam& team, std::uint64_t first, char* shared) const {
    scratch.load(team, shared);
    const auto lane = scratch.begin(shared, static_cast<int>(first % 32));
    script.cells(first) = scratch.cell(
        scratch.draw(lane, script.table.count, script.level_words, script.words_of(first)));
  }
};

namespace {

#if !RIVULET_DEVICE_BUILD
/// Returns the cells that AliasDraws draws, with entries looked up in registers or in memory.
std::vector<std::uint32_t> drawn_in_rows(const AliasTable::Levels& levels,
                                         const std::vector<Words>& script, bool from_registers) {
  constexpr auto width = static_cast<std::size_t>(AliasDraws::width);
  constexpr int batch_rows = 3;
  constexpr std::size_t batch_draws = batch_rows * width;
  const std::size_t words_per_draw = script.front().size();
  AliasDraws draws(levels);
  if (from_registers) draws.prepare();
  EXPECT_EQ(draws.by_first_words(), from_registers && AliasRegisters::permutes);
  std::vector<std::uint32_t> drawn;
  for (std::size_t begin = 0; begin < script.size(); begin += batch_draws) {
    Words rows(words_per_draw * batch_draws);
    for (std::size_t i = 0; i < words_per_draw * batch_draws; ++i) {
      const std::size_t draw = i / (words_per_draw * width) * width + i % width;
      rows[i] = script[(begin + draw) % script.size()][i / width % words_per_draw];
    }
    draws.draw(rows.data(), batch_rows);
    drawn.insert(drawn.end(), draws.cells(), draws.cells() + batch_draws);
  }
  drawn.resize(script.size());
  return drawn;
}
#endif

/// Expects that every way of drawing yields the given cells for the scripted words. Each draw has
/// its own list of words.
void expect_cells(const AliasTable& table, const std::vector<Words>& script,
                  const std::vector<std::uint32_t>& expected) {
  const Space space;
  const AliasTable::Levels& levels = table.levels();
  Words words;
  for (const Words& one : script) words.insert(words.end(), one.begin(), one.end());
  const Kokkos::View<std::uint32_t*, Space> cells("rivulet::test_cells", script.size());
  const DrawScript draws{levels, levels.level_words(), device_copy(words), cells};
  Kokkos::parallel_for(
      "rivulet::test_draws",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::uint64_t>>(space, 0, script.size()), draws);
  ASSERT_EQ(host_copy(cells), expected);
  const AliasHistogram histogram(space, table.cells());
  const detail::AliasScratch scratch(levels, histogram, std::size_t{40} << 10);
  ASSERT_TRUE(scratch.fits());
  Kokkos::deep_copy(cells, ~0U);
  for_each_shared_team(space, "rivulet::test_draws",
                       {script.size(), 1, 1, 1, scratch.scratch_bytes()},
                       ScratchScript{draws, scratch});
  ASSERT_EQ(host_copy(cells), expected);
#if !RIVULET_DEVICE_BUILD
  ASSERT_EQ(drawn_in_rows(levels, script, false), expected);
  // Draws one by one, because AliasDraws repeats all draws of a call if the first words do not
  // decide one of them.
  for (std::size_t i = 0; i < script.size(); ++i) {
    ASSERT_EQ(drawn_in_rows(levels, {script[i]}, true).front(), expected[i]) << i;
  }
#endif
}

TEST(AliasDraw, ScriptedWordsTakeEveryBranch) {
  // Masses of 1/2, 0, 5/2 and 1 buckets give the thresholds 1/2 (alias 2), 0 (alias 2), full, full.
  const AliasTable table = table_of({1, 0, 5, 2}, {4});
  constexpr std::uint32_t half = 0x80000000U;
  constexpr std::uint32_t ones = 0xffffffffU;
  using Script = std::pair<Words, std::uint32_t>;
  const std::vector<Script> script{
      {{0, 0}, 0},                   // bucket 0, coin 0: its own
      {{ones >> 3, ones}, 0},        // bucket 0, the last coin below 1/2
      {{half >> 2, 0}, 2},           // bucket 0, coin 1/2 is not below 1/2
      {{0, ones}, 0},                // the second word alone moves the coin by less than 4 units
      {{ones >> 2, ones}, 2},        // bucket 0, coin all ones
      {{half >> 1, 0}, 2},           // bucket 1 with threshold 0, coin 0: never its own
      {{half - 1, ones}, 2},         // bucket 1, coin all ones
      {{half, 0}, 2},                // bucket 2 is full: coin 0
      {{half, half}, 2},             //
      {{half + (half >> 2), 0}, 2},  // bucket 2, coin 1/2
      {{half + (half >> 1) - 1, ones}, 2},
      {{half + (half >> 1), 0}, 3},  // bucket 3 is full
      {{ones, 0}, 3},
      {{ones, half}, 3},
      {{ones, ones}, 3},  // all ones: the last bucket, not one beyond
  };
  std::vector<Words> words;
  std::vector<std::uint32_t> cells;
  for (const auto& [one, cell] : script) {
    words.push_back(one);
    cells.push_back(cell);
  }
  expect_cells(table, words, cells);
}

TEST(WideAliasDraw, ScriptedWordsTakeEveryBranch) {
  // Masses of 1/2, 0, 5/2 and 1 buckets give the thresholds 1/2 (alias 2), 0 (alias 2), full, full.
  const WideAliasTable table = table_of<WideAliasEntry>({1, 0, 5, 2}, {4});
  constexpr std::uint32_t half = 0x80000000U;
  constexpr std::uint32_t ones = 0xffffffffU;
  const std::vector<Words> script{
      {0, 0, 0},                 // bucket 0, coin 0: its own
      {ones >> 3, ones, ones},   // the last coin below 1/2
      {half >> 2, 0, 0},         // coin 1/2 is not below 1/2
      {ones >> 2, ones, ones},   // coin all ones
      {half >> 1, 0, 0},         // bucket 1 with threshold 0, coin 0: never its own
      {half, 0, 0},              // bucket 2, full
      {half | half >> 1, 0, 0},  // bucket 3, full, coin 0
      {ones, ones, ones},        // bucket 3, the last coin
  };
  expect_cells(upper_halves(Space(), table), script, {0, 0, 2, 2, 2, 2, 3, 3});
}

TEST(WideAliasDraw, EveryBitOfACoinIsTossed) {
  const WideAliasTable table = table_of<WideAliasEntry>({1, 0x1.8p-50}, {2});
  const std::uint64_t threshold = host_copy(table.levels().entries[0])[1].threshold;
  ASSERT_NE(threshold & 0xffffffffU, 0U);
  // Returns words that select bucket 1. A first word selects this bucket if it is at least 2^31.
  const auto words = [](std::uint64_t coin) {
    return Words{0x80000000U | static_cast<std::uint32_t>(coin >> 33),
                 static_cast<std::uint32_t>(coin >> 1), static_cast<std::uint32_t>(coin & 1) << 31};
  };
  const std::vector<Words> script{words(0), words(threshold - 1), words(threshold)};
  expect_cells(upper_halves(Space(), table), script, {1, 1, 0});
}

TEST(WideAliasDraw, CarriesReachTheBucket) {
  // Three times the 96-bit number of the first draw is all ones. In the other draws, carries reach
  // the bucket. (The constant `third` is a third of 2^32 - 1.)
  const WideAliasTable table = table_of<WideAliasEntry>({1, 1, 1}, {3});
  constexpr std::uint32_t third = 0x55555555U;
  const std::vector<Words> script{
      {third, third, third}, {third, third, third + 1}, {third, third + 1, 0}, {2 * third, ~0U, 0}};
  expect_cells(upper_halves(Space(), table), script, {0, 1, 1, 2});
}

#if !RIVULET_DEVICE_BUILD
/// Compares draws from registers with the definition. The thresholds differ from the coin by up to
/// 600 in the upper 32 bits.
template <class Entry>
void expect_the_definitions_cells(std::uint32_t cells, std::uint32_t alias, const Words& words) {
  using Threshold = decltype(Entry::threshold);
  const BucketAndCoin at = bucket_and_coin<Entry>(words.data(), cells);
  std::vector<std::vector<Entry>> entries(1, std::vector<Entry>(cells));
  Entry& entry = entries[0][at.bucket];
  entry.alias = alias;
  AliasTable::Levels levels;
  levels.count = 1;
  levels.cells[0] = cells;
  levels.entries[0] = EntryView("entries", cells);
  if (Entry::bits == 64) levels.wide[0] = Kokkos::View<WideAliasEntry*, Space>("wide", cells);
  for (int offset = -600; offset <= 600; ++offset) {
    entry.threshold = static_cast<Threshold>(
        at.coin + (static_cast<std::uint64_t>(offset) << (Entry::bits - 32)));
    const std::uint64_t threshold = entry.threshold;
    levels.entries[0](at.bucket) = {static_cast<std::uint32_t>(threshold >> (Entry::bits - 32)),
                                    alias};
    if (Entry::bits == 64) levels.wide[0](at.bucket) = {threshold, alias};
    ASSERT_EQ(drawn_in_rows(levels, {words}, true).front(),
              drawn_cell(entries, {cells}, words.data()))
        << cells << ' ' << alias << ' ' << words.front() << ' ' << offset;
  }
}

TEST(AliasRegisters, AreRightWhereverTheThresholdIs) {
  for (const std::uint32_t cells : {1U, 2U, 127U, 128U}) {
    for (const std::uint32_t alias : {0U, cells - 1}) {
      for (const std::uint32_t first : {0U, 0x12345678U, 0x87654321U, ~0U}) {
        for (const std::uint32_t later_words : {0U, ~0U}) {
          expect_the_definitions_cells<AliasEntry>(cells, alias, {first, later_words});
          expect_the_definitions_cells<WideAliasEntry>(cells, alias,
                                                       {first, later_words, later_words});
        }
      }
    }
  }
}

TEST(AliasRegisters, HoldTablesOf128EntriesALevel) {
  const auto are_loaded = [](const std::vector<std::uint64_t>& extents) {
    const AliasTable table = table_of(std::vector<double>(cells_of(extents), 1.0), extents);
    AliasDraws draws(table.levels());
    draws.prepare();
    return draws.by_first_words();
  };
  EXPECT_EQ(are_loaded({128}), AliasRegisters::permutes);
  EXPECT_EQ(are_loaded({16, 8}), AliasRegisters::permutes);
  EXPECT_FALSE(are_loaded({129}));
  EXPECT_FALSE(are_loaded({13, 10}));
}
#endif

}  // namespace
}  // namespace rivulet
