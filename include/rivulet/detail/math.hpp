// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "rivulet/detail/rounded.hpp"

// Elementary functions with the same bits on every machine. The logarithm and the exponential
// function use polynomials, without tables, divisions or branches, so compilers vectorize loops
// over them. Function objects such as MinusLog are for code that is compiled with a fast fused().
// The function below each object, such as minus_log(), runs everywhere. scripts/make_law_tables
// computes the coefficients of the logarithm and of the exponential function. The coefficients for
// angles are FDLIBM 5.3's (Sun Microsystems, 1993: k_sin.c, k_cos.c, s_atan.c).

namespace rivulet::detail {

template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// The parts of x = m 2^-minus_exponent with m between sqrt(1/2) and sqrt(2).
template <class Real>
struct Split {
  Real m;
  Real minus_exponent;
};

KOKKOS_FORCEINLINE_FUNCTION Split<double> split(double x) {
  constexpr std::uint64_t one = std::uint64_t{0x3ff} << 52;
  constexpr std::uint64_t root_half = std::uint64_t{0x3fe6a09e} << 32;  // sqrt(1/2), its upper word
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const std::uint64_t bits = bits_as<std::uint64_t>(x) + (one - root_half);
  // The last bits of the sum of 2^52 and a small integer are that integer.
  const auto shifted = bits_as<double>((bits >> 52) | std::uint64_t{0x433} << 52);
  return {bits_as<double>((bits & fraction) + root_half), (0x1p52 + 0x3ff) - shifted};
}

KOKKOS_FORCEINLINE_FUNCTION Split<float> split(float x) {
  constexpr std::uint32_t one = std::uint32_t{0x7f} << 23;
  constexpr std::uint32_t root_half = 0x3f3504f3;  // sqrt(1/2)
  constexpr std::uint32_t fraction = (std::uint32_t{1} << 23) - 1;
  const std::uint32_t bits = bits_as<std::uint32_t>(x) + (one - root_half);
  const auto shifted = bits_as<float>((bits >> 23) | std::uint32_t{0x96} << 23);  // with 2^23
  return {bits_as<float>((bits & fraction) + root_half), (0x1p23F + 0x7f) - shifted};
}

/// Returns (log(1 + f) - f) / f^2 for 1 + f between sqrt(1/2) and sqrt(2), to within 1.6e-17
/// (float 8.1e-9). The version for double has three independent polynomials, because a chain of 20
/// dependent operations would stall processors.
KOKKOS_FORCEINLINE_FUNCTION double log_remainder(double f) {
  const double f2 = f * f;
  const double f3 = f2 * f;
  const double p0 =
      polynomial(f3, -0.5, 0x1.999999999772bp-3, -0x1.fffffff7e955cp-4, 0x1.745d460eacbc4p-4,
                 -0x1.248b2a78bff20p-4, 0x1.dd3093b701211p-5, -0x1.fc84a09888c57p-5);
  const double p1 = polynomial(f3, 0x1.555555555555cp-2, -0x1.5555555561dddp-3,
                               0x1.c71c70c1303cbp-4, -0x1.55556c388aeddp-4, 0x1.115b4daceee38p-4,
                               -0x1.b635ac30a3dacp-5, 0x1.ceab3eecb74d9p-5);
  const double p2 = polynomial(f3, -0x1.fffffffffff34p-3, 0x1.249249261f2ccp-3,
                               -0x1.99999a6364b62p-4, 0x1.3b0eda8f5d75cp-4, -0x1.00b0e81fd59f4p-4,
                               0x1.bb08e0be73d94p-5, -0x1.8e8f5f6d78efbp-6);
  return fused(f2, p2, fused(f, p1, p0));
}
KOKKOS_FORCEINLINE_FUNCTION float log_remainder(float f) {
  return polynomial(f, -0x1.p-1F, 0x1.55554ep-2F, -0x1.000008p-2F, 0x1.99a13p-3F, -0x1.5559e6p-3F,
                    0x1.237a56p-3F, -0x1.fcc1aep-4F, 0x1.e3d33ap-4F, -0x1.d962f2p-4F,
                    0x1.15425cp-4F);
}

/// ln 2 = high + low.
template <class Real>
struct Ln2;
template <>
struct Ln2<double> {
  static constexpr double high = 0x1.62e42fefa39efp-1;
  static constexpr double low = 0x1.abc9e3b39803fp-56;
};
template <>
struct Ln2<float> {
  static constexpr float high = 0x1.62e430p-1F;
  static constexpr float low = -0x1.05c610p-29F;
};

struct MinusLog {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real x) const {
    const auto [m, minus_exponent] = split(x);
    const Real f = m - 1;
    const Real low = fused(f * f, log_remainder(f), -(minus_exponent * Ln2<Real>::low));
    return fused(minus_exponent, Ln2<Real>::high, -(f + low));
  }
};
/// Returns -log(x) for a normal number x > 0. The result for x = 1 is +0. The error is at most 0.97
/// units in the last place (float 0.84), in tests of all floats from 2^-24 to 1 and of 10^8
/// doubles.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real minus_log(Real x) {
  return with_fma<MinusLog>(x);
}

