// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "distribution_engines.hpp"
#include "rivulet/distributions.hpp"

// Bits of draws of every distribution, to be compared between compilers, flags and machines. Files
// that differ in flags include this with `rivulet` defined as another name each, so that the linker
// keeps the functions of both.

namespace rivulet {

/// FNV-1a (Fowler, Noll & Vo) of the bits of numbers.
class BitsHash {
 public:
  template <class Number>
  KOKKOS_FUNCTION void add(Number number) {
    std::uint64_t bits = 0;
    memcpy(&bits, &number, sizeof number);
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3u;
    }
  }
  template <class Real>
  KOKKOS_FUNCTION void add(const Direction<Real>& direction) {
    add(direction.x);
    add(direction.y);
    add(direction.z);
  }
  KOKKOS_FUNCTION std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

template <class Number>
KOKKOS_FUNCTION Number sum_of(Number total, Number number) {
  return total + number;
}
template <class Real>
KOKKOS_FUNCTION Direction<Real> sum_of(const Direction<Real>& a, const Direction<Real>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

/// Draws and their running sum, as in a user's kernel, where a compiler could fuse operations.
template <int bits, class Distribution>
KOKKOS_FUNCTION std::uint64_t bits_of_draws(const Distribution& distribution, int count) {
  TestEngine<bits> engine(42);
  BitsHash hash;
  typename Distribution::result_type total{};
  for (int i = 0; i < count; ++i) {
    const auto number = distribution(engine);
    total = sum_of(total, number);
    hash.add(number);
    hash.add(total);
  }
  return hash.value();
}

/// Parameters are a caller's products, which compilers could fuse with sums inside. Those of a are
/// about 1, of b about 3.
template <class Real, int bits>
KOKKOS_FUNCTION std::uint64_t bits_of_reals(int which, Real a, Real b, int count) {
  switch (which) {
    case 0:
      return bits_of_draws<bits>(Uniform<Real>(), count);
    case 1:
      return bits_of_draws<bits>(Uniform<Real, Interval::open>(-a * b, a * a), count);
    case 2:
      return bits_of_draws<bits>(Uniform<Real, Interval::open_closed>(a * a, a * b), count);
    case 3:
      return bits_of_draws<bits>(Uniform<Real, Interval::closed>(-a * b, b * b), count);
    case 4:
      return bits_of_draws<bits>(Exponential<Real>(a * b), count);
    case 5:
      return bits_of_draws<bits>(Normal<Real>(a * b, b * b), count);
    default:
      return bits_of_draws<bits>(UnitVector<Real>(), count);
  }
}

template <int bits>
KOKKOS_FUNCTION std::uint64_t bits_of_integers(int which, double a, double b, int count) {
  switch (which) {
    case 0:
      return bits_of_draws<bits>(Below(1000), count);
    case 1:
      return bits_of_draws<bits>(Below(0x123456789abcdef), count);
    case 2:
      return bits_of_draws<bits>(Bernoulli(0.1 * a * b), count);
    case 3:
      return bits_of_draws<bits>(Poisson(a * b), count);
    case 4:
      return bits_of_draws<bits>(Poisson(11 * a * b), count);
    default:
      return bits_of_draws<bits>(Poisson(1e6 * a * b), count);
  }
}

inline constexpr int bits_rows = 7 + 7 + 6;
inline constexpr int bits_columns = 4;  ///< engines of 24, 32, 48 and 64 bits

template <int bits>
KOKKOS_FUNCTION std::uint64_t bits_of_row(int row, double a, double b, int count) {
  if (row < 7) return bits_of_reals<double, bits>(row, a, b, count);
  if (row < 14) {
    return bits_of_reals<float, bits>(row - 7, static_cast<float>(a), static_cast<float>(b), count);
  }
  return bits_of_integers<bits>(row - 14, a, b, count);
}

inline constexpr double bits_a = 1.1;
inline constexpr double bits_b = 3.3;

KOKKOS_FUNCTION inline std::uint64_t distribution_bits(int row, int column, double a, double b,
                                                       int count) {
  switch (column) {
    case 0:
      return bits_of_row<24>(row, a, b, count);
    case 1:
      return bits_of_row<32>(row, a, b, count);
    case 2:
      return bits_of_row<48>(row, a, b, count);
    default:
      return bits_of_row<64>(row, a, b, count);
  }
}

}  // namespace rivulet
