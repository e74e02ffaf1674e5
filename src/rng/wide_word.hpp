// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rivulet/detail/rng/cycle.hpp"
#include "rng/word.hpp"

#if RIVULET_VECTOR_WORD && defined(__SSE2__)
#include <immintrin.h>
#endif

// Words of 64 bits of as many streams as a kernel's word of 32 bits, W, has: WideForm<W>::type.

namespace rivulet::detail {

/// A word of each of N streams.
template <int N>
struct WideLanes {
  std::uint64_t lane[N];

  WideLanes() = default;
  /// The same in all lanes.
  KOKKOS_FORCEINLINE_FUNCTION explicit WideLanes(std::uint64_t all) {
    for (int l = 0; l < N; ++l) lane[l] = all;
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION static WideLanes generate(const F& make) {
    WideLanes word;
    for (int l = 0; l < N; ++l) word.lane[l] = make(l);
    return word;
  }
};
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator^(const WideLanes<N>& a, const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return a.lane[l] ^ b.lane[l]; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator&(const WideLanes<N>& a, const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return a.lane[l] & b.lane[l]; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator|(const WideLanes<N>& a, const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return a.lane[l] | b.lane[l]; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator+(const WideLanes<N>& a, const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return a.lane[l] + b.lane[l]; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator-(const WideLanes<N>& a, const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return a.lane[l] - b.lane[l]; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator*(const WideLanes<N>& a, const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return a.lane[l] * b.lane[l]; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator>>(const WideLanes<N>& x, int n) {
  return WideLanes<N>::generate([&](int l) { return x.lane[l] >> n; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> operator<<(const WideLanes<N>& x, int n) {
  return WideLanes<N>::generate([&](int l) { return x.lane[l] << n; });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> rotated_left(const WideLanes<N>& x, int n) {
  return WideLanes<N>::generate([&](int l) { return rotated_left(x.lane[l], n); });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(const WideLanes<N>& a, std::uint64_t m,
                                               WideLanes<N>& high, WideLanes<N>& low) {
  for (int l = 0; l < N; ++l) multiply_wide(a.lane[l], m, high.lane[l], low.lane[l]);
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> multiply_half(const WideLanes<N>& a, std::uint32_t m) {
  return WideLanes<N>::generate([&](int l) { return multiply_half(a.lane[l], m); });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> multiply_halves(const WideLanes<N>& a,
                                                         const WideLanes<N>& b) {
  return WideLanes<N>::generate([&](int l) { return multiply_halves(a.lane[l], b.lane[l]); });
}
template <std::uint32_t c, int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> below_modulus(const WideLanes<N>& x) {
  return WideLanes<N>::generate([&](int l) { return below_modulus<c>(x.lane[l]); });
}
template <std::uint32_t c, int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> folded_once(const WideLanes<N>& x) {
  return WideLanes<N>::generate([&](int l) { return folded_once<c>(x.lane[l]); });
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION void hide_from_optimizer(WideLanes<N>& x) {
  for (int l = 0; l < N; ++l) hide_from_optimizer(x.lane[l]);
}
template <int N>
KOKKOS_FORCEINLINE_FUNCTION WideLanes<N> carry_of(const WideLanes<N>& sum, const WideLanes<N>& a) {
  return WideLanes<N>::generate([&](int l) { return carry_of(sum.lane[l], a.lane[l]); });
}

template <class W>
struct WideForm {
  using type = WideLanes<lanes<W>>;

  /// Of halves in memory, lower ones first: those of lane l are pair number place(l).
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int l) { return l; }
  KOKKOS_FORCEINLINE_FUNCTION static type of_pairs(const std::uint32_t* pair) {
    return type::generate(
        [&](int l) { return std::uint64_t{pair[2 * l + 1]} << 32 | pair[2 * l]; });
  }
  /// Of halves.
  KOKKOS_FORCEINLINE_FUNCTION static type of(const W& low, const W& high) {
    return type::generate([&](int l) {
      return std::uint64_t{WordTraits<W>::lane(high, l)} << 32 | WordTraits<W>::lane(low, l);
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION static W low(const type& x) {
    return WordTraits<W>::generate([&](int l) { return static_cast<std::uint32_t>(x.lane[l]); });
  }
  KOKKOS_FORCEINLINE_FUNCTION static W high(const type& x) {
    return WordTraits<W>::generate(
        [&](int l) { return static_cast<std::uint32_t>(x.lane[l] >> 32); });
  }
  /// Lane by lane.
  KOKKOS_FORCEINLINE_FUNCTION static void store(const type& x, std::uint64_t* to) {
    for (int l = 0; l < lanes<W>; ++l) to[l] = x.lane[l];
  }
  KOKKOS_FORCEINLINE_FUNCTION static type product(const W& a, std::uint32_t m) {
    return type::generate([&](int l) { return std::uint64_t{WordTraits<W>::lane(a, l)} * m; });
  }
};

#if RIVULET_VECTOR_WORD
/// A register of 64-bit lanes as compilers know it: of <experimental/simd>'s, whose every operation
/// is a dozen functions, they take a minute to inline the rounds of all kernels.
template <std::size_t Bytes>
struct WideRegister {
  using type [[gnu::vector_size(Bytes)]] = std::uint64_t;
};

/// Words of 64 bits of a vector's lanes, those of even and of odd number apart: where vector units
/// multiply 32 by 32 bits to 64, and whose halves become vectors of 32 bits without moving lanes.
template <std::size_t Bytes>
struct EvenAndOdd {
  using Wide = typename WideRegister<Bytes>::type;
  Wide even;
  Wide odd;

  EvenAndOdd() = default;
  KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd(const Wide& e, const Wide& o) : even(e), odd(o) {}
  /// The same in all lanes.
  KOKKOS_FORCEINLINE_FUNCTION explicit EvenAndOdd(std::uint64_t all)
      : even(Wide{} + all), odd(even) {}
};
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator^(const EvenAndOdd<Bytes>& a,
                                                        const EvenAndOdd<Bytes>& b) {
  return {a.even ^ b.even, a.odd ^ b.odd};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator&(const EvenAndOdd<Bytes>& a,
                                                        const EvenAndOdd<Bytes>& b) {
  return {a.even & b.even, a.odd & b.odd};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator|(const EvenAndOdd<Bytes>& a,
                                                        const EvenAndOdd<Bytes>& b) {
  return {a.even | b.even, a.odd | b.odd};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator+(const EvenAndOdd<Bytes>& a,
                                                        const EvenAndOdd<Bytes>& b) {
  return {a.even + b.even, a.odd + b.odd};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator-(const EvenAndOdd<Bytes>& a,
                                                        const EvenAndOdd<Bytes>& b) {
  return {a.even - b.even, a.odd - b.odd};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator*(const EvenAndOdd<Bytes>& a,
                                                        const EvenAndOdd<Bytes>& b) {
  return {a.even * b.even, a.odd * b.odd};
}

/// The products of lower halves: one operation of x86's vector units. GCC 12 does not find it and
/// multiplies all 64 bits, in three operations.
template <std::size_t Bytes, class Wide>
KOKKOS_FORCEINLINE_FUNCTION Wide multiply_lower(const Wide& a, const Wide& b) {
#if defined(__AVX512F__)
  if constexpr (Bytes == sizeof(__m512i)) {
    // Of _mm512_mul_epu32 GCC 12 says that it reads what is not there (GCC bug 105593).
    return reinterpret_cast<Wide>(
        _mm512_maskz_mul_epu32(0xff, reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
  }
#endif
#if defined(__AVX2__)
  if constexpr (Bytes == sizeof(__m256i)) {
    return reinterpret_cast<Wide>(
        _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (Bytes == sizeof(__m128i)) {
    return reinterpret_cast<Wide>(
        _mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
  }
#endif
  return (a & 0xffffffffu) * (b & 0xffffffffu);
}
template <std::size_t Bytes, class Wide>
KOKKOS_FORCEINLINE_FUNCTION Wide multiply_lower(const Wide& a, std::uint32_t m) {
  return multiply_lower<Bytes>(a, Wide{} + std::uint64_t{m});
}

template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator>>(const EvenAndOdd<Bytes>& x, int n) {
  return {x.even >> n, x.odd >> n};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> operator<<(const EvenAndOdd<Bytes>& x, int n) {
  return {x.even << n, x.odd << n};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> multiply_half(const EvenAndOdd<Bytes>& a,
                                                            std::uint32_t m) {
  return {multiply_lower<Bytes>(a.even, m), multiply_lower<Bytes>(a.odd, m)};
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> multiply_halves(const EvenAndOdd<Bytes>& a,
                                                              const EvenAndOdd<Bytes>& b) {
  return {multiply_lower<Bytes>(a.even, b.even), multiply_lower<Bytes>(a.odd, b.odd)};
}
/// Of a CPU's words nothing need be hidden.
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION void hide_from_optimizer(EvenAndOdd<Bytes>&) {}
/// Compares by the highest bits: vector units without AVX-512 compare no unsigned words.
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> carry_of(const EvenAndOdd<Bytes>& sum,
                                                       const EvenAndOdd<Bytes>& a) {
  const EvenAndOdd<Bytes> b = sum - a;
  return ((a & b) | ((a | b) & (sum ^ EvenAndOdd<Bytes>(~std::uint64_t{0})))) >> 63;
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION EvenAndOdd<Bytes> rotated_left(const EvenAndOdd<Bytes>& x, int n) {
  return {x.even << n | x.even >> (64 - n), x.odd << n | x.odd >> (64 - n)};
}
/// By halves, which vector units multiply; they have no products of 128 bits.
template <std::size_t Bytes, class Wide>
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide_of(const Wide& a, std::uint64_t m, Wide& high,
                                                  Wide& low) {
  constexpr std::uint64_t lower = 0xffffffffu;
  const auto m_low = static_cast<std::uint32_t>(m);
  const auto m_high = static_cast<std::uint32_t>(m >> 32);
  const Wide a_high = a >> 32;
  const Wide low_low = multiply_lower<Bytes>(a, m_low);
  const Wide high_low = multiply_lower<Bytes>(a_high, m_low) + (low_low >> 32);
  const Wide middle = multiply_lower<Bytes>(a, m_high) + (high_low & lower);
  low = middle << 32 | (low_low & lower);
  high = multiply_lower<Bytes>(a_high, m_high) + (high_low >> 32) + (middle >> 32);
}
template <std::size_t Bytes>
KOKKOS_FORCEINLINE_FUNCTION void multiply_wide(const EvenAndOdd<Bytes>& a, std::uint64_t m,
                                               EvenAndOdd<Bytes>& high, EvenAndOdd<Bytes>& low) {
  multiply_wide_of<Bytes>(a.even, m, high.even, low.even);
  multiply_wide_of<Bytes>(a.odd, m, high.odd, low.odd);
}

/// Vectors that fill a register.
template <class W>
concept FillsRegister = sizeof(W) == sizeof(std::uint32_t) * lanes<W> &&
                        (sizeof(W) == 16 || sizeof(W) == 32 || sizeof(W) == 64);

template <class Abi>
requires FillsRegister<std::experimental::simd<std::uint32_t, Abi>>
struct WideForm<std::experimental::simd<std::uint32_t, Abi>> {
  using W = std::experimental::simd<std::uint32_t, Abi>;
  using type = EvenAndOdd<sizeof(W)>;
  using Wide = typename type::Wide;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int l) {
    return l / 2 + (l % 2 != 0 ? lanes<W> / 2 : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION static type of_pairs(const std::uint32_t* pair) {
    Wide even;
    Wide odd;
    std::memcpy(static_cast<void*>(&even), pair, sizeof even);
    std::memcpy(static_cast<void*>(&odd), pair + lanes<W>, sizeof odd);
    return {even, odd};
  }
  KOKKOS_FORCEINLINE_FUNCTION static type of(const W& low, const W& high) {
    const Wide l = as_wide(low);
    const Wide h = as_wide(high);
    return {(l & lower) | h << 32, l >> 32 | (h & ~lower)};
  }
  KOKKOS_FORCEINLINE_FUNCTION static W low(const type& x) {
    return joined<0xaaaa>(x.even, x.odd, x.odd << 32);
  }
  KOKKOS_FORCEINLINE_FUNCTION static W high(const type& x) {
    return joined<0x5555>(x.odd, x.even, x.even >> 32);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void store(const type& x, std::uint64_t* to) {
    for (int l = 0; l < lanes<W> / 2; ++l) {
      to[2 * l] = x.even[l];
      to[2 * l + 1] = x.odd[l];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static type product(const W& a, std::uint32_t m) {
    const Wide both = as_wide(a);
    return {multiply_lower<sizeof(W)>(both, m), multiply_lower<sizeof(W)>(both >> 32, m)};
  }

  KOKKOS_FORCEINLINE_FUNCTION static Wide as_wide(const W& word) {
    Wide wide;
    std::memcpy(static_cast<void*>(&wide), &word, sizeof wide);
    return wide;
  }
  KOKKOS_FORCEINLINE_FUNCTION static W as_word(const Wide& wide) {
    W word;
    std::memcpy(static_cast<void*>(&word), &wide, sizeof word);
    return word;
  }

 private:
  static constexpr std::uint64_t lower = 0xffffffffu;

  /// x, with the lanes of 32 bits in `places` taken from `moved`, which has the halves of y there.
  template <int places>
  KOKKOS_FORCEINLINE_FUNCTION static W joined(const Wide& x, [[maybe_unused]] const Wide& y,
                                              const Wide& moved) {
#if defined(__AVX512F__)
    if constexpr (sizeof(W) == sizeof(__m512i)) {
      return as_word(reinterpret_cast<Wide>(_mm512_mask_shuffle_epi32(
          reinterpret_cast<__m512i>(x), places, reinterpret_cast<__m512i>(y), _MM_PERM_CDAB)));
    }
#elif defined(__AVX2__)
    if constexpr (sizeof(W) == sizeof(__m256i)) {
      return as_word(reinterpret_cast<Wide>(_mm256_blend_epi32(
          reinterpret_cast<__m256i>(x), reinterpret_cast<__m256i>(moved), places & 0xff)));
    }
#endif
    constexpr std::uint64_t taken = places == 0xaaaa ? ~lower : lower;
    return as_word((x & ~taken) | (moved & taken));
  }
};
#endif

}  // namespace rivulet::detail
