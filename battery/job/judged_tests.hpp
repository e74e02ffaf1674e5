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

/// The p-values of tests, possibly repeated with other seeds.
class JudgedTests {
 public:
  JudgedTests() = default;
  /// Judges the tests. Tests without counts get no p-values. `repeats` must divide the number of
  /// tests.
  JudgedTests(std::vector<BatteryTest> tests, std::size_t repeats, const BatteryLayout& layout,
              BatteryCounts counts, const Interleaving& turns);

  bool any_fails() const;
  /// Declares the p-values and verdicts. Collective.
  void declare(Results& out) const;

 private:
  struct Judged {
    std::size_t test;
    PValue p_value;
  };

  std::vector<BatteryTest> tests_;
  std::size_t repeats_ = 1;
  std::vector<Judged> judged_;
  std::vector<std::string> second_names_;  ///< one per statistic of the repeated tests
  std::vector<double> second_p_;           ///< per statistic, the p-value of all repeats' p-values
};

/// Declares each test's name, class and parameters, and where its words and counters begin.
/// Collective.
void declare_tests(Results& out, const TestSchedule& tests, const BatteryLayout& layout);

/// Returns the names joined by commas, or "none".
std::string listed(const std::vector<std::string>& names);

}  // namespace rivulet
