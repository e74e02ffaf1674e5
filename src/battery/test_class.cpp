// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/test_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "battery/laws.hpp"
#include "kernels/battery/histogram.hpp"
#include "kernels/battery/sorted_keys.hpp"

namespace rivulet {
namespace {

using Counters = std::span<const std::uint64_t>;
using Reals = std::span<const double>;

std::uint64_t wide(int value) { return static_cast<std::uint64_t>(value); }

/// The chi-square statistics of N replications, added up. chi(counters) of a replication.
template <class Chi>
PValue summed(const BatteryTest& test, Counters counters, const Chi& chi,
              const std::string& statistic = "") {
  detail::ChiSquare sum;
  const std::size_t each = counters.size() / test.N;
  for (std::size_t k = 0; k < test.N; ++k) {
    const detail::ChiSquare one = chi(counters.subspan(k * each, each));
    sum.statistic += one.statistic;
    sum.degrees += one.degrees;
  }
  return {statistic, sum.statistic, sum.p()};
}

/// The classes of every replication have these expected numbers.
std::vector<PValue> against(const BatteryTest& test, Counters counters,
                            const std::vector<double>& expected) {
  return {summed(test, counters, [&](Counters one) { return detail::chi_square(expected, one); })};
}

std::uint64_t words_of_blocks(const BatteryTest& test) {
  return wide((test.L + test.s - 1) / test.s);
}

std::string bits_and_length(const BatteryTest& test) {
  return fmt::format("s = {}, L = {}", test.s, test.L);
}

/// 2^32 / d: words below it are in the interval [0, 1/d).
std::uint64_t limit_of(const BatteryTest& test) { return (std::uint64_t{1} << 32) / test.d; }

PointShape points_of(const BatteryTest& test) {
  return {test.n, test.r, static_cast<std::uint32_t>(test.d), test.t};
}

double cells_of(const BatteryTest& test) {
  return std::pow(static_cast<double>(test.d), static_cast<double>(test.t));
}

/// Points in cells, sorted: one count, of a Poisson law of this mean.
class PointClass : public TestClass {
 public:
  std::string parameters(const BatteryTest& test) const final {
    return fmt::format("d = {}, t = {}", test.d, test.t);
  }
  std::uint64_t counters(const BatteryTest&) const final { return 1; }
  std::uint64_t words(const BatteryTest& test) const final { return points_of(test).words(); }
  std::uint64_t item_words(const BatteryTest& test) const final { return wide(test.t); }
  std::uint64_t bytes(const BatteryTest& test) const final {
    return detail::SortedKeys::bytes(test.n);
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const final {
    const std::uint64_t sum = std::accumulate(counters.begin(), counters.end(), std::uint64_t{0});
    const double all = static_cast<double>(test.N) * mean(test);
    return {{"", static_cast<double>(sum), detail::poisson_p(all, sum)}};
  }

 protected:
  virtual double mean(const BatteryTest& test) const = 0;
};

class BirthdaySpacings final : public PointClass {
  std::string_view name() const override { return "BirthdaySpacings"; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {{{count_equal_spacings(tiles, at, points_of(test))}, words(test)}};
  }
  double mean(const BatteryTest& test) const override {
    return detail::birthday_mean(static_cast<double>(test.n), cells_of(test));
  }
};

class Collision final : public PointClass {
  std::string_view name() const override { return "Collision"; }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {{{count_collisions(tiles, at, points_of(test))}, words(test)}};
  }
  double mean(const BatteryTest& test) const override {
    return detail::collision_mean(static_cast<double>(test.n), cells_of(test));
  }
};

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

class MatrixRank final : public TestClass {
  std::string_view name() const override { return "MatrixRank"; }
  std::string parameters(const BatteryTest& test) const override {
    return fmt::format("s = {}, L = {}, k = {}", test.s, test.L, test.L);
  }
  std::uint64_t counters(const BatteryTest& test) const override { return wide(test.L) + 1; }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * item_words(test); }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return wide(test.L) * words_of_blocks(test);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_ranks(tiles, at, test.n, test.r, test.s, test.L, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return against(test, counters, detail::matrix_rank_expected(test.n, test.L, test.L));
  }
};

class HammingIndep final : public TestClass {
  std::string_view name() const override { return "HammingIndep"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest& test) const override {
    return wide(test.L + 1) * wide(test.L + 1);
  }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * item_words(test); }
  std::uint64_t item_words(const BatteryTest& test) const override {
    return 2 * words_of_blocks(test);
  }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_weight_pairs(tiles, at, test.n, test.r, test.s, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    return {summed(test, counters,
                   [&](Counters one) { return detail::hamming_indep(test.n, test.L, one); })};
  }
};

class RandomWalk1 final : public TestClass {
  std::string_view name() const override { return "RandomWalk1"; }
  std::string parameters(const BatteryTest& test) const override { return bits_and_length(test); }
  std::uint64_t counters(const BatteryTest& test) const override { return 5 * wide(test.L + 1); }
  std::uint64_t words(const BatteryTest& test) const override { return test.n * item_words(test); }
  std::uint64_t item_words(const BatteryTest& test) const override { return words_of_blocks(test); }
  Replication count(WordTiles& tiles, std::uint64_t at, const BatteryTest& test) const override {
    return {count_walks(tiles, at, test.n, test.r, test.s, test.L)};
  }
  std::vector<PValue> judge(const BatteryTest& test, Counters counters, Reals) const override {
    const detail::WalkExpected expected = detail::random_walk_expected(test.n, test.L);
    std::vector<PValue> found;
    const std::size_t cells = wide(test.L + 1);
    const auto add = [&](const char* statistic, const std::vector<double>& one) {
      const std::size_t first = found.size() * cells;
      found.push_back(summed(
          test, counters,
          [&](Counters all) { return detail::chi_square(one, all.subspan(first, one.size())); },
          statistic));
    };
    add("H", expected.h);
    add("M", expected.m);
    add("J", expected.j);
    add("R", expected.r);
    add("C", expected.c);
    return found;
  }
};

}  // namespace

std::uint64_t TestClass::bytes(const BatteryTest& test) const {
  return detail::Histogram::bytes(Space(), counters(test));
}

const TestClass& class_of(TestKind kind) {
  static const BirthdaySpacings birthday_spacings;
  static const Collision collision;
  static const Gap gap;
  static const SimpPoker simp_poker;
  static const CouponCollector coupon_collector;
  static const MaxOft max_oft;
  static const WeightDistrib weight_distrib;
  static const MatrixRank matrix_rank;
  static const HammingIndep hamming_indep;
  static const RandomWalk1 random_walk;
  static const TestClass* const classes[] = {
      &birthday_spacings, &collision,      &gap,         &simp_poker,    &coupon_collector,
      &max_oft,           &weight_distrib, &matrix_rank, &hamming_indep, &random_walk};
  return *classes[static_cast<std::size_t>(kind)];
}

}  // namespace rivulet
