// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "battery/job/battery_options.hpp"

namespace rivulet {

/// The tests of all repeats, where each begins in the sequence, and which rank counts which.
/// Positions are tests in the order in which they are run, seed by seed: first those that read as
/// many words as the numbers make them, since all later tests begin where they end; then those that
/// run beside the others.
class TestSchedule {
 public:
  /// For one rank. `options` must outlive this.
  explicit TestSchedule(const BatteryOptions& options);

  const std::vector<BatteryTest>& tests() const { return tests_; }
  const BatteryTest& test(std::size_t i) const { return tests_[i]; }
  std::size_t size() const { return tests_.size(); }
  std::size_t repeats() const { return options_.repeat; }
  std::size_t repeat_of(std::size_t test) const;

  /// Orders the tests of each seed, and gives each to the rank that has least to do.
  void share_among(int ranks);
  std::size_t test_at(std::uint64_t position) const { return order_[position]; }
  int owner_of(std::uint64_t position) const { return owner_[position]; }
  /// Words that all ranks usually read for each of a rank's own.
  double words_per_own(int rank) const;
  /// Whether later tests begin where this one ends, which depends on the numbers.
  bool is_awaited(std::uint64_t position) const { return waits_for(order_[position]); }

  /// Words that a test usually reads.
  static std::uint64_t usual_words_of(const BatteryTest& test);
  /// 0 if the words depend on the numbers.
  static std::uint64_t fixed_words_of(const BatteryTest& test);

  /// Words that each test reads: those that do not depend on the numbers, until learn() and end().
  const std::vector<std::uint64_t>& used() const { return used_; }
  /// Forgets the words that depend on the numbers.
  void restart();
  /// After a test; without words it was not done, and no later test will be.
  void learn(std::size_t test, std::uint64_t words);
  /// After the run: the words of each test, 0 if it was not done.
  void end(std::vector<std::uint64_t> words) { used_ = std::move(words); }
  /// After the run of shared tests.
  void end_chunks(std::uint64_t chunks);

  std::uint64_t begin_of(std::size_t test) const;
  /// After the run: the first test that was not done, for want of words; else their number.
  std::size_t not_done() const;

 private:
  bool waits_for(std::size_t test) const;

  const BatteryOptions& options_;
  std::vector<BatteryTest> tests_;
  std::vector<std::size_t> order_;  ///< tests by position
  std::vector<int> owner_;          ///< rank, by position
  std::vector<double> load_;        ///< words, by rank
  std::vector<std::uint64_t> used_;
};

}  // namespace rivulet
