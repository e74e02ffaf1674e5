// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/occlusion/picture_counts.hpp"

namespace rivulet {

/// The mean radiance of each picture, 0 .. 1.
std::vector<double> mean_radiances(const PictureCounts& pictures);

/// Root mean square over a picture's pixels of the standard error of the radiance, 0 .. 1, for each
/// picture; empty for fewer than two pictures.
///
/// A picture of n passes has the first n of the last picture's N passes. Let s^2 be the variance of
/// a pixel in one pass: the difference of the two pictures has the variance s^2 (1/n - 1/N). Its
/// mean square times N / (N - n) is therefore an unbiased estimate of s^2 / n. For the last
/// picture, s^2 comes from the passes between successive pictures, whose means are independent.
std::vector<double> picture_errors(const PictureCounts& pictures);

/// The slope of log(error) over log(passes), by least squares; -1/2 for independent numbers. Needs
/// at least two pictures.
double error_slope(const std::vector<std::uint64_t>& passes, const std::vector<double>& errors);

}  // namespace rivulet
