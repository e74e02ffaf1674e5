// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/occlusion/picture_error.hpp"

#include <cmath>

#include "kernels/occlusion/occlusion_pass.hpp"
#include "rivulet/detail/rounded.hpp"

namespace rivulet {
namespace {

double radiance(std::uint64_t open, std::uint64_t passes) {
  return static_cast<double>(open) / (occlusion_rays * static_cast<double>(passes));
}

double square(double x) { return detail::product(x, x); }

/// Estimates the error of an earlier picture from its difference from the last picture.
double difference_error(const PictureCounts& all, std::size_t picture) {
  const std::uint64_t n = all.passes[picture];
  const std::uint64_t last = all.passes.back();
  double sum = 0;
  for (std::size_t i = 0; i < all.hits.values.size(); ++i) {
    sum += square(radiance(all.open[picture].values[i], n) -
                  radiance(all.open.back().values[i], last));
  }
  const double share = static_cast<double>(last) / static_cast<double>(last - n);
  return std::sqrt(sum / static_cast<double>(all.hits.values.size()) * share);
}

/// Returns the error of the last picture. Its N passes consist of b parts, and each part ends with
/// a picture. Part k has n_k passes and the mean x_k, and x is the mean of all passes. If one pass
/// has the variance s^2, the sum of n_k (x_k - x)^2 has the expectation s^2 (b - 1). This sum
/// divided by (b - 1) N is therefore an unbiased estimate of s^2 / N.
double last_error(const PictureCounts& all) {
  const std::uint64_t last = all.passes.back();
  double sum = 0;
  for (std::size_t i = 0; i < all.hits.values.size(); ++i) {
    const double mean = radiance(all.open.back().values[i], last);
    std::uint64_t open = 0;
    std::uint64_t passes = 0;
    for (std::size_t k = 0; k < all.passes.size(); ++k) {
      const std::uint64_t part_passes = all.passes[k] - passes;
      const double deviation = radiance(all.open[k].values[i] - open, part_passes) - mean;
      sum += detail::product(static_cast<double>(part_passes), square(deviation));
      open = all.open[k].values[i];
      passes = all.passes[k];
    }
  }
  const double parts = static_cast<double>(all.passes.size() - 1);
  return std::sqrt(sum / parts / static_cast<double>(all.hits.values.size()) /
                   static_cast<double>(last));
}

}  // namespace

std::vector<double> mean_radiances(const PictureCounts& pictures) {
  std::vector<double> means;
  for (std::size_t k = 0; k < pictures.passes.size(); ++k) {
    const NumbersById<std::uint32_t>& open = pictures.open[k];
    const double sum = radiance(open.total(), pictures.passes[k]);
    means.push_back(sum / static_cast<double>(open.values.size()));
  }
  return means;
}

std::vector<double> picture_errors(const PictureCounts& pictures) {
  std::vector<double> errors;
  if (pictures.passes.size() < 2) return errors;
  for (std::size_t k = 0; k + 1 < pictures.passes.size(); ++k) {
    errors.push_back(difference_error(pictures, k));
  }
  errors.push_back(last_error(pictures));
  return errors;
}

double error_slope(const std::vector<std::uint64_t>& passes, const std::vector<double>& errors) {
  const auto count = static_cast<double>(passes.size());
  double x_mean = 0;
  double y_mean = 0;
  for (std::size_t k = 0; k < passes.size(); ++k) {
    x_mean += std::log(static_cast<double>(passes[k])) / count;
    y_mean += std::log(errors[k]) / count;
  }
  double xx = 0;
  double xy = 0;
  for (std::size_t k = 0; k < passes.size(); ++k) {
    const double x = std::log(static_cast<double>(passes[k])) - x_mean;
    xx += x * x;
    xy += x * (std::log(errors[k]) - y_mean);
  }
  return xy / xx;
}

}  // namespace rivulet
