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
#include "battery/counting/kept_windows.hpp"
#include "battery/words/word_tiles.hpp"

namespace rivulet {

/// The counts of a test's replication, and the number of words that it read.
struct Replication {
  std::vector<std::uint64_t> counts;
  std::uint64_t words = 0;
  std::vector<double> reals = {};  ///< statistics of more numbers than are worth keeping
  KeptWindows windows = {};        ///< of Overlaps
};

/// The windows of all replications.
struct Windows {
  std::span<const KeptWindow> kept;
  Interleaving turns = {};
};

/// A p-value of a test, near 0 or near 1 if the test fails.
struct PValue {
  std::string statistic;  ///< such as "H"; empty if a test has one alone
  double value = 0;       ///< of the statistic
  double p = 0;
  std::optional<double> testu01 = {};  ///< TestU01's p-value, where its law is off
  std::string note = {};               ///< what was found, for the report
};

/// The common part of a class's tests. class_of() sets the functions that a class leaves out.
struct TestClass {
  using Test = const BatteryTest&;
  using Number = std::function<std::uint64_t(Test)>;
  using Counters = std::span<const std::uint64_t>;
  using Reals = std::span<const double>;

  /// format: of the parameters besides N, n and r, as fmt takes it: "d = {d}".
  TestClass(std::string_view title, std::string_view format) : name(title), parameters(format) {}

  std::string_view name;
  std::string_view parameters;
  /// Expected numbers of a row's counters; classes with another law have none.
  std::function<std::vector<double>(Test)> expected = {};
  /// Counters of a replication. Left out: as many as are expected, or 1.
  Number counters = {};
  /// Real numbers of a replication.
  Number reals = [](Test) { return std::uint64_t{0}; };
  /// Words of the shortest row, of classes whose n items are rows of L words of one stream.
  Number least_row = {};
  /// Words that must be in memory together.
  Number item_words = [](Test) { return std::uint64_t{1}; };
  /// Words that a replication reads: on average (left out: those of n items), and at most.
  Number words = {};
  Number most_words = {};
  /// Bytes of memory besides the words. Left out: those of a histogram of the counters.
  Number bytes = {};

  /// Counts a replication, of n items.
  std::function<Replication(const Sample&, Test)> counted = {};
  /// In place of this: counts a replication's words on a thread of the host.
  std::function<std::vector<std::uint64_t>(const std::uint32_t*, Test)> counted_aside = {};

  /// From the counters and real numbers of all rows, one after another. Left out: chi-square tests
  /// of the expected numbers, in merged classes.
  std::function<std::vector<PValue>(Test, Counters, Reals)> judge = {};
  /// In place of this, for Overlaps.
  std::function<std::vector<PValue>(Test, Counters, const Windows&)> judge_windows = {};
  /// Whether counters of replications may be added up, as if they were of one (pooled tests).
  bool pools = false;
  /// Words of the smallest chunk, and fewest items of all, for which a pooled test's law holds.
  /// Left out: those of an item, and TestU01's fewest matrices.
  Number least_chunk = {};
  Number least_items = [](Test) { return std::uint64_t{80}; };

  Replication count(WordTiles& tiles, std::uint64_t position, Test test) const;
  /// Counts all replications; each begins where the one before ended. If the class runs_aside(),
  /// other threads may count until the result is called for.
  using Result = std::function<std::vector<Replication>()>;
  Result count_all(WordTiles& tiles, std::uint64_t position, Test test) const;
  bool runs_aside() const { return counted_aside != nullptr; }
};

const TestClass& class_of(const BatteryTest& test);

/// For example "d = 16".
std::string parameters_of(const BatteryTest& test);

/// The p-values of a test, from what all replications have counted.
std::vector<PValue> judged(const BatteryTest& test, TestClass::Counters counters,
                           TestClass::Reals reals, const Windows& windows);

/// The test on so many words of a sequence of streams that take turns: taken apart, if it asks for
/// that, and with rows that fit. If no item fits, the test has none.
BatteryTest arranged(BatteryTest test, const Interleaving& turns, std::uint64_t words);

/// Words of the sequence that a test has in memory together, at least.
std::uint64_t words_together(const BatteryTest& test, const Interleaving& turns);
/// Words of the sequence that a replication reads, usually and at most.
std::uint64_t usual_words_of(const BatteryTest& test);
std::uint64_t most_words_of(const BatteryTest& test);
/// Bytes of memory that a test needs besides a tile of words.
std::uint64_t bytes_of(const BatteryTest& test);

/// The test with fewer items, if so many words are not enough for a replication: for classes that
/// read a number of words that depends on the numbers with a margin of a tenth. It reads none if
/// not one item fits.
BatteryTest fitted(BatteryTest test, std::uint64_t words);

/// True if a test has enough items for its law.
inline bool is_judgeable(const BatteryTest& test) {
  return !test.pooled || test.items() >= class_of(test).least_items(test);
}

}  // namespace rivulet
