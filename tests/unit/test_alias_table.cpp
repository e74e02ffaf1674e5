// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "alias_reference.hpp"
#include "rivulet/error.hpp"
#include "sampling/alias_table.hpp"
#include "sampling/distributions.hpp"

namespace rivulet {
namespace {

using Extents = std::vector<std::uint64_t>;

template <class Weight>
Kokkos::View<const Weight*, Space> on_device(const std::vector<Weight>& values) {
  return device_copy(values);
}

void expect_sequential(const std::vector<std::uint64_t>& masses, const EntryView& entries) {
  const std::vector<AliasEntry> expected = sequential_sweep(masses);
  const auto host = host_copy(entries);
  ASSERT_EQ(host.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(host[i].threshold, expected[i].threshold) << i;
    ASSERT_EQ(host[i].alias, expected[i].alias) << i;
  }
}

TEST(AliasTable, ReferenceCasesExactly) {
  const YAML::Node cases = YAML::LoadFile(std::string(RIVULET_TEST_DATA) + "/alias.json")["cases"];
  ASSERT_EQ(cases.size(), 6U);
  const Space space;
  for (const YAML::Node& one : cases) {
    const auto weights = one["weights"].as<std::vector<double>>();
    const auto thresholds = one["thr"].as<std::vector<std::uint64_t>>();
    const auto aliases = one["alias"].as<std::vector<std::uint32_t>>();
    const auto entries = host_copy(
        make_alias_table(space, on_device(weights), {weights.size()}).levels().entries[0]);
    EXPECT_EQ(masses_of_entries(entries), one["mass"].as<std::vector<std::uint64_t>>());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(entries[i].alias, aliases[i]) << i;
      EXPECT_EQ(entries[i].threshold, std::min(thresholds[i], bucket_units - 1)) << i;
      EXPECT_EQ(thresholds[i] == bucket_units, entries[i].alias == i) << i;
    }
  }
}

/// Random tables of many kinds: smooth, with ties, with zeros, over hundreds of decades.
std::vector<double> random_weights(std::mt19937_64& engine, std::size_t cells, int kind) {
  std::uniform_real_distribution<double> unit;
  std::vector<double> weights(cells);
  for (double& weight : weights) {
    const double u = unit(engine);
    switch (kind % 6) {
      case 0:
        weight = u;
        break;
      case 1:
        weight = std::floor(10 * u);
        break;
      case 2:
        weight = std::pow(10.0, 600 * u - 300);
        break;
      case 3:
        weight = u < 0.9 ? 0 : u;
        break;
      case 4:
        weight = 1 / (u + 1e-12);
        break;
      default:
        weight = u * std::numeric_limits<double>::min();  // without a leading 1
    }
  }
  weights[engine() % cells] += kind % 6 == 5 ? 1e-310 : 1;
  return weights;
}

TEST(AliasTable, RandomTablesHaveTheExactMassesAndAreTheSequentialSweep) {
  std::mt19937_64 engine(20261121);
  const Space space;
  for (int i = 0; i < 600; ++i) {
    const std::size_t cells = i % 50 == 49 ? 20000 + engine() % 20000 : 1 + engine() % 300;
    const auto weights = random_weights(engine, cells, i);
    const auto masses = largest_remainder(weights);
    const AliasTable table = make_alias_table(space, on_device(weights), {cells});
    const EntryView& entries = table.levels().entries[0];
    expect_sequential(masses, entries);
    // What the buckets draw is the mass again: nothing is lost, nothing made up.
    ASSERT_EQ(masses_of_entries(host_copy(entries)), masses);
  }
}

/// Tables that the whole device works on, with weights that a fast estimate cannot settle: shares
/// that are whole, remainders that tie where the units run out, weights cut off or without a
/// leading 1, whole numbers.
TEST(AliasTable, LargeTablesThatEstimatesCannotSettleAreExact) {
  const Space space;
  for (const std::size_t cells : {9000UL, 16384UL, 30011UL}) {
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
      const AliasTable table = make_alias_table(space, on_device(weights), {cells});
      expect_sequential(largest_remainder(weights), table.levels().entries[0]);
    }
  }
}

