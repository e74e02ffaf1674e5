// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "alias_samplers.hpp"
#include "sampling/distributions.hpp"

namespace rivulet {

namespace {

using Extents = std::vector<std::uint64_t>;

/// Rough weights, times powers of two down to 2^-50.
std::vector<double> unlikely_weights(std::size_t cells) {
  auto weights = rough_weights(cells);
  for (std::size_t i = 0; i < cells; ++i) weights[i] *= std::ldexp(1.0, -static_cast<int>(i % 51));
  return weights;
}

/// The cases of the samplers of either width of thresholds.
template <class Entry>
struct Trial {
  static constexpr std::uint64_t streams = 37;
  static constexpr std::uint64_t first_rank = 21;  ///< of the streams
  static std::vector<double> weights(std::size_t cells) { return rough_weights(cells); }
};
template <>
struct Trial<WideAliasEntry> {
  static constexpr std::uint64_t streams = 213;  // more than a thread looks up at once
  static constexpr std::uint64_t first_rank = 140;
  static std::vector<double> weights(std::size_t cells) { return unlikely_weights(cells); }
};

/// Words of a level of a draw.
template <class Entry>
constexpr int level_words = Entry::bits / 32 + 1;

/// One draw, as the method's definition says, from words[0 ..].
template <class Entry>
std::uint32_t drawn_cell(const std::vector<std::vector<Entry>>& levels, const Extents& extents,
                         const std::uint32_t* words) {
  std::uint64_t cell = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    Uint128 number = 0;
    for (int w = 0; w < level_words<Entry>; ++w) number = number << 32 | *words++;
    const Uint128 position = number * extents[level] >> 32;
    const auto bucket = static_cast<std::uint64_t>(position >> Entry::bits);
    const Entry entry = levels[level][cell * extents[level] + bucket];
    const bool own = position - (Uint128{bucket} << Entry::bits) < entry.threshold;
    cell = cell * extents[level] + (own ? bucket : entry.alias);
  }
  return static_cast<std::uint32_t>(cell);
}

template <class Entry>
void expect_the_definitions_samples(const Generator& generator) {
  constexpr std::uint64_t streams = Trial<Entry>::streams;
  constexpr std::uint64_t turn = Trial<Entry>::first_rank;
  const StreamShare share{10007, streams};
  const auto plan = plan_of(generator, streams);
  for (const Extents& extents : {Extents{60}, {12, 5}, {3, 4, 5}, {2, 3, 2, 5}, {70000}}) {
    const auto table = table_of<Entry>(Trial<Entry>::weights(cells_of(extents)), extents);
    const auto levels = entries_of(table);
    const std::uint64_t sample_words = level_words<Entry> * levels.size();
    const std::uint64_t stride = sample_words * share.most();
    const auto words = words_of(*plan, {0, streams}, stride);
    for (const AliasMapping& mapping : mappings_of(generator)) {
      std::vector<std::uint64_t> expected(table.cells());
      std::vector<std::uint64_t> counted(table.cells());
      for (const auto& [range, rounds] :
           {std::pair{StreamRange{0, turn}, 1U}, {StreamRange{turn, streams - turn}, 100U}}) {
        const auto sampler = make_alias_sampler(Space(), *plan, range, table, mapping);
        const Drawn drawn = draw(*sampler, share, range, rounds);
        for (std::uint64_t s = 0; s < range.count; ++s) {
          const std::uint64_t stream = range.first + s;
          ASSERT_EQ(drawn.cells[s].size(), share.of(stream));
          for (std::uint64_t i = 0; i < share.of(stream); ++i) {
            const std::uint32_t cell =
                drawn_cell(levels, extents, &words[stream * stride + i * sample_words]);
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

template <class Entry>
void expect_shared_rows_counted_once(const Generator& generator) {
  const Extents extents{12, 7};
  const auto exact = exact_of(Trial<Entry>::weights(84));
  const StreamShare share{5000, 9};
  const auto plan = plan_of(generator, 9);
  const Space space;
  const auto whole =
      make_alias_sampler(space, *plan, {0, 9}, make_alias_table<Entry>(space, exact, extents),
                         {generator.mappings.front()});
  const Drawn expected = draw(*whole, share, {0, 9}, 3);
  const auto sums = row_sums(space, exact, 12);
  for (const AliasMapping& mapping : mappings_of(generator)) {
    std::vector<std::uint64_t> counted;
    for (const AxisRange& own : {AxisRange{0, 5}, {5, 7}}) {
      const auto table = make_alias_table<Entry>(space, exact.part(own.first * 7, own.count * 7),
                                                 extents, own, sums);
      const auto sampler = make_alias_sampler(space, *plan, {0, 9}, table, mapping);
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
}

class AliasSamplers : public testing::TestWithParam<std::string> {};

TEST_P(AliasSamplers, EverySampleIsTheDefinitionsWhateverTheRangeAndTheBatches) {
  expect_the_definitions_samples<AliasEntry>(*find_generator(GetParam()));
}
TEST_P(AliasSamplers, EveryWideSampleIsTheDefinitionsWhateverTheRangeAndTheBatches) {
  expect_the_definitions_samples<WideAliasEntry>(*find_generator(GetParam()));
}
TEST_P(AliasSamplers, RowsSharedByRanksAreCountedOnce) {
  expect_shared_rows_counted_once<AliasEntry>(*find_generator(GetParam()));
}
TEST_P(AliasSamplers, WideRowsSharedByRanksAreCountedOnce) {
  expect_shared_rows_counted_once<WideAliasEntry>(*find_generator(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Generators, AliasSamplers, testing::ValuesIn(ready_names()),
                         [](const auto& one) { return one.param; });

TEST(WideAliasSampler, MoreStreamsThanWordsAtATimeHaveRoom) {
  const Generator& generator = *find_generator("lfsr113");
  constexpr std::uint64_t streams = 400001;
  const StreamShare share{3 * streams - 7, streams};
  const auto plan = plan_of(generator, streams);
  const Extents extents{3, 4};
  const WideAliasTable table = table_of<WideAliasEntry>(unlikely_weights(12), extents);
  const auto sampler = make_alias_sampler(Space(), *plan, {0, streams}, table);
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

TEST(AliasDevice, NoTeamDrawsMoreThanItsCountsHold) {
  constexpr std::uint64_t a_team = 256;
  constexpr std::uint64_t range = 17;
  const StreamShare share{std::uint64_t{100000000} * 1000, 1000};
  const SegmentBatch batch = uncut({share, 3 * range, ~std::uint64_t{0}}, {0, 1000});
  std::uint64_t end = 0;
  detail::in_countable_pieces(batch, {}, range, a_team,
                              [&](const SegmentBatch& piece, const AliasSamples&) {
                                EXPECT_EQ(piece.begin, batch.begin);
                                EXPECT_EQ(piece.from, end);
                                EXPECT_EQ(piece.from % range, 0U);
                                EXPECT_LE((piece.upto - piece.from) * a_team, ~std::uint32_t{0});
                                end = piece.upto;
                              });
  EXPECT_EQ(batch.begin + end, share.most());
}

TEST(AliasDevice, KeptSamplesOfLaterPiecesLieBehind) {
  const std::uint64_t streams_per_team = std::uint64_t{1} << 31;  // so that pieces are one sample
  const AliasSamples samples{Kokkos::View<std::uint32_t*, Space>("rivulet::test_cells", 6), 3};
  std::uint64_t pieces = 0;
  detail::in_countable_pieces(uncut({{100, 2}, 5, 8}, {0, 2}), samples, 1, streams_per_team,
                              [&](const SegmentBatch& piece, const AliasSamples& to) {
                                EXPECT_EQ(piece.from, pieces);
                                EXPECT_EQ(to.cells.data(), samples.cells.data() + pieces);
                                EXPECT_EQ(to.stride, 3U);
                                ++pieces;
                              });
  EXPECT_EQ(pieces, 3U);
}

TEST(AliasDraw, ScriptedWordsTakeEveryBranch) {
  // Masses 1/2, 0, 5/2, 1 of a bucket: thresholds 1/2 (alias 2), 0 (2), full, full.
  const AliasTable table = table_of({1, 0, 5, 2}, {4});
  constexpr std::uint32_t half = 0x80000000U;
  constexpr std::uint32_t ones = 0xffffffffU;
  struct Script {
    std::uint32_t first;
    std::uint32_t second;
    std::uint32_t cell;
  };
  const std::vector<Script> scripts{
      {0, 0, 0},                   // bucket 0, coin 0: its own
      {ones >> 3, ones, 0},        // bucket 0, the last coin below 1/2
      {half >> 2, 0, 2},           // bucket 0, coin 1/2 is not below 1/2
      {0, ones, 0},                // the second word alone moves the coin by less than 4 units
      {ones >> 2, ones, 2},        // bucket 0, coin all ones
      {half >> 1, 0, 2},           // bucket 1 with threshold 0, coin 0: never its own
      {half - 1, ones, 2},         // bucket 1, coin all ones
      {half, 0, 2},                // bucket 2 is full: coin 0
      {half, half, 2},             //
      {half + (half >> 2), 0, 2},  // bucket 2, coin 1/2
      {half + (half >> 1) - 1, ones, 2},
      {half + (half >> 1), 0, 3},  // bucket 3 is full
      {ones, 0, 3},
      {ones, half, 3},
      {ones, ones, 3},  // all ones: the last bucket, not one beyond
  };
  const auto entries = host_copy(table.levels().entries[0]);
  for (const Script& script : scripts) {
    const std::uint64_t position = alias_position(script.first, script.second, 4);
    EXPECT_EQ(alias_cell(entries.data(), position), script.cell)
        << script.first << ' ' << script.second;
  }
}

TEST(AliasDraw, ScriptedWordsTakeEveryBranchOfAChain) {
  // Rows of masses 1/2 and 3/2 buckets; the second row's first cell weighs nothing.
  const AliasTable table = table_of({1, 0, 0, 3}, {2, 2});
  const auto levels = entries_of(table);
  for (const std::uint32_t a : {0U, 0x80000000U, ~0U}) {
    for (const std::uint32_t b : {0U, 0x80000000U, ~0U}) {
      for (const std::uint32_t c : {0U, 0x80000000U, ~0U}) {
        for (const std::uint32_t d : {0U, 0x80000000U, ~0U}) {
          const std::uint32_t words[] = {a, b, c, d};
          EXPECT_EQ(drawn_cell(levels, {2, 2}, words), a == 0 ? 0U : 3U);
        }
      }
    }
  }
}

/// Probability that chi-square of `degrees` degrees of freedom is at least chi_square.
double chi_square_tail(double chi_square, double degrees) {
  // Series of the lower incomplete gamma function, Abramowitz and Stegun 6.5.29.
  const double a = degrees / 2;
  const double x = chi_square / 2;
  double term = 1 / a;
  double sum = term;
  for (int n = 1; n < 100000 && term > 1e-17 * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return 1 - sum * std::exp(a * std::log(x) - x - std::lgamma(a));
}

TEST(AliasSampling, ChiSquareOfTenTables) {
  const std::vector<std::pair<Extents, std::vector<double>>> tables{
      {{10, 10}, weights_of(CorrelatedGaussian{})},
      {{100}, weights_of(CorrelatedGaussian{})},
      {{64, 64}, weights_of(CorrelatedGaussian{64, 64, 30, 35, -1.2, 9})},
      {{200}, exponential_weights(200, 0.05)},
      {{1000}, power_law_weights(1000, 1.5)},
      {{1000}, zipf_weights(1000, 1)},
      {{7}, rough_weights(7)},
      {{5, 6, 7}, rough_weights(210)},
      {{2, 3, 4, 5, 6}, rough_weights(720)},
      {{3}, {1, 1, 1}},
  };
  const auto& generator = *find_generator("dcmt521");
  constexpr std::uint64_t samples = 2000000;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto& [extents, weights] = tables[t];
    const AliasTable table = table_of(weights, extents);
    const auto plan = plan_of(generator, 64, 100 + t);
    const auto sampler = make_alias_sampler(Space(), *plan, {0, 64}, table);
    sampler->restart();
    sampler->sample({{samples, 64}, 0, samples});
    const auto counts = host_copy(sampler->histogram());
    const auto probabilities = host_copy(cell_probabilities(Space(), table));
    double chi_square = 0;
    double rare = 0;
    double rare_counts = 0;
    int classes = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      EXPECT_TRUE(weights[i] > 0 || counts[i] == 0);
      const double expected = probabilities[i] * samples;
      if (expected < 10) {
        rare += expected;
        rare_counts += static_cast<double>(counts[i]);
        continue;
      }
      chi_square += std::pow(static_cast<double>(counts[i]) - expected, 2) / expected;
      ++classes;
    }
    if (rare > 10) {
      chi_square += std::pow(rare_counts - rare, 2) / rare;
      ++classes;
    }
    const double p = chi_square_tail(chi_square, classes - 1);
    EXPECT_GT(p, 1e-4) << t;
    EXPECT_LT(p, 1 - 1e-4) << t;
  }
}

TEST(AliasSampling, CovarianceIsTheTables) {
  const auto& generator = *find_generator("dcmt607");
  constexpr std::uint64_t samples = 4000000;
  for (const CorrelatedGaussian& gaussian :
       {CorrelatedGaussian{}, CorrelatedGaussian{40, 50, 22, 18, 1.5, 6}}) {
    const AliasTable table = table_of(weights_of(gaussian), {gaussian.rows, gaussian.columns});
    const auto plan = plan_of(generator, 32);
    const auto sampler = make_alias_sampler(Space(), *plan, {0, 32}, table);
    sampler->restart();
    sampler->sample({{samples, 32}, 0, samples});
    const auto counts = host_copy(sampler->histogram());
    const auto probabilities = host_copy(cell_probabilities(Space(), table));
    const auto mean_of = [&](const auto& value) {
      double mean = 0;
      for (std::size_t i = 0; i < probabilities.size(); ++i) mean += probabilities[i] * value(i);
      return mean;
    };
    const auto x = [&](std::size_t i) { return static_cast<double>(i % gaussian.columns); };
    const auto y = [&](std::size_t i) { return static_cast<double>(i / gaussian.columns); };
    const double x_mean = mean_of(x);
    const double y_mean = mean_of(y);
    const auto product = [&](std::size_t i) { return (x(i) - x_mean) * (y(i) - y_mean); };
    const double covariance = mean_of(product);
    const double error = std::sqrt(
        mean_of([&](std::size_t i) { return std::pow(product(i) - covariance, 2); }) / samples);
    double drawn = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      drawn += static_cast<double>(counts[i]) * product(i) / samples;
    }
    EXPECT_LT(covariance, 0);
    EXPECT_NEAR(drawn, covariance, 5 * error);
  }
}

}  // namespace
}  // namespace rivulet
