// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "alias_samplers.hpp"
#include "kernels/alias/alias_buckets.hpp"
#include "ready_generators.hpp"

// Draws that are counted beside a table's buckets are counted like those whose counts lie apart,
// and draws that are put in order of a table's sections like those looked up as they come.

namespace rivulet {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

std::unique_ptr<AliasSampler> sampler_of(const StreamPlan& plan, std::uint64_t streams,
                                         const AliasTable& table, std::uint64_t buckets_from) {
  AliasMapping mapping;
  mapping.buckets_from = buckets_from;
  return make_alias_sampler(Space(), plan, {0, streams}, table, mapping);
}

class AliasBucketSamplers : public testing::TestWithParam<std::string> {};

TEST_P(AliasBucketSamplers, CountAndKeepTheSameCells) {
  const Generator& generator = built_generator(GetParam());
  for (const std::uint64_t streams : {1, 37}) {
    const StreamShare share{20011, streams};
    const auto plan = plan_of(generator, streams);
    for (const std::uint64_t cells : {1, 60, 70000}) {
      const AliasTable table = table_of(rough_weights(cells), {cells});
      const auto apart = sampler_of(*plan, streams, table, never);
      const auto beside = sampler_of(*plan, streams, table, 0);
      for (const std::uint64_t rounds : {5, 1000}) {
        EXPECT_EQ(histogram_alone(*beside, share, rounds), histogram_alone(*apart, share, rounds));
        const Drawn ours = draw(*beside, share, {0, streams}, rounds);
        const Drawn theirs = draw(*apart, share, {0, streams}, rounds);
        EXPECT_EQ(ours.histogram, theirs.histogram);
        EXPECT_EQ(ours.cells, theirs.cells);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Generators, AliasBucketSamplers,
                         testing::ValuesIn(ready_names(StreamMapping::lane)),
                         [](const auto& one) { return one.param; });

TEST(AliasBuckets, HistogramsBetweenBatchesTakeNothingAway) {
  constexpr std::uint64_t streams = 5;
  const auto plan = plan_of(built_generator("lfsr113"), streams);
  const AliasTable table = table_of(rough_weights(1000), {1000});
  const auto apart = sampler_of(*plan, streams, table, never);
  const auto beside = sampler_of(*plan, streams, table, 0);
  const StreamShare share{100000, streams};
  const std::uint64_t length = 100 * beside->round_samples();
  for (AliasSampler* const one : {apart.get(), beside.get()}) one->restart();
  for (std::uint64_t begin = 0; begin < share.most(); begin += length) {
    for (AliasSampler* const one : {apart.get(), beside.get()}) {
      one->sample({share, begin, begin + length});
    }
    EXPECT_EQ(host_copy(beside->histogram()), host_copy(apart->histogram()));
  }
  for (AliasSampler* const one : {apart.get(), beside.get()}) {
    one->sample({share, 0, length});
    one->restart();  // forgets what was not settled
  }
  EXPECT_EQ(host_copy(beside->histogram()), std::vector<std::uint64_t>(1000));
  for (AliasSampler* const one : {apart.get(), beside.get()}) {
    one->sample({share, 0, length});
    one->restart();
    one->sample({share, 0, length});
  }
  EXPECT_EQ(host_copy(beside->histogram()), host_copy(apart->histogram()));
}

#if !RIVULET_DEVICE_BUILD
TEST(AliasBuckets, SettleBeforeTheirCountsOverflow) {
  const Space space;
  const AliasTable table = table_of({1, 3}, {2});
  const AliasHistogram histogram(space, 2);
  detail::AliasBuckets buckets(space, table.levels().entries[0]);
  constexpr std::uint64_t most = detail::AliasBuckets::most_draws;
  std::uint64_t sum = 0;
  for (const std::uint64_t draws : {most, std::uint64_t{1}, most - 1, most}) {
    buckets.expect(space, histogram, draws);
    buckets.data()[0].drawn[1] += static_cast<std::uint32_t>(draws);  // cell 1 by its alias
    sum += draws;
  }
  buckets.settle(space, histogram);
  EXPECT_EQ(host_copy(histogram.sum(space)), (std::vector<std::uint64_t>{0, sum}));
}
#endif

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

TEST(AliasSections, WithoutMemoryDrawsAreLookedUpAsTheyCome) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer ends programs that ask for so much memory";
#endif
  const Generator& generator = built_generator("lfsr113");
  const AliasTable table = table_of(rough_weights(60), {60});
  const StreamShare share{10007, 5};
  const auto plan = plan_of(generator, 5);
  const auto direct = make_alias_sampler(Space(), *plan, {0, 5}, table);
  const auto sorted = make_alias_sampler(
      Space(), *plan, {0, 5}, table, {.sections = AliasSectionSizes{2, std::uint64_t{1} << 48}});
  EXPECT_EQ(histogram_alone(*sorted, share, 1), histogram_alone(*direct, share, 1));
}

}  // namespace
}  // namespace rivulet
