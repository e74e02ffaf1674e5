// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "battery/job/battery_counts.hpp"
#include "jobs/common/results.hpp"

namespace rivulet {

/// Facts that a run knows, but a merge of parts does not.
struct BatteryFacts : RunMemory {
  std::uint64_t end = 0;  ///< length of the sequence in words
};

/// Judges the tests of a run, or of a merge (without `facts`), and declares their results. Throws
/// Error if the run counted nothing. Collective.
void declare_battery(Results& out, const BatteryOptions& deck, const BatteryCounts& counts,
                     const BatteryFacts* facts);

}  // namespace rivulet
