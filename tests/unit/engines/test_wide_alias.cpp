// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/alias_draw.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "alias_reference.hpp"

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
  const WideAliasTable table = table_of<WideAliasEntry>({1, 0, 5, 2}, {4});
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
  const WideAliasTable table = table_of<WideAliasEntry>({1, 0x1.8p-50}, {2});
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
  const WideAliasTable table = table_of<WideAliasEntry>({1, 1, 1}, {3});
  constexpr std::uint32_t third = 0x55555555U;
  const std::vector<std::array<std::uint32_t, 3>> script{
      {third, third, third}, {third, third, third + 1}, {third, third + 1, 0}, {2 * third, ~0U, 0}};
  EXPECT_EQ(cells_of_words(table, script), (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

}  // namespace
}  // namespace rivulet
