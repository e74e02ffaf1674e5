// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "distribution_engines.hpp"
#include "rivulet/distributions.hpp"

// Hashes the draws of every distribution, for comparisons between compilers, flags and machines. A
// file with compiler flags of its own redefines `rivulet` before it includes this header, so that
// the linker does not merge functions of different files.

namespace rivulet {

/// The result of a distribution that draws several numbers.
template <class Number, int n>
struct Several {
  Number at[n];
};
template <class Number, int n, class Distribution>
struct DrawSeveral {
  using result_type = Several<Number, n>;
  Distribution distribution;
  template <class Rng>
  KOKKOS_FUNCTION result_type operator()(Rng& rng) const {
    result_type numbers;
    distribution(rng, numbers.at);
    return numbers;
  }
};

/// Computes the FNV-1a hash (Fowler, Noll & Vo) of the bits of numbers.
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
  template <class Real>
  KOKKOS_FUNCTION void add(const DiskPoint<Real>& point) {
    add(point.x);
    add(point.y);
  }
  template <class Number, int n>
  KOKKOS_FUNCTION void add(const Several<Number, n>& numbers) {
    for (const Number number : numbers.at) add(number);
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

template <class Real>
KOKKOS_FUNCTION DiskPoint<Real> sum_of(const DiskPoint<Real>& a, const DiskPoint<Real>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class Number, int n>
KOKKOS_FUNCTION Several<Number, n> sum_of(Several<Number, n> a, const Several<Number, n>& b) {
  for (int i = 0; i < n; ++i) a.at[i] += b.at[i];
  return a;
}

/// Hashes draws and their running sum. As in a user's kernel, a compiler could fuse a draw's last
/// operation with the sum.
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

/// The parameters are products of `a` (about 1) and `b` (about 3). A compiler could fuse these
/// products with sums inside the distributions.
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

template <class Real, int bits>
KOKKOS_FUNCTION std::uint64_t bits_of_transforms(int which, Real a, Real b, int count) {
  const Real mean[] = {a * b, b * b};
  const Real factor[] = {a * a, 0, a * b, b * b};
  switch (which) {
    case 0:
      return bits_of_draws<bits>(Gamma<Real>(a * b, b * b), count);
    case 1:
      return bits_of_draws<bits>(Gamma<Real>(Real{0.125} * a * b, a * b), count);
    case 2:
      return bits_of_draws<bits>(ChiSquare<Real>(a * b), count);
    case 3:
      return bits_of_draws<bits>(Student<Real>(Real{0.375} * a * b), count);
    case 4:
      return bits_of_draws<bits>(Beta<Real>(Real{0.125} * a * b, a * b), count);
    case 5:
      return bits_of_draws<bits>(LogNormal<Real>(a * b, a * a), count);
    case 6:
      return bits_of_draws<bits>(TruncatedNormal<Real>(a * b, a * a, -a * b, b * b), count);
    case 7:
      return bits_of_draws<bits>(TruncatedNormal<Real>(a * b, a * a, b * b, 3 * b * b), count);
    case 8:
      return bits_of_draws<bits>(TruncatedNormal<Real>(a * b, b * b, -a * b, a * a), count);
    case 9:
      return bits_of_draws<bits>(Cauchy<Real>(a * b, b * b), count);
    case 10:
      return bits_of_draws<bits>(VonMises<Real>(a * b, b * b), count);
    case 11:
      return bits_of_draws<bits>(OnDisk<Real>(), count);
    case 12:
      return bits_of_draws<bits>(DrawSeveral<Real, 5, Simplex<Real>>{Simplex<Real>(5)}, count);
    default:
      return bits_of_draws<bits>(DrawSeveral<Real, 2, MultivariateNormal<Real>>{{2, mean, factor}},
                                 count);
  }
}

template <int bits>
KOKKOS_FUNCTION std::uint64_t bits_of_trials(int which, double a, double b, int count) {
  const double weights[] = {a * b, 0, a * a, b * b, 0.001 * a * b};
  switch (which) {
    case 0:
      return bits_of_draws<bits>(Geometric(0.01 * a * b), count);
    case 1:
      return bits_of_draws<bits>(Binomial(20, 0.1 * a * b), count);
    case 2:
      return bits_of_draws<bits>(Binomial(100000, 0.1 * a * b), count);
    case 3:
      return bits_of_draws<bits>(Binomial(10000, 0.2 * a * b), count);
    default:
      return bits_of_draws<bits>(
          DrawSeveral<std::uint64_t, 5, Multinomial>{Multinomial(1000, 5, weights)}, count);
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

inline constexpr int bits_rows = 7 + 7 + 6 + 14 + 14 + 5;
inline constexpr int bits_columns = 4;  ///< engines of 24, 32, 48 and 64 bits

template <int bits>
KOKKOS_FUNCTION std::uint64_t bits_of_row(int row, double a, double b, int count) {
  if (row < 7) return bits_of_reals<double, bits>(row, a, b, count);
  if (row < 14) {
    return bits_of_reals<float, bits>(row - 7, static_cast<float>(a), static_cast<float>(b), count);
  }
  if (row < 20) return bits_of_integers<bits>(row - 14, a, b, count);
  if (row < 34) return bits_of_transforms<double, bits>(row - 20, a, b, count);
  if (row < 48) {
    return bits_of_transforms<float, bits>(row - 34, static_cast<float>(a), static_cast<float>(b),
                                           count);
  }
  return bits_of_trials<bits>(row - 48, a, b, count);
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
