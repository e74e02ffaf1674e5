// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

/// Adds the product of a word and a polynomial of `words` words to the words + 1 at `sum`.
using Gf2AddMultiple = void(std::uint64_t* sum, std::uint64_t factor, const std::uint64_t* row,
                            std::size_t words);

/// Four coefficients at a time, for any processor.
inline void gf2_add_multiple_portable(std::uint64_t* sum, std::uint64_t factor,
                                      const std::uint64_t* row, std::size_t words) {
  Uint128 multiples[16] = {0, factor};
  for (int i = 2; i < 16; i += 2) {
    multiples[i] = multiples[i / 2] << 1;
    multiples[i + 1] = multiples[i] ^ factor;
  }
  std::uint64_t carry = 0;
  for (std::size_t k = 0; k < words; ++k) {
    Uint128 product = 0;
    for (int shift = 60; shift >= 0; shift -= 4) {
      product = product << 4 ^ multiples[row[k] >> shift & 15];
    }
    sum[k] ^= carry ^ static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  sum[words] ^= carry;
}

#if RIVULET_HAVE_PCLMUL
/// Uses the carry-less multiplication of x86 processors since 2010; callers check that there is
/// one.
__attribute__((target("pclmul,sse2"))) inline void gf2_add_multiple_pclmul(std::uint64_t* sum,
                                                                           std::uint64_t factor,
                                                                           const std::uint64_t* row,
                                                                           std::size_t words) {
  const __m128i by = _mm_set1_epi64x(static_cast<long long>(factor));
  __m128i carry = _mm_setzero_si128();  // its lower half goes to word k
  std::size_t k = 0;
  for (; k + 2 <= words; k += 2) {
    const __m128i two = _mm_loadu_si128(reinterpret_cast<const __m128i*>(row + k));
    const __m128i low = _mm_clmulepi64_si128(two, by, 0x00);
    const __m128i high = _mm_clmulepi64_si128(two, by, 0x01);
    auto* const to = reinterpret_cast<__m128i*>(sum + k);
    const __m128i added = _mm_xor_si128(_mm_xor_si128(low, carry), _mm_slli_si128(high, 8));
    _mm_storeu_si128(to, _mm_xor_si128(_mm_loadu_si128(to), added));
    carry = _mm_srli_si128(high, 8);
  }
  std::uint64_t above = static_cast<std::uint64_t>(_mm_cvtsi128_si64(carry));
  if (k < words) {
    const __m128i one = _mm_cvtsi64_si128(static_cast<long long>(row[k]));
    const __m128i product = _mm_clmulepi64_si128(one, by, 0x00);
    sum[k] ^= above ^ static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
    above = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_srli_si128(product, 8)));
  }
  sum[words] ^= above;
}
#endif

/// The fastest version for this processor, chosen at run time, so that programs and the library
/// agree whatever their compiler flags.
inline Gf2AddMultiple* gf2_add_multiple() {
#if RIVULET_HAVE_PCLMUL
  if (__builtin_cpu_supports("pclmul")) return gf2_add_multiple_pclmul;
#endif
  return gf2_add_multiple_portable;
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
