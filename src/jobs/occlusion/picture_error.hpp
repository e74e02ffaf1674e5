// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "jobs/occlusion/picture_counts.hpp"

namespace rivulet {

/// The mean radiance over a picture's pixels, 0 .. 1.
double mean_radiance(const PictureCounts& all, std::size_t picture);

/// Root mean square over a picture's pixels of the standard error of the radiance, 0 .. 1, for each
/// picture; empty for fewer than two pictures.
///
/// Picture n holds the passes of the last one, N, before n: with s^2 the variance of a pixel in one
/// pass, the variance of their difference is s^2 (1/n - 1/N). The mean square of the difference
/// times N / (N - n) is therefore an unbiased estimate of s^2 / n. For the last picture, s^2 comes
/// from the means of the passes added between successive pictures, which are independent.
std::vector<double> picture_errors(const PictureCounts& all);

/// The slope of log(error) over log(passes), by least squares; -1/2 for independent numbers. Needs
/// at least two pictures.
double error_slope(const std::vector<std::uint64_t>& passes, const std::vector<double>& errors);

}  // namespace rivulet
