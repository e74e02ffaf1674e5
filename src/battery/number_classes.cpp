// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "battery/classes.hpp"
#include "battery/laws.hpp"
#include "kernels/battery/sorted_keys.hpp"

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
    return against(test, counters, expected(test));
  }

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
                   detail::simp_poker_expected(test.n, static_cast<int>(test.d), test.t));
  }
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
                   detail::coupon_collector_expected(test.n, static_cast<int>(test.d)));
  }
};

class MaxOft final : public TestClass {
  std::string_view name() const override { return "MaxOft"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("d = {}, t = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return test.d; }
  std::uint64_t reals(const BatteryTest&) const override { return 2; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const override {
    return detail::SortedKeys::bytes(test.n) + TestClass::bytes(test);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    LargestCounts found =
        count_largest(tiles, at, test.n, test.r, static_cast<int>(test.d), test.t);
    std::vector<double> uniforms(found.largest.size());
    for (std::size_t i = 0; i < uniforms.size(); ++i) {
      const double largest = std::ldexp(static_cast<double>(found.largest[i]), -32);
      uniforms[i] = detail::largest_of_uniforms(test.t, largest);
    }
    const detail::AndersonDarling law = detail::anderson_darling(std::move(uniforms));
    return {std::move(found), {law.statistic, law.p}};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters,
                            Reals reals) const override {
    const double expected = static_cast<double>(test.n) / static_cast<double>(test.d);
    std::vector<double> p;
    for (std::size_t k = 0; k < test.N; ++k) p.push_back(reals[2 * k + 1]);
    return {summed(test, counters,
                   [&](Counters one) { return detail::chi_square_equal(expected, one); }),
            {"AD", test.N == 1 ? reals[0] : detail::anderson_darling(p).statistic,
             detail::second_level_p(p)}};
  }
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
        detail::weight_distrib_expected(test.n, test.t, 1 / static_cast<double>(test.d)));
  }
};

}  // namespace

void add_number_classes(ClassTable& classes) {
  static const Gap gap;
  static const SimpPoker simp_poker;
  static const CouponCollector coupon_collector;
  static const MaxOft max_oft;
  static const WeightDistrib weight_distrib;
  classes[TestKind::gap] = &gap;
  classes[TestKind::simp_poker] = &simp_poker;
  classes[TestKind::coupon_collector] = &coupon_collector;
  classes[TestKind::max_oft] = &max_oft;
  classes[TestKind::weight_distrib] = &weight_distrib;
}

}  // namespace rivulet
