// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jobs/correlate/correlate_result.hpp"

#include <algorithm>
#include <cmath>

#include "rivulet/error.hpp"

namespace rivulet {
namespace {

/// With 99 % probability, a normal variable is within this many standard deviations of its mean.
constexpr double quantile = 2.5758293035489004;

/// Returns the quotient, rounded down. `denominator` must be positive.
Int128 floor_divide(Int128 numerator, Int128 denominator) {
  const Int128 quotient = numerator / denominator;
  return numerator % denominator < 0 ? quotient - 1 : quotient;
}

/// Returns the probability that the correlation of white noise is outside the band at a lag. At lag
/// m, the sum has only n - m terms per stream of n numbers. The variance is therefore smaller than
/// at lag 0, by the factor (n - m) / n.
double chance_outside(std::uint64_t lag, std::uint64_t numbers) {
  const double share = 1 - static_cast<double>(lag) / static_cast<double>(numbers);
  return std::erfc(quantile / std::sqrt(2 * share));
}

}  // namespace

CorrelationSums& CorrelationSums::operator+=(const CorrelationSums& other) {
  streams += other.streams;
  sum += other.sum;
  squares += other.squares;
  add_each(ends, other.ends);
  add_each(products, other.products);
  return *this;
}

std::vector<std::uint64_t> CorrelationSums::words() const {
  std::vector<std::uint64_t> words;
  words.reserve(3 * products.size());
  for (std::uint64_t m = 0; m < products.size(); ++m) {
    words.insert(words.end(),
                 {m, static_cast<std::uint64_t>(upper_of(products[m])), lower_of(products[m])});
  }
  return words;
}

bool CorrelationSums::are_possible() const {
  constexpr Int128 largest = 65535;
  const Int128 max_sum = static_cast<Int128>(streams) * static_cast<Int128>(numbers) * largest;
  const auto max_end_sum = static_cast<std::int64_t>(2 * largest * static_cast<Int128>(streams));
  const auto is_end = [&](std::int64_t end) { return -max_end_sum <= end && end <= max_end_sum; };
  const auto is_product = [&](Int128 product) {
    return -max_sum * largest <= product && product <= max_sum * largest;
  };
  return -max_sum <= sum && sum <= max_sum && squares >= 0 && squares <= max_sum * largest &&
         std::ranges::all_of(ends, is_end) && std::ranges::all_of(products, is_product);
}

// The sum of all N = S n numbers is T. The sum of the S (n - m) products x(i) y(i + m) is P(m). The
// sum of the first m and the last m numbers of every stream is E(m). The sum of x(i) + y(i + m)
// over all pairs is 2 T - E(m). C_m is the sum of (x(i) - T / N) (y(i + m) - T / N), divided by N.
// Hence
//   N^2 C_m = N P(m) - T (2 T - E(m)) + (n - m) T^2 / n = N P(m) - T^2 + T E(m) - m T^2 / n.
// For N up to 10^13, all terms are below 2^126, so 128-bit integers suffice. The last term is
// rounded down to an integer. The error of N^2 C_m is thus below 1. It is negligible in the
// correlation C_m / V, because the variance V is about 2^30, and N^2 V is about N^2 2^30.
CorrelationResult correlation_result(const CorrelationSums& sums) {
  const auto count = static_cast<Int128>(sums.streams) * static_cast<Int128>(sums.numbers);
  const auto length = static_cast<Int128>(sums.numbers);
  const Int128 square = sums.sum * sums.sum;
  const Int128 spread = count * sums.squares - square;  // N^2 V
  if (spread == 0 && sums.streams > 0) {
    throw Error("all numbers are equal", "their correlation is undefined",
                "Choose another correlate.bit or streams.generator.");
  }
  CorrelationResult result;
  const auto all = static_cast<double>(count);
  result.mean = (static_cast<double>(sums.sum) / all + 65536) / 131072;
  result.variance = static_cast<double>(spread) / (all * all) / (131072.0 * 131072.0);
  result.band = quantile / std::sqrt(all);
  result.correlation.reserve(sums.products.size());
  Int128 ends = 0;
  double variance = 0;
  for (std::uint64_t m = 0; m < sums.products.size(); ++m) {
    if (m > 0) ends += sums.ends[m - 1];
    // m T^2 / n, rounded down, without overflow.
    const auto lag = static_cast<Int128>(m);
    const Int128 end_correction =
        lag * (square / length) + floor_divide(lag * (square % length), length);
    const Int128 scaled_covariance =
        count * sums.products[m] - square + sums.sum * ends - end_correction;
    const double value = static_cast<double>(scaled_covariance) / static_cast<double>(spread);
    result.correlation.push_back(value);
    if (m == 0 && sums.is_autocorrelation) continue;
    if (std::abs(value) > result.band) ++result.outside;
    const double chance = chance_outside(m, sums.numbers);
    result.expected_outside += chance;
    variance += chance * (1 - chance);
    if (std::abs(value) > result.largest) {
      result.largest = std::abs(value);
      result.largest_lag = m;
    }
  }
  result.outside_error = std::sqrt(variance);
  return result;
}

}  // namespace rivulet
