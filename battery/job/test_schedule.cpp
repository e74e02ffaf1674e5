// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/job/test_schedule.hpp"

#include <algorithm>
#include <numeric>

#include "battery/test_class.hpp"

namespace rivulet {
namespace {

/// Word count recorded for a test that was not done. No sequence is this long, so later tests begin
/// after its end and are not done either.
constexpr std::uint64_t not_done_words = std::uint64_t{1} << 55;

}  // namespace

TestSchedule::TestSchedule(const BatteryOptions& options)
    : options_(options), tests_(options.all_tests()), used_(tests_.size()) {}

std::size_t TestSchedule::repeat_of(std::size_t test) const {
  return test / (tests_.size() / options_.repeat);
}

bool TestSchedule::has_dependents(std::size_t test) const {
  return options_.turns() == TestTurns::testu01 && fixed_words_of(tests_[test]) == 0;
}

void TestSchedule::share_among(int ranks) {
  order_.resize(tests_.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (!options_.is_pipe()) {
    const auto turn = [this](std::size_t i) {
      const bool is_concurrent = class_of(tests_[i]).runs_concurrently();
      return std::pair(repeat_of(i), has_dependents(i) ? 0 : is_concurrent ? 1 : 2);
    };
    std::ranges::stable_sort(order_, {}, turn);
  }
  load_.assign(static_cast<std::size_t>(ranks), 0);
  owner_.clear();
  for (const std::size_t test : order_) {
    const auto smallest = std::ranges::min_element(load_);
    *smallest += static_cast<double>(usual_words_of(tests_[test]));
    owner_.push_back(static_cast<int>(smallest - load_.begin()));
  }
}

double TestSchedule::load_ratio(int rank) const {
  return std::accumulate(load_.begin(), load_.end(), 0.0) / load_[static_cast<std::size_t>(rank)];
}

std::uint64_t TestSchedule::usual_words_of(const BatteryTest& test) {
  return test.N * rivulet::usual_words_of(test);
}

std::uint64_t TestSchedule::fixed_words_of(const BatteryTest& test) {
  return !test.pooled && max_words_of(test) == rivulet::usual_words_of(test) ? usual_words_of(test)
                                                                             : 0;
}

void TestSchedule::restart() { std::ranges::transform(tests_, used_.begin(), fixed_words_of); }

void TestSchedule::record_words(std::size_t test, std::uint64_t words) {
  used_[test] = words == 0 ? not_done_words : words;
}

void TestSchedule::end_chunks(std::uint64_t chunks) {
  for (BatteryTest& test : tests_) test.N = test.replications_per_chunk * chunks;
}

std::uint64_t TestSchedule::begin_of(std::size_t test) const {
  if (options_.turns() != TestTurns::testu01) return options_.first_word;
  const std::size_t first = repeat_of(test) * (tests_.size() / options_.repeat);
  return std::accumulate(used_.begin() + static_cast<std::ptrdiff_t>(first),
                         used_.begin() + static_cast<std::ptrdiff_t>(test), options_.first_word);
}

std::size_t TestSchedule::first_not_done() const {
  return static_cast<std::size_t>(std::ranges::find(used_, 0) - used_.begin());
}

}  // namespace rivulet
