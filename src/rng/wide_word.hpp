// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "rivulet/detail/rng/cycle.hpp"
#include "rng/vec.hpp"

#if RIVULET_VECTOR_WORD && defined(__SSE2__)
#include <immintrin.h>
#endif

// 64-bit words (WideForm<W>::type) for the streams of W, a kernel's 32-bit word type.

namespace rivulet::detail {

/// N 64-bit words, one per stream.
template <int N>
using Wide = Vec<std::uint64_t, N>;

/// Returns the products of the lower halves. Calls x86's vector instruction explicitly, because GCC
/// 12 would multiply all 64 bits, in three instructions.
template <class Part>
KOKKOS_FORCEINLINE_FUNCTION Part multiply_lower(const Part& a, const Part& b) {
#if RIVULET_VECTOR_WORD && defined(__AVX512F__)
  if constexpr (sizeof(Part) == sizeof(__m512i)) {
    // GCC 12 warns that _mm512_mul_epu32 reads an uninitialized value (GCC bug 105593).
    return reinterpret_cast<Part>(
        _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
  }
#elif RIVULET_VECTOR_WORD && defined(__AVX2__)
  if constexpr (sizeof(Part) == sizeof(__m256i)) {
    return reinterpret_cast<Part>(
        _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
  }
#elif RIVULET_VECTOR_WORD && defined(__SSE2__)
  if constexpr (sizeof(Part) == sizeof(__m128i)) {
    return reinterpret_cast<Part>(
        _mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
  }
#endif
  if constexpr (sizeof(Part) == sizeof(std::uint64_t)) {
    return multiply_halves(a, b);
  } else {
    return (a & 0xffffffffu) * (b & 0xffffffffu);
  }
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION Wide<N> multiply_halves(const Wide<N>& a, const Wide<N>& b) {
  return Wide<N>::each([&](int p)
                           RIVULET_INLINE_LAMBDA { return multiply_lower(a.part[p], b.part[p]); });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION Wide<N> multiply_half(const Wide<N>& a, std::uint32_t m) {
  return multiply_halves(a, Wide<N>(m));
}
/// Returns the halves of the 128-bit products. Vector units cannot compute such products, so this
/// function sums products of halves.
template <int N>
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(const Wide<N>& a, std::uint64_t m, Wide<N>& high,
                                               Wide<N>& low) {
  if constexpr (Wide<N>::width == 1) {
    for (int l = 0; l < N; ++l) multiply_wide(a.part[l], m, high.part[l], low.part[l]);
  } else {
    const Wide<N> lower(0xffffffffu);
    const Wide<N> m_low(m & 0xffffffffu);
    const Wide<N> m_high(m >> 32);
    const Wide<N> a_high = a >> 32;
    const Wide<N> low_low = multiply_halves(a, m_low);
    const Wide<N> high_low = multiply_halves(a_high, m_low) + (low_low >> 32);
    const Wide<N> middle = multiply_halves(a, m_high) + (high_low & lower);
    low = middle << 32 | (low_low & lower);
    high = multiply_halves(a_high, m_high) + (high_low >> 32) + (middle >> 32);
  }
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION Wide<N> rotated_left(const Wide<N>& x, int n) {
  return x << n | x >> (64 - n);
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION Wide<N> carry_of(const Wide<N>& sum, const Wide<N>& a) {
  return WordTraits<Wide<N>>::if_less(sum, a, 1, 0);
}
/// On a GPU, each stream's remainder is computed separately, in 32-bit arithmetic.
template <std::uint32_t c, int N>
requires(Wide<N>::width == 1) KOKKOS_FORCEINLINE_FUNCTION Wide<N> below_modulus(const Wide<N>& x) {
  return Wide<N>::each([&](int l) { return below_modulus<c>(x.part[l]); });
}
template <std::uint32_t c, int N>
requires(Wide<N>::width == 1) KOKKOS_FORCEINLINE_FUNCTION Wide<N> folded_once(const Wide<N>& x) {
  return Wide<N>::each([&](int l) { return folded_once<c>(x.part[l]); });
}
/// Hides plain words one by one. A no-op for a CPU's vectors, which need not be hidden.
template <int N>
KOKKOS_FORCEINLINE_FUNCTION void hide_from_optimizer([[maybe_unused]] Wide<N>& x) {
  if constexpr (Wide<N>::width == 1) {
    for (int l = 0; l < N; ++l) hide_from_optimizer(x.part[l]);
  }
}

/// The 64-bit words for W's lanes, and their conversions from and to 32-bit words.
template <class W>
struct WideForm {
  using type = std::conditional_t<std::is_same_v<W, std::uint32_t>, std::uint64_t, Wide<lanes<W>>>;

  /// Returns the index of lane l's pair in the memory that from_pairs() reads. Each pair is a
  /// word's lower half, then its upper half.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int pair_index(int l) { return l; }
  KOKKOS_FORCEINLINE_FUNCTION static type from_pairs(const std::uint32_t* pair) {
    return generate([&](int l) { return std::uint64_t{pair[2 * l + 1]} << 32 | pair[2 * l]; });
  }
  /// Returns the words with these lower and upper halves.
  KOKKOS_FORCEINLINE_FUNCTION static type of(const W& low, const W& high) {
    return generate([&](int l) {
      return std::uint64_t{WordTraits<W>::lane(high, l)} << 32 | WordTraits<W>::lane(low, l);
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION static W low(const type& x) {
    return WordTraits<W>::generate(
        [&](int l) { return static_cast<std::uint32_t>(WordTraits<type>::lane(x, l)); });
  }
  KOKKOS_FORCEINLINE_FUNCTION static W high(const type& x) { return low(x >> 32); }
  KOKKOS_FORCEINLINE_FUNCTION static type product(const W& a, std::uint32_t m) {
    return generate([&](int l) { return std::uint64_t{WordTraits<W>::lane(a, l)} * m; });
  }

 private:
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static type generate(const F& make) {
    return WordTraits<type>::generate(make);
  }
};

/// A vector whose 64-bit form is two registers, one with the even lanes and one with the odd lanes.
template <class W>
concept FillsRegister = is_vector_register<W> &&(lanes<W> == register_lanes<std::uint32_t>);

template <int N>
requires FillsRegister<Vec<std::uint32_t, N>>
struct WideForm<Vec<std::uint32_t, N>> {
  using W = Vec<std::uint32_t, N>;
  using type = Wide<N>;
  using Part = typename type::Part;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int pair_index(int l) {
    return l / 2 + l % 2 * (N / 2);
  }
  KOKKOS_FORCEINLINE_FUNCTION static type from_pairs(const std::uint32_t* pair) {
    Part even;
    Part odd;
    std::memcpy(&even, pair, sizeof even);
    std::memcpy(&odd, pair + N, sizeof odd);
    return type(even, odd);
  }
  KOKKOS_FORCEINLINE_FUNCTION static type of(const W& low, const W& high) {
    const auto l = reinterpret_cast<Part>(low.part[0]);
    const auto h = reinterpret_cast<Part>(high.part[0]);
    return type((l & lower) | h << 32, l >> 32 | (h & ~lower));
  }
  KOKKOS_FORCEINLINE_FUNCTION static W low(const type& x) {
    return blended<0xaaaa>(x.part[0], x.part[1]);
  }
  KOKKOS_FORCEINLINE_FUNCTION static W high(const type& x) {
    return blended<0x5555>(x.part[1], x.part[0]);
  }
  KOKKOS_FORCEINLINE_FUNCTION static type product(const W& a, std::uint32_t m) {
    const auto pairs = reinterpret_cast<Part>(a.part[0]);
    return multiply_half(type(pairs, pairs >> 32), m);
  }

 private:
  static constexpr std::uint64_t lower = 0xffffffffu;

  /// Merges 32-bit lanes. Lanes in the bit mask `lane_mask` come from y, with the halves of each
  /// 64-bit lane swapped; the other lanes come from x.
  template <int lane_mask>
  KOKKOS_FORCEINLINE_FUNCTION static W blended(const Part& x, const Part& y) {
#if RIVULET_VECTOR_WORD && defined(__AVX512F__)
    return W(reinterpret_cast<typename W::Part>(_mm512_mask_shuffle_epi32(
        reinterpret_cast<__m512i>(x), lane_mask, reinterpret_cast<__m512i>(y), _MM_PERM_CDAB)));
#else
    const Part halves = lane_mask == 0xaaaa ? (x & lower) | y << 32 : (x & ~lower) | y >> 32;
    return W(reinterpret_cast<typename W::Part>(halves));
#endif
  }
};

}  // namespace rivulet::detail
