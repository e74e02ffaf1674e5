// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "battery/job/battery_options.hpp"

namespace rivulet {

/// Determines where each test of every repeat begins in the sequence, and which rank counts it. A
/// position is an index in the execution order, repeat by repeat. Within a repeat, the tests that
/// later tests must wait for (has_dependents_at()) come first, then tests that run on host threads,
/// and then all others. If the words come from a pipe, the tests keep their original order.
class TestSchedule {
 public:
  /// Lists the tests of `options`, which must outlive this object. Positions exist only after
  /// share_among().
  explicit TestSchedule(const BatteryOptions& options);

  const std::vector<BatteryTest>& tests() const { return tests_; }
  const BatteryTest& test(std::size_t i) const { return tests_[i]; }
  std::size_t size() const { return tests_.size(); }
  std::size_t repeats() const { return options_.repeat; }
  std::size_t repeat_of(std::size_t test) const;

  /// Orders the tests of each repeat, and assigns each test to the rank with the fewest words so
  /// far.
  void share_among(int ranks);
  std::size_t test_at(std::uint64_t position) const { return order_[position]; }
  int owner_of(std::uint64_t position) const { return owner_[position]; }
  /// Returns how many words all ranks together usually read per word that `rank` reads.
  double load_ratio(int rank) const;
  /// Returns true if later tests begin where the test at `position` ends, and the test's word count
  /// depends on the random numbers.
  bool has_dependents_at(std::uint64_t position) const { return has_dependents(order_[position]); }

  /// Returns the number of words that a test usually reads, in all replications.
  static std::uint64_t usual_words_of(const BatteryTest& test);
  /// Returns the number of words that a test reads, or 0 if it depends on the random numbers.
  static std::uint64_t fixed_words_of(const BatteryTest& test);

  /// Returns the number of words per test. Before record_words() or end(), this number is 0 for
  /// tests whose word count depends on the random numbers.
  const std::vector<std::uint64_t>& used() const { return used_; }
  /// Forgets the word counts that depend on the random numbers.
  void restart();
  /// Records the number of words of a finished test. If the number is 0, the test was not done, and
  /// no later test is done either.
  void record_words(std::size_t test, std::uint64_t words);
  /// Sets the number of words of each test (0 if it was not done). Call after the run.
  void end(std::vector<std::uint64_t> words) { used_ = std::move(words); }
  /// Sets the number of chunks that shared tests read. Call after the run.
  void end_chunks(std::uint64_t chunks);

  /// Returns the position of a test's first word in the sequence.
  std::uint64_t begin_of(std::size_t test) const;
  /// After the run, returns the first test that was not done because the words ended, or size().
  std::size_t first_not_done() const;

 private:
  bool has_dependents(std::size_t test) const;

  const BatteryOptions& options_;
  std::vector<BatteryTest> tests_;
  std::vector<std::size_t> order_;  ///< test at each position
  std::vector<int> owner_;          ///< rank of each position
  std::vector<double> load_;        ///< usual number of words per rank
  std::vector<std::uint64_t> used_;
};

}  // namespace rivulet
