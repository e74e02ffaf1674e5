// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "distribution_engines.hpp"
#include "number_reference.hpp"
#include "rivulet/detail/uint128.hpp"
#include "rivulet/distributions.hpp"

namespace rivulet {
namespace {

// Checks distributions for special raw numbers: 0, half of the range, and all ones. Scripts supply
// the raw numbers.

using Script = std::vector<std::uint64_t>;
constexpr std::uint64_t half = 0x80000000;
constexpr std::uint64_t ones = 0xffffffff;
constexpr double two53 = 0x1p53;

/// Returns the bits of the number that the docs define for a 64-bit engine: the number is computed
/// from the upper 53 or 24 bits of a raw number.
std::uint64_t bits_of_wide(NumberType type, Interval interval, std::uint64_t raw) {
  const int used = type == NumberType::float32 ? 24 : 53;
  const NumberInteger whole{raw >> (64 - used), used};
  if (type == NumberType::float32) {
    return bits_of_real(interval == Interval::closed
                            ? static_cast<float>(whole.n) / 16777215.0F
                            : static_cast<float>(number_in(interval, type, whole)));
  }
  return bits_of_real(interval == Interval::closed
                          ? static_cast<double>(whole.n) / (two53 - 1)
                          : static_cast<double>(number_in(interval, type, whole)));
}

template <class Real, int bits, Interval interval>
void expect_documented_numbers() {
  constexpr NumberType type =
      std::is_same_v<Real, double> ? NumberType::float64 : NumberType::float32;
  constexpr std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
  TestEngine<bits> engine(7);
  for (int i = 0; i < 100; ++i) {
    Script raw{engine(), engine()};
    if (i < 3) raw.assign(2, i == 0 ? 0 : i == 1 ? most / 2 + 1 : most);
    const std::uint64_t expected = bits == 64 ? bits_of_wide(type, interval, raw[0])
                                              : number_bits(type, interval, bits, raw.data());
    const Uniform<Real, interval> unit;
    ASSERT_EQ(bits_of_real(from_script<bits>(unit, raw)), expected) << bits << ' ' << i;
    ASSERT_EQ(drawn_of_script<bits>(unit, raw), bits == 64 ? 1 : raw_numbers(type, bits));
    // Uniform(0, 1) has the same interval.
    const Uniform<Real, interval> between(0, 1);
    ASSERT_EQ(bits_of_real(from_script<bits>(between, raw)), expected) << bits << ' ' << i;
  }
}

template <class Real, int bits>
void expect_documented_intervals() {
  expect_documented_numbers<Real, bits, Interval::closed_open>();
  expect_documented_numbers<Real, bits, Interval::open>();
  expect_documented_numbers<Real, bits, Interval::open_closed>();
  expect_documented_numbers<Real, bits, Interval::closed>();
  expect_documented_numbers<Real, bits, Interval::zero_replaced>();
}

TEST(DistributionEdges, UniformIsTheNumberThatDocsDefine) {
  expect_documented_intervals<float, 24>();
  expect_documented_intervals<float, 32>();
  expect_documented_intervals<float, 48>();
  expect_documented_intervals<float, 64>();
  expect_documented_intervals<double, 24>();
  expect_documented_intervals<double, 32>();
  expect_documented_intervals<double, 48>();
  expect_documented_intervals<double, 64>();
}

TEST(DistributionEdges, UniformBetweenBoundsStaysInside) {
  const Script least{0};
  const Script largest{ones};
  using ClosedOpen = Uniform<double, Interval::closed_open>;
  using Open = Uniform<double, Interval::open>;
  using OpenClosed = Uniform<double, Interval::open_closed>;
  using Closed = Uniform<double, Interval::closed>;
  const auto below = [](double x) { return std::nextafter(x, -1e308); };
  const auto above = [](double x) { return std::nextafter(x, 1e308); };
  // If only a few doubles lie between a and b, a + (b - a) u can round to a or b.
  for (const double a : {1.0, -1.0, 4096.0, 0.0, -0.0, -4097.0}) {
    const double b = above(above(above(a)));
    EXPECT_EQ(from_script<32>(ClosedOpen(a, b), least), a);
    EXPECT_EQ(from_script<32>(ClosedOpen(a, b), largest), below(b));
    EXPECT_EQ(from_script<32>(Open(a, b), least), above(a));
    EXPECT_EQ(from_script<32>(Open(a, b), largest), below(b));
    EXPECT_EQ(from_script<32>(OpenClosed(a, b), least), above(a));
    EXPECT_EQ(from_script<32>(OpenClosed(a, b), largest), b);
    EXPECT_EQ(from_script<32>(Closed(a, b), least), a);
    EXPECT_EQ(from_script<32>(Closed(a, b), largest), b);
  }
  EXPECT_EQ(from_script<32>(ClosedOpen(-3, 5), {half, 0}), 1.0);
  EXPECT_EQ(from_script<32>(Uniform<float>(-3, 5), {half}), 1.0F);
  EXPECT_EQ(from_script<32>(Uniform<float>(1, 1.0000002F), {ones}), 1.0000001F);
  EXPECT_EQ(from_script<32>(Closed(-0x1p1022, 0x1p1022), largest), 0x1p1022);
}

TEST(DistributionEdges, BelowByLemiresRule) {
  const auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(from_script<32>(Below(1), {0}), 0U);
  EXPECT_EQ(from_script<32>(Below(1), {ones}), 0U);
  EXPECT_EQ(drawn_of_script<32>(Below(1), {0}), 1);
  EXPECT_EQ(from_script<32>(Below(6), {half + 1}), 3U);
  EXPECT_EQ(from_script<32>(Below(6), {ones}), 5U);
  // 2^32 mod 6 = 4. For word w = 0, the lower half of 6 w is 0, which is below 4; the word is
  // rejected. For word w = 1, the lower half is 6; the word is accepted.
  EXPECT_EQ(drawn_of_script<32>(Below(6), {0, 1}), 2);
  EXPECT_EQ(drawn_of_script<32>(Below(6), {1}), 1);
  EXPECT_EQ(from_script<32>(Below(std::uint64_t{1} << 32), {0xdeadbeef}), 0xdeadbeefU);
  EXPECT_EQ(drawn_of_script<32>(Below(std::uint64_t{1} << 32), {0}), 1);
  // 2^64 mod (2^32 + 1) = 1.
  const Below beyond((std::uint64_t{1} << 32) + 1);
  EXPECT_EQ(drawn_of_script<32>(beyond, {0, 0, 0, 1}), 4);
  EXPECT_EQ(from_script<32>(beyond, {0, 1}), 0U);
  EXPECT_EQ(from_script<32>(beyond, {ones, ones}), std::uint64_t{1} << 32);
  EXPECT_EQ(from_script<32>(beyond, {half, 0}), std::uint64_t{1} << 31);
  EXPECT_EQ(from_script<32>(Below(most), {ones, ones}), most - 1);
  EXPECT_EQ(from_script<64>(Below(most), {most}), most - 1);
  // A 32-bit word consists of the upper 16 bits of two 24-bit numbers, or of the upper 32 bits of a
  // wider number.
  EXPECT_EQ(from_script<24>(Below(std::uint64_t{1} << 32), {0xabcdff, 0x1234ff}), 0xabcd1234U);
  EXPECT_EQ(from_script<48>(Below(std::uint64_t{1} << 32), {0xabcd1234ffff}), 0xabcd1234U);
  EXPECT_EQ(from_script<64>(Below(std::uint64_t{1} << 32), {0xabcd1234ffffffff}), 0xabcd1234U);
}

TEST(DistributionEdges, BelowMultipliesNumbersOf64Bits) {
  std::mt19937_64 engine(5);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t n = (engine() >> engine() % 31) | std::uint64_t{1} << 33;
    const std::uint64_t word = engine() | 1;
    if (word * n < n) continue;
    const auto expected = static_cast<std::uint64_t>(static_cast<Uint128>(word) * n >> 64);
    ASSERT_EQ(from_script<64>(Below(n), {word}), expected);
  }
}

TEST(DistributionEdges, ExponentialEndsAtTheLogarithmOfTheLeastNumber) {
  // The first result is for u = 2^-53. The next two results are for u = 1, which must yield +0 and
  // not -0.
  EXPECT_EQ(from_script<32>(Exponential<double>(), {0, 0}), 53 * std::log(2.0));
  EXPECT_EQ(bits_of_real(from_script<32>(Exponential<double>(), {ones, ones})), 0U);
  EXPECT_EQ(bits_of_real(from_script<32>(Exponential<double>(3), {ones, ones})), 0U);
  EXPECT_DOUBLE_EQ(from_script<32>(Exponential<double>(3), {half, 0}), 3 * std::log(2.0));
  EXPECT_FLOAT_EQ(from_script<32>(Exponential<float>(), {0}), 24 * std::log(2.0F));
  EXPECT_EQ(bits_of_real(from_script<32>(Exponential<float>(), {ones})), 0U);
  EXPECT_EQ(drawn_of_script<32>(Exponential<double>(), {0}), 2);
  EXPECT_EQ(drawn_of_script<32>(Exponential<float>(), {0}), 1);
  EXPECT_EQ(drawn_of_script<24>(Exponential<double>(), {0}), 1);
  EXPECT_EQ(drawn_of_script<48>(Exponential<double>(), {0}), 1);
  EXPECT_EQ(drawn_of_script<64>(Exponential<double>(), {0}), 1);
}

TEST(DistributionEdges, NormalNumbersMirrorEachOther) {
  const Normal<double> normal(10, 2);
  EXPECT_NEAR(from_script<32>(normal, {0, 0}), 10 - 2 * 8.2095361516013856, 1e-12);
  EXPECT_NEAR(from_script<32>(normal, {ones, ones}), 10 + 2 * 8.2095361516013856, 1e-12);
  EXPECT_NEAR(from_script<32>(normal, {half, 0}), 10, 1e-12);
  EXPECT_NEAR(from_script<32>(Normal<float>(), {0}), -5.2947041F, 2e-6);
  EXPECT_EQ(from_script<32>(Normal<float>(), {0}), -from_script<32>(Normal<float>(), {ones}));
  EXPECT_EQ(from_script<32>(Normal<double>(7, 0), {123}), 7);
  EXPECT_EQ(drawn_of_script<32>(normal, {0}), 2);
  EXPECT_EQ(drawn_of_script<32>(Normal<float>(), {0}), 1);
}

/// Checks r = sqrt(-log u) = 4.8, where AS 241 still uses its middle tail, and r = 5.2, where it
/// uses its far tail. The reference is NormalDist().inv_cdf(u) of Python 3.11's standard library.
TEST(DistributionEdges, NormalTailsMeet) {
  EXPECT_NEAR(from_script<32>(Normal<double>(), {0, 0x02190000}), -0x1.9bf2df845e95fp+2, 1e-14);
  EXPECT_NEAR(from_script<32>(Normal<double>(), {0, 0x00100000}), -0x1.bcd61863bca41p+2, 1e-14);
}

TEST(DistributionEdges, TrueBelowP) {
  EXPECT_TRUE(from_script<32>(Bernoulli(0.5), {half - 1}));
  EXPECT_FALSE(from_script<32>(Bernoulli(0.5), {half + 1}));
  EXPECT_FALSE(from_script<32>(Bernoulli(0.5), {half, 0}));
  EXPECT_TRUE(from_script<32>(Bernoulli(0.5 + 0x1p-33), {half, half - 1}));
  EXPECT_FALSE(from_script<32>(Bernoulli(0.5 + 0x1p-33), {half, half}));
  EXPECT_FALSE(from_script<32>(Bernoulli(0), {0, 0}));
  EXPECT_TRUE(from_script<32>(Bernoulli(0x1p-64), {0, 0}));
  EXPECT_FALSE(from_script<32>(Bernoulli(0x1p-64), {0, 1}));
  EXPECT_TRUE(from_script<32>(Bernoulli(1), {ones}));
  EXPECT_TRUE(from_script<32>(Bernoulli(1 - 0x1p-53), {ones, ones - 2048}));
  EXPECT_FALSE(from_script<32>(Bernoulli(1 - 0x1p-53), {ones, ones - 2047}));
  EXPECT_EQ(drawn_of_script<32>(Bernoulli(0.5), {0}), 1);
  EXPECT_EQ(drawn_of_script<32>(Bernoulli(0.5), {half, 0}), 2);
}

TEST(DistributionEdges, UnitVectorsBeginAgainOutsideTheDisk) {
  const UnitVector<double> direction;
  // The corners of the square lie outside the disk. The centre yields the upper pole, except for
  // errors of 2^-51 in x and y.
  const Script corner{0, 0, ones, ones};
  Script script = corner;
  script.insert(script.end(), {half, 0, half, 0});
  EXPECT_EQ(drawn_of_script<32>(direction, script), 8);
  const auto pole = from_script<32>(direction, script);
  EXPECT_EQ(pole.z, 1.0);
  EXPECT_EQ(pole.x, 0x1p-51);
  EXPECT_EQ(pole.y, 0x1p-51);
  // A point near (1, 0) in the disk yields the lower pole.
  const auto low = from_script<32>(direction, {ones, ones, half, 0});
  EXPECT_NEAR(low.z, -1, 1e-14);
  EXPECT_EQ(drawn_of_script<32>(UnitVector<float>(), {half}), 2);
  EXPECT_EQ(drawn_of_script<64>(direction, {std::uint64_t{1} << 63}), 2);
}

/// Expects finite results if the first six raw numbers are any combination of the least, the middle
/// and the largest number. Pseudo-random numbers follow.
template <int bits, class Distribution>
void expect_finite(const Distribution& distribution, const std::string& what) {
  constexpr std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
  TestEngine<bits> others(61);
  for (int choice = 0; choice < 729; ++choice) {
    Script script;
    for (int i = 0, left = choice; i < 6; ++i, left /= 3) {
      script.push_back(left % 3 == 0 ? 0 : left % 3 == 1 ? most / 2 + 1 : most);
    }
    for (int i = 0; i < 40; ++i) script.push_back(others());
    const auto number = from_script<bits>(distribution, script);
    ASSERT_TRUE(std::isfinite(number)) << what << ' ' << choice << ' ' << number;
  }
}
template <class Distribution>
void expect_finite_for_all(const Distribution& distribution, const std::string& what) {
  expect_finite<24>(distribution, what + " of 24 bits");
  expect_finite<64>(distribution, what + " of 64 bits");
}

template <class Real>
void expect_finite_transforms() {
  for (const Real shape : {Real(1e-14), Real(0.05), Real(0.5), Real(1), Real(1e15)}) {
    const std::string what = std::to_string(shape);
    expect_finite_for_all(Gamma<Real>(shape), "gamma " + what);
    expect_finite_for_all(ChiSquare<Real>(shape), "chi-square " + what);
    expect_finite_for_all(Beta<Real>(shape, Real(1e-14)), "beta " + what);
    expect_finite_for_all(Beta<Real>(shape, Real(3)), "beta " + what);
  }
  for (const Real degrees : {Real(1), Real(2), Real(3), Real(1e15)}) {
    expect_finite_for_all(Student<Real>(degrees), "Student " + std::to_string(degrees));
  }
  expect_finite_for_all(LogNormal<Real>(), "log-normal");
  expect_finite_for_all(Cauchy<Real>(), "Cauchy");
  for (const Real k : {Real(0), Real(1e-30), Real(1), Real(1e30)}) {
    expect_finite_for_all(VonMises<Real>(0, k), "von Mises");
  }
  const Real all = std::numeric_limits<Real>::infinity();
  expect_finite_for_all(TruncatedNormal<Real>(0, 1, -1, 2), "truncated, both sides");
  expect_finite_for_all(TruncatedNormal<Real>(0, 1, -all, all), "truncated nowhere");
  expect_finite_for_all(TruncatedNormal<Real>(0, 1, Real(-0.1), Real(0.1)), "truncated, near");
  expect_finite_for_all(TruncatedNormal<Real>(0, 1, Real(1e30), all), "truncated, far");
  expect_finite_for_all(TruncatedNormal<Real>(0, 1, -all, Real(-1e30)), "truncated, mirrored");
}

TEST(DistributionEdges, NoNumberIsInfiniteOrNone) {
  expect_finite_transforms<double>();
  expect_finite_transforms<float>();
}

TEST(DistributionEdges, NumbersOfTransforms) {
  EXPECT_NEAR(from_script<32>(Cauchy<double>(), {0, 0}), -2.867e15, 1e12);
  EXPECT_EQ(from_script<32>(Cauchy<double>(), {0, 0}),
            -from_script<32>(Cauchy<double>(), {ones, ones}));
  EXPECT_NEAR(from_script<32>(Cauchy<float>(), {0}), -5.34e6, 1e4);
  EXPECT_NEAR(from_script<32>(Cauchy<double>(3, 2), {half / 2, 0}), 1, 1e-14);
  EXPECT_NEAR(from_script<32>(LogNormal<double>(2, 3), {half, 0}), std::exp(2), 1e-13);
  EXPECT_EQ(from_script<32>(LogNormal<double>(800, 1), {half}), INFINITY);
  EXPECT_EQ(from_script<32>(LogNormal<float>(-200, 1), {half}), 0);
  EXPECT_EQ(drawn_of_script<32>(Cauchy<double>(), {0}), 2);
  EXPECT_EQ(drawn_of_script<32>(LogNormal<float>(), {0}), 1);
  // If all raw numbers are half of the range, the normal variate in Gamma is 0 and is accepted at
  // once.
  EXPECT_NEAR(from_script<32>(Gamma<double>(4, 2), {half}), 2 * (4 - 1.0 / 3), 1e-7);
  EXPECT_EQ(drawn_of_script<32>(Gamma<double>(4), {half}), 4);
  EXPECT_EQ(drawn_of_script<32>(Gamma<double>(0.5), {half}), 6);
  EXPECT_EQ(drawn_of_script<32>(Gamma<float>(0.5F), {half}), 3);
  EXPECT_NEAR(from_script<32>(Beta<double>(4, 8), {half}), 11.0 / 34, 1e-7);
  EXPECT_NEAR(from_script<32>(VonMises<double>(3, 5), {half}), 3, 1e-7);
  const TruncatedNormal<double> positive(1, 2, 1.5, INFINITY);
  EXPECT_EQ(drawn_of_script<32>(positive, {half}), 4);
  EXPECT_NEAR(from_script<32>(positive, {ones, ones, 0}), 1.5, 1e-15);
}

template <class Distribution>
constexpr bool is_small_value = std::is_trivially_copyable_v<Distribution> &&
                                sizeof(Distribution) <= 48;
static_assert(is_small_value<Uniform<double>> && is_small_value<Uniform<float, Interval::open>>);
static_assert(is_small_value<Below> && is_small_value<Exponential<double>>);
static_assert(is_small_value<UnitVector<double>> && is_small_value<Normal<double>>);
static_assert(is_small_value<Gamma<double>> && is_small_value<Beta<double>>);
static_assert(is_small_value<LogNormal<double>> && is_small_value<VonMises<double>>);
static_assert(is_small_value<Multinomial> && is_small_value<MultivariateNormal<double>>);
static_assert(std::is_trivially_copyable_v<Binomial>);
static_assert(std::is_trivially_copyable_v<TruncatedNormal<double>>);
static_assert(is_small_value<Bernoulli> && is_small_value<Poisson> && is_small_value<Discrete>);

#ifdef NDEBUG
/// An engine that throws after 1000 numbers, so that a test fails if a draw does not end.
class FewNumbers : public TestEngine<32> {
 public:
  using TestEngine::TestEngine;
  result_type operator()() {
    if (drawn() == 1000) throw std::runtime_error("a draw does not end");
    return TestEngine::operator()();
  }
};

/// Checks builds without assertions (see tests/assertions). Invalid parameters yield the documented
/// results, and draws end.
TEST(DistributionEdges, PreconditionsInOtherBuilds) {
  FewNumbers engine(62);
  const double none = std::nan("");
  for (const double bad : {none, -1.0, 1e13, 1e300, double{INFINITY}}) {
    EXPECT_EQ(Poisson(bad)(engine), 0U) << bad;
  }
  for (const double bad : {none, -1.0, 0.0, 1e20}) {
    EXPECT_TRUE(std::isnan(Gamma<double>(bad)(engine))) << bad;
    EXPECT_TRUE(std::isnan(ChiSquare<double>(bad)(engine))) << bad;
    EXPECT_TRUE(std::isnan(Student<double>(bad)(engine))) << bad;
    EXPECT_TRUE(std::isnan(Beta<double>(1, bad)(engine))) << bad;
    EXPECT_TRUE(std::isnan(Beta<double>(bad, 0.5)(engine))) << bad;
  }
  for (const double bad : {none, -1.0}) {
    EXPECT_TRUE(std::isnan(Gamma<double>(1, bad)(engine)));
    EXPECT_TRUE(std::isnan(LogNormal<double>(0, bad)(engine)));
    EXPECT_TRUE(std::isnan(Cauchy<double>(0, bad)(engine)));
    EXPECT_TRUE(std::isnan(VonMises<double>(0, bad)(engine)));
    EXPECT_TRUE(std::isnan(VonMises<float>(0, static_cast<float>(bad))(engine)));
    EXPECT_TRUE(std::isnan(TruncatedNormal<double>(0, bad, 1, 2)(engine)));
    EXPECT_TRUE(std::isnan(TruncatedNormal<double>(0, 1, 3, bad)(engine)));
    EXPECT_EQ(Binomial(1000, bad)(engine), 0U);
    EXPECT_EQ(Geometric(bad)(engine), 0U);
  }
  EXPECT_TRUE(std::isnan(VonMises<double>(0, INFINITY)(engine)));
  EXPECT_TRUE(std::isnan(TruncatedNormal<double>(none, 1, 1, 2)(engine)));
  EXPECT_TRUE(std::isnan(TruncatedNormal<double>(0, 1, none, 2)(engine)));
  EXPECT_TRUE(std::isnan(TruncatedNormal<double>(0, 1, INFINITY, INFINITY)(engine)));
  EXPECT_TRUE(std::isnan(TruncatedNormal<double>(0, 1e-300, 1, 2)(engine)));
  EXPECT_EQ(Binomial(1000, 1.5)(engine), 0U);
  EXPECT_EQ(Binomial(~std::uint64_t{0}, 0.5)(engine), 0U);
  EXPECT_EQ(Geometric(0)(engine), 0U);
}
#endif

}  // namespace
}  // namespace rivulet
