// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/occlusion/picture_counts.hpp"

namespace rivulet {

/// Returns the mean radiance of each picture, 0 .. 1.
std::vector<double> mean_radiances(const PictureCounts& pictures);

/// Returns each picture's error: the root mean square, over all pixels, of the standard error of a
/// pixel's radiance. Radiances are in the range 0 .. 1. Returns an empty vector for fewer than two
/// pictures.
///
/// The n passes of a picture are the first n of the last picture's N passes. Let s^2 be the
/// variance of a pixel's radiance in one pass. The difference of the two pictures has the variance
/// s^2 (1/n - 1/N). The mean square of the difference, times N / (N - n), is therefore an unbiased
/// estimate of s^2 / n. For the last picture, s^2 is estimated from the passes between successive
/// pictures, because the means over these groups of passes are independent.
std::vector<double> picture_errors(const PictureCounts& pictures);

/// Returns the slope of log(error) over log(passes), from a fit by least squares. The expected
/// slope is -1/2 for independent numbers. Requires at least two pictures and positive errors.
double error_slope(const std::vector<std::uint64_t>& passes, const std::vector<double>& errors);

}  // namespace rivulet
