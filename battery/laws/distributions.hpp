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

}  // namespace rivulet::detail
