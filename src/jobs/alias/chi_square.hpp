// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace rivulet {

/// The regularised upper incomplete gamma function Q(a, x), a > 0, x >= 0: to ten digits for a up
/// to 10^10.
double upper_gamma(double a, double x);

/// P(X >= chi_square) of a chi-square variable X with the given degrees of freedom; 1 without any.
double chi_square_p_value(double chi_square, double degrees_of_freedom);

}  // namespace rivulet
