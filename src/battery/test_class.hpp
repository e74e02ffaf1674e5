// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "battery/battery_test.hpp"
#include "kernels/battery/counting.hpp"

namespace rivulet {

/// The result of a replication.
struct Replication : TestCounts {
  std::vector<double> reals = {};  ///< statistics of more numbers than are worth keeping
};

/// A p-value of a test, near 0 or near 1 if the test fails.
struct PValue {
  std::string statistic;  ///< such as "H"; empty if a test has one alone
  double value = 0;       ///< of the statistic
  double p = 0;
  std::optional<double> testu01 = {};  ///< TestU01's p-value, where its law is off
};

/// What tests of a class have in common.
class TestClass {
 public:
  virtual ~TestClass() = default;

  virtual std::string_view name() const = 0;
  /// "d = 16", without N, n and r.
  virtual std::string parameters(const BatteryTest& test) const = 0;
  /// Counters, and real numbers, of a replication.
  virtual std::uint64_t counters(const BatteryTest& test) const = 0;
  virtual std::uint64_t reals(const BatteryTest&) const { return 0; }
  /// Words that a replication reads: on average, and at most.
  virtual std::uint64_t words(const BatteryTest& test) const = 0;
  virtual std::uint64_t most_words(const BatteryTest& test) const { return words(test); }
  /// Words that must be in memory together.
  virtual std::uint64_t item_words(const BatteryTest& test) const = 0;
  /// Bytes of memory besides the words.
  virtual std::uint64_t bytes(const BatteryTest& test) const;

  virtual Replication count(WordTiles& tiles, std::uint64_t position,
                            const BatteryTest& test) const = 0;
  /// Counts all replications, each of which begins where the one before ended. What is called for
  /// the result may be still at work until then, on other threads, if the class runs_aside().
  using Result = std::function<std::vector<Replication>()>;
  virtual Result count_all(WordTiles& tiles, std::uint64_t position, const BatteryTest& test) const;
  virtual bool runs_aside() const { return false; }
  /// Whether counters of replications may be added up, as if they were of one (pooled tests).
  virtual bool pools() const { return false; }
  /// From the counters and real numbers of all rows, one after another.
  virtual std::vector<PValue> judge(const BatteryTest& test,
                                    std::span<const std::uint64_t> counters,
                                    std::span<const double> reals) const = 0;
};

const TestClass& class_of(TestKind kind);

/// The test with fewer items, if so many words are not enough for a replication: for classes that
/// read a number of words that depends on the numbers with a margin of a tenth. n is 0 if none fit.
BatteryTest fitted(BatteryTest test, std::uint64_t words);

}  // namespace rivulet
