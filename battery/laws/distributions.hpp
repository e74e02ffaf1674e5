// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// The distributions from which the battery's p-values come. A p-value is the probability of a
// statistic at least as large, unless stated; near 1 it is as suspicious as near 0.

namespace rivulet::detail {

/// P(X >= statistic), X chi-square.
double chi_square_p(double statistic, double degrees_of_freedom);

/// P(X <= x), X of a gamma law of this shape, and of scale 1.
double gamma_cdf(double shape, double x);

/// P(Z >= z), Z standard normal.
double normal_p(double z);

/// The same for the sum of independent standard normals.
double normal_sum_p(std::span<const double> z);

/// Both tails of a discrete statistic Y, each of which includes the observed value y.
struct Tails {
  double left;   ///< P(Y <= y)
  double right;  ///< P(Y >= y)
};

Tails poisson_tails(std::uint64_t y, double mean);
Tails binomial_tails(std::uint64_t y, std::uint64_t trials, double probability);

/// Probabilities of 0 .. trials successes.
std::vector<double> binomial_masses(int trials, double probability);

/// One p-value of two tails by TestU01's rule (gofw_pDisc): the right tail where it is the smaller
/// one, 1 - left where left is at most 1/2, and otherwise 1/2.
double discrete_p(Tails tails);
inline double poisson_p(double mean, std::uint64_t y) { return discrete_p(poisson_tails(y, mean)); }

/// Anderson and Darling's statistic of values in [0, 1] and its p-value.
struct AndersonDarling {
  double statistic;
  double p;
};
AndersonDarling anderson_darling(std::vector<double> values);

/// P(A2 >= statistic) for n uniform values: Marsaglia & Marsaglia, J. Stat. Softw. 9 (2004), issue
/// 2, of whose correction for finite n a relative error of some 10^-3 is left at n = 10 (10^-2 in
/// the tail). Above 10 there is Sinclair & Spurr's tail, 1.5 % too high, and n = 1 is exact: both
/// as in TestU01, which otherwise interpolates tables (2 % off above 5).
double anderson_darling_p(std::uint64_t n, double statistic);

/// The p-value of independent p-values: one alone gives 1 - u, as in TestU01, several have that of
/// Anderson and Darling.
double second_level_p(const std::vector<double>& values);

/// P(sum of n uniform numbers <= x), to 14 digits or more.
double sum_of_uniforms(int n, double x);

/// Series of sum_of_uniforms(): for each unit interval up to n / 2 the Taylor coefficients 0 .. n
/// around its middle.
std::vector<double> sum_of_uniforms_series(int n);

// Chi-square statistics of classes. A vector's index is the class, from 0; a class that cannot
// occur has the expected number 0, and the last class has all that lies beyond.

/// TestU01's least expected number in a class.
inline constexpr double least_expected = 10;

/// Expected numbers in n trials.
std::vector<double> times(std::uint64_t n, std::vector<double> probabilities);

struct MergedClasses {
  std::vector<double> expected;
  std::vector<std::uint64_t> counts;
};

/// Merges classes from the left until 10 are expected in each group; a last group with fewer joins
/// the one before (TestU01's gofs_MergeClasses).
MergedClasses merged(std::span<const double> expected, std::span<const std::uint64_t> counts);

struct ChiSquare {
  double statistic = 0;
  std::uint64_t degrees = 0;  ///< of freedom; without any there is no test

  double p() const;
};

/// The statistic of classes that are merged here.
ChiSquare chi_square(std::span<const double> expected, std::span<const std::uint64_t> counts);
/// The statistic of classes as they are. Classes without an expected number do not count.
ChiSquare chi_square_unmerged(std::span<const double> expected,
                              std::span<const std::uint64_t> counts);

}  // namespace rivulet::detail
