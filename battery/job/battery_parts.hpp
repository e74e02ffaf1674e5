// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "battery/job/battery_counts.hpp"
#include "battery/job/battery_options.hpp"
#include "jobs/common/merge_input.hpp"

// The battery's parts: tests that begin at one word, or stretches of the words of shared tests.

namespace rivulet {

/// Throws Error if the tests begin where others ended; `path` is for its message.
Portion portion_of(const BatteryOptions& part, const std::string& path);

/// The deck's settings for a portion, "key=value".
std::vector<std::string> settings_of(const BatteryOptions& part, const Portion& portion);

/// The tests of a part of the whole, of all repeats, in its order.
std::vector<BatteryTest> tests_of(const BatteryOptions& whole, const Portion& part);

/// The counts of a part at their places among those of the whole. Throws Error if some are missing.
BatteryCounts in_whole(const BatteryOptions& whole, const MergeInput& part, BatteryCounts own);

}  // namespace rivulet
