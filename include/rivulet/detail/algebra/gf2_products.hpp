// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rivulet/detail/uint128.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define RIVULET_HAVE_PCLMUL 1
#include <wmmintrin.h>
#else
#define RIVULET_HAVE_PCLMUL 0
#endif
// nvc++ also defines __GNUC__, but may lack GCC's built-ins for single instructions.
#if RIVULET_HAVE_PCLMUL && !defined(__NVCOMPILER)
#define RIVULET_HAVE_VPCLMUL 1
#else
#define RIVULET_HAVE_VPCLMUL 0
#endif

// This file computes products of polynomials over GF(2). A word holds 64 coefficients, the lowest
// first.

namespace rivulet::detail {

/// The maximum number of words of a factor for which a direct product is faster than Karatsuba's
/// method (three products of half the size). It must be even.
inline constexpr std::size_t gf2_karatsuba_words = 36;
/// The maximum number of words of a factor in a direct product. (The factors for mt19937 have 320
/// words. Larger factors were not measured.)
inline constexpr std::size_t gf2_most_direct_words = 352;

/// Computes words first .. last - 1 of the product of two polynomials of `words` words. The other
/// words of `product`, whose length is 2 * words, are unspecified. `words`, `first` and `last` are
/// even.
using Gf2Product = void(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                        std::size_t first, std::size_t last, std::uint64_t* product);

/// Implements Gf2Product for any processor, four coefficients at a time.
inline void gf2_product_portable(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                                 std::size_t first, std::size_t last, std::uint64_t* product) {
  std::fill_n(product, 2 * words, 0);
  for (std::size_t i = 0; i < words; ++i) {
    Uint128 multiples[16] = {0, a[i]};
    for (int m = 2; m < 16; m += 2) {
      multiples[m] = multiples[m / 2] << 1;
      multiples[m + 1] = multiples[m] ^ a[i];
    }
    for (std::size_t k = i + 1 < first ? first - 1 - i : 0; k < words && i + k < last; ++k) {
      Uint128 sum = 0;
      for (int shift = 60; shift >= 0; shift -= 4) sum = sum << 4 ^ multiples[b[k] >> shift & 15];
      product[i + k] ^= static_cast<std::uint64_t>(sum);
      product[i + k + 1] ^= static_cast<std::uint64_t>(sum >> 64);
    }
  }
}

#if RIVULET_HAVE_PCLMUL
/// Implements Gf2Product with PCLMULQDQ, x86's carry-less multiplication (since 2010). Callers must
/// check that the processor has this instruction. The sum for each pair of result words stays in
/// registers until it is complete.
__attribute__((target("pclmul,sse2"))) inline void gf2_product_pclmul(
    const std::uint64_t* a, const std::uint64_t* b, std::size_t words, std::size_t first,
    std::size_t last, std::uint64_t* product) {
  const auto* const left = reinterpret_cast<const __m128i*>(a);
  const auto* const right = reinterpret_cast<const __m128i*>(b);
  auto* const to = reinterpret_cast<__m128i*>(product);
  const std::size_t pairs = words / 2;
  __m128i carry = _mm_setzero_si128();
  for (std::size_t k = first == 0 ? 0 : first / 2 - 1; k < last / 2; ++k) {
    __m128i low = carry;
    __m128i middle = _mm_setzero_si128();
    __m128i high = _mm_setzero_si128();
    for (std::size_t i = k < pairs ? 0 : k - pairs + 1; i < pairs && i <= k; ++i) {
      const __m128i x = _mm_loadu_si128(left + i);
      const __m128i y = _mm_loadu_si128(right + (k - i));
      low = _mm_xor_si128(low, _mm_clmulepi64_si128(x, y, 0x00));
      middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(x, y, 0x01));
      middle = _mm_xor_si128(middle, _mm_clmulepi64_si128(x, y, 0x10));
      high = _mm_xor_si128(high, _mm_clmulepi64_si128(x, y, 0x11));
    }
    _mm_storeu_si128(to + k, _mm_xor_si128(low, _mm_slli_si128(middle, 8)));
    carry = _mm_xor_si128(high, _mm_srli_si128(middle, 8));
  }
}
#endif

