// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rivulet/detail/uint128.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define RIVULET_HAVE_PCLMUL 1
#include <wmmintrin.h>
#else
#define RIVULET_HAVE_PCLMUL 0
#endif

namespace rivulet {
namespace detail {

/// Coefficients of a polynomial over GF(2), 64 to a word, the lowest first.
using Gf2Words = std::vector<std::uint64_t>;

/// Adds a * t^places to `sum`, which must be long enough.
inline void gf2_add_shifted(Gf2Words& sum, const Gf2Words& a, std::size_t places) {
  const std::size_t word = places / 64;
  const unsigned shift = places % 64;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == 0) continue;
    sum[i + word] ^= a[i] << shift;
    if (shift != 0 && a[i] >> (64 - shift) != 0) sum[i + word + 1] ^= a[i] >> (64 - shift);
  }
}

/// Words above which Karatsuba's three products of halves are faster than one product; even.
inline constexpr std::size_t gf2_karatsuba_words = 36;

/// Words first .. last - 1 of the product of two polynomials of `words` words; what the others of
/// the 2 words at `product` become is open. All three are even; at most gf2_karatsuba_words words.
using Gf2Product = void(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                        std::size_t first, std::size_t last, std::uint64_t* product);

/// Four coefficients at a time, for any processor.
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
/// Uses the carry-less multiplication of x86 processors since 2010; callers check that there is
/// one. Sums the products of two words by two that belong to the same two words: no sum leaves the
/// registers before it is complete.
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

/// The versions for this processor, the fastest last, chosen at run time, so that programs and the
/// library agree whatever their compiler flags.
inline std::vector<Gf2Product*> gf2_products() {
  std::vector<Gf2Product*> products{gf2_product_portable};
#if RIVULET_HAVE_PCLMUL
  if (__builtin_cpu_supports("pclmul")) products.push_back(gf2_product_pclmul);
#endif
  return products;
}

/// The least number from `words` > 0 on that gf2_karatsuba can halve as often as it needs to.
constexpr std::size_t gf2_karatsuba_size(std::size_t words) {
  std::size_t unit = 2;
  while (2 * ((words - 1) / unit + 1) > gf2_karatsuba_words) unit *= 2;
  return ((words - 1) / unit + 1) * unit;
}
/// Room that gf2_karatsuba needs at `scratch`, in words.
constexpr std::size_t gf2_karatsuba_scratch(std::size_t words) { return 4 * words; }

/// The same as `base` for any number of words that gf2_karatsuba_size gives, by Karatsuba's method.
inline void gf2_karatsuba(Gf2Product* base, const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words, std::size_t first, std::size_t last,
                          std::uint64_t* product, std::uint64_t* scratch) {
  if (words <= gf2_karatsuba_words) return base(a, b, words, first, last, product);
  const std::size_t half = words / 2;
  std::uint64_t* const sums = scratch;  // of a's halves, and of b's
  std::uint64_t* const middle = scratch + words;
  std::uint64_t* const rest = scratch + 2 * words;
  for (std::size_t i = 0; i < half; ++i) {
    sums[i] = a[i] ^ a[half + i];
    sums[half + i] = b[i] ^ b[half + i];
  }
  gf2_karatsuba(base, a, b, half, 0, words, product, rest);
  gf2_karatsuba(base, a + half, b + half, half, 0, words, product + words, rest);
  gf2_karatsuba(base, sums, sums + half, half, 0, words, middle, rest);
  for (std::size_t i = 0; i < words; ++i) middle[i] ^= product[i] ^ product[words + i];
  for (std::size_t i = 0; i < words; ++i) product[half + i] ^= middle[i];
}

}  // namespace detail

/// A polynomial over GF(2): coefficient of t^i is bit i % 64 of word i / 64. No trailing zero
/// words.
class Gf2Polynomial {
 public:
  Gf2Polynomial() = default;
  explicit Gf2Polynomial(detail::Gf2Words words) : words_(std::move(words)) {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
  }

  const detail::Gf2Words& words() const { return words_; }
  /// The degree; -1 for the zero polynomial.
  int degree() const {
    if (words_.empty()) return -1;
    return static_cast<int>(64 * words_.size()) - 1 - std::countl_zero(words_.back());
  }
  bool coefficient(int i) const {
    return i >= 0 && i <= degree() &&
           (words_[static_cast<std::size_t>(i / 64)] >> (i % 64) & 1) != 0;
  }
  /// Coefficients 32 w to 32 w + 31.
  std::uint32_t half_word(std::size_t w) const {
    return w / 2 < words_.size() ? static_cast<std::uint32_t>(words_[w / 2] >> (w % 2 * 32)) : 0;
  }

  friend bool operator==(const Gf2Polynomial&, const Gf2Polynomial&) = default;

 private:
  detail::Gf2Words words_;
};

}  // namespace rivulet
