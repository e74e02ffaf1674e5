// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>

#include "rivulet/detail/rounded.hpp"

// Elementary functions that are bitwise the same on every machine, without tables. The methods are
// FDLIBM 5.3's (Sun Microsystems, 1993: e_log.c, e_exp.c) and, in single precision, those of
// FreeBSD's msun (e_logf.c), with their coefficients; sums are arranged for fewer operations.

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

/// exp(x) for -700 < x <= 0.
KOKKOS_FORCEINLINE_FUNCTION double exp_of_negative(double x) {
  constexpr double inverse_ln2 = 1.44269504088896338700e+00;
  const auto exponent = static_cast<std::int32_t>(product(x, inverse_ln2) - 0.5);
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
  return value * bits_as<double>(static_cast<std::uint64_t>(0x3ff + exponent) << 52);
}

}  // namespace rivulet::detail
