// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "rivulet/detail/rounded.hpp"

// Elementary functions that are bitwise the same on every machine, without tables. The methods are
// FDLIBM 5.3's (Sun Microsystems, 1993: e_log.c, e_exp.c, k_sin.c, k_cos.c, s_atan.c) and, in
// single precision, those of FreeBSD's msun (e_logf.c), with their coefficients; sums are arranged
// for fewer operations.

namespace rivulet::detail {

template <class To, class From>
KOKKOS_FORCEINLINE_FUNCTION To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// x = m 2^-minus_exponent with m between sqrt(1/2) and sqrt(2).
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
  const std::int32_t minus_exponent = 0x3ff - static_cast<std::int32_t>(bits >> 52);
  return {bits_as<double>((bits & fraction) + root_half), static_cast<double>(minus_exponent)};
}

KOKKOS_FORCEINLINE_FUNCTION Split<float> split(float x) {
  constexpr std::uint32_t one = std::uint32_t{0x7f} << 23;
  constexpr std::uint32_t root_half = 0x3f3504f3;  // sqrt(1/2)
  constexpr std::uint32_t fraction = (std::uint32_t{1} << 23) - 1;
  const std::uint32_t bits = bits_as<std::uint32_t>(x) + (one - root_half);
  const std::int32_t minus_exponent = 0x7f - static_cast<std::int32_t>(bits >> 23);
  return {bits_as<float>((bits & fraction) + root_half), static_cast<float>(minus_exponent)};
}

/// R in log(1 + f) = f - s (f - R), s = f / (2 + f): a polynomial in z = s^2.
KOKKOS_FORCEINLINE_FUNCTION double log_remainder(double z) {
  const double w = product(z, z);
  const double w2 = product(w, w);
  const double odd = polynomial(w, 6.666666666666735130e-01, 2.857142874366239149e-01) +
                     product(w2, polynomial(w, 1.818357216161805012e-01, 1.479819860511658591e-01));
  const double even =
      polynomial(w, 3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01);
  return product(z, odd) + product(w, even);
}
KOKKOS_FORCEINLINE_FUNCTION float log_remainder(float z) {
  const float w = product(z, z);
  const float odd = polynomial(w, 0xaaaaaa.0p-24F, 0x91e9ee.0p-25F);
  const float even = polynomial(w, 0xccce13.0p-25F, 0xf89e26.0p-26F);
  return product(z, odd) + product(w, even);
}

/// ln 2 in two parts; the product of the first with an exponent is exact.
template <class Real>
struct Ln2;
template <>
struct Ln2<double> {
  static constexpr double high = 6.93147180369123816490e-01;
  static constexpr double low = 1.90821492927058770002e-10;
};
template <>
struct Ln2<float> {
  static constexpr float high = 6.9313812256e-01F;
  static constexpr float low = 9.0580006145e-06F;
};

/// -log(x) of a normal number x > 0; +0 for x = 1. The error is at most 0.981 units in the last
/// place: tested for all floats in (0, 1] and 10^9 doubles, against long doubles.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real minus_log(Real x) {
  const auto [m, minus_exponent] = split(x);
  const Real f = m - 1;
  const Real s = quotient(f, m + 1);
  const Real remainder = log_remainder(product(s, s));
  const Real high = product(minus_exponent, Ln2<Real>::high);
  const Real low = product(minus_exponent, Ln2<Real>::low);
  return high - (f - (product(s, f - remainder) + low));
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real logarithm(Real x) {
  return 0 - minus_log(x);
}

/// -log(1 - p), 0 <= p < 1: W. Kahan's correction of the rounded 1 - p, right to 3 units in the
/// last place (2.04 in 10^8 arguments).
KOKKOS_FORCEINLINE_FUNCTION double minus_log_of_rest(double p) {
  const double rest = 1 - sealed(p);
  return rest == 1 ? p : product(minus_log(rest), quotient(p, 1 - rest));
}

/// 2^exponent, a normal number.
KOKKOS_FORCEINLINE_FUNCTION double power_of_2(std::int32_t exponent) {
  return bits_as<double>(static_cast<std::uint64_t>(0x3ff + exponent) << 52);
}

/// exp(x): 0 below -746, infinite above 709.79. The error is at most 0.95 units in the last place
/// of a normal number.
KOKKOS_FORCEINLINE_FUNCTION double exp_of(double x) {
  constexpr double inverse_ln2 = 1.44269504088896338700e+00;
  if (!(x > -746)) return x < 0 ? 0 : x;  // or not a number
  if (x > 710) return HUGE_VAL;
  const double shifted = product(x, inverse_ln2) + (x > 0 ? 0.5 : -0.5);
  const auto exponent = static_cast<std::int32_t>(shifted);
  const auto k = static_cast<double>(exponent);
  const double high = x - product(k, Ln2<double>::high);
  const double low = product(k, Ln2<double>::low);
  const double r = high - low;
  const double z = product(r, r);
  const double c =
      r - product(z, polynomial(z, 1.66666666666666019037e-01, -2.77777777770155933842e-03,
                                6.61375632143793436117e-05, -1.65339022054652515390e-06,
                                4.13813679705723846039e-08));
  const double value = 1 - ((low - quotient(product(r, c), 2 - c)) - high);
  const std::int32_t half = exponent / 2;  // two steps reach the numbers below normal ones
  return product(value * power_of_2(half), power_of_2(exponent - half));
}

struct SinCos {
  double sin;
  double cos;
};

/// sin and cos of 2 pi u, 0 <= u <= 1, by k_sin.c and k_cos.c between -pi/4 and pi/4, to which u is
/// reduced exactly. The error is at most 2 units in the last place (1.81 in 10^8
/// arguments).
KOKKOS_FORCEINLINE_FUNCTION SinCos sin_cos_of_turns(double u) {
  const auto quarter = static_cast<std::int32_t>(4 * u + 0.5);
  const double x = product(u - 0.25 * quarter, 6.28318530717958647693);
  const double z = product(x, x);
  const double s =
      x +
      product(product(x, z), polynomial(z, -1.66666666666666324348e-01, 8.33333333332248946124e-03,
                                        -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                                        -2.50507602534068634195e-08, 1.58969099521155010221e-10));
  const double half = 0.5 * z;
  const double nearly = 1 - half;
  const double rest = polynomial(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03,
                                 2.48015872894767294178e-05, -2.75573143513906633035e-07,
                                 2.08757232129817482790e-09, -1.13596475577881948265e-11);
  const double c = nearly + ((1 - nearly - half) + product(product(z, z), rest));
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

/// The angle between the x axis and (x, y), x and y >= 0, not both 0: s_atan.c's polynomial, up to
/// tan(pi/8). The error is at most 2.5 units in the last place (2.34 in 10^8 arguments).
KOKKOS_FORCEINLINE_FUNCTION double angle_of(double x, double y) {
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
  const double angle = t - product(t, product(z, p));
  const double eighths = diagonal ? 1 : above ? 2 : 0;
  return eighths * high + ((above ? -angle : angle) + eighths * low);
}

}  // namespace rivulet::detail
