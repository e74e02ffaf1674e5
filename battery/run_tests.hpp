// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "battery/test_class.hpp"
#include "rivulet/battery.hpp"

namespace rivulet {

/// Unless tests are shared, a test that reads streams separately reads this many words of the
/// sequence.
inline constexpr std::uint64_t separated_words = std::uint64_t{1} << 28;

/// Returns the smaller of p and 1 - p.
double tail_of(const PValue& found);
/// Returns true if twice the tail, times the number of p-values (Bonferroni), is below the limit
/// 10^-10.
bool fails(double tail, std::size_t all);
/// Returns the names of test, class and statistic, such as "small.10 RandomWalk1 H".
std::string name_of(const BatteryTest& test, const PValue& found);

/// Returns true if a test needs Fourier transforms and this build has none.
bool lacks_transforms(const BatteryTest& test);
/// Throws Error if a test lacks transforms. Tests of the set default are exempt; runs omit them
/// instead.
void require_transforms_for(const std::vector<BatteryTest>& tests);

/// Runs the tests that this build can run, one after another on a sequence, and passes each p-value
/// to `report`. A tile holds about `tile` words. With a single stream, skips tests that read
/// streams separately. If the words end too early, passes the p-values of the earlier tests and
/// throws Error.
void run_tests(WordSupply words, const std::vector<BatteryTest>& tests, std::uint64_t tile,
               const std::function<void(const BatteryPValue&)>& report);

}  // namespace rivulet
