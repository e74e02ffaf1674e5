// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>

#include "battery/classes.hpp"
#include "battery/laws.hpp"

// Tests of bits in a row (TestU01's sstring).

namespace rivulet {
namespace {

class HammingWeight2 final : public TestClass {
  std::string_view name() const override { return "HammingWeight2"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest&) const override { return 1; }
  std::uint64_t words(const BatteryTest& test) const override {
    return blocks(test) * item_words(test);
  }
  std::uint64_t item_words(const BatteryTest& test) const override { return words_of_blocks(test); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_squared_weights(tiles, at, blocks(test), test.r, test.s, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return {summed(test, counters, [&](Counters sum) {
      return detail::hamming_weight(test.items() / test.n * blocks(test), wide(test.L), sum[0]);
    })};
  }
  bool pools() const override { return true; }

  static std::uint64_t blocks(const BatteryTest& test) { return test.n / wide(test.L); }
};

class HammingCorr final : public TestClass {
  std::string_view name() const override { return "HammingCorr"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest& test) const override {
    return wide(test.L + 1) * wide(test.L + 1);
  }
  std::uint64_t words(const BatteryTest& test) const override {
    return test.n * words_of_blocks(test);
  }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return 2 * words_of_blocks(test);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_neighbour_weights(tiles, at, test.n, test.r, test.s, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return normals(test, counters, [&](Counters one) {
      return detail::hamming_correlation_z(test.n, test.L, one);
    });
  }
};

class AutoCor final : public TestClass {
  std::string_view name() const override { return "AutoCor"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}, d = {}", test.s, test.d);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 1; }
  std::uint64_t words(const BatteryTest& test) const override {
    return pairs(test) / wide(test.s) + test.d / wide(test.s) + 1;
  }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return test.d / wide(test.s) + 2;
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_lagged_bits(tiles, at, pairs(test) / wide(test.s), test.r, test.s,
                              static_cast<int>(test.d))};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return normals(test, counters,
                   [&](Counters ones) { return detail::autocorrelation_z(pairs(test), ones[0]); });
  }

  /// Those of whole words.
  static std::uint64_t pairs(const BatteryTest& test) {
    return (test.n - test.d) / wide(test.s) * wide(test.s);
  }
};

class PeriodsInStrings final : public TestClass {
  std::string_view name() const override { return "PeriodsInStrings"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}", test.s);
  }
  std::uint64_t counters(const BatteryTest& test) const override {
    return detail::period_classes(test.n, test.s).expected.size();
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n; }
  std::uint64_t item_words(const BatteryTest&) const override { return period_words(); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_periods(tiles, at, test.n, test.r, test.s,
                          detail::period_classes(test.n, test.s).correlations)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters, detail::period_classes(test.n, test.s).expected);
  }
};

/// The last counter is the longest run of all.
class LongestHeadRun final : public TestClass {
  std::string_view name() const override { return "LongestHeadRun"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest& test) const override {
    return expected(test).size() + 1;
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * item_words(test); }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return wide(test.L) / wide(test.s);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_longest_runs(tiles, at, test.n, test.r, test.s, item_words(test),
                               expected(test).size() - 1)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const std::vector<double> blocks = expected(test);
    const std::size_t each = blocks.size() + 1;
    std::uint64_t longest = 0;
    for (std::size_t k = 1; k <= test.N; ++k) longest = std::max(longest, counters[k * each - 1]);
    const double all = static_cast<double>(test.N * test.n) * bits(test);
    return {summed(
                test, counters,
                [&](Counters one) { return detail::chi_square(blocks, one.first(blocks.size())); },
                "Chi"),
            {"Disc", static_cast<double>(longest),
             detail::discrete_p(detail::longest_run_tails(static_cast<int>(longest), all))}};
  }

  static double bits(const BatteryTest& test) {
    return static_cast<double>(test.L / test.s * test.s);
  }
  static std::vector<double> expected(const BatteryTest& test) {
    return detail::longest_run_expected(test.n, bits(test));
  }
};

/// Counters are those of zeros and of ones in turn, from length 1, then the words; 0 if runs of
/// ones were too few.
class BitRun final : public TestClass {
  std::string_view name() const override { return "Run of bits"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}", test.s);
  }
  std::uint64_t counters(const BatteryTest& test) const override {
    return 2 * detail::bit_run_classes(test.n) + 1;
  }
  std::uint64_t words(const BatteryTest& test) const override { return 4 * test.n / wide(test.s); }
  std::uint64_t most_words(const BatteryTest& test) const override {
    return 16 * test.n / wide(test.s) + 1;
  }
  std::uint64_t item_words(const BatteryTest& test) const override { return 64 / wide(test.s); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    BitRunCounts found = count_bit_runs(tiles, at, test.n, test.r, test.s,
                                        static_cast<int>(detail::bit_run_classes(test.n)));
    found.counts.erase(found.counts.begin(), found.counts.begin() + 2);  // of length 0
    found.counts.push_back(found.ended ? 0 : found.words);
    return {std::move(found)};
  }
  /// Of one replication.
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    if (counters.back() == 0) {
      const double infinity = std::numeric_limits<double>::infinity();
      return {{"NRuns", infinity, 0}, {"NBits", infinity, 0}};
    }
    std::vector<std::uint64_t> zeros{0}, ones{0};
    for (std::size_t i = 0; i + 1 < counters.size(); i += 2) {
      zeros.push_back(counters[i]);
      ones.push_back(counters[i + 1]);
    }
    const std::uint64_t bits = counters.back() * wide(test.s);
    const detail::BitRuns law = detail::bit_runs(test.n, zeros, ones, bits);
    return {{"NRuns", law.statistic, law.runs.p, law.runs.testu01},
            {"NBits", static_cast<double>(bits), law.bits.p, law.bits.testu01}};
  }
};

}  // namespace

void add_string_classes(ClassTable& classes) {
  static const HammingWeight2 hamming_weight2;
  static const HammingCorr hamming_corr;
  static const AutoCor autocor;
  static const PeriodsInStrings periods_in_strings;
  static const LongestHeadRun longest_head_run;
  static const BitRun bit_run;
  classes[TestKind::hamming_weight2] = &hamming_weight2;
  classes[TestKind::hamming_corr] = &hamming_corr;
  classes[TestKind::autocor] = &autocor;
  classes[TestKind::periods_in_strings] = &periods_in_strings;
  classes[TestKind::longest_head_run] = &longest_head_run;
  classes[TestKind::bit_run] = &bit_run;
}

}  // namespace rivulet
