// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>

#include "jobs/alias/chi_square.hpp"

namespace rivulet {
namespace {

void expect_digits(double value, double expected, double digits = 1e-10) {
  EXPECT_NEAR(value / expected, 1, digits) << value << " for " << expected;
}

TEST(ChiSquare, WholeAndHalfShapesAreWhatTheyAreInClosedForm) {
  for (const double x : {1e-3, 0.1, 1.0, 2.5, 10.0, 40.0, 300.0}) {
    double term = 1;
    double sum = 0;
    for (int a = 1; a <= 60; ++a) {  // Q(a, x) = exp(-x) (1 + x + ... + x^(a-1) / (a-1)!)
      sum += term;
      term *= x / a;
      const double expected = std::exp(-x) * sum;
      EXPECT_NEAR(upper_gamma(a, x), expected, 1e-11 * expected + 1e-15) << a << ' ' << x;
    }
    expect_digits(upper_gamma(0.5, x), std::erfc(std::sqrt(x)));
    expect_digits(upper_gamma(1.5, x),
                  std::erfc(std::sqrt(x)) + 2 * std::sqrt(x / std::acos(-1.0)) * std::exp(-x));
  }
}

// Of mpmath, at 40 digits.
TEST(ChiSquare, AnyShapeMatchesReferenceValues) {
  struct Case {
    double a;
    double x;
    double upper;
  };
  for (const Case& one : {
           Case{0.5, 3.2000000000000002, 0.011412036386001653},
           {4.5, 1.25, 0.98088349140281343},
           {28, 19.143213983999999, 0.96618042385992774},
           {49.5, 61.700000000000003, 0.048902311511807317},
           {49.5, 30.100000000000001, 0.99927134877317728},
           {50, 50, 0.48119168452795672},
           {50.5, 80, 0.00016827733297129306},
           {500, 455.5, 0.97919437214810919},
           {500, 620, 2.8152332289542097e-7},
           {12345.5, 12345.5, 0.49880316394322033},
           {12345.5, 12000, 0.99914367157884313},
           {1000000, 1002000, 0.022804095898769863},
           {1000000, 998500, 0.93324682716839013},
           {100000000, 100020000, 0.022755530774855203},
       }) {
    expect_digits(upper_gamma(one.a, one.x), one.upper);
  }
}

TEST(ChiSquare, RisesAndFallsBetweenZeroAndOne) {
  for (const double freedom : {1.0, 2.0, 99.0, 101.0, 1e4, 1e8}) {
    EXPECT_EQ(chi_square_p_value(0, freedom), 1);
    double before = 1;
    for (double off = -6; off <= 6; off += 0.25) {
      const double p = chi_square_p_value(freedom + off * std::sqrt(2 * freedom), freedom);
      EXPECT_LE(p, before + 1e-12);
      EXPECT_GE(p, 0);
      before = p;
    }
    EXPECT_EQ(chi_square_p_value(1e30, freedom), 0);
  }
  EXPECT_EQ(chi_square_p_value(0, 0), 1);
}

}  // namespace
}  // namespace rivulet
