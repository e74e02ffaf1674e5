// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "rivulet/detail/assert.hpp"
#include "rivulet/detail/engine_numbers.hpp"
#include "rivulet/detail/kokkos.hpp"
#include "rivulet/detail/math.hpp"

namespace rivulet {
namespace detail {

// The inverse of the standard normal distribution function. Let q = u - 1/2 and v = 1/2 - |q|, the
// smaller of u and 1 - u. The inverse is q times a polynomial in v. Each octave of v is divided
// into pieces, and each piece has its own polynomial. Doubles below v = 2^-11 use algorithm AS 241
// instead (M. J. Wichura, Appl. Statist. 37 (1988) 477; PPND16 with its coefficients), a function
// of r = sqrt(-log(v)). Floats have v >= 2^-24.

inline constexpr int log2_an_octave = 4;  ///< log2 of the number of pieces per octave

/// Coefficients of the polynomials, from the lowest octave up. The last piece is v = 1/2. The table
/// stores the first 16 bytes of every piece, then the next 16 bytes of every piece, and so on. A
/// warp's loads thus touch few cache lines. (With contiguous pieces of 64 bytes, an H200 drew half
/// as many normal doubles.)
template <class Real>
struct NormalPieces;
template <>
struct NormalPieces<double> {
  static constexpr int octaves = 10;
  static constexpr int coefficients = 8;
  KOKKOS_FORCEINLINE_FUNCTION static const double* all() {
    alignas(64) static constexpr double numbers[] = {
#include "rivulet/detail/normal_pieces_double.inc"
    };
    return numbers;
  }
};
template <>
struct NormalPieces<float> {
  static constexpr int octaves = 23;
  static constexpr int coefficients = 4;
  KOKKOS_FORCEINLINE_FUNCTION static const float* all() {
    alignas(64) static constexpr float numbers[] = {
#include "rivulet/detail/normal_pieces_float.inc"
    };
    return numbers;
  }
};

template <class Real>
inline constexpr int side_by_side = 16 / sizeof(Real);  ///< contiguous coefficients per piece

/// Evaluates the polynomial in t that has the coefficients k, k + 1, ... of a piece. c points to
/// the piece's first coefficients.
template <int k, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real normal_polynomial(const Real* c, Real t) {
  using Pieces = NormalPieces<Real>;
  constexpr int pieces = (Pieces::octaves << log2_an_octave) + 1;
  constexpr int within = k % side_by_side<Real>;
  const Real own = c[(k - within) * pieces + within];
  if constexpr (k == Pieces::coefficients - 1) {
    return own;
  } else {
    return fused(t, normal_polynomial<k + 1>(c, t), own);
  }
}

/// Returns |x| without a branch. Compilers implement a choice between x and -x as a branch, which a
/// CPU mispredicts half of the time.
KOKKOS_FORCEINLINE_FUNCTION double magnitude(double x) {
  return bits_as<double>(bits_as<std::uint64_t>(x) & ~(std::uint64_t{1} << 63));
}
KOKKOS_FORCEINLINE_FUNCTION float magnitude(float x) {
  return bits_as<float>(bits_as<std::uint32_t>(x) & ~(std::uint32_t{1} << 31));
}

/// Returns q times the polynomial of v's piece, for 2^-(octaves + 1) <= v <= 1/2.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real normal_middle(Real q, Real v) {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  constexpr int digits = sizeof(Real) == 8 ? 52 : 23;
  constexpr int shift = digits - log2_an_octave;
  constexpr Bits one = (Bits{1} << (sizeof(Real) == 8 ? 62 : 30)) - (Bits{1} << digits);  // of 1.0
  constexpr Bits first = (one >> shift) - (Bits{NormalPieces<Real>::octaves + 1} << log2_an_octave);
  const auto bits = bits_as<Bits>(v);
  // t is the distance of v from the middle of its piece, in units of the octave's lower end.
  constexpr Real middle = 1 + Real{0.5} / (1 << log2_an_octave);
  const Real t = bits_as<Real>((bits & ((Bits{1} << shift) - 1)) | one) - middle;
  const auto piece = static_cast<std::uint32_t>((bits >> shift) - first);
  // The index is signed, because a zero-extended product of 32 bits suits no gather instruction.
  const auto index = static_cast<std::int32_t>(piece * side_by_side<Real>);
  return q * normal_polynomial<0>(NormalPieces<Real>::all() + index, t);
}

/// Returns the absolute value of the inverse for v < 2^-11, by AS 241.
RIVULET_RARE_FUNCTION double normal_tail(double v) {
  const double r = square_root(MinusLog{}(v));
  if (r <= 5) {
    const double x = r - 1.6;
    const double above =
        polynomial(x, 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                   3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                   2.27238449892691845833e-2, 7.74545014278341407640e-4);
    const double below =
        polynomial(x, 1.0, 2.05319162663775882187e0, 1.67638483018380384940e0,
                   6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                   5.47593808499534494600e-4, 1.05075007164441684324e-9);
    return quotient(above, below);
  }
  const double x = r - 5;
  const double above =
      polynomial(x, 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                 2.71155556874348757815e-5, 2.01033439929228813265e-7);
  const double below =
      polynomial(x, 1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                 1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                 1.42151175831644588870e-7, 2.04426310338993978564e-15);
  return quotient(above, below);
}

struct StandardNormal {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real u) const {
    const Real q = u - Real{0.5};
    const Real v = Real{0.5} - magnitude(q);
    if constexpr (sizeof(Real) == 8) {
      if (v < 0x1p-11) {
        const Real tail = normal_tail(v);
        return q < 0 ? -tail : tail;
      }
    }
    return normal_middle(q, v);
  }
};
/// Returns the inverse of the standard normal distribution function at u, 0 < u < 1.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real standard_normal(Real u) {
  return sealed(with_fma<StandardNormal>(u));
}

/// Returns the standard normal number for the engine's next uniform number. An engine with
/// next_normal<Real>() may compute normal numbers in blocks.
#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class Real, class Rng>
KOKKOS_FORCEINLINE_FUNCTION Real draw_normal(Rng& rng) {
  if constexpr (requires { rng.template next_normal<Real>(); }) {
    return rng.template next_normal<Real>();
  } else {
    return standard_normal(draw_number<Real, Interval::open>(rng));
  }
}

}  // namespace detail

/// Normally distributed numbers, by inversion of one uniform number in (0, 1). Results are
/// symmetric about the mean, and within 8.2 sigma of it (double; float 5.3). Example: `Normal(0.0,
/// 1.0)(rng)`.
template <class Real = double>
class Normal {
 public:
  static_assert(detail::is_real<Real>,
                "this distribution's type must be float or double. Pass 1.0 instead of 1, or name "
                "the type, as in Normal<double>");
  using result_type = Real;

  /// Requires sigma >= 0, the standard deviation. A negative sigma gives the same distribution as
  /// |sigma|.
  KOKKOS_FORCEINLINE_FUNCTION explicit Normal(Real mean = 0, Real sigma = 1)
      : mean_(mean), sigma_(sigma) {
    RIVULET_ASSERT(sigma >= 0, "Normal(mean, sigma) needs sigma >= 0.");
  }

  template <class Rng>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Rng& rng) const {
    return detail::sum(mean_, detail::product(sigma_, detail::draw_normal<Real>(rng)));
  }

 private:
  Real mean_;
  Real sigma_;
};

}  // namespace rivulet
