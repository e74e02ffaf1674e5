// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "alias_reference.hpp"
#include "message_of.hpp"
#include "sampling/alias_table.hpp"
#include "sampling/distributions.hpp"
#include "test_data.hpp"

namespace rivulet {
namespace {

using Extents = std::vector<std::uint64_t>;

using Entries = testing::Types<AliasEntry, WideAliasEntry>;

template <class Entry>
class AliasTables : public testing::Test {};
TYPED_TEST_SUITE(AliasTables, Entries);

TEST(AliasTable, ReferenceCasesExactly) {
  const YAML::Node cases = test_data("alias.json")["cases"];
  ASSERT_EQ(cases.size(), 6U);
  constexpr std::uint64_t bucket = detail::units_of_bucket<AliasEntry>;
  const Space space;
  for (const YAML::Node& one : cases) {
    const auto weights = one["weights"].as<std::vector<double>>();
    const auto thresholds = one["thr"].as<std::vector<std::uint64_t>>();
    const auto aliases = one["alias"].as<std::vector<std::uint32_t>>();
    const auto entries = host_copy(
        make_alias_table(space, device_copy(weights), {weights.size()}).levels().entries[0]);
    EXPECT_EQ(masses_of_entries(entries), one["mass"].as<std::vector<std::uint64_t>>());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(entries[i].alias, aliases[i]) << i;
      EXPECT_EQ(entries[i].threshold, std::min(thresholds[i], bucket - 1)) << i;
      EXPECT_EQ(thresholds[i] == bucket, entries[i].alias == i) << i;
    }
  }
}

TYPED_TEST(AliasTables, RandomTablesHaveTheExactMassesAndAreTheSequentialSweep) {
  constexpr bool wide = std::is_same_v<TypeParam, WideAliasEntry>;
  std::mt19937_64 engine(20261121);
  for (int i = 0; i < (wide ? 300 : 600); ++i) {
    std::size_t cells = 1 + engine() % 300;
    if (i % 50 == 49) cells = wide ? 70000 : 20000 + engine() % 30000;
    const auto weights = random_weights(engine, cells, i % (wide ? 8 : common_weight_kinds));
    const auto masses = rounded_masses<TypeParam>(weights);
    const auto entries = host_copy(table_of<TypeParam>(weights, {cells}).levels().entries[0]);
    expect_same(entries, sequential_sweep<TypeParam>(masses));
    // The buckets assign to each cell exactly its rounded mass.
    ASSERT_TRUE(masses_of_entries(entries) == masses) << i;
    for (std::size_t c = 0; c < cells; ++c) {
      ASSERT_GT(weights[entries[c].alias], 0.0);
      if (weights[c] != 0) continue;
      ASSERT_EQ(entries[c].threshold, 0U);
      ASSERT_NE(entries[c].alias, c);
    }
  }
}

/// Compares a table of one level with the sequential sweep.
template <class Entry>
void expect_the_rules_table(const std::vector<double>& weights) {
  expect_same(host_copy(table_of<Entry>(weights, {weights.size()}).levels().entries[0]),
              sequential_sweep<Entry>(rounded_masses<Entry>(weights)));
}

/// The cases are prefix sums at or near whole units, truncated weights, subnormal weights, and
/// integer weights.
TYPED_TEST(AliasTables, PrefixSumsThatEstimatesCannotSettleAreExact) {
  for (const std::size_t cells : {100UL, 2048UL, 5003UL}) {
    for (int kind = 0; kind < 9; ++kind) {
      std::vector<double> weights(cells, 1.0);
      for (std::size_t i = 0; i < cells; ++i) {
        const auto n = static_cast<double>(i);
        if (kind == 1) weights[i] = std::ldexp(1.0, static_cast<int>(i % 60));
        if (kind == 2) weights[i] = i == cells / 3 ? 0x1p79 : 1 + n / 7;
        if (kind == 3) weights[i] = i == 5 ? 2.0 : 1.0;
        if (kind == 4) weights[i] = i == 0 ? 0.0 : 1.0;
        if (kind == 5) weights[i] = (1 + n) * std::numeric_limits<double>::denorm_min();
        if (kind == 6) weights[i] = static_cast<double>(i % 3);
        if (kind == 7) weights[i] = i % 2 == 0 ? 1e300 : 1e-300;
        if (kind == 8) weights[i] = i < 2 ? 0x1p52 + n : 0x1p-27;
      }
      expect_the_rules_table<TypeParam>(weights);
    }
  }
}

TYPED_TEST(AliasTables, ExtremeWeights) {
  constexpr double largest = std::numeric_limits<double>::max();
  constexpr double least = std::numeric_limits<double>::denorm_min();
  std::vector<double> last(1000, 0.0);
  last[999] = 1e-300;
  for (const std::vector<double>& weights : {{least},
                                             {largest},
                                             {largest, least, largest, 0, -0.0},
                                             {least, 0, 3 * least},
                                             {7.5},
                                             std::vector<double>(1000, 0.1),
                                             {0x1p79, 1, 0x1p-27, 3, 0x1p-1, 0x1p52, 0x1.8p-27},
                                             last}) {
    expect_the_rules_table<TypeParam>(weights);
  }
}

/// The error of a mass is less than a unit for any distribution, and zero for a weight of 0.
TYPED_TEST(AliasTables, MassesAreWrongByLessThanAUnit) {
  const auto made_of = [](std::size_t cells, const auto& weight) {
    std::vector<double> weights(cells);
    for (std::size_t i = 0; i < cells; ++i) weights[i] = weight(static_cast<double>(i));
    return weights;
  };
  const auto gaussian = [](double middle, double width) {
    return [=](double i) { return std::exp(-0.5 * std::pow((i - middle) / width, 2)); };
  };
  std::mt19937_64 engine(1);
  for (const std::vector<double>& weights :
       {made_of(100, gaussian(50, 15)), made_of(10000, gaussian(5000, 500)),
        made_of(100000, [&](double) { return static_cast<double>(engine() >> 12); }),
        made_of(64, [](double i) { return std::exp2(i); }),
        made_of(10000, [](double i) { return 1 / (1 + i); }),
        made_of(9999, [](double i) { return std::fmod(i, 3); })}) {
    const auto masses = masses_of_entries(
        host_copy(table_of<TypeParam>(weights, {weights.size()}).levels().entries[0]));
    ASSERT_TRUE(masses == rounded_masses<TypeParam>(weights));
    const auto integers = integer_weights(weights, exponent_of(weights));
    const Uint128 total = std::accumulate(integers.begin(), integers.end(), Uint128{0});
    const Uint128 units = weights.size() * Uint128{detail::units_of_bucket<TypeParam>};
    EXPECT_TRUE(std::accumulate(masses.begin(), masses.end(), Uint128{0}) == units);
    for (std::size_t i = 0; i < masses.size(); ++i) {
      // -total < error < total, modulo 2^128.
      const Uint128 error = masses[i] * total - integers[i] * units;
      ASSERT_LT(error + total - 1, 2 * total - 1) << i;
      ASSERT_TRUE(integers[i] != 0 || masses[i] == 0) << i;
    }
  }
}

template <int bits>
void expect_exact_rounding(Uint128 total, Uint128 prefix, std::uint64_t cells) {
  const detail::CumulativeRounding<bits> rounded(total, cells);
  const Uint128 halves = scaled(Uint128{cells} << (bits + 1), prefix, total);
  ASSERT_TRUE(rounded(prefix) == (halves + 1) / 2);
}

TEST(CumulativeRounding, IsExact) {
  constexpr Uint128 one = 1;
  std::mt19937_64 engine(2);
  const auto below = [&](Uint128 limit) {
    return (static_cast<Uint128>(engine()) << 64 | engine()) % limit;
  };
  for (int i = 0; i < 20000; ++i) {
    const Uint128 total = i % 9 == 0 ? (one << (i % 124 + 1)) - 1 : 1 + below(one << (i % 124));
    const std::uint64_t cells = i % 7 == 0 ? 0xffffffff - i % 2 : 1 + (engine() >> (32 + i % 32));
    if (cells >> 32 != 0) continue;
    const Uint128 some = below(total + 1);
    for (const Uint128 prefix : {some, total, total - 1, Uint128{i % 2 == 0}}) {
      expect_exact_rounding<32>(total, prefix, cells);
      expect_exact_rounding<64>(total, prefix, cells);
    }
  }
}

TEST(AliasTable, ManyTablesAreEachTheirOwnSweep) {
  std::mt19937_64 engine(7);
  const Space space;
  for (const auto& [tables, cells] :
       {std::pair{500UL, 7UL}, {3UL, 9001UL}, {40UL, 1UL}, {60UL, 700UL}, {40UL, 4099UL}}) {
    std::vector<double> weights;
    for (std::size_t t = 0; t < tables; ++t) {
      const auto row = random_weights(engine, cells, static_cast<int>(t % 5));
      weights.insert(weights.end(), row.begin(), row.end());
    }
    const AliasTable table = make_alias_table(space, device_copy(weights), {tables, cells});
    const auto all = host_copy(table.levels().entries[1]);
    ASSERT_EQ(all.size(), tables * cells);
    const double largest = *std::max_element(weights.begin(), weights.end());
    const int exponent = detail::weight_exponent(largest, weights.size());
    for (std::size_t t = 0; t < tables; ++t) {
      const std::vector<double> row(weights.begin() + static_cast<std::ptrdiff_t>(t * cells),
                                    weights.begin() + static_cast<std::ptrdiff_t>((t + 1) * cells));
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(t * cells);
      expect_same({begin, begin + static_cast<std::ptrdiff_t>(cells)},
                  sequential_sweep<AliasEntry>(rounded_masses<AliasEntry>(row, exponent)));
    }
  }
}

/// Returns, by bisection, how many values of a draw's words select a position below `place`. Each
/// bucket has units_of_bucket positions.
template <class Entry>
Uint128 values_below(Uint128 place, std::uint64_t cells) {
  const auto position = [cells](Uint128 words) -> Uint128 {
    if constexpr (std::is_same_v<Entry, WideAliasEntry>) {
      return words * cells >> 32;
    } else {
      const auto word = static_cast<std::uint64_t>(words);
      return detail::alias_position(static_cast<std::uint32_t>(word >> 32),
                                    static_cast<std::uint32_t>(word),
                                    static_cast<std::uint32_t>(cells));
    }
  };
  Uint128 low = 0;
  Uint128 high = Uint128{1} << (Entry::bits + 32);
  while (low < high) {
    const Uint128 middle = (low + high) / 2;
    if (position(middle) < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

TYPED_TEST(AliasTables, ProbabilitiesAreCountsOfWords) {
  constexpr Uint128 units = detail::units_of_bucket<TypeParam>;
  std::mt19937_64 engine(8);
  for (const std::size_t cells : {1UL, 2UL, 3UL, 37UL, 300UL, 5000UL}) {
    auto weights = random_weights(engine, cells, 6);
    if (cells == 2) weights = {0, 1};  // one cell gets all values of the words
    const auto table = table_of<TypeParam>(weights, {cells});
    const auto entries = host_copy(table.levels().entries[0]);
    std::vector<Uint128> values(cells);
    for (std::size_t bucket = 0; bucket < cells; ++bucket) {
      const Uint128 begin = bucket * units;
      const Uint128 own_units = entries[bucket].alias == bucket ? units : entries[bucket].threshold;
      const Uint128 own_end = values_below<TypeParam>(begin + own_units, cells);
      values[bucket] += own_end - values_below<TypeParam>(begin, cells);
      values[entries[bucket].alias] += values_below<TypeParam>(begin + units, cells) - own_end;
    }
    const auto drawn = host_copy(cell_probabilities(Space(), table));
    ASSERT_EQ(drawn.size(), cells);
    for (std::size_t c = 0; c < cells; ++c) {
      const auto exact = std::ldexp(static_cast<long double>(values[c]), -TypeParam::bits - 32);
      EXPECT_DOUBLE_EQ(drawn[c], static_cast<double>(exact)) << cells << ' ' << c;
    }
  }
}

TEST(AliasTable, NamedDistributions) {
  const auto gaussian = weights_of(CorrelatedGaussian{});
  ASSERT_EQ(gaussian.size(), 100U);
  EXPECT_DOUBLE_EQ(gaussian[55], 1.0);
  EXPECT_DOUBLE_EQ(gaussian[46], 1.0);  // the ridge x + y = 10 of alpha = 2
  EXPECT_DOUBLE_EQ(gaussian[56], std::exp(-1.0));
  EXPECT_DOUBLE_EQ(exponential_weights(5, 0.5)[4], std::exp(-2.0));
  EXPECT_DOUBLE_EQ(power_law_weights(5, 2)[1], 1 / 2.25);
  EXPECT_DOUBLE_EQ(zipf_weights(5, 2)[4], 0.04);
}

std::string message_of_table(const std::vector<double>& weights, const Extents& extents) {
  return message_of([&] { make_alias_table(Space(), device_copy(weights), extents); });
}

TEST(AliasTable, RefusesWhatIsNoDistribution) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string correct =
      " Correct the table; cells are numbered from 0, "
      "the last axis varying fastest.";
  EXPECT_EQ(message_of_table({1, 2, -3, nan}, {2, 2}),
            "weight 2 of the table is negative (it is -3; weights must be "
            "finite and not below 0)." +
                correct);
  EXPECT_EQ(message_of_table({1, infinity, -3, nan}, {4}),
            "weight 1 of the table is infinite (it is inf; weights must be "
            "finite and not below 0)." +
                correct);
  EXPECT_EQ(message_of_table({nan, 1}, {2}),
            "weight 0 of the table is not a number (it is nan; weights must be "
            "finite and not "
            "below 0)." +
                correct);
  const std::string zero =
      "all weights of the table are 0 (so there is no "
      "cell to draw). Give at least one positive "
      "weight.";
  EXPECT_EQ(message_of_table({0, -0.0}, {2}), zero);
  EXPECT_EQ(message_of_table({}, {0, 7}),
            "the table is empty (its extents are [0, 7]). Give a table of at "
            "least one cell.");
  EXPECT_EQ(message_of_table({}, {}),
            "the table is empty (its extents are []). "
            "Give a table of at least one cell.");
  EXPECT_EQ(message_of_table({}, {65536, 65536}),
            "a table of [65536, 65536] cells is too large (cells are numbered in 32 "
            "bits, so "
            "4294967295 is the limit). Join neighbouring cells, or split the table.");
  EXPECT_EQ(message_of_table({1, 2}, {3}),
            "2 weights do not make a table of 3 cells (a table has one weight "
            "per cell). Give the "
            "weights and the extents of one table.");
}

}  // namespace
}  // namespace rivulet
