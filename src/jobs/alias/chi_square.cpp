// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/alias/chi_square.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace rivulet {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// x^a exp(-x) / Gamma(a + 1). For large a by Stirling's series (Abramowitz & Stegun 6.1.41),
/// because a ln x - x - ln Gamma(a + 1) would cancel to nothing.
double front(double a, double x) {
  if (x == 0) return 0;
  if (a < 50) return std::exp(a * std::log(x) - x - std::lgamma(a + 1));
  const double off = (x - a) / a;
  const double exponent = a * (off - std::log1p(off));
  const double stirling = (1 - (1 / 30.0 - 1 / (105 * a * a)) / (a * a)) / (12 * a);
  return std::exp(-exponent - stirling) / std::sqrt(2 * std::numbers::pi * a);
}

}  // namespace

double upper_gamma(double a, double x) {
  if (x <= 0) return 1;
  if (std::isinf(x)) return 0;
  if (x < a + 1) {
    // P by its series (A&S 6.5.29): front (1 + x / (a + 1) + x^2 / ((a + 1) (a + 2)) + ...).
    double term = 1;
    double sum = 1;
    for (double n = 1; term > sum * epsilon; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - front(a, x) * sum;
  }
  // Q by its continued fraction (A&S 6.5.31), evaluated by Lentz's method:
  // front a / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))).
  double b = x + 1 - a;
  double c = 1 / std::numeric_limits<double>::min();
  double d = 1 / b;
  double fraction = d;
  for (double n = 1;; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const double factor = c * d;
    fraction *= factor;
    if (std::abs(factor - 1) < 4 * epsilon) break;
  }
  return front(a, x) * a * fraction;
}

double chi_square_p_value(double chi_square, double degrees_of_freedom) {
  return degrees_of_freedom > 0 ? upper_gamma(degrees_of_freedom / 2, chi_square / 2) : 1;
}

}  // namespace rivulet