/// Returns -log(1 - p), 0 <= p < 1, with W. Kahan's correction for the rounding of 1 - p. The error
/// is at most 3 units in the last place (2.04 in tests of 10^8 arguments).
KOKKOS_FORCEINLINE_FUNCTION double minus_log1m(double p) {
  const double rest = 1 - sealed(p);
  return rest == 1 ? p : product(minus_log(rest), quotient(p, 1 - rest));
}

/// Returns 2^exponent, which must be a normal number.
KOKKOS_FORCEINLINE_FUNCTION double power_of_2(std::int64_t exponent) {
  return bits_as<double>(static_cast<std::uint64_t>(0x3ff + exponent) << 52);
}

KOKKOS_FORCEINLINE_FUNCTION float power_of_2f(std::int32_t exponent) {
  return bits_as<float>(static_cast<std::uint32_t>(0x7f + exponent) << 23);
}

struct Exp {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double x) const {
    constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
    constexpr double shift = 0x1.8p52;  // a sum with `shift` has an integer in its last bits
    const double not_below = x < -746 ? -746 : x;
    const double inside = not_below > 710 ? 710 : not_below;
    const double shifted = fused(inside, inverse_ln2, shift);
    const double exponent = shifted - shift;
    // The first product has at most 43 bits, so the difference is exact.
    const double high = fused(-exponent, 0x1.62e42feep-1, inside);
    const double r = fused(-exponent, 0x1.a39ef35793c76p-33, high);
    const double lost = fused(-exponent, 0x1.a39ef35793c76p-33, high - r);
    const double remainder = polynomial(
        r, 0x1.0000000000001p-1, 0x1.5555555555556p-3, 0x1.5555555553d68p-5, 0x1.11111111109b5p-7,
        0x1.6c16c17889ef1p-10, 0x1.a01a01a7c2efep-13, 0x1.a019b9149a41cp-16, 0x1.71de0db2f6b19p-19,
        0x1.28917c89a43a7p-22, 0x1.af389ecfc4b9cp-26);
    const double value = 1 + (r + fused(r * r, remainder, lost));
    // Scaling by two factors also reaches subnormal results. A NaN is scaled by 2^0.
    const auto power =
        static_cast<std::int64_t>(bits_as<std::uint64_t>(shifted) - bits_as<std::uint64_t>(shift));
    const std::int64_t whole = x == x ? power : 0;
    // Halves `whole` without a signed 64-bit shift, which vector units before AVX-512 lack.
    const auto half =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(whole + 2048) >> 1) - 1024;
    return value * power_of_2(half) * power_of_2(whole - half);
  }

  /// Returns exp(high + low), where low is about as large as high's last bit.
  KOKKOS_FORCEINLINE_FUNCTION float operator()(float high, float low) const {
    constexpr float shift = 0x1.8p23F;
    const float not_below = high < -104 ? -104 : high;
    const float inside = not_below > 89 ? 89 : not_below;
    const float shifted = fused(inside, 0x1.715476p+0F, shift);
    const float exponent = shifted - shift;
    const float rounded = fused(-exponent, 0x1.62e4p-1F, inside);  // exact
    const float r = fused(-exponent, 0x1.7f7d1cp-20F, rounded) + low;
    const float remainder =
        polynomial(r, 0x1.p-1F, 0x1.5554dep-3F, 0x1.55551ap-5F, 0x1.120b62p-7F, 0x1.6d10fcp-10F);
    const float value = 1 + fused(r * r, remainder, r);
    const auto power =
        static_cast<std::int32_t>(bits_as<std::uint32_t>(shifted) - bits_as<std::uint32_t>(shift));
    const std::int32_t whole = high == high ? power : 0;
    const std::int32_t half = whole >> 1;
    return value * power_of_2f(half) * power_of_2f(whole - half);
  }
};
/// Returns exp(x): 0 below -746, infinite above 709.79. The error is at most 0.95 units in the last
/// place of a normal number.
KOKKOS_FORCEINLINE_FUNCTION double exp_of(double x) { return sealed(with_fma<Exp>(x)); }

