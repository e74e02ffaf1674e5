// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <vector>

#include "battery/classes.hpp"
#include "battery/weight_laws.hpp"

// Dependencies of the weights of several blocks, beyond TestU01's tests.

namespace rivulet {
namespace {

/// Counters that are sums, over all rows.
std::vector<std::uint64_t> over_rows(const BatteryTest& test, Counters counters) {
  std::vector<std::uint64_t> sum(counters.size() / test.rows());
  for (std::size_t i = 0; i < counters.size(); ++i) sum[i % sum.size()] += counters[i];
  return sum;
}

/// n is the words; the blocks have L bits.
class HammingTuples final : public TestClass {
  std::string_view name() const override { return "HammingTuples"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("L = {}, 8 blocks", test.L);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 6561; }  // 3^8
  std::uint64_t words(const BatteryTest& test) const override {
    const std::uint64_t grouped = wide(weight_trits_grouped(test.L));
    return test.n / grouped * grouped;
  }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return 2 * wide(weight_trits_grouped(test.L));  // with those before them
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {
        count_weight_trits(tiles, at, words(test), test.L, detail::weight_middle(test.L).spread)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const detail::LargestNormal law = detail::weight_tuples(test.L, over_rows(test, counters));
    return {{"", law.z, law.p}};
  }
  bool pools() const override { return true; }
};

/// n is the words.
class HammingProducts final : public TestClass {
  std::string_view name() const override { return "HammingProducts"; }
  std::string parameters(const BatteryTest&) const override {
    return fmt::format("lags to {}", most_lag);
  }
  std::uint64_t counters(const BatteryTest&) const override {
    return wide(most_lag + most_lag * (most_lag - 1) / 2);
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n; }
  std::uint64_t item_words(const BatteryTest&) const override { return wide(2 * most_lag); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_weight_products(tiles, at, test.n)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const double products = static_cast<double>(test.N) * static_cast<double>(test.n - most_lag);
    std::vector<double> two, three;
    for (const std::uint64_t sum : over_rows(test, counters)) {
      // A word's weight has the variance 8.
      std::vector<double>& to = two.size() < wide(most_lag) ? two : three;
      const double variance = &to == &two ? 64 : 512;
      to.push_back(static_cast<double>(static_cast<std::int64_t>(sum)) /
                   std::sqrt(variance * products));
    }
    const detail::LargestNormal of_two = detail::largest_normal(two);
    const detail::LargestNormal of_three = detail::largest_normal(three);
    return {{"2 words", of_two.z, of_two.p}, {"3 words", of_three.z, of_three.p}};
  }
  bool pools() const override { return true; }
};

}  // namespace

void add_weight_classes(ClassTable& classes) {
  static const HammingTuples hamming_tuples;
  static const HammingProducts hamming_products;
  classes[TestKind::hamming_tuples] = &hamming_tuples;
  classes[TestKind::hamming_products] = &hamming_products;
}

}  // namespace rivulet
