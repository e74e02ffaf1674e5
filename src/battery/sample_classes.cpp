// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cmath>
#include <utility>

#include "battery/classes.hpp"
#include "battery/laws.hpp"
#include "kernels/battery/sorted_keys.hpp"

// Tests of real numbers, most of them by Anderson and Darling's statistic.

namespace rivulet {
namespace {

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
    SortedCounts found = count_largest(tiles, at, test.n, test.r, static_cast<int>(test.d), test.t);
    return {std::move(found), anderson_darling_reals(test.n, found.sum)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters,
                            Reals reals) const override {
    const double expected = static_cast<double>(test.n) / static_cast<double>(test.d);
    return {summed(test, counters,
                   [&](Counters one) { return detail::chi_square_equal(expected, one); }),
            anderson_darlings(test, reals)};
  }
};

/// Numbers made of t numbers each, sorted; counted is their sum modulo 2^64.
class SortedClass : public TestClass {
 public:
  std::string parameters(const BatteryTest& test) const final {
    return fmt::format("t = {}", test.t);
  }
  std::uint64_t counters(const BatteryTest&) const final { return 1; }
  std::uint64_t reals(const BatteryTest&) const final { return 2; }
  std::uint64_t words(const BatteryTest& test) const final { return test.n * wide(test.t); }
  std::uint64_t item_words(const BatteryTest& test) const final { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const final {
    return detail::SortedKeys::bytes(test.n);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const final {
    SortedCounts found = sorted(tiles, at, test);
    return {std::move(found), anderson_darling_reals(test.n, found.sum)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters, Reals reals) const override {
    return {anderson_darlings(test, reals)};
  }

 protected:
  virtual SortedCounts sorted(WordTiles& tiles, std::uint64_t at,
                              const BatteryTest& test) const = 0;
};

class SampleProd final : public SortedClass {
  std::string_view name() const override { return "SampleProd"; }
  SortedCounts sorted(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return count_products(tiles, at, test.n, test.r, test.t);
  }
};

class SampleMean final : public SortedClass {
  std::string_view name() const override { return "SampleMean"; }
  SortedCounts sorted(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return count_sums(tiles, at, test.n, test.r, test.t, detail::sum_of_uniforms_series(test.t));
  }
  /// TestU01's replications are the numbers here.
  std::vector<PValue> judge(const BatteryTest&, Counters, Reals reals) const override {
    return {{"AD", reals[0], reals[1]}};
  }
};

class SampleCorr final : public TestClass {
  std::string_view name() const override { return "SampleCorr"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("k = {}", test.t);
  }
  std::uint64_t counters(const BatteryTest&) const override { return 2; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n; }
  std::uint64_t item_words(const BatteryTest& test) const override { return wide(test.t) + 1; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_lagged_products(tiles, at, test.n, test.r, wide(test.t))};
  }
  /// Of one replication.
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const std::uint64_t pairs = test.n - wide(test.t);
    const long double products = std::ldexp(static_cast<long double>(counters[1]), -32) +
                                 std::ldexp(static_cast<long double>(counters[0]), -64);
    const auto sum = static_cast<double>(products - static_cast<long double>(pairs) / 4);
    const detail::TwoLaws law = detail::sample_correlation(sum, pairs);
    return {{"", sum * std::sqrt(12 / static_cast<double>(pairs)), law.p, law.testu01}};
  }
};

class AppearanceSpacings final : public TestClass {
  std::string_view name() const override { return "AppearanceSpacings"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("Q = {}, s = {}, L = {}", test.d, test.s, test.L);
  }
  /// Spacings by the integer part of their base-2 logarithm.
  std::uint64_t counters(const BatteryTest&) const override {
    return std::uint64_t{std::bit_width(longest_spacing)};
  }
  std::uint64_t reals(const BatteryTest&) const override { return 1; }
  std::uint64_t words(const BatteryTest& test) const override {
    const std::uint64_t blocks = test.d + test.n;
    return test.s >= test.L ? blocks / wide(test.s / test.L) : blocks * words_of_blocks(test);
  }
  std::uint64_t item_words(const BatteryTest& test) const override { return words_of_blocks(test); }
  std::uint64_t bytes(const BatteryTest&) const override {
    return detail::SortedKeys::bytes(spacings_at_once) +
           detail::Histogram::bytes(Space(), longest_spacing + 1);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    const TestCounts found =
        count_spacings(tiles, at, test.d, test.d + test.n, test.r, test.s, test.L);
    Replication all{{std::vector<std::uint64_t>(counters(test)), found.words}, {0}};
    for (std::size_t spacing = 1; spacing < found.counts.size(); ++spacing) {
      const std::uint64_t blocks = found.counts[spacing];
      all.counts[std::bit_width(spacing) - std::size_t{1}] += blocks;
      all.reals[0] += static_cast<double>(blocks) * std::log(static_cast<double>(spacing));
    }
    return all;
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters, Reals reals) const override {
    std::vector<double> z;
    for (const double sum : reals) z.push_back(detail::appearance_z(test.L, test.n, sum));
    return {normal(z)};
  }
};

}  // namespace

void add_sample_classes(ClassTable& classes) {
  static const MaxOft max_oft;
  static const SampleProd sample_prod;
  static const SampleMean sample_mean;
  static const SampleCorr sample_corr;
  static const AppearanceSpacings appearance_spacings;
  classes[TestKind::max_oft] = &max_oft;
  classes[TestKind::sample_prod] = &sample_prod;
  classes[TestKind::sample_mean] = &sample_mean;
  classes[TestKind::sample_corr] = &sample_corr;
  classes[TestKind::appearance_spacings] = &appearance_spacings;
}

}  // namespace rivulet
