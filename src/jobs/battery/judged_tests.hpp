// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "battery/test_class.hpp"
#include "jobs/battery/battery_counts.hpp"
#include "jobs/common/results.hpp"

namespace rivulet {

/// The p-values of tests, which may be repeated with other seeds.
class JudgedTests {
 public:
  /// Of the tests without counts there are none. `repeats` divides the tests.
  JudgedTests(std::vector<BatteryTest> tests, std::size_t repeats, const BatteryLayout& layout,
              BatteryCounts counts);

  bool any_fails() const;
  /// Collective.
  void declare(Results& out) const;

 private:
  struct Judged {
    std::size_t test;
    PValue found;
  };

  void declare_repeats(Results& out) const;

  std::vector<BatteryTest> tests_;
  std::size_t repeats_;
  std::vector<Judged> judged_;
  std::vector<std::string> second_names_;  ///< of each statistic of a repeated test
  std::vector<double> second_p_;           ///< p-value of its p-values
};

/// "small.3", or "small.3 of repeat 2".
std::string name_in_repeats(const std::vector<BatteryTest>& tests, std::size_t repeats,
                            std::size_t test);

/// Writes strings, if there is a file. Collective.
void declare_texts(Results& out, const std::string& name, const std::vector<std::string>& values,
                   const std::string& description);

/// "none", or names with commas between them.
std::string listed(const std::vector<std::string>& names);

}  // namespace rivulet
