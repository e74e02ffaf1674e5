// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "rivulet/distributions.hpp"

namespace rivulet {
namespace {

// Compares the distributions' mathematical functions with the host's functions in long double.

/// Returns the error in units in the last place of a format with `digits` bits.
double ulps(long double value, long double expected, int digits) {
  if (value == expected) return 0;
  int exponent = 0;
  std::frexp(expected, &exponent);
  return static_cast<double>(std::abs(value - expected) / std::ldexp(1.0L, exponent - digits));
}

double log_error(double x) { return ulps(detail::minus_log(x), -std::log(1.0L * x), 53); }

TEST(DistributionMath, LogarithmOfDoublesIsRightToOneUnit) {
  std::mt19937_64 engine(1);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    worst = std::max(worst, log_error(static_cast<double>((engine() >> 11) + 1) * 0x1p-53));
    const double near_one =
        1 - static_cast<double>((engine() >> 11) % (1 << (i % 30 + 1))) * 0x1p-53;
    worst = std::max(worst, log_error(near_one));
    const auto any = std::bit_cast<double>(engine() % 0x7ff0000000000000 | 0x10000000000000);
    if (any < INFINITY) worst = std::max(worst, log_error(any));
  }
  EXPECT_LT(worst, 0.97);
  EXPECT_GT(worst, 0.7);  // a smaller error would mean that the comparison is broken
  EXPECT_EQ(std::bit_cast<std::uint64_t>(detail::minus_log(1.0)), 0U);
  EXPECT_EQ(detail::minus_log(1 - 0x1p-53), 0x1p-53);
  for (int k = 1; k <= 53; ++k) {
    EXPECT_EQ(detail::minus_log(std::ldexp(1.0, -k)), static_cast<double>(k * std::log(2.0L)));
  }
}

TEST(DistributionMath, LogarithmOfFloatsIsRightToOneUnit) {
  double worst = 0;
  // Every float from 2^-24 to 1 was tested once. This test uses one float in 61.
  for (std::uint32_t bits = 0x33800000; bits <= 0x3f800000; bits += 61) {
    const auto x = std::bit_cast<float>(bits);
    worst = std::max(worst, ulps(detail::minus_log(x), -std::log(1.0L * x), 24));
  }
  EXPECT_LT(worst, 0.84);
  EXPECT_GT(worst, 0.7);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(detail::minus_log(1.0F)), 0U);
}

TEST(DistributionMath, ExponentialFunctionIsRightToOneUnit) {
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> all(-708, 709.7);
  std::uniform_real_distribution<double> near_zero(-1, 0);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    const double x = i % 2 == 0 ? all(engine) : near_zero(engine);
    worst = std::max(worst, ulps(detail::exp_of(x), std::exp(1.0L * x), 53));
  }
  EXPECT_LT(worst, 0.95);
  EXPECT_GT(worst, 0.5);
  EXPECT_EQ(detail::exp_of(0), 1);
  EXPECT_EQ(detail::exp_of(-0.0), 1);
  EXPECT_EQ(detail::exp_of(709.7827128933840), std::exp(709.7827128933840));
  EXPECT_EQ(detail::exp_of(709.7827128933841), INFINITY);
  EXPECT_EQ(detail::exp_of(INFINITY), INFINITY);
  EXPECT_NEAR(detail::exp_of(-740), std::exp(-740), 0x1p-1073);
  EXPECT_EQ(detail::exp_of(-745.2), 0);
  EXPECT_EQ(detail::exp_of(-1e308), 0);
  EXPECT_EQ(detail::exp_of(-INFINITY), 0);
  EXPECT_TRUE(std::isnan(detail::exp_of(NAN)));
}

TEST(DistributionMath, LogarithmOfWhatIsLeft) {
  std::mt19937_64 engine(5);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    const double p = std::ldexp(static_cast<double>(engine() >> 11), -53 - i % 64);
    worst = std::max(worst, ulps(detail::minus_log1m(p), -std::log1p(-1.0L * p), 53));
  }
  EXPECT_LT(worst, 3);
  EXPECT_GT(worst, 1.5);
  EXPECT_EQ(detail::minus_log1m(0), 0);
  EXPECT_EQ(detail::minus_log1m(0x1p-60), 0x1p-60);
}

TEST(DistributionMath, SineAndCosineOfTurns) {
  std::mt19937_64 engine(6);
  const long double two_pi = 2 * std::acos(-1.0L);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    // Some numbers are near multiples of 1/4, where the sine or the cosine is small.
    const double part = std::ldexp(static_cast<double>(engine() >> 11), -53 - i % 40);
    const double u = std::abs(part - 0.25 * (i % 5));
    const auto [sin, cos] = detail::sin_cos_of_turns(u);
    const auto q = static_cast<int>(std::floor(4 * u + 0.5));
    const long double x = two_pi * (1.0L * u - 0.25L * q);  // the difference is exact
    const long double s = q % 2 == 0 ? std::sin(x) : std::cos(x);
    const long double c = q % 2 == 0 ? std::cos(x) : -std::sin(x);
    const int sign = q % 4 < 2 ? 1 : -1;
    worst = std::max({worst, ulps(sin, sign * s, 53), ulps(cos, sign * c, 53)});
  }
  EXPECT_LT(worst, 2);
  EXPECT_GT(worst, 1);
  const auto one = detail::sin_cos_of_turns(1);
  EXPECT_EQ(one.sin, 0);
  EXPECT_EQ(one.cos, 1);
}

