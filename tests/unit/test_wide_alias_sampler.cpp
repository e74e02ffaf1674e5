// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/alias/wide_alias_sampler.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "alias_samplers.hpp"
#include "kernels/alias/wide_alias_draw.hpp"

namespace rivulet {

/// A few scripted draws by one thread of the space.
struct DrawScript {
  static constexpr int draws = 8;
  WideAliasTable::Levels table;
  Kokkos::View<const std::uint32_t*, Space> words;
  Kokkos::View<std::uint32_t*, Space> cells;

  KOKKOS_FUNCTION void operator()(int) const {
    WideAliasDraws<draws> drawn;
    const auto count = static_cast<int>(cells.extent(0));
    drawn.draw(table, count, words.data(), cells.extent(0), false);
    for (int i = 0; i < count; ++i) cells(i) = drawn.cell[i];
  }
};

namespace {

using Extents = std::vector<std::uint64_t>;

WideAliasTable wide_table(const std::vector<double>& weights, const Extents& extents) {
  const auto view = device_copy(weights);
  const int exponent = weight_exponent(largest_weight(Space(), view), weights.size());
  return make_wide_alias_table(Space(), ExactWeights<double>(view, exponent), extents);
}

/// Rough weights, times powers of two down to 2^-50.
std::vector<double> unlikely_weights(std::size_t cells) {
  auto weights = rough_weights(cells);
  for (std::size_t i = 0; i < cells; ++i) weights[i] *= std::ldexp(1.0, -static_cast<int>(i % 51));
  return weights;
}

/// One draw, as the method's definition says, from words[0 ..].
std::uint32_t drawn_cell(const std::vector<std::vector<WideAliasEntry>>& levels,
                         const Extents& extents, const std::uint32_t* words) {
  std::uint64_t cell = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const std::uint32_t* const w = words + 3 * level;
    const Uint128 number = Uint128{w[0]} << 64 | Uint128{w[1]} << 32 | w[2];
    const Uint128 position = number * extents[level] >> 32;
    const auto bucket = static_cast<std::uint64_t>(position >> 64);
    const WideAliasEntry entry = levels[level][cell * extents[level] + bucket];
    const bool own = static_cast<std::uint64_t>(position) < entry.threshold;
    cell = cell * extents[level] + (own ? bucket : entry.alias);
  }
  return static_cast<std::uint32_t>(cell);
}

class WideAliasSamplers : public testing::TestWithParam<std::string> {};

TEST_P(WideAliasSamplers, EverySampleIsTheDefinitionsWhateverTheRangeAndTheBatches) {
  const Generator& generator = *find_generator(GetParam());
  constexpr std::uint64_t streams = 213;
  const StreamShare share{10007, streams};
  const auto plan = plan_of(generator, streams);
  for (const Extents& extents : {Extents{60}, {12, 5}, {3, 4, 5}, {2, 3, 2, 5}, {70000}}) {
    const WideAliasTable table = wide_table(unlikely_weights(cells_of(extents)), extents);
    const auto levels = entries_of(table);
    const std::uint64_t stride = 3 * levels.size() * share.most();
    const auto words = words_of(*plan, {0, streams}, stride);
    for (const AliasMapping& mapping : mappings_of(generator)) {
      std::vector<std::uint64_t> expected(table.cells());
      std::vector<std::uint64_t> counted(table.cells());
      for (const auto& [range, rounds] :
           {std::pair{StreamRange{0, 140}, 1U}, {StreamRange{140, 73}, 100U}}) {
        const auto sampler = make_wide_alias_sampler(Space(), *plan, range, table, mapping);
        const Drawn drawn = draw(*sampler, share, range, rounds);
        for (std::uint64_t s = 0; s < range.count; ++s) {
          const std::uint64_t stream = range.first + s;
          ASSERT_EQ(drawn.cells[s].size(), share.of(stream));
          for (std::uint64_t i = 0; i < share.of(stream); ++i) {
            const std::uint32_t cell =
                drawn_cell(levels, extents, &words[stream * stride + i * 3 * levels.size()]);
            ASSERT_EQ(drawn.cells[s][i], cell) << stream << ' ' << i;
            ++expected[cell];
          }
        }
        for (std::size_t c = 0; c < counted.size(); ++c) counted[c] += drawn.histogram[c];
        EXPECT_EQ(drawn.histogram, histogram_alone(*sampler, share, rounds));
      }
      EXPECT_EQ(counted, expected) << mapping.streams_per_team;
    }
  }
}

TEST_P(WideAliasSamplers, RowsSharedByRanksAreCountedOnce) {
  const Generator& generator = *find_generator(GetParam());
  const Extents extents{12, 7};
  const auto weights = unlikely_weights(84);
  const StreamShare share{5000, 9};
  const auto plan = plan_of(generator, 9);
  const auto whole = make_wide_alias_sampler(Space(), *plan, {0, 9}, wide_table(weights, extents),
                                             {generator.mappings.front()});
  const Drawn expected = draw(*whole, share, {0, 9}, 3);
  const Space space;
  const auto view = device_copy(weights);
  const ExactWeights<double> exact(view, weight_exponent(largest_weight(space, view), 84));
  const auto sums = row_sums(space, exact, 12);
  std::vector<std::uint64_t> counted;
  for (const RowRange& own : {RowRange{0, 5}, {5, 7}}) {
    const WideAliasTable table =
        make_wide_alias_table(space, exact.part(own.first * 7, own.count * 7), extents, own, sums);
    const auto sampler =
        make_wide_alias_sampler(space, *plan, {0, 9}, table, {generator.mappings.front()});
    const Drawn drawn = draw(*sampler, share, {0, 9}, 3);
    counted.insert(counted.end(), drawn.histogram.begin(), drawn.histogram.end());
    for (std::size_t s = 0; s < 9; ++s) {
      for (std::size_t i = 0; i < drawn.cells[s].size(); ++i) {
        const std::uint32_t cell = expected.cells[s][i];
        const bool is_own = cell / 7 >= own.first && cell / 7 < own.first + own.count;
        ASSERT_EQ(drawn.cells[s][i], is_own ? cell : ~std::uint32_t{0});
      }
    }
  }
  EXPECT_EQ(counted, expected.histogram);
}

INSTANTIATE_TEST_SUITE_P(Generators, WideAliasSamplers, testing::ValuesIn(ready_names()),
                         [](const auto& one) { return one.param; });

TEST(WideAliasSampler, MoreStreamsThanWordsAtATimeHaveRoom) {
  const Generator& generator = *find_generator("lfsr113");
  constexpr std::uint64_t streams = 400001;
  const StreamShare share{3 * streams - 7, streams};
  const auto plan = plan_of(generator, streams);
  const Extents extents{3, 4};
  const WideAliasTable table = wide_table(unlikely_weights(12), extents);
  const auto sampler = make_wide_alias_sampler(Space(), *plan, {0, streams}, table);
  const auto words = words_of(*plan, {0, streams}, 18);
  const auto levels = entries_of(table);
  std::vector<std::uint64_t> expected(12);
  for (std::uint64_t s = 0; s < streams; ++s) {
    for (std::uint64_t i = 0; i < share.of(s); ++i) {
      ++expected[drawn_cell(levels, extents, &words[s * 18 + i * 6])];
    }
  }
  EXPECT_EQ(histogram_alone(*sampler, share, 1), expected);
}

/// What the kernel makes of three words each, from a table of one level.
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
