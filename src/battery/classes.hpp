// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "battery/distributions.hpp"
#include "battery/expected_classes.hpp"
#include "battery/test_class.hpp"

// What the classes of tests share.

namespace rivulet {

using Counters = std::span<const std::uint64_t>;
using Reals = std::span<const double>;
using ClassTable = std::map<TestKind, const TestClass*>;

/// The classes by what they look at.
void add_point_classes(ClassTable& classes);
void add_number_classes(ClassTable& classes);
void add_sample_classes(ClassTable& classes);
void add_bit_classes(ClassTable& classes);
void add_string_classes(ClassTable& classes);
void add_structure_classes(ClassTable& classes);
void add_host_classes(ClassTable& classes);
void add_weight_classes(ClassTable& classes);

inline std::uint64_t wide(int value) { return static_cast<std::uint64_t>(value); }

/// The chi-square statistics of all rows, added up. chi(counters) of a row.
template <class Chi>
PValue summed(const BatteryTest& test, Counters counters, const Chi& chi,
              const std::string& statistic = "") {
  detail::ChiSquare sum;
  const std::size_t each = counters.size() / test.rows();
  for (std::size_t k = 0; k < test.rows(); ++k) {
    const detail::ChiSquare one = chi(counters.subspan(k * each, each));
    sum.statistic += one.statistic;
    sum.degrees += one.degrees;
  }
  return {statistic, sum.statistic, sum.p()};
}

/// The classes of every row have these expected numbers.
inline std::vector<PValue> against(const BatteryTest& test, Counters counters,
                                   const std::vector<double>& expected) {
  return {summed(test, counters, [&](Counters one) { return detail::chi_square(expected, one); })};
}

/// Standard normal statistics of all rows, by their sum.
inline PValue normal(std::span<const double> z) {
  return {"", std::accumulate(z.begin(), z.end(), 0.0), detail::normal_sum_p(z)};
}

/// The same: z(counters) of a row.
template <class Z>
std::vector<PValue> normals(const BatteryTest& test, Counters counters, const Z& z) {
  std::vector<double> all;
  const std::size_t each = counters.size() / test.rows();
  for (std::size_t k = 0; k < test.rows(); ++k) all.push_back(z(counters.subspan(k * each, each)));
  return {normal(all)};
}

/// Anderson and Darling's statistics of N replications: two real numbers of each.
inline PValue anderson_darlings(const BatteryTest& test, Reals reals) {
  std::vector<double> p;
  for (std::size_t k = 0; k < test.N; ++k) p.push_back(reals[2 * k + 1]);
  return {"AD", test.N == 1 ? reals[0] : detail::anderson_darling(p).statistic,
          detail::second_level_p(p)};
}
/// These, from the sum that kernels make for n numbers.
inline std::vector<double> anderson_darling_reals(std::uint64_t n, double sum) {
  const auto numbers = static_cast<double>(n);
  const double statistic = -numbers - sum / numbers;
  return {statistic, detail::anderson_darling_p(n, statistic)};
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
