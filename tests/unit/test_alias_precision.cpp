// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/alias_deck_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "alias_reference.hpp"
#include "jobs/alias/alias_result.hpp"

namespace rivulet {
namespace {

using Strings = std::vector<std::string>;
using Values = std::vector<double>;

AliasPrecision precision_of(const Values& asked, const Values& drawn) {
  return alias_precision(io::Communicator::self(), 0, asked, drawn);
}

Values asked_of(Values weights) {
  const Space space;
  const auto view = device_copy(weights);
  const double largest = largest_weight(space, view);
  const int exponent = detail::weight_exponent(largest, weights.size());
  replace_by_probabilities(weights, largest, weight_sum(space, {view, exponent}), exponent);
  return weights;
}

TEST(AliasPrecision, AskedIsWeightOverSum) {
  EXPECT_EQ(asked_of({1, 3, 0, 4}), (Values{0.125, 0.375, 0, 0.5}));
  EXPECT_EQ(asked_of({1e300, 3e300}), (Values{0.25, 0.75}));
  constexpr double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(asked_of({least, 3 * least}), (Values{0.25, 0.75}));
  constexpr double most = std::numeric_limits<double>::max();
  // The sum overflows a double, and the probability of the smallest weight underflows.
  EXPECT_EQ(asked_of({most, most, 1e-300}), (Values{0.5, 0.5, least}));
}

TEST(AliasPrecision, LargestChangeIsThatOfACell) {
  const AliasPrecision same = precision_of({0.5, 0, 0.5}, {0.5, 0, 0.5});
  EXPECT_EQ(same.largest_change(), 0);
  EXPECT_EQ(same.warnings(32, "table.bits=64"), Strings{});
  const AliasPrecision some = precision_of({0.5, 0.25, 0.25, 0}, {0.5, 0.125, 0.375, 0});
  EXPECT_EQ(some.largest_change(), 0.5);
  EXPECT_EQ(some.changed.cell, 1U);  // the first cell with this change
  EXPECT_EQ(some.changed.requested, 0.25);
  EXPECT_EQ(some.changed.drawn, 0.125);
  EXPECT_EQ(some.lost_cells, 0U);
  const AliasPrecision lost = precision_of({0.5, 0.1, 0.2, 0.2, 0}, {1, 0, 0, 0, 0});
  EXPECT_EQ(lost.largest_change(), 1);
  EXPECT_EQ(lost.lost_cells, 3U);
  EXPECT_EQ(lost.lost.cell, 2U);
  EXPECT_EQ(lost.lost.requested, 0.2);
  EXPECT_EQ(precision_of({0.9, 0.1}, {0.7, 0.3}).largest_change(), 0.3 / 0.1 - 1);  // above 1
}

TEST(AliasPrecision, CellsOfARanksPartAreNumberedInTheWholeTable) {
  const Values asked(20, 0.05);
  Values drawn(asked);
  drawn[7] = 0.06;
  drawn[9] = 0;
  const auto precision = alias_precision(io::Communicator::self(), 30, asked, drawn);
  EXPECT_EQ(precision.changed.cell, 37U);
  EXPECT_EQ(precision.lost.cell, 39U);
}

TEST(AliasPrecision, WarnsAboveAMillionth) {
  EXPECT_EQ(precision_of({1, 1e-3}, {1, 1e-3 * (1 + 0.9e-6)}).warnings(32, "table.bits=64"),
            Strings{});
  EXPECT_EQ(precision_of({1, 1e-3}, {1, 1e-3 * (1 + 1.5e-6)}).warnings(32, "table.bits=64"),
            Strings{"cell 1 is drawn with probability 0.0010000015 instead of 0.001, a relative "
                    "change of 1.5e-06 (thresholds have 32 bits). Use table.bits=64."});
  EXPECT_EQ(
      precision_of({1, 1e-3, 2e-20}, {1, 1e-3 * (1 - 1.5e-6), 0}).warnings(64, ""),
      (Strings{"cells of positive weight that are never drawn: 1; cell 2 is the likeliest, and "
               "its probability should be 2e-20 (thresholds have 64 bits). Join unlikely cells.",
               "cell 1 is drawn with probability 0.0009999985 instead of 0.001, a relative "
               "change of 1.5e-06 (thresholds have 64 bits). Join unlikely cells."}));
}

/// The counts equal the expected counts of a table rounded to 32 bits, without statistical scatter.
/// They are compared with the requested probabilities.
TEST(AliasResult, ARoundedTableDoesNotPassTheChiSquare) {
  const Values weights{1, 1e-9};
  TableOptions options;
  options.weights = WeightsKind::zipf;
  options.cells = weights.size();
  const auto self = io::Communicator::self();
  const AliasWeights table(options, self);
  const Values asked = asked_of(weights);
  const auto narrow =
      host_copy(cell_probabilities(Space(), make_alias_table(Space(), device_copy(weights), {2})));
  constexpr std::uint64_t samples = 100000000000000;  // 10^14
  const auto result_of = [&](const Values& drawn) {
    const auto unlikely = static_cast<std::uint64_t>(std::llround(samples * drawn[1]));
    const std::vector<std::uint64_t> counts{samples - unlikely, unlikely};
    return alias_result(self, table.shape(), {samples, 0, counts, asked, drawn});
  };
  const AliasResult right = result_of(asked);
  EXPECT_LT(right.chi_square, 1e-3);
  EXPECT_EQ(right.degrees_of_freedom, 1);
  const AliasResult rounded = result_of(narrow);
  EXPECT_NEAR(rounded.chi_square, 1e5 * 0.047738 * 0.047738, 0.1);
  EXPECT_LT(rounded.p_value, 1e-10);
  EXPECT_EQ(rounded.zero_cells, 0U);
  // The moments are also compared with those of the requested probabilities.
  EXPECT_DOUBLE_EQ(rounded.means[0].table, asked[1]);
  EXPECT_GT(rounded.means[0].deviation(), 10);
}

TEST(AliasResult, CellsThatARoundedTableNeverDrawsCount) {
  TableOptions options;
  options.weights = WeightsKind::zipf;
  options.cells = 3;
  const auto self = io::Communicator::self();
  const AliasWeights table(options, self);
  const Values asked{0.5, 0.5 - 1e-6, 1e-6};
  const Values drawn{0.5, 0.5, 0};
  const std::vector<std::uint64_t> counts{50000000, 50000000, 0};
  const auto result = alias_result(self, table.shape(), {100000000, 0, counts, asked, drawn});
  EXPECT_EQ(result.zero_cells, 1U);
  EXPECT_EQ(result.degrees_of_freedom, 2);
  EXPECT_NEAR(result.chi_square, 100 + 2e-4, 1e-4);
}

}  // namespace
}  // namespace rivulet
