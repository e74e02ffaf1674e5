// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rivulet::independence {

/// How many numbers before another one two others are.
struct LagPair {
  std::size_t a;
  std::size_t b;
};

/// Numbers of ones, h = popcount - 16, of three numbers: the sum of h(t) h(t-a) h(t-b) over streams
/// has the variance 8^3 a term, and is far from zero where bits of the three have a linear
/// relation. After Blackman & Vigna, "A New Test for Hamming-Weight Dependencies", ACM TOMACS 32
/// (2022) 19.
class HammingWeightTriples {
 public:
  explicit HammingWeightTriples(LagPair lags) : lags_(lags) {}

  void add(std::span<const std::uint32_t> stream) {
    std::vector<int> weights;
    weights.reserve(stream.size());
    for (const std::uint32_t word : stream) weights.push_back(std::popcount(word) - 16);
    for (std::size_t t = std::max(lags_.a, lags_.b); t < weights.size(); ++t) {
      sum_ += weights[t] * weights[t - lags_.a] * weights[t - lags_.b];
      ++terms_;
    }
  }
  /// A standard normal variable.
  double z() const {
    return static_cast<double>(sum_) / std::sqrt(512 * static_cast<double>(terms_));
  }

 private:
  LagPair lags_;
  std::int64_t sum_ = 0;
  std::uint64_t terms_ = 0;
};

}  // namespace rivulet::independence
