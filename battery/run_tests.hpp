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

/// Words of the sequence from which tests take streams apart, if they share no words.
inline constexpr std::uint64_t words_taken_apart = std::uint64_t{1} << 28;

/// The smaller of p and 1 - p.
double tail_of(const PValue& found);
/// Whether twice the tail of one of so many p-values is below the limit after correction.
bool fails(double tail, std::size_t all);
/// Such as "small.10 RandomWalk1 H".
std::string name_of(const BatteryTest& test, const PValue& found);

/// True if a test needs Fourier transforms and this build has none.
bool lacks_transforms(const BatteryTest& test);
/// Throws Error for tests that lack them, but for those of the set default.
void require_transforms_for(const std::vector<BatteryTest>& tests);

/// Runs tests that this build can run, one after another on a sequence (of one stream none that
/// takes streams apart), in tiles of about so many
/// words, and tells each p-value. Where the words end too early, tells those of the tests before,
/// and throws Error.
void run_tests(WordSupply words, const std::vector<BatteryTest>& tests, std::uint64_t tile,
               const std::function<void(const BatteryPValue&)>& tell);

}  // namespace rivulet
