// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "battery/classes.hpp"
#include "battery/laws.hpp"

namespace rivulet {
namespace {

class Gap final : public TestClass {
  std::string_view name() const override { return "Gap"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("alpha = 0, beta = 1/{}", test.d);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return expected(test).size(); }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * test.d; }
  /// Every gap may be of n - 1.
  std::uint64_t most_words(const BatteryTest& test) const override { return test.n * (test.n + 1); }
  std::uint64_t item_words(const BatteryTest&) const override { return 1; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_gaps(tiles, at, test.n, test.r, limit_of(test), expected(test).size() - 1)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const auto gaps = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    if (gaps < test.n * test.N) return {{"", std::numeric_limits<double>::infinity(), 0}};
    std::vector<double> of_row = expected(test);
    for (double& one : of_row) one *= static_cast<double>(test.N / test.rows());
    return against(test, counters, of_row);
  }
  bool pools() const override { return true; }

  static std::vector<double> expected(const BatteryTest& test) {
    return detail::gap_expected(test.n, 1 / static_cast<double>(test.d));
  }
};

class SimpPoker final : public TestClass {
  std::string_view name() const override { return "SimpPoker"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("d = {}, k = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest& test) const override {
    return std::min(test.d, wide(test.t)) + 1;
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {
        count_poker_hands(tiles, at, test.n, test.r, static_cast<std::uint32_t>(test.d), test.t)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters,
                   detail::simp_poker_expected(test.items(), static_cast<int>(test.d), test.t));
  }
  bool pools() const override { return true; }
};

class CouponCollector final : public TestClass {
  std::string_view name() const override { return "CouponCollector"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("d = {}", test.d);
  }
  std::uint64_t counters(const BatteryTest&) const override { return wide(coupon_draws) + 1; }
  std::uint64_t words(const BatteryTest& test) const override {
    double mean = 0;
    for (std::uint64_t i = 1; i <= test.d; ++i) {
      mean += static_cast<double>(test.d) / static_cast<double>(i);
    }
    return static_cast<std::uint64_t>(static_cast<double>(test.n) * mean);
  }
  std::uint64_t most_words(const BatteryTest& test) const override {
    return test.n * wide(coupon_draws - 1);
  }
  std::uint64_t item_words(const BatteryTest&) const override { return wide(2 * coupon_draws); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_coupon_segments(tiles, at, test.n, test.r, static_cast<std::uint32_t>(test.d))};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters,
                   detail::coupon_collector_expected(test.items(), static_cast<int>(test.d)));
  }
  bool pools() const override { return true; }
};

class WeightDistrib final : public TestClass {
  std::string_view name() const override { return "WeightDistrib"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("k = {}, alpha = 0, beta = 1/{}", test.t, test.d);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return wide(test.t) + 1; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_weights(tiles, at, test.n, test.r, limit_of(test), test.t)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(
        test, counters,
        detail::weight_distrib_expected(test.items(), test.t, 1 / static_cast<double>(test.d)));
  }
  bool pools() const override { return true; }
};

class SumCollector final : public TestClass {
  std::string_view name() const override { return "SumCollector"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("g = {}", test.d);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return expected(test).size(); }
  /// The sum's mean overshoot is 1/3.
  std::uint64_t words(const BatteryTest& test) const override {
    return test.n * 2 * test.d + test.n * 2 / 3;
  }
  std::uint64_t most_words(const BatteryTest& test) const override {
    return test.n * wide(sum_draws);
  }
  std::uint64_t item_words(const BatteryTest&) const override { return wide(2 * sum_draws); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_sum_segments(tiles, at, test.n, test.r, static_cast<int>(test.d))};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters, expected(test));
  }

  static std::vector<double> expected(const BatteryTest& test) {
    return detail::sum_collector_expected(test.n, static_cast<double>(test.d));
  }
};

class NumberRun final : public TestClass {
  std::string_view name() const override { return "Run of U01"; }
  std::string parameters(const BatteryTest& test) const override {
    return test.t != 0 ? "up" : "down";
  }
  std::uint64_t counters(const BatteryTest&) const override { return 7; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n; }
  std::uint64_t item_words(const BatteryTest&) const override { return 64; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_number_runs(tiles, at, test.n, test.r, test.t != 0)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return {summed(test, counters, [&](Counters runs) {
      return detail::number_runs(test.n, runs.subspan<1, 6>());
    })};
  }
};

class Savir2 final : public TestClass {
  std::string_view name() const override { return "Savir2"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("m = {}, t = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return expected(test).size(); }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_savir(tiles, at, test.n, test.r, test.d, test.t, expected(test).size() - 1)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters, expected(test));
  }

  /// Kept, since it takes d t steps.
  static const std::vector<double>& expected(const BatteryTest& test) {
    static std::map<std::tuple<std::uint64_t, std::uint64_t, int>, std::vector<double>> known;
    std::vector<double>& own = known[{test.n, test.d, test.t}];
    if (own.empty()) {
      own = detail::savir_expected(test.n, static_cast<std::int64_t>(test.d), test.t);
    }
    return own;
  }
};

class Gcd final : public TestClass {
  std::string_view name() const override { return "GCD"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}", test.s);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return expected(test).size(); }
  std::uint64_t words(const BatteryTest& test) const override { return 2 * test.n; }
  /// Pairs with a 0 are drawn again.
  std::uint64_t most_words(const BatteryTest& test) const override { return 6 * test.n; }
  std::uint64_t item_words(const BatteryTest&) const override { return 2; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    TestCounts found = count_divisors(tiles, at, test.n, test.r, test.s, expected(test).size() - 1);
    found.counts[0] = 0;  // pairs that were drawn again
    return {std::move(found)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return {summed(test, counters,
                   [&](Counters one) { return detail::chi_square_unmerged(expected(test), one); })};
  }

  static std::vector<double> expected(const BatteryTest& test) {
    return detail::gcd_expected(test.n);
  }
};

}  // namespace

void add_number_classes(ClassTable& classes) {
  static const Gap gap;
  static const SimpPoker simp_poker;
  static const CouponCollector coupon_collector;
  static const WeightDistrib weight_distrib;
  static const SumCollector sum_collector;
  static const NumberRun number_run;
  static const Savir2 savir2;
  static const Gcd gcd;
  classes[TestKind::gap] = &gap;
  classes[TestKind::simp_poker] = &simp_poker;
  classes[TestKind::coupon_collector] = &coupon_collector;
  classes[TestKind::weight_distrib] = &weight_distrib;
  classes[TestKind::sum_collector] = &sum_collector;
  classes[TestKind::number_run] = &number_run;
  classes[TestKind::savir2] = &savir2;
  classes[TestKind::gcd] = &gcd;
}

}  // namespace rivulet
