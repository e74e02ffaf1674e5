// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "alias_samplers.hpp"
#include "kernels/alias/count_on_device.hpp"
#include "ready_generators.hpp"

// On a GPU, draws that are sorted by the table's sections are counted like unsorted draws.

namespace rivulet {
namespace {

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
    // Pieces of a range and more, sections of a cell and more: many run out of room.
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
  work.from = 21;
  work.upto = work.from + (std::uint64_t{1} << 31);
  std::uint64_t done = work.from;
  int parts = 0;
  in_countable_parts(work, 7, streams, [&](const Work& part) {
    EXPECT_EQ(part.from, done);
    EXPECT_LE((part.upto - part.from) * streams, 0xffffffffU);
    EXPECT_TRUE(part.from % 7 == 0) << "parts begin between periods";
    done = part.upto;
    ++parts;
  });
  EXPECT_EQ(done, work.upto);
  EXPECT_EQ(parts, 129);
}

TEST(AliasSections, PayForLargeTablesAndManyDraws) {
  constexpr std::uint64_t many = std::uint64_t{1} << 40;
  EXPECT_FALSE(AliasSectionSizes::pays(100, many));
  EXPECT_TRUE(AliasSectionSizes::pays(3000000, many));
  EXPECT_FALSE(AliasSectionSizes::pays(3000000, 4000000));
  EXPECT_FALSE(AliasSectionSizes::pays(100000000, 99999999));
  EXPECT_TRUE(AliasSectionSizes::pays(100000000, 100000000));
  for (const std::uint64_t cells : {1000000ULL, 100000000ULL, 0xffffffffULL}) {
    const std::uint64_t draws = AliasSectionSizes::of(cells).draws;
    EXPECT_LE(draws * 8, std::uint64_t{2} << 30);
    EXPECT_GE(draws * 8, std::uint64_t{256} << 20);
  }
}

}  // namespace
}  // namespace rivulet
