// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// The regularised upper incomplete gamma function Q(a, x), a > 0, x >= 0: to ten digits for a up
/// to 10^10.
double upper_gamma(double a, double x);

/// The probability that a chi-square variable with this many degrees of freedom is at least
/// `chi_square`; 1 without degrees of freedom.
double chi_square_p_value(double chi_square, double degrees_of_freedom);

}  // namespace rivulet
