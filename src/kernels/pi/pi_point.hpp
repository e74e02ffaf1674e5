// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "kokkos_compat.hpp"
#include "rng/wide_word.hpp"
#include "rng/word.hpp"

// Point types convert random words to points, and test whether a point lies in the quarter circle.
// Each type defines the number of words per point and the label of its kernels. count(words, hits)
// adds 1 to every lane of `hits` whose point is inside. The word type W is uint32_t for one point,
// or Word for one point per lane of a vector register. WordTraits<W> (rng/word.hpp) provides
// operations that have no operator.

namespace rivulet {

/// Common base of the point types of the job pi.
struct PiPoint {
  static constexpr const char* label = "rivulet::pi_fused";
};

namespace detail {

/// Adds 1 to `hits` if u (u + 1) + v (v + 1) does not overflow 64 bits.
KOKKOS_FORCEINLINE_FUNCTION void count_pair(std::uint32_t u, std::uint32_t v, std::uint32_t& hits) {
  const std::uint64_t s = static_cast<std::uint64_t>(u) * u + u;
  const std::uint64_t q = static_cast<std::uint64_t>(v) * v + v;
  hits += static_cast<std::uint32_t>(s <= ~q);
}

/// Adds 1 to each lane of `hits` for which u (u + 1) + v (v + 1) does not overflow 64 bits.
template <int N>
KOKKOS_FORCEINLINE_FUNCTION void count_pair(const Vec<std::uint32_t, N>& u,
                                            const Vec<std::uint32_t, N>& v,
                                            Vec<std::uint32_t, N>& hits) {
  using W = Vec<std::uint32_t, N>;
  using Form = WideForm<W>;
  const auto times_next = [](const W& x) RIVULET_INLINE_LAMBDA {
    const Wide<N> wide = Form::of(x, W(0u));
    return multiply_halves(wide, wide) + wide;
  };
  hits += Form::low(WordTraits<Wide<N>>::if_less(~times_next(v), times_next(u), 0, 1));
}

}  // namespace detail

/// A point whose coordinates are the two 16-bit halves i and j of one word, at cell centres:
/// x = (i + 1/2) / 65536, y = (j + 1/2) / 65536. The point is inside iff
/// i (i + 1) + j (j + 1) + 1/2 < 2^32, and thus iff the 32-bit sum does not overflow. Among all
/// 2^32 words, 3373259477 give a point inside, so the estimate of pi has a bias of 4.7e-8.
struct PackedCentred : PiPoint {
  static constexpr int words = 1;

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static void count(const W* words, W& hits) {
    const W i = words[0] >> 16;
    const W j = words[0] & 0xffffu;
    const W s = i * (i + 1u);
    WordTraits<W>::count_if_not_less(s + j * (j + 1u), s, hits);  // an overflowed sum is below s
  }
};

/// A point whose coordinates are two 32-bit words u and v, at cell centres: x = (u + 1/2) / 2^32,
/// y = (v + 1/2) / 2^32. The point is inside iff u (u + 1) + v (v + 1) does not overflow 64 bits.
struct PairCentred : PiPoint {
  static constexpr int words = 2;

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static void count(const W* words, W& hits) {
    detail::count_pair(words[0], words[1], hits);
  }
};

/// Base of the points from publications. These points test x * x + y * y < 1 in single precision,
/// with every operation rounded to nearest. The rounded squares are added as integers in units of
/// 2^-56, because some compilers would fuse a floating-point multiplication with the addition,
/// which changes the last bits. The float sum would round to less than 1 iff the exact sum is below
/// 1 - 2^-25. In units of 2^-56, this bound is an integer. The larger square is also an integer,
/// unless both squares are tiny. The fraction of the smaller square therefore never decides the
/// test, and square() drops it.
template <class Derived>
struct PublishedPoint : PiPoint {
  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t square(float x) {
    return static_cast<std::uint64_t>(x * x * 0x1p56F);
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool inside(float x, float y) {
    constexpr std::uint64_t below_one = (std::uint64_t{1} << 56) - (std::uint64_t{1} << 31);
    return square(x) + square(y) < below_one;
  }

  template <class W>
  KOKKOS_FORCEINLINE_FUNCTION static void count(const W* words, W& hits) {
    hits += WordTraits<W>::generate([words](int l) {
      return static_cast<std::uint32_t>(Derived::hit(
          WordTraits<W>::lane(words[0], l), WordTraits<W>::lane(words[Derived::words - 1], l)));
    });
  }
};

/// The point of calc_pi in list 6.16 of "The OpenCL Programming Book" (Fixstars): x = float(word >>
/// 16) / 65535, y = float(word & 0xffff) / 65535. The estimate of pi has a bias of -3.5e-5.
struct PackedPublished : PublishedPoint<PackedPublished> {
  static constexpr int words = 1;

  KOKKOS_FORCEINLINE_FUNCTION static bool hit(std::uint32_t word, std::uint32_t) {
    return inside(static_cast<float>(word >> 16) / 65535.0F,
                  static_cast<float>(word & 0xffffu) / 65535.0F);
  }
};

/// The point of "Tuning a Monte Carlo Algorithm on GPUs" (The Portland Group, 2010). The article
/// uses the floats of a CUDA SDK sample: x = (float(u) + 1) / 2^32 and y = (float(v) + 1) / 2^32.
struct PairPublished : PublishedPoint<PairPublished> {
  static constexpr int words = 2;

  KOKKOS_FORCEINLINE_FUNCTION static float unit(std::uint32_t word) {
    return (static_cast<float>(word) + 1.0F) * 0x1p-32F;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool hit(std::uint32_t u, std::uint32_t v) {
    return inside(unit(u), unit(v));
  }
};

}  // namespace rivulet
