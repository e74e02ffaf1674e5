// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Distributions of the battery's statistics. Unless stated otherwise, a p-value is the probability
// of a statistic at least as large as the observed one. A p-value near 1 is as suspicious as one
// near 0.

namespace rivulet::detail {

/// Returns P(X >= statistic) for a chi-square-distributed X.
double chi_square_p(double statistic, double degrees_of_freedom);

/// Returns P(X <= x) for a gamma-distributed X with this shape and scale 1.
double gamma_cdf(double shape, double x);

/// Returns P(Z >= z) for a standard normal Z.
double normal_p(double z);

/// Returns the p-value of the sum of `z`, whose elements are independent standard normals.
double normal_sum_p(std::span<const double> z);

/// Both tails of a discrete statistic Y. Each includes the observed value y.
struct Tails {
  double left;   ///< P(Y <= y)
  double right;  ///< P(Y >= y)
};

Tails poisson_tails(std::uint64_t y, double mean);
Tails binomial_tails(std::uint64_t y, std::uint64_t trials, double probability);

/// Returns the probabilities of 0 .. trials successes.
std::vector<double> binomial_masses(int trials, double probability);

/// Returns one p-value for two tails by TestU01's rule (gofw_pDisc). If the right tail is smaller
/// than the left tail, the p-value is the right tail. Otherwise, it is 1 - left, but at least 1/2.
double discrete_p(Tails tails);
inline double poisson_p(double mean, std::uint64_t y) { return discrete_p(poisson_tails(y, mean)); }

/// The Anderson-Darling statistic of values in [0, 1], and its p-value.
struct AndersonDarling {
  double statistic;
  double p;
};
AndersonDarling anderson_darling(std::vector<double> values);

/// Returns P(A2 >= statistic) for n uniform values, computed by the method of Marsaglia &
/// Marsaglia, J. Stat. Softw. 9 (2004), issue 2. Their correction for finite n leaves a relative
/// error of about 10^-3 at n = 10 (10^-2 in the tail). For statistics above 10, returns Sinclair &
/// Spurr's tail, which is 1.5 % too high. For n = 1, the result is exact. In these two cases,
/// TestU01 does the same. (Otherwise, it interpolates tables, which are 2 % off for statistics
/// above 5.)
double anderson_darling_p(std::uint64_t n, double statistic);

/// Returns the p-value of the Anderson-Darling test for several independent p-values. For a single
/// p-value u, returns 1 - u, as TestU01 does.
double second_level_p(const std::vector<double>& values);

/// Returns P(sum of n uniform numbers <= x), to 14 digits or more.
double sum_of_uniforms(int n, double x);

/// Returns Taylor coefficients 0 .. n of sum_of_uniforms() around the middle of each unit interval
/// up to n / 2.
std::vector<double> sum_of_uniforms_series(int n);

// The following functions compute chi-square statistics of classes. A vector's index is the class,
// from 0. A class that cannot occur has the expected number 0. The last class includes all larger
// values.

/// TestU01's minimum for the expected number in a class.
inline constexpr double min_expected = 10;

/// Returns the expected numbers in n trials: the products of n and the probabilities.
std::vector<double> times(std::uint64_t n, std::vector<double> probabilities);

struct MergedClasses {
  std::vector<double> expected;
  std::vector<std::uint64_t> counts;
};

/// Merges classes from the left into groups with an expected number of at least 10. If the last
/// group has a smaller expected number, it joins the previous group (TestU01's gofs_MergeClasses).
MergedClasses merged(std::span<const double> expected, std::span<const std::uint64_t> counts);

struct ChiSquare {
  double statistic = 0;
  std::uint64_t degrees = 0;  ///< degrees of freedom; no test if 0

  double p() const { return chi_square_p(statistic, static_cast<double>(degrees)); }
};

/// Returns the chi-square statistic after merging the classes with merged().
ChiSquare chi_square(std::span<const double> expected, std::span<const std::uint64_t> counts);
/// Returns the chi-square statistic without merging classes. Classes with the expected number 0 are
/// skipped.
ChiSquare chi_square_unmerged(std::span<const double> expected,
                              std::span<const std::uint64_t> counts);

}  // namespace rivulet::detail
