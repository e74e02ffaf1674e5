// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sampling/distributions.hpp"

#include <cmath>

#include "kokkos_compat.hpp"

namespace rivulet {
namespace {

/// Returns weight(i) for i = 0 .. cells - 1, computed on the host's threads.
template <class Weight>
std::vector<double> weights_by_cell(std::uint64_t cells, const Weight& weight) {
  std::vector<double> weights(cells);
  double* const to = weights.data();
  Kokkos::parallel_for("rivulet::distribution",
                       Kokkos::RangePolicy<HostSpace, Kokkos::IndexType<std::uint64_t>>(0, cells),
                       [=](const std::uint64_t i) { to[i] = weight(i); });
  HostSpace().fence();
  return weights;
}

}  // namespace

std::vector<double> weights_of(const CorrelatedGaussian& gaussian) {
  return weights_by_cell(gaussian.rows * gaussian.columns, [gaussian](std::uint64_t i) {
    const double x = (static_cast<double>(i % gaussian.columns) - gaussian.x0) / gaussian.width;
    const double y = (static_cast<double>(i / gaussian.columns) - gaussian.y0) / gaussian.width;
    return std::exp(-(x * x + y * y + gaussian.alpha * (x * y)));
  });
}

std::vector<double> exponential_weights(std::uint64_t cells, double rate) {
  return weights_by_cell(
      cells, [rate](std::uint64_t i) { return std::exp(-rate * static_cast<double>(i)); });
}

std::vector<double> power_law_weights(std::uint64_t cells, double exponent) {
  return weights_by_cell(cells, [exponent](std::uint64_t i) {
    return std::pow(static_cast<double>(i) + 0.5, -exponent);
  });
}

std::vector<double> zipf_weights(std::uint64_t cells, double exponent) {
  return weights_by_cell(cells, [exponent](std::uint64_t i) {
    return std::pow(static_cast<double>(i + 1), -exponent);
  });
}

}  // namespace rivulet
