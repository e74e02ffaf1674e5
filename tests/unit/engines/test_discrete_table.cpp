// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "alias_samplers.hpp"
#include "distribution_engines.hpp"
#include "kernels/alias/alias_sampler.hpp"
#include "message_of.hpp"
#include "ready_generators.hpp"
#include "rivulet/distributions/discrete.hpp"
#include "rivulet/stream.hpp"

namespace rivulet {
namespace {

/// Returns the table entries for integer weights.
template <class Entry>
std::vector<Entry> table_entries(const std::vector<std::uint64_t>& weights) {
  const auto own = device_copy(weights);
  const Kokkos::View<Entry*, Space> entries("rivulet::test_entries", weights.size());
  detail::build_tables(
      Space(), detail::WholeWeights<std::uint64_t>{own.data()}, {1, weights.size()},
      detail::LineMemory<Entry, Space>::allocate(Space(), weights.size()), entries.data());
  return host_copy(entries);
}

template <class Entry>
void expect_the_rules_table(const std::vector<std::uint64_t>& weights) {
  const auto masses =
      rounded_masses(std::vector<Uint128>(weights.begin(), weights.end()), Entry::bits);
  expect_same(table_entries<Entry>(weights),
              sequential_sweep<Entry>({masses.begin(), masses.end()}));
}
void expect_the_rules_tables(const std::vector<std::uint64_t>& weights) {
  expect_the_rules_table<AliasEntry>(weights);
  expect_the_rules_table<WideAliasEntry>(weights);
}

TEST(DiscreteTable, OfIntegersIsTheRulesTable) {
  std::mt19937_64 engine(4);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint64_t> weights(1 + engine() % 300);
    for (auto& weight : weights) weight = i % 3 == 0 ? engine() % 3 : engine() >> engine() % 64;
    weights[0] += i % 3 == 0 ? 1 : 0;
    weights[0] |= 1;
    expect_the_rules_tables(weights);
  }
  const auto most = std::numeric_limits<std::uint64_t>::max();
  expect_the_rules_tables({most, most, 1, most, 0});
}

template <class Table>
std::vector<std::uint32_t> draws_in_kernel(const Table& table, std::uint64_t seed, int count) {
  const Discrete cell = table.distribution();
  const Kokkos::View<std::uint32_t*, Space> cells("cells", static_cast<std::size_t>(count));
  Kokkos::parallel_for(
      "rivulet::test", Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
        TestEngine<32> engine(seed);
        for (int i = 0; i < count; ++i) cells(i) = cell(engine);
      });
  return host_copy(cells);
}

/// Checks that a DiscreteTable has `expected` threshold bits, and draws the same samples as the
/// alias job's sampler.
void expect_the_jobs_samples(const std::vector<double>& weights, ThresholdBits bits, int expected) {
  constexpr std::uint64_t streams = 3;
  constexpr int each = 20000;
  const DiscreteTable table(Space(), weights, bits);
  EXPECT_EQ(table.bits(), expected);
  const Generator& generator = built_generator("philox4x32");
  const auto plan = plan_of(generator, streams, 7);
  const auto sampler =
      expected == 64 ? make_alias_sampler(Space(), *plan, {0, streams},
                                          table_of<WideAliasEntry>(weights, {weights.size()}), {})
                     : make_alias_sampler(Space(), *plan, {0, streams},
                                          table_of(weights, {weights.size()}), {});
  const Drawn samples = draw(*sampler, {each * streams, streams}, {0, streams}, 100);
  const Kokkos::View<std::uint32_t*, Space> cells("cells", each);
  for (std::uint64_t s = 0; s < streams; ++s) {
    const Discrete cell = table.distribution();
    Kokkos::parallel_for(
        "rivulet::test", Kokkos::RangePolicy<Space>(0, 1), KOKKOS_LAMBDA(int) {
          Stream<Philox4x32> rng(7, s);
          for (int i = 0; i < each; ++i) cells(i) = cell(rng);
        });
    EXPECT_EQ(host_copy(cells), samples.cells[s]) << s;
  }
}

