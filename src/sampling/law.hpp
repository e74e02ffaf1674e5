// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "rivulet/detail/rng/number_format.hpp"
#include "rivulet/distributions/poisson.hpp"

namespace rivulet {

/// A distribution whose numbers are each computed from one uniform number.
struct Law {
  enum class Kind { uniform, normal, exponential, log_normal };

  Kind kind = Kind::uniform;
  double a = 0;  ///< uniform: low; normal, log_normal: mean (of the logarithm); exponential: mean
  double b = 1;  ///< uniform: high; normal, log_normal: standard deviation (of the logarithm)

  /// True if the law leaves uniform numbers unchanged.
  constexpr bool is_uniform() const { return kind == Kind::uniform && a == 0 && b == 1; }
  /// Returns the interval of the uniform numbers that the law transforms; the uniform law accepts
  /// any interval.
  constexpr Interval interval() const {
    return kind == Kind::exponential ? Interval::open_closed : Interval::open;
  }
};

/// Transforms uniform numbers of law.interval() in place to numbers of the law. The results equal,
/// bit for bit, those of Normal, Exponential and LogNormal, and those of Uniform before its clamp
/// to the bounds.
void apply(const Law& law, float* numbers, std::size_t count);
void apply(const Law& law, double* numbers, std::size_t count);
/// Replaces each uniform number u, 0 < u < 1, with its Poisson count. An element then holds the
/// bits of a 64-bit integer.
void apply(const Poisson& counts, double* numbers, std::size_t count);

}  // namespace rivulet
