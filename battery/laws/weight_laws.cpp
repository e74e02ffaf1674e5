// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "battery/laws/weight_laws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "battery/laws/distributions.hpp"

namespace rivulet::detail {
namespace {

/// P(one of `count` independent values, each of which is so with probability p, is so).
double any_p(double p, double count) { return -std::expm1(count * std::log1p(-p)); }

}  // namespace

WeightMiddle weight_middle(int length) {
  const auto below = [&](int spread) {
    const auto last = static_cast<std::uint64_t>(length / 2 - spread - 1);
    return binomial_tails(last, static_cast<std::uint64_t>(length), 0.5).left;
  };
  const auto off = [&](int spread) { return std::abs(below(spread) - 1.0 / 3); };
  int spread = 0;
  while (spread + 1 < length / 2 && off(spread + 1) < off(spread)) ++spread;
  return {spread, below(spread)};
}

LargestNormal largest_normal(std::span<const double> z) {
  const double farthest =
      *std::ranges::max_element(z, {}, [](double one) { return std::abs(one); });
  return {farthest, any_p(2 * normal_p(std::abs(farthest)), static_cast<double>(z.size()))};
}

LargestNormal weight_tuples(int length, std::span<const std::uint64_t> counts) {
  const double out = weight_middle(length).outside;
  const double in = 1 - 2 * out;
  std::vector<double> sums(counts.begin(), counts.end());
  const double root = std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
  // For each digit the sums of 1, of a function that is odd about the middle, and of an even one.
  for (std::size_t step = 1; step < sums.size(); step *= 3) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i / step % 3 != 0) continue;
      const double below = sums[i], middle = sums[i + step], above = sums[i + 2 * step];
      sums[i] = below + middle + above;
      sums[i + step] = (above - below) / std::sqrt(2 * out);
      sums[i + 2 * step] =
          (below + above) * std::sqrt(in / (2 * out)) - middle * std::sqrt(2 * out / in);
    }
  }
  std::vector<std::vector<double>> of_blocks;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i % 3 == 0) continue;
    std::size_t blocks = 0;
    for (std::size_t rest = i; rest > 0; rest /= 3) blocks += rest % 3 != 0 ? 1 : 0;
    of_blocks.resize(std::max(of_blocks.size(), blocks));
    of_blocks[blocks - 1].push_back(sums[i] / root);
  }
  LargestNormal least{0, 1};
  for (const std::vector<double>& z : of_blocks) {
    const LargestNormal one = largest_normal(z);
    if (one.p < least.p) least = one;
  }
  return {least.z, any_p(least.p, static_cast<double>(of_blocks.size()))};
}

std::vector<double> complexity_expected(std::uint64_t n, std::uint64_t bits, int reach) {
  std::vector<double> expected(2 * static_cast<std::size_t>(reach) + 1);
  const auto all = static_cast<int>(bits);
  // 2^min(2 c - 1, 2 bits - 2 c) of the 2^bits sequences have the complexity c.
  for (int c = 1; c <= all; ++c) {
    const double p = std::exp2(std::min(2 * c - 1, 2 * all - 2 * c) - all);
    const int place = std::clamp(c - all / 2 + reach, 0, 2 * reach);
    expected[static_cast<std::size_t>(place)] += static_cast<double>(n) * p;
  }
  return expected;
}

}  // namespace rivulet::detail