TEST(DiscreteTable, DrawsTheJobsSamples) {
  constexpr auto automatic = ThresholdBits::automatic;
  const std::vector<double> unlikely{1, 1, 1e-9};
  expect_the_jobs_samples(unlikely, automatic, 64);
  expect_the_jobs_samples(unlikely, ThresholdBits::wide, 64);
  expect_the_jobs_samples({1, 3, 2, 0}, automatic, 32);
  expect_the_jobs_samples({1, 3, 2, 0}, ThresholdBits::wide, 64);
  std::mt19937_64 engine(11);
  std::vector<double> weights(1000);
  for (double& weight : weights) weight = std::ldexp(1.0, -static_cast<int>(engine() % 60));
  expect_the_jobs_samples(weights, automatic, 64);
}

TEST(DiscreteTable, WarnsWhereItsBitsAreTooFew) {
  const auto said = [](const std::vector<double>& weights, ThresholdBits bits) {
    testing::internal::CaptureStderr();
    const DiscreteTable<Space> table(weights, bits);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said({1, 1, 1e-9}, ThresholdBits::automatic), "");
  EXPECT_EQ(said({1, 1, 1}, ThresholdBits::narrow), "");
  EXPECT_EQ(
      said({1, 1e-9}, ThresholdBits::narrow),
      "rivulet: warning: DiscreteTable: cell 1 is drawn with probability 1.0477379e-09 instead "
      "of 1e-09, a relative change of 0.048 (thresholds have 32 bits). Use "
      "ThresholdBits::wide.\n");
  EXPECT_EQ(
      said({1, 1e-11, 1e-25}, ThresholdBits::wide),
      "rivulet: warning: DiscreteTable: cells of positive weight that are never drawn: 1; cell "
      "2 is the likeliest, and its probability should be 1e-25 (thresholds have 64 bits). "
      "Join unlikely cells.\n");
}

TEST(DiscreteTable, SaysItsLargestChange) {
  const std::vector<double> weights{1, 1e-9};
  EXPECT_LT(DiscreteTable<Space>(weights).largest_change(), 1e-10);
  EXPECT_NEAR(DiscreteTable<Space>(weights, ThresholdBits::narrow).largest_change(), 0.0477, 1e-4);
  EXPECT_EQ(DiscreteTable<Space>(std::vector<double>{1, 1e-30}).largest_change(), 1);
  EXPECT_LT(DiscreteTable<Space>(std::vector<std::uint64_t>{1, 1000000000}).largest_change(),
            1e-10);
}

TEST(DiscreteTable, EdgesOfWords) {
  const std::vector<std::uint64_t> weights{1, 3};
  const auto entries = table_entries<AliasEntry>(weights);
  const Discrete cell(entries.data(), 2);
  constexpr std::uint64_t ones = 0xffffffff;
  // Bucket 0 belongs to cell 0 in its lower half; bucket 1 belongs to cell 1.
  EXPECT_EQ(from_script<32>(cell, {0, 0}), 0U);
  EXPECT_EQ(from_script<32>(cell, {0x3fffffff, ones}), 0U);
  EXPECT_EQ(from_script<32>(cell, {0x40000000, 0}), 1U);
  EXPECT_EQ(from_script<32>(cell, {0x80000000, 0}), 1U);
  EXPECT_EQ(from_script<32>(cell, {ones, ones}), 1U);
  EXPECT_EQ(drawn_of_script<32>(cell, {0}), 2);
  EXPECT_EQ(drawn_of_script<64>(cell, {0}), 1);
  EXPECT_EQ(drawn_of_script<48>(cell, {0}), 2);
  EXPECT_EQ(drawn_of_script<24>(cell, {0}), 3);
  EXPECT_EQ(from_script<64>(cell, {std::uint64_t{0x3fffffff} << 32 | ones}), 0U);
  EXPECT_EQ(from_script<64>(cell, {std::uint64_t{1} << 62}), 1U);
}