struct SinCos {
  double sin;
  double cos;
};

struct SinCosOfTurns {
  KOKKOS_FORCEINLINE_FUNCTION SinCos operator()(double u) const {
    const auto quarter = static_cast<std::int32_t>(4 * u + 0.5);
    const double x = product(u - 0.25 * quarter, 6.28318530717958647693);
    const double z = product(x, x);
    const double s = fused(x * z,
                           polynomial(z, -1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                      -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                      -2.50507602534068634195e-08, 1.58969099521155010221e-10),
                           x);
    const double half = 0.5 * z;
    const double nearly = 1 - half;
    const double rest = polynomial(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                   2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                   2.08757232129817482790e-09, -1.13596475577881948265e-11);
    const double c = nearly + fused(z * z, rest, 1 - nearly - half);
    switch (quarter & 3) {
      case 0:
        return {s, c};
      case 1:
        return {c, -s};
      case 2:
        return {-s, -c};
      default:
        return {-c, s};
    }
  }
};
/// Returns sin and cos of 2 pi u, 0 <= u <= 1. The reduction of u to -1/8 .. 1/8 is exact. The
/// angles are then in -pi/4 .. pi/4, the range of k_sin.c and k_cos.c. The error is at most 2 units
/// in the last place (1.81 in tests of 10^8 arguments).
KOKKOS_FORCEINLINE_FUNCTION SinCos sin_cos_of_turns(double u) { return with_fma<SinCosOfTurns>(u); }

struct AngleOf {
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double x, double y) const {
    constexpr double high = 7.85398163397448278999e-01;  // pi / 4
    constexpr double low = 3.06161699786838301793e-17;
    const bool above = y > x;
    const double small = above ? x : y;
    const double large = above ? y : x;
    const bool diagonal = small > product(0.41421356237309503, large);
    const double t = diagonal ? quotient(small - large, small + large) : quotient(small, large);
    const double z = product(t, t);
    const double p = polynomial(
        z, 3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01,
        -1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02,
        6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02,
        -3.65315727442169155270e-02, 1.62858201153657823623e-02);
    const double angle = fused(-t, z * p, t);
    const double eighths = diagonal ? 1 : above ? 2 : 0;
    return fused(eighths, high, fused(eighths, low, above ? -angle : angle));
  }
};
/// Returns the angle between the x axis and (x, y), for x and y >= 0, not both 0. Uses s_atan.c's
/// polynomial, for arguments up to tan(pi/8). The error is at most 2.5 units in the last place
/// (2.34 in tests of 10^8 arguments).
KOKKOS_FORCEINLINE_FUNCTION double angle_of(double x, double y) { return with_fma<AngleOf>(x, y); }

}  // namespace rivulet::detail