TEST(DistributionMath, AngleOfAPoint) {
  std::mt19937_64 engine(7);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    const double x = std::ldexp(static_cast<double>(engine() >> 11), -53 - i % 30);
    const double y = std::ldexp(static_cast<double>(engine() >> 11 | 1), -53 - i % 7);
    worst = std::max(worst, ulps(detail::angle_of(x, y), std::atan2(1.0L * y, 1.0L * x), 53));
    worst = std::max(worst, ulps(detail::angle_of(y, x), std::atan2(1.0L * x, 1.0L * y), 53));
  }
  EXPECT_LT(worst, 2.5);
  EXPECT_GT(worst, 1);
  EXPECT_EQ(detail::angle_of(1, 0), 0);
  EXPECT_EQ(detail::angle_of(0, 1), std::acos(0.0));
  EXPECT_EQ(detail::angle_of(3, 3), std::atan(1.0));
}

/// Returns the error of z in units in the last place, estimated with one step of Newton's method.
double normal_ulps(long double z, long double u, int digits) {
  const long double v = std::min(u, 1 - u);
  const long double size = std::abs(z);
  const long double gap = std::erfc(size * std::sqrt(0.5L)) / 2 - v;
  const long double slope = std::exp(-size * size / 2) / std::sqrt(2 * std::acos(-1.0L));
  return ulps(size, size + gap / slope, digits);
}

TEST(DistributionMath, InverseOfTheNormalDistribution) {
  std::mt19937_64 engine(3);
  double worst_of_middle = 0;
  double worst_of_tail = 0;
  for (int i = 0; i < 300000; ++i) {
    // Half of the numbers are uniform. The other half are uniform in the logarithm of the tail's
    // probability.
    const double u = static_cast<double>(engine() >> (i % 2 == 0 ? 11 : 12 + i % 52) | 1) * 0x1p-53;
    const double z = detail::standard_normal(u);
    double& worst = u < 0x1p-11 || u > 1 - 0x1p-11 ? worst_of_tail : worst_of_middle;
    // Numbers near 1/2 are omitted, because the reference has too few digits there.
    if (std::abs(u - 0.5) > 0x1p-8) worst = std::max(worst, normal_ulps(z, u, 53));
    ASSERT_EQ(detail::standard_normal(1 - u), -z);
  }
  EXPECT_LT(worst_of_middle, 2.3);
  EXPECT_LT(worst_of_tail, 4.5);
  // A smaller error would mean that the comparison is broken.
  EXPECT_GT(std::min(worst_of_middle, worst_of_tail), 1);
  EXPECT_EQ(detail::standard_normal(0.5), 0);
  EXPECT_EQ(detail::standard_normal(0.5F), 0);
  EXPECT_NEAR(detail::standard_normal(0.5 + 0x1p-53) / 0x1p-53, 2.5066282746310005, 1e-15);
  EXPECT_NEAR(detail::standard_normal(0.975), 1.959963984540054, 1e-15);
  EXPECT_NEAR(detail::standard_normal(0x1p-53), -8.2095361516013856, 1e-14);
}

TEST(DistributionMath, InverseOfTheNormalDistributionInSinglePrecision) {
  double worst = 0;
  // Every such float was tested once. This test uses one in 61.
  for (std::uint32_t n = 1; n < 1U << 24; n += 122) {
    const float u = static_cast<float>(n) * 0x1p-24F;
    const double z = detail::standard_normal(static_cast<double>(u));
    worst = std::max(worst, ulps(detail::standard_normal(u), z, 24));
  }
  EXPECT_LT(worst, 2.3);
  EXPECT_GT(worst, 1);
  EXPECT_NEAR(detail::standard_normal(0x1p-24F), -5.2947041, 1e-6);
}

TEST(DistributionMath, ExponentialFunctionInSinglePrecision) {
  std::mt19937_64 engine(8);
  std::uniform_real_distribution<double> all(-87, 88.7);
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    const double x = all(engine);
    const auto high = static_cast<float>(x);
    const auto low = static_cast<float>(x - high);
    const long double sum = 1.0L * high + low;
    worst = std::max(worst, ulps(detail::Exp{}(high, low), std::exp(sum), 24));
  }
  EXPECT_LT(worst, 1.25);
  EXPECT_GT(worst, 0.5);
  EXPECT_EQ(detail::Exp{}(0.0F, 0.0F), 1);
  EXPECT_EQ(detail::Exp{}(89.0F, 0.0F), INFINITY);
  EXPECT_EQ(detail::Exp{}(-INFINITY, 0.0F), 0);
  EXPECT_TRUE(std::isnan(detail::Exp{}(NAN, 0.0F)));
}

TEST(DistributionMath, PoissonProbabilities) {
  for (const double mean : {10.0, 10.5, 37.0, 1000.0, 1e6, 1e9, 0x1p40}) {
    const double sigma = std::sqrt(mean);
    for (double z = -6; z <= 8; z += 0.125) {
      const double k = std::floor(mean + z * sigma);
      if (k < 0) continue;
      const long double m = mean;
      const long double expected = m - k * std::log(m) + std::lgamma(k + 1.0L);
      // The limit allows for cancellation. In the reference, which has 64 bits, terms as large as k
      // log k cancel. Far from the mean, terms as large as k cancel in the library's function.
      const double far = std::abs(k - mean) > 0.15 * mean ? 3e-16 * k : 0;
      const double limit = 2e-14 + 1e-18 * mean * std::log(mean) + far;
      EXPECT_NEAR(detail::poisson_exponent(k, mean), static_cast<double>(expected), limit)
          << k << ' ' << mean;
    }
  }
  EXPECT_EQ(detail::poisson_exponent(0, 12), 12);
  // This k is far from the mean.
  EXPECT_NEAR(detail::poisson_exponent(1000, 10), 10 - 1000 * std::log(10.0) + std::lgamma(1001.0),
              1e-9);
}

}  // namespace
}  // namespace rivulet
