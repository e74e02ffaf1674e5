// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "battery/distributions.hpp"

namespace rivulet::independence {

/// The chance of what is at least as unlikely, from the chances of at most and at least as much.
inline double two_sided(double at_most, double at_least) {
  return std::min(1.0, 2 * std::min(at_most, at_least));
}

/// The p-value of a standard normal variable, two-sided.
inline double normal_p_value(double z) { return std::erfc(std::abs(z) / std::numbers::sqrt2); }

/// The p-value of a chi-square variable, two-sided: counts too near to their expectations are
/// suspicious too.
inline double two_sided_chi_square(double chi_square, double degrees_of_freedom) {
  const double at_least = detail::chi_square_p(chi_square, degrees_of_freedom);
  return degrees_of_freedom > 0 ? two_sided(1 - at_least, at_least) : 1;
}

/// The p-value of a Poisson variable, two-sided.
inline double poisson_p_value(std::size_t count, double mean) {
  const detail::Tails tails = detail::poisson_tails(count, mean);
  return two_sided(tails.left, tails.right);
}

/// Pearson's test of counts in classes 0, 1, ...; classes from the end are put together until five
/// are expected in each.
inline double classes_p_value(std::vector<double> counts, std::vector<double> expected) {
  double chi_square = 0;
  double classes = 0;
  double count = 0;
  double expectation = 0;
  double left = 0;
  for (const double e : expected) left += e;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    count += counts[i];
    expectation += expected[i];
    left -= expected[i];
    const bool is_last = i + 1 == expected.size();
    if (!is_last && (expectation < 5 || left < 5)) continue;
    if (expectation > 0) chi_square += (count - expectation) * (count - expectation) / expectation;
    ++classes;
    count = 0;
    expectation = 0;
  }
  return two_sided_chi_square(chi_square, classes - 1);
}

}  // namespace rivulet::independence
