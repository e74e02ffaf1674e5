// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "battery/job/battery_options.hpp"

namespace rivulet {

/// The tests of all repeats, their places in the sequence, and the ranks that count them. A
/// position is a test's index in the order of running, seed by seed. Tests whose word count depends
/// on the numbers come first, as all later tests begin after them. Tests that run aside come next.
class TestSchedule {
 public:
  /// Makes the schedule for one rank. `options` must outlive this object.
  explicit TestSchedule(const BatteryOptions& options);

  const std::vector<BatteryTest>& tests() const { return tests_; }
  const BatteryTest& test(std::size_t i) const { return tests_[i]; }
  std::size_t size() const { return tests_.size(); }
  std::size_t repeats() const { return options_.repeat; }
  std::size_t repeat_of(std::size_t test) const;

  /// Orders the tests of each seed, and assigns each test to the rank with the least work.
  void share_among(int ranks);
  std::size_t test_at(std::uint64_t position) const { return order_[position]; }
  int owner_of(std::uint64_t position) const { return owner_[position]; }
  /// Words that all ranks together usually read per word of this rank.
  double words_per_own(int rank) const;
  /// True if later tests begin where this one ends and its word count depends on the numbers.
  bool is_awaited(std::uint64_t position) const { return waits_for(order_[position]); }

  /// Words that a test usually reads, in all replications.
  static std::uint64_t usual_words_of(const BatteryTest& test);
  /// Words that a test reads, or 0 if the count depends on the numbers.
  static std::uint64_t fixed_words_of(const BatteryTest& test);

  /// Words that each test reads. Until learn() and end(), only counts that do not depend on the
  /// numbers are set.
  const std::vector<std::uint64_t>& used() const { return used_; }
  /// Forgets word counts that depend on the numbers.
  void restart();
  /// Records the words of a finished test. A test without words was not done, and no later test
  /// will be.
  void learn(std::size_t test, std::uint64_t words);
  /// Call after the run with the words of each test, 0 if it was not done.
  void end(std::vector<std::uint64_t> words) { used_ = std::move(words); }
  /// Call after the run of shared tests.
  void end_chunks(std::uint64_t chunks);

  std::uint64_t begin_of(std::size_t test) const;
  /// After the run, returns the first test that was not done for lack of words, or the number of
  /// tests.
  std::size_t not_done() const;

 private:
  bool waits_for(std::size_t test) const;

  const BatteryOptions& options_;
  std::vector<BatteryTest> tests_;
  std::vector<std::size_t> order_;  ///< test at each position
  std::vector<int> owner_;          ///< rank of each position
  std::vector<double> load_;        ///< words of each rank
  std::vector<std::uint64_t> used_;
};

}  // namespace rivulet
