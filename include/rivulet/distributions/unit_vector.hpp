// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/rounded.hpp"

namespace rivulet {

/// A vector of length 1, up to rounding.
template <class Real>
struct Direction {
  Real x;
  Real y;
  Real z;
};

/// A point of the plane.
template <class Real>
struct DiskPoint {
  Real x;
  Real y;
};

/// Points uniform in the disk of radius 1: `OnDisk<double>()(rng)`. Needs on average 4 / pi trials
/// of two uniform numbers.
template <class Real = double>
class OnDisk {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = DiskPoint<Real>;

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION DiskPoint<Real> operator()(Rng& rng) const {
    Real square = 0;
    return point(rng, square);
  }

  /// Draws a point, and writes the square of its distance from the centre to `square`.
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION static DiskPoint<Real> point(Rng& rng, Real& square) {
    Real a = 0;
    Real b = 0;
    do {
      a = between_ends(rng);
      b = between_ends(rng);
      square = detail::product(a, a) + detail::product(b, b);
    } while (square >= 1);
    return {a, b};
  }

 private:
  /// Returns a number in (-1, 1), computed exactly, which is positive or negative with equal
  /// probabilities.
  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION static Real between_ends(Rng& rng) {
    return 2 * detail::draw_number<Real, Interval::open>(rng) - 1;
  }
};

/// Directions in space, uniform on the sphere: `UnitVector<double>()(rng)`. A point of the unit
/// disk is mapped to the sphere (G. Marsaglia, Ann. Math. Statist. 43 (1972) 645). The length is 1
/// up to rounding.
template <class Real = double>
class UnitVector {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Direction<Real>;

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Direction<Real> operator()(Rng& rng) const {
    Real square = 0;
    const auto [a, b] = OnDisk<Real>::point(rng, square);
    const Real root = 2 * detail::square_root(1 - square);
    return {detail::product(a, root), detail::product(b, root), 1 - 2 * square};
  }
};

}  // namespace rivulet
