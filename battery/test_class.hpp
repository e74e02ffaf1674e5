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

/// The counts of one replication, and the number of words that it read.
struct Replication {
  std::vector<std::uint64_t> counts;
  std::uint64_t words = 0;
  std::vector<double> reals = {};  ///< statistics whose input is too large to keep
  KeptWindows windows = {};        ///< of Overlaps only
};

/// The kept windows of all replications, for Overlaps.
struct Windows {
  std::span<const KeptWindow> kept;
  Interleaving turns = {};
};

/// A p-value of a test, near 0 or near 1 if the test fails.
struct PValue {
  std::string statistic;  ///< such as "H"; empty if the test has only one
  double value = 0;       ///< value of the statistic
  double p = 0;
  std::optional<double> testu01 = {};  ///< p-value by TestU01's distribution, if that is inexact
  std::string note = {};               ///< finding for the report, such as overlapping streams
};

/// Functions and constants shared by all tests of a class. class_of() sets the defaults of
/// functions that a class omits.
struct TestClass {
  using Test = const BatteryTest&;
  using Number = std::function<std::uint64_t(Test)>;
  using Counters = std::span<const std::uint64_t>;
  using Reals = std::span<const double>;

  /// `format` is an fmt string for the parameters except N, n and r, such as "d = {d}".
  TestClass(std::string_view title, std::string_view format) : name(title), parameters(format) {}

  std::string_view name;
  std::string_view parameters;
  /// Expected counters of a row (a replication, or all replications if pooled). Empty for classes
  /// that do not compare counters with expected values.
  std::function<std::vector<double>(Test)> expected = {};
  /// Number of counters per replication. Default: one per expected value, or 1.
  Number counters = {};
  /// Number of real numbers per replication.
  Number reals = [](Test) { return std::uint64_t{0}; };
  /// Words of the shortest row, for classes whose n items are rows. A row has L words of one
  /// stream.
  Number min_row_words = {};
  /// Words that must be in memory together for one item.
  Number item_words = [](Test) { return std::uint64_t{1}; };
  /// Number of words that a replication reads on average. Default: the words of n items.
  Number words = {};
  /// Number of words that a replication reads at most. Default: `words`.
  Number max_words = {};
  /// Bytes of memory besides the words. Default: a histogram of the counters.
  Number bytes = {};

  /// Counts one replication of n items.
  std::function<Replication(const Sample&, Test)> counted = {};
  /// Alternative to `counted` for sequential tests: counts one replication's words on a host
  /// thread.
  std::function<std::vector<std::uint64_t>(const std::uint32_t*, Test)> counted_on_host = {};

  /// Computes p-values from all rows' counters and real numbers, row after row. Default: chi-square
  /// test against the expected values, with merged classes.
  std::function<std::vector<PValue>(Test, Counters, Reals)> judge = {};
  /// Alternative to `judge`, for Overlaps.
  std::function<std::vector<PValue>(Test, Counters, const Windows&)> judge_windows = {};
  /// True if tests may be pooled: the counters of all replications are added, as if there were one
  /// replication.
  bool pools = false;
  /// Minimum number of words per chunk for a pooled test's distribution to be valid. Default: the
  /// words of one item.
  Number min_chunk_words = {};
  /// Minimum number of items in all chunks for a pooled test's distribution to be valid. Default:
  /// TestU01's minimum number of matrices.
  Number min_items = [](Test) { return std::uint64_t{80}; };

  Replication count(WordTiles& tiles, std::uint64_t position, Test test) const;
  /// Counts all replications. Each replication begins where the previous one ended. If
  /// runs_concurrently() is true, other threads count, and the returned function waits for them.
  using Result = std::function<std::vector<Replication>()>;
  Result count_all(WordTiles& tiles, std::uint64_t position, Test test) const;
  bool runs_concurrently() const { return counted_on_host != nullptr; }
};

const TestClass& class_of(const BatteryTest& test);

/// Returns the parameters as text, for example "d = 16".
std::string parameters_of(const BatteryTest& test);

/// Returns the p-values of a test from the counts of all replications.
std::vector<PValue> judged(const BatteryTest& test, TestClass::Counters counters,
                           TestClass::Reals reals, const Windows& windows);

/// Returns the test, resized for `words` words of a sequence of interleaved streams. Unless
/// `stream_order` is StreamOrder::in_turn, the test reads streams separately. Rows are shortened
/// until they fit. If even the shortest row does not fit, n is 0.
BatteryTest arranged(BatteryTest test, const Interleaving& turns, std::uint64_t words);

/// Returns the minimum number of words of the sequence that a test needs in memory together.
std::uint64_t words_together(const BatteryTest& test, const Interleaving& turns);
/// Returns the number of words of the sequence that a replication usually reads.
std::uint64_t usual_words_of(const BatteryTest& test);
/// Returns the number of words of the sequence that a replication reads at most.
std::uint64_t max_words_of(const BatteryTest& test);
/// Returns the bytes of memory that a test needs besides a tile of words.
std::uint64_t bytes_of(const BatteryTest& test);

/// Returns the test with n lowered until a replication fits into `words` words. If not even one
/// item fits, n is 0. Classes whose word count depends on the random numbers keep a margin of a
/// tenth.
BatteryTest fitted(BatteryTest test, std::uint64_t words);

/// True if a test has enough items for its distribution to be valid.
inline bool is_judgeable(const BatteryTest& test) {
  return !test.pooled || test.items() >= class_of(test).min_items(test);
}

}  // namespace rivulet
