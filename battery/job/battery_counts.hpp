// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "battery/job/battery_options.hpp"
#include "battery/test_class.hpp"
#include "jobs/common/counts.hpp"
#include "jobs/common/merge_input.hpp"

namespace rivulet {

/// The counts of all tests. For each test, `counters` contains the number of words that the test
/// read, followed by the counters of its replications. The digest covers `counters`.
struct BatteryCounts {
  static constexpr const char* message_name = "counters";
  static constexpr bool is_in_rows = false;

  std::vector<std::uint64_t> counters;
  std::vector<std::uint64_t> reals;  ///< bit patterns of the replications' real numbers
  KeptWindows windows = {};          ///< kept by Overlaps
  std::string source = {};           ///< seal of the file of words, for checkpoints

  template <class Io>
  void fields(Io& io) {
    io.totals("counters", counters,
              {"of each test the words that it read, then its counters, replication by replication",
               "", "counter"});
    io.totals("real_bits", reals,
              {"bits of the tests' Anderson-Darling statistics and their p-values, replication by "
               "replication",
               "", "real"});
    std::vector<std::uint64_t> hashes, places;
    for (const KeptWindow& window : windows) {
      hashes.push_back(window.hash);
      places.push_back(window.packed);
    }
    io.list("window_hash", hashes, {"hashes of the windows that Overlaps keeps", "", "window"});
    io.list("window_place", places,
            {"position of its first word, plus 2^50 times its level, plus 2^55 times its repeat",
             "", "window"});
    if (places.size() != hashes.size()) {
      throw Mismatch(
          fmt::format("it has {} hashes of windows and {} places", hashes.size(), places.size()));
    }
    windows.resize(hashes.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) windows[i] = {hashes[i], places[i]};
    if (io.in_checkpoint() && !source.empty()) io.text("source", source, {"seal of the words"});
  }
  BatteryCounts& operator+=(const BatteryCounts& other) {
    add_each(counters, other.counters);
    add_each(reals, other.reals);
    windows.insert(windows.end(), other.windows.begin(), other.windows.end());
    return *this;
  }
  const std::vector<std::uint64_t>& words() const { return counters; }
};

/// Offsets of the tests' counts in BatteryCounts. With pooled tests, the last counter is the number
/// of chunks.
class BatteryLayout {
 public:
  explicit BatteryLayout(const std::vector<BatteryTest>& tests)
      : has_chunks_(!tests.empty() && tests[0].pooled) {
    for (const BatteryTest& test : tests) {
      const TestClass& kind = class_of(test);
      counters_.push_back(counters_.back() + 1 + test.rows() * kind.counters(test));
      reals_.push_back(reals_.back() + test.rows() * kind.reals(test));
    }
  }

  BatteryCounts none() const {
    return {Values(counters_.back() + (has_chunks_ ? 1 : 0)), Values(reals_.back())};
  }
  static std::uint64_t& chunks(BatteryCounts& counts) { return counts.counters.back(); }
  std::uint64_t& words(BatteryCounts& counts, std::size_t test) const {
    return counts.counters[counters_[test]];
  }
  /// Adds all replications of a test, or one replication of a pooled test, to the test's counts.
  void add(BatteryCounts& counts, std::size_t test, const std::vector<Replication>& replications,
           std::uint64_t repeat = 0) const {
    auto counter = counters(counts, test).begin();
    auto bits = reals(counts, test).begin();
    for (const Replication& replication : replications) {
      words(counts, test) += replication.words;
      for (const KeptWindow& window : replication.windows) {
        counts.windows.push_back({window.hash, window.packed | KeptWindow::repeat_bits(repeat)});
      }
      for (const std::uint64_t count : replication.counts) *counter++ += count;
      for (const double real : replication.reals) *bits++ = std::bit_cast<std::uint64_t>(real);
    }
  }
  std::span<std::uint64_t> counters(BatteryCounts& counts, std::size_t test) const {
    return std::span(counts.counters)
        .subspan(counters_[test] + 1, counters_[test + 1] - counters_[test] - 1);
  }
  std::span<std::uint64_t> reals(BatteryCounts& counts, std::size_t test) const {
    return std::span(counts.reals).subspan(reals_[test], reals_[test + 1] - reals_[test]);
  }
  /// Returns the index of a test's first counter in `counters`.
  std::uint64_t first_counter(std::size_t test) const { return counters_[test] + 1; }

 private:
  using Values = std::vector<std::uint64_t>;

  bool has_chunks_;
  Values counters_{0};
  Values reals_{0};
};

// If all tests begin at the same word, the parts of a battery are lists of tests. With shared
// tests, the parts are ranges of words.

/// Returns the part that a run covers. Throws Error with battery.sequence=testu01, because each
/// test then begins where another test ended. `path` is for the message.
Portion portion_of(const BatteryOptions& part, const std::string& path);

/// Returns counts for `battery` in which only the part's counts are filled in. Throws Error
/// if the part's counts are incomplete.
BatteryCounts expand_part(const BatteryOptions& battery, const MergeInput& part,
                          BatteryCounts counts);

}  // namespace rivulet
