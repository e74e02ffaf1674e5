// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "battery/job/battery_counts.hpp"
#include "battery/job/test_schedule.hpp"
#include "battery/test_class.hpp"
#include "jobs/common/results.hpp"

namespace rivulet {

/// The p-values of tests, which may be repeated with other seeds.
class JudgedTests {
 public:
  JudgedTests() = default;
  /// Of the tests without counts there are none. `repeats` divides the tests.
  JudgedTests(std::vector<BatteryTest> tests, std::size_t repeats, const BatteryLayout& layout,
              BatteryCounts counts, const Interleaving& turns);

  bool any_fails() const;
  /// Collective.
  void declare(Results& out) const;

 private:
  struct Judged {
    std::size_t test;
    PValue found;
  };

  std::vector<BatteryTest> tests_;
  std::size_t repeats_ = 1;
  std::vector<Judged> judged_;
  std::vector<std::string> second_names_;  ///< of each statistic of a repeated test
  std::vector<double> second_p_;           ///< p-value of its p-values
};

/// Declares of each test its name, its class, its parameters, and where its words and counters are.
/// Collective.
void declare_tests(Results& out, const TestSchedule& tests, const BatteryLayout& layout);

/// "none", or names with commas between them.
std::string listed(const std::vector<std::string>& names);

}  // namespace rivulet