TEST(DiscreteTable, EdgesOfThreeWords) {
  const auto entries = table_entries<WideAliasEntry>({1, 3});
  const Discrete cell(entries.data(), 2);
  constexpr std::uint64_t ones = 0xffffffff;
  EXPECT_EQ(from_script<32>(cell, {0, 0, 0}), 0U);
  EXPECT_EQ(from_script<32>(cell, {0x3fffffff, ones, ones}), 0U);
  EXPECT_EQ(from_script<32>(cell, {0x40000000, 0, 0}), 1U);
  EXPECT_EQ(from_script<32>(cell, {ones, ones, ones}), 1U);
  EXPECT_EQ(drawn_of_script<32>(cell, {0}), 3);
  EXPECT_EQ(drawn_of_script<64>(cell, {0}), 2);
  EXPECT_EQ(drawn_of_script<48>(cell, {0}), 3);
  EXPECT_EQ(drawn_of_script<24>(cell, {0}), 5);
}

TEST(DiscreteTable, TakesVectorsSpansAndViews) {
  const std::vector<double> weights{1, 0, 2.5, 4};
  const auto expected = draws_in_kernel(DiscreteTable<Space>(weights), 1, 100);
  const std::span<const double> span(weights);
  EXPECT_EQ(draws_in_kernel(DiscreteTable<Space>(span), 1, 100), expected);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> rows("rows", 4, 3);
  for (std::size_t i = 0; i < 4; ++i) rows(i, 1) = weights[i];
  const auto column = Kokkos::subview(rows, Kokkos::ALL(), 1);
  EXPECT_EQ(draws_in_kernel(DiscreteTable(Space(), column), 1, 100), expected);
  const DiscreteTable<Space> table(weights);
  const DiscreteTable<Space> copy(table);
  EXPECT_EQ(draws_in_kernel(copy, 1, 100), expected);
  static_assert(std::is_trivially_copyable_v<Discrete> && sizeof(Discrete) <= 16);
}

std::string message_of_table(const std::vector<double>& weights) {
  return message_of([&] { DiscreteTable<Space>{weights}; });
}

TEST(DiscreteTable, RefusesWhatIsNoDistribution) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string correct = ". Correct the table; cells are numbered from 0.";
  EXPECT_EQ(
      message_of_table({1, 2, -3.5, nan}),
      "weight 2 of the table is negative (it is -3.5, and weights are finite and not below 0)" +
          correct);
  EXPECT_EQ(
      message_of_table({1, infinity, -3}),
      "weight 1 of the table is infinite (it is inf, and weights are finite and not below 0)" +
          correct);
  EXPECT_EQ(
      message_of_table({nan}),
      "weight 0 of the table is not a number (it is nan, and weights are finite and not below "
      "0)" +
          correct);
  const std::string zero =
      "all weights of the table are 0 (no cell could be drawn). Give at least one positive "
      "weight.";
  EXPECT_EQ(message_of_table({0, -0.0}), zero);
  EXPECT_EQ(message_of([] { DiscreteTable<Space>(std::vector<std::uint64_t>{0, 0}); }), zero);
  EXPECT_EQ(message_of_table({}),
            "the table is empty (it was given no weights). Give a table of at least one cell.");
  // The size check reads no weights.
  const double one = 1;
  const std::span<const double> many(&one, std::uint64_t{1} << 32);
  EXPECT_EQ(
      message_of([&] { DiscreteTable<Space>{many}; }),
      "a table of 4294967296 cells is too large (cells are numbered in 32 bits, so 4294967295 "
      "are the most). Join neighbouring cells, or split the table.");
}

}  // namespace
}  // namespace rivulet
