// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "battery/counting/histogram.hpp"
#include "battery/counting/sorted_keys.hpp"
#include "battery/laws/distributions.hpp"
#include "battery/laws/expected_classes.hpp"
#include "battery/test_class.hpp"

// What the classes of tests share.

namespace rivulet {

using Test = TestClass::Test;
using Counters = TestClass::Counters;
using Reals = TestClass::Reals;

/// The classes by kind. No std::map: hipcc's clang 15 crashes on its pairs.
struct ClassTable {
  TestClass& operator[](TestKind kind) { return classes[static_cast<std::size_t>(kind)]; }
  std::array<TestClass, static_cast<std::size_t>(TestKind::word_parts) + 1> classes;
};

/// The classes by what they look at.
void add_number_classes(ClassTable& classes);
void add_point_classes(ClassTable& classes);
void add_bit_classes(ClassTable& classes);
void add_host_classes(ClassTable& classes);

inline std::uint64_t wide(int value) { return static_cast<std::uint64_t>(value); }
inline double real(std::uint64_t value) { return static_cast<double>(value); }

inline std::uint64_t histogram_bytes(std::uint64_t cells) {
  return detail::Histogram::bytes(Space(), cells);
}

inline std::vector<Counters> rows_of(Test test, Counters counters) {
  std::vector<Counters> rows;
  const std::size_t each = counters.size() / test.rows();
  for (std::size_t k = 0; k < test.rows(); ++k) rows.push_back(counters.subspan(k * each, each));
  return rows;
}

/// The chi-square statistics of all rows, added up. chi(counters) of a row.
template <class Chi>
PValue summed(Test test, Counters counters, const Chi& chi, const std::string& statistic = "") {
  detail::ChiSquare sum;
  for (const Counters row : rows_of(test, counters)) {
    const detail::ChiSquare one = chi(row);
    sum.statistic += one.statistic;
    sum.degrees += one.degrees;
  }
  return {statistic, sum.statistic, sum.p()};
}

/// A judge by these. chi(test, counters) of a row.
template <class Chi>
auto chi_squares(Chi chi) {
  return [chi](Test test, Counters counters, Reals) {
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return chi(test, row); })};
  };
}

/// The same: the counters of a row have the expected numbers expected(test).
template <class Expected>
auto against(Expected expected) {
  return [expected](Test test, Counters counters, Reals) {
    const std::vector<double> numbers = expected(test);
    return std::vector<PValue>{
        summed(test, counters, [&](Counters row) { return detail::chi_square(numbers, row); })};
  };
}

/// Standard normal statistics of all rows, by their sum.
inline PValue normal(std::span<const double> z) {
  return {"", std::accumulate(z.begin(), z.end(), 0.0), detail::normal_sum_p(z)};
}

/// A judge by these. z(test, counters) of a row.
template <class Z>
auto normals(Z z) {
  return [z](Test test, Counters counters, Reals) {
    std::vector<double> all;
    for (const Counters row : rows_of(test, counters)) all.push_back(z(test, row));
    return std::vector<PValue>{normal(all)};
  };
}

inline std::uint64_t every_word(Test test) { return test.n; }
inline std::uint64_t words_of_group(Test test) { return wide(test.t); }
inline std::uint64_t words_of_block(Test test) { return wide((test.L + test.s - 1) / test.s); }
inline std::uint64_t bytes_of_keys(Test test) { return detail::SortedKeys::bytes(test.n); }
inline std::uint32_t d_of(Test test) { return static_cast<std::uint32_t>(test.d); }
inline std::string of_t(Test test) { return fmt::format("t = {}", test.t); }
inline std::string of_d(Test test) { return fmt::format("d = {}", test.d); }
inline std::string of_d_and_t(Test test) { return fmt::format("d = {}, t = {}", test.d, test.t); }
inline std::string of_s(Test test) { return fmt::format("s = {}", test.s); }
inline std::string of_s_and_l(Test test) { return fmt::format("s = {}, L = {}", test.s, test.L); }

}  // namespace rivulet