TEST(AliasTable, ZeroWeightsAreNeverDrawn) {
  std::mt19937_64 engine(5);
  const Space space;
  for (const std::size_t cells : {2UL, 100UL, 50000UL}) {
    auto weights = random_weights(engine, cells, 3);
    const auto entries =
        host_copy(make_alias_table(space, on_device(weights), {cells}).levels().entries[0]);
    for (std::size_t i = 0; i < cells; ++i) {
      EXPECT_GT(weights[entries[i].alias], 0.0);
      if (weights[i] == 0) {
        EXPECT_EQ(entries[i].threshold, 0U);
        EXPECT_NE(entries[i].alias, i);
      }
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
    const AliasTable table = make_alias_table(space, on_device(weights), {tables, cells});
    const auto all = host_copy(table.levels().entries[1]);
    ASSERT_EQ(all.size(), tables * cells);
    const double largest = *std::max_element(weights.begin(), weights.end());
    const int exponent = weight_exponent(largest, weights.size());
    for (std::size_t t = 0; t < tables; ++t) {
      const std::vector<double> row(weights.begin() + static_cast<std::ptrdiff_t>(t * cells),
                                    weights.begin() + static_cast<std::ptrdiff_t>((t + 1) * cells));
      const auto expected = sequential_sweep(largest_remainder(row, exponent));
      for (std::size_t i = 0; i < cells; ++i) {
        ASSERT_EQ(all[t * cells + i].threshold, expected[i].threshold) << t << ' ' << i;
        ASSERT_EQ(all[t * cells + i].alias, expected[i].alias) << t << ' ' << i;
      }
    }
  }
}

TEST(AliasTable, ChainsDrawWhatTheFlatTableDraws) {
  std::mt19937_64 engine(11);
  const Space space;
  auto weights = random_weights(engine, 2 * 3 * 4 * 5 * 6, 3);
  std::fill(weights.begin(), weights.begin() + 60,
            0.0);  // tables that are never drawn from
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (const Extents& extents :
       {Extents{720}, {24, 30}, {6, 20, 6}, {2, 3, 4, 30}, {2, 3, 4, 5, 6}, {12, 1, 60}}) {
    const AliasTable table = make_alias_table(space, on_device(weights), extents);
    const auto probabilities = host_copy(cell_probabilities(space, table));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      EXPECT_NEAR(probabilities[i], weights[i] / sum, 1e-9 * (weights[i] / sum) + 2e-11);
      EXPECT_EQ(probabilities[i] == 0, weights[i] == 0);
    }
  }
}

TEST(AliasTable, RowsSpreadOverRanksAreTheSameTables) {
  const CorrelatedGaussian gaussian{37, 11, 18, 5, 0.7, 3};
  const auto weights = weights_of(gaussian);
  const Extents extents{gaussian.rows, gaussian.columns};
  const Space space;
  const auto view = on_device(weights);
  const AliasTable whole = make_alias_table(space, view, extents);
  const auto whole_rows = host_copy(whole.levels().entries[0]);
  const auto whole_cells = host_copy(whole.levels().entries[1]);
  const ExactWeights<double> exact(view,
                                   weight_exponent(largest_weight(space, view), weights.size()));
  std::vector<Uint128> sums;
  const std::vector<AxisRange> ranges{{0, 20}, {20, 0}, {20, 17}};
  for (const AxisRange& own : ranges) {
    const auto part = exact.part(own.first * 11, own.count * 11);
    const auto own_sums = row_sums(space, part, own.count);
    sums.insert(sums.end(), own_sums.begin(), own_sums.end());
  }
  for (const AxisRange& own : ranges) {
    const AliasTable table =
        make_alias_table(space, exact.part(own.first * 11, own.count * 11), extents, own, sums);
    EXPECT_TRUE(std::ranges::equal(host_copy(table.levels().entries[0]), whole_rows, same_entry));
    const auto begin = whole_cells.begin() + static_cast<std::ptrdiff_t>(own.first * 11);
    EXPECT_TRUE(std::equal(begin, begin + static_cast<std::ptrdiff_t>(own.count * 11),
                           host_copy(table.levels().entries[1]).begin(), same_entry));
    EXPECT_EQ(table.first_cell(), own.first * 11);
    EXPECT_EQ(table.own_cells(), own.count * 11);
    EXPECT_EQ(table.cells(), weights.size());
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

template <class Make>
std::string message_of(const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string message_of_table(const std::vector<double>& weights, const Extents& extents) {
  return message_of([&] { make_alias_table(Space(), on_device(weights), extents); });
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
  EXPECT_EQ(message_of([] {
              const ExactWeights<double> weights(on_device(std::vector<double>{1}), 0);
              make_alias_table(Space(), weights, {1}, {0, 1}, std::vector<Uint128>{1});
            }),
            "a table of one axis cannot be spread over ranks (it has no rows). "
            "Give it a second "
            "axis, or keep it whole on each rank.");
}

}  // namespace
}  // namespace rivulet
