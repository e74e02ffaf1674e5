// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "battery/expected_classes.hpp"
#include "battery/test_class.hpp"

// What the classes of tests share.

namespace rivulet {

using Counters = std::span<const std::uint64_t>;
using Reals = std::span<const double>;
using ClassTable = std::map<TestKind, const TestClass*>;

/// The classes by what they are made of: points in cells, numbers one after another, bits.
void add_point_classes(ClassTable& classes);
void add_number_classes(ClassTable& classes);
void add_bit_classes(ClassTable& classes);

inline std::uint64_t wide(int value) { return static_cast<std::uint64_t>(value); }

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
inline std::vector<PValue> against(const BatteryTest& test, Counters counters,
                                   const std::vector<double>& expected) {
  return {summed(test, counters, [&](Counters one) { return detail::chi_square(expected, one); })};
}

inline std::uint64_t words_of_blocks(const BatteryTest& test) {
  return wide((test.L + test.s - 1) / test.s);
}

inline std::string bits_and_length(const BatteryTest& test) {
  return fmt::format("s = {}, L = {}", test.s, test.L);
}

/// 2^32 / d: words below it are in the interval [0, 1/d).
inline std::uint64_t limit_of(const BatteryTest& test) { return (std::uint64_t{1} << 32) / test.d; }

}  // namespace rivulet
