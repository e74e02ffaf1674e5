// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "alias_samplers.hpp"
#include "kernels/alias/count_on_device.hpp"
#include "ready_generators.hpp"

namespace rivulet {
namespace {

using Extents = std::vector<std::uint64_t>;

/// Returns rough_weights() times powers of two down to 2^-50.
std::vector<double> unlikely_weights(std::size_t cells) {
  auto weights = rough_weights(cells);
  for (std::size_t i = 0; i < cells; ++i) weights[i] *= std::ldexp(1.0, -static_cast<int>(i % 51));
  return weights;
}

/// Returns weights that need thresholds of Entry::bits bits.
template <class Entry>
std::vector<double> weights_for(std::size_t cells) {
  return Entry::bits == 64 ? unlikely_weights(cells) : rough_weights(cells);
}

/// Expects the cells that drawn_cell() computes from the words of a range's streams, and their
/// counts in the histogram.
template <class Entry>
void expect_cells(const Drawn& drawn, const StreamRange& range, const StreamShare& share,
                  const std::vector<std::vector<Entry>>& levels, const Extents& extents,
                  const std::vector<std::uint32_t>& words) {
  const std::uint64_t sample_words = level_words<Entry> * levels.size();
  std::vector<std::uint64_t> expected(cells_of(extents));
  for (std::uint64_t s = 0; s < range.count; ++s) {
    const std::uint64_t stream = range.first + s;
    ASSERT_EQ(drawn.cells[s].size(), share.items(stream));
    for (std::uint64_t i = 0; i < share.items(stream); ++i) {
      const std::uint32_t cell =
          drawn_cell(levels, extents, &words[(stream * share.max_items() + i) * sample_words]);
      ASSERT_EQ(drawn.cells[s][i], cell) << stream << ' ' << i;
      ++expected[cell];
    }
  }
  EXPECT_EQ(drawn.histogram, expected);
}

template <class Entry>
void expect_the_definitions_samples(const Generator& generator) {
  constexpr std::uint64_t streams = 37;
  constexpr std::uint64_t split = 21;
  const StreamShare share{10007, streams};
  const auto plan = plan_of(generator, streams);
  for (const Extents& extents : {Extents{60}, {12, 5}, {3, 4, 5}, {2, 3, 2, 5}, {70000}}) {
    const auto table = table_of<Entry>(weights_for<Entry>(cells_of(extents)), extents);
    const auto levels = entries_of(table);
    const auto words =
        words_of(*plan, {0, streams}, level_words<Entry> * levels.size() * share.max_items());
    for (const AliasMapping& mapping : mappings_of(generator)) {
      for (const auto& [range, rounds] :
           {std::pair{StreamRange{0, split}, 1U}, {StreamRange{split, streams - split}, 100U}}) {
        const auto sampler = make_alias_sampler(Space(), *plan, range, table, mapping);
        const Drawn drawn = draw(*sampler, share, range, rounds);
        expect_cells(drawn, range, share, levels, extents, words);
        EXPECT_EQ(drawn.histogram, histogram_alone(*sampler, share, rounds));
      }
    }
  }
}

/// Returns a table with close calls: the threshold of a sample's bucket is close to the sample's
/// coin. The threshold is the coin, the next value, or a value with the same upper 32 bits, or it
/// differs from the coin by as much as a second word can move the coin. A close call makes the
/// sampler repeat all draws of a group, so only one sample in 37 is a close call.
template <class Entry>
AliasTableOf<Entry> table_of_close_calls(const Extents& extents,
                                         const std::vector<std::uint32_t>& words,
                                         std::uint64_t samples) {
  using Threshold = decltype(Entry::threshold);
  constexpr Threshold unit = Threshold{1} << (Entry::bits - 32);
  constexpr std::uint64_t spacing = 37;
  auto table = table_of<Entry>(weights_for<Entry>(cells_of(extents)), extents);
  auto levels = entries_of(table);
  std::vector<std::uint64_t> cells(samples);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    for (std::uint64_t i = 0; i < samples; i += spacing) {
      const auto at = bucket_and_coin<Entry>(
          &words[level_words<Entry> * (i * levels.size() + level)], extents[level]);
      const auto coin = static_cast<Threshold>(at.coin);
      const auto second_word_reach = static_cast<Threshold>(extents[level] * unit);
      const Threshold thresholds[] = {coin, coin + 1, coin | (unit - 1), coin - second_word_reach,
                                      coin + second_word_reach};
      levels[level][cells[i] * extents[level] + at.bucket].threshold =
          thresholds[i / spacing % std::size(thresholds)];
    }
    const std::vector<std::vector<Entry>> leading_levels(
        levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(level) + 1);
    for (std::uint64_t i = 0; i < samples; ++i) {
      cells[i] =
          drawn_cell(leading_levels, extents, &words[level_words<Entry> * i * levels.size()]);
    }
    Kokkos::deep_copy(table.levels().entries[level], device_copy(levels[level]));
  }
  return table;
}

template <class Entry>
void expect_close_calls_decided(const Generator& generator) {
  constexpr std::uint64_t streams = 37;
  const StreamShare share{10007, streams};
  const auto plan = plan_of(generator, streams);
  for (const Extents& extents : {Extents{120}, {12, 5}, {3, 4, 5}}) {
    const auto words =
        words_of(*plan, {0, streams}, level_words<Entry> * extents.size() * share.max_items());
    const auto table =
        table_of_close_calls<Entry>(extents, words, share.max_items());  // of the first stream
    const auto levels = entries_of(table);
    for (const AliasMapping& mapping : mappings_of(generator)) {
      const auto sampler = make_alias_sampler(Space(), *plan, {0, streams}, table, mapping);
      const Drawn drawn = draw(*sampler, share, {0, streams}, 3);
      expect_cells(drawn, {0, streams}, share, levels, extents, words);
      EXPECT_EQ(drawn.histogram, histogram_alone(*sampler, share, 3));
    }
  }
}

class AliasSamplers : public testing::TestWithParam<std::string> {};

TEST_P(AliasSamplers, EverySampleIsTheDefinitionsWhateverTheRangeAndTheBatches) {
  expect_the_definitions_samples<AliasEntry>(built_generator(GetParam()));
  expect_the_definitions_samples<WideAliasEntry>(built_generator(GetParam()));
}
TEST_P(AliasSamplers, FurtherWordsDecideWhereTheFirstDoesNot) {
  expect_close_calls_decided<AliasEntry>(built_generator(GetParam()));
  expect_close_calls_decided<WideAliasEntry>(built_generator(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Generators, AliasSamplers, testing::ValuesIn(ready_names()),
                         [](const auto& one) { return one.param; });

/// On a GPU, draws that are sorted by sections of the table are counted like unsorted draws.
#if RIVULET_DEVICE_BUILD
class AliasSectionSamplers : public testing::TestWithParam<std::string> {};

TEST_P(AliasSectionSamplers, DrawsPutInOrderAreCountedAlike) {
  const Generator& generator = built_generator(GetParam());
  constexpr std::uint64_t streams = 37;
  const StreamShare share{20011, streams};
  const auto plan = plan_of(generator, streams);
  for (const std::uint64_t cells : {1, 60, 70000}) {
    const AliasTable table = table_of(rough_weights(cells), {cells});
    const StreamRange range{0, streams};
    const auto direct = make_alias_sampler(Space(), *plan, range, table);
    // Sections have from one cell to more cells than the table. Many of them run out of room.
    for (const AliasSectionSizes& shape :
         {AliasSectionSizes{0, 4000}, {4, 10000}, {12, 40000}, {20, 40000}}) {
      const auto sorted = make_alias_sampler(Space(), *plan, range, table, {.sections = shape});
      for (const std::uint64_t rounds : {5, 1000}) {
        EXPECT_EQ(histogram_alone(*sorted, share, rounds), histogram_alone(*direct, share, rounds))
            << cells << ' ' << shape.log2_cells << ' ' << shape.draws;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generators, AliasSectionSamplers,
                         testing::ValuesIn(ready_names(StreamMapping::lane)),
                         [](const auto& one) { return one.param; });

TEST(AliasSections, WithoutMemoryDrawsAreLookedUpAsTheyCome) {
  const Generator& generator = built_generator("lfsr113");
  const AliasTable table = table_of(rough_weights(60), {60});
  const StreamShare share{10007, 5};
  const auto plan = plan_of(generator, 5);
  const auto direct = make_alias_sampler(Space(), *plan, {0, 5}, table);
  const auto sorted = make_alias_sampler(
      Space(), *plan, {0, 5}, table, {.sections = AliasSectionSizes{2, std::uint64_t{1} << 48}});
  EXPECT_EQ(histogram_alone(*sorted, share, 1), histogram_alone(*direct, share, 1));
}

#endif

/// A table of one cell counts all draws of a team's streams in one place.
TEST(AliasCounts, OfATeamFit32Bits) {
  constexpr int streams = 256;
  Work work;
  work.first_item = 21;
  work.end_item = work.first_item + (std::uint64_t{1} << 31);
  std::uint64_t covered = work.first_item;
  int parts = 0;
  in_countable_parts(work, 7, streams, [&](const Work& part) {
    EXPECT_EQ(part.first_item, covered);
    EXPECT_LE((part.end_item - part.first_item) * streams, 0xffffffffU);
    EXPECT_TRUE(part.first_item % 7 == 0) << "parts begin between periods";
    covered = part.end_item;
    ++parts;
  });
  EXPECT_EQ(covered, work.end_item);
  EXPECT_EQ(parts, 129);
}

TEST(AliasSections, PayForLargeTablesAndManyDraws) {
  constexpr std::uint64_t many = std::uint64_t{1} << 40;
  EXPECT_FALSE(AliasSectionSizes::is_worthwhile(100, many));
  EXPECT_TRUE(AliasSectionSizes::is_worthwhile(3000000, many));
  EXPECT_FALSE(AliasSectionSizes::is_worthwhile(3000000, 4000000));
  EXPECT_FALSE(AliasSectionSizes::is_worthwhile(100000000, 99999999));
  EXPECT_TRUE(AliasSectionSizes::is_worthwhile(100000000, 100000000));
  for (const std::uint64_t cells : {1000000ULL, 100000000ULL, 0xffffffffULL}) {
    const std::uint64_t draws = AliasSectionSizes::of(cells).draws;
    EXPECT_LE(draws * 8, std::uint64_t{2} << 30);
    EXPECT_GE(draws * 8, std::uint64_t{256} << 20);
  }
}

}  // namespace
}  // namespace rivulet