#if RIVULET_HAVE_VPCLMUL
#if defined(__clang__)
#define RIVULET_CLMUL_512 __builtin_ia32_pclmulqdq512
#else
#define RIVULET_CLMUL_512 __builtin_ia32_vpclmulqdq_v8di
#endif
/// Works like gf2_product_pclmul, but computes four products of pairs at a time. The word pairs of
/// `b` are copied in reverse order, so both factors are read forwards. Zeros pad the copies of both
/// factors. (The code uses the compiler's vector extensions, because the intrinsics' header takes
/// 0.4 s to parse.)
__attribute__((target("avx512f,vpclmulqdq"))) inline void gf2_product_vpclmul(
    const std::uint64_t* a, const std::uint64_t* b, std::size_t words, std::size_t first,
    std::size_t last, std::uint64_t* product) {
  using Words [[gnu::vector_size(64)]] = long long;
  constexpr std::size_t at_once = 8;
  constexpr std::size_t min_words = 16;  // gf2_product_pclmul is faster for fewer (on Zen 4)
  if (words < min_words) return gf2_product_pclmul(a, b, words, first, last, product);
  std::uint64_t left[gf2_most_direct_words + at_once];
  std::uint64_t right[gf2_most_direct_words + at_once];
  std::copy_n(a, words, left);
  std::fill_n(left + words, at_once, 0);
  for (std::size_t i = 0; i < words; i += 2) {
    right[i] = b[words - 2 - i];
    right[i + 1] = b[words - 1 - i];
  }
  std::fill_n(right + words, at_once, 0);
  std::uint64_t carry[2] = {0, 0};
  for (std::size_t k = first == 0 ? 0 : first - 2; k < last; k += 2) {
    Words low{};
    Words middle{};
    Words high{};
    const std::size_t end = std::min(k + 2, words);
    for (std::size_t i = k < words ? 0 : k - words + 2; i < end; i += at_once) {
      Words x;
      Words y;
      std::memcpy(&x, left + i, sizeof x);
      std::memcpy(&y, right + (words - 2 + i - k), sizeof y);
      low ^= RIVULET_CLMUL_512(x, y, 0x00);
      middle ^= RIVULET_CLMUL_512(x, y, 0x01) ^ RIVULET_CLMUL_512(x, y, 0x10);
      high ^= RIVULET_CLMUL_512(x, y, 0x11);
    }
    const auto sum = [](const Words& parts, int word) {
      return static_cast<std::uint64_t>(parts[word] ^ parts[word + 2] ^ parts[word + 4] ^
                                        parts[word + 6]);
    };
    product[k] = carry[0] ^ sum(low, 0);
    product[k + 1] = carry[1] ^ sum(low, 1) ^ sum(middle, 0);
    carry[0] = sum(high, 0) ^ sum(middle, 1);
    carry[1] = sum(high, 1);
  }
}
#undef RIVULET_CLMUL_512
#endif

/// A multiplication function, and the maximum number of words for which it is faster than
/// Karatsuba's three products of half the size.
struct Gf2Multiplier {
  Gf2Product* product;
  std::size_t most_words;           ///< for a full product
  std::size_t most_words_for_half;  ///< for one half of a product
};

/// Returns the multipliers of this processor, the fastest last. The function chooses at run time,
/// so a host program and the library agree, whatever their compiler flags. (The limits were
/// measured on Zen 4.)
inline std::vector<Gf2Multiplier> gf2_multipliers() {
  std::vector<Gf2Multiplier> multipliers{
      {gf2_product_portable, gf2_karatsuba_words, gf2_karatsuba_words}};
#if RIVULET_HAVE_PCLMUL
  if (__builtin_cpu_supports("pclmul")) {
    multipliers.push_back({gf2_product_pclmul, gf2_karatsuba_words, gf2_karatsuba_words});
  }
#endif
#if RIVULET_HAVE_VPCLMUL
  if (__builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("avx512f")) {
    multipliers.push_back({gf2_product_vpclmul, 48, gf2_most_direct_words});
  }
#endif
  return multipliers;
}

/// Returns the smallest size, at least `words` > 0, that gf2_karatsuba can halve as often as
/// needed.
constexpr std::size_t gf2_karatsuba_size(std::size_t words) {
  std::size_t unit = 2;
  while (2 * ((words - 1) / unit + 1) > gf2_karatsuba_words) unit *= 2;
  return ((words - 1) / unit + 1) * unit;
}
/// Returns the number of words that gf2_karatsuba needs at `scratch`.
constexpr std::size_t gf2_karatsuba_scratch(std::size_t words) { return 4 * words; }

/// Computes the same words of the product as `base.product`, with Karatsuba's method. `words` must
/// be a number that gf2_karatsuba_size returns.
inline void gf2_karatsuba(const Gf2Multiplier& base, const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words, std::size_t first, std::size_t last,
                          std::uint64_t* product, std::uint64_t* scratch) {
  const bool is_half = last - first <= words;
  if (words <= (is_half ? base.most_words_for_half : base.most_words)) {
    return base.product(a, b, words, first, last, product);
  }
  const std::size_t half = words / 2;
  std::uint64_t* const sums = scratch;  // sums of a's halves, and of b's
  std::uint64_t* const middle = scratch + words;
  std::uint64_t* const recursion_scratch = scratch + 2 * words;
  for (std::size_t i = 0; i < half; ++i) {
    sums[i] = a[i] ^ a[half + i];
    sums[half + i] = b[i] ^ b[half + i];
  }
  gf2_karatsuba(base, a, b, half, 0, words, product, recursion_scratch);
  gf2_karatsuba(base, a + half, b + half, half, 0, words, product + words, recursion_scratch);
  gf2_karatsuba(base, sums, sums + half, half, 0, words, middle, recursion_scratch);
  for (std::size_t i = 0; i < words; ++i) middle[i] ^= product[i] ^ product[words + i];
  for (std::size_t i = 0; i < words; ++i) product[half + i] ^= middle[i];
}

}  // namespace rivulet::detail
