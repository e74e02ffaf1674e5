// SPDX-FileCopyrightText: 2026 The Rivulet Authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>

#include "kokkos_compat.hpp"
#include "rivulet/detail/team_atomics.hpp"

// Extracts bits and numbers from words by exact integer arithmetic. The first r bits of a word are
// dropped, as in TestU01's strip functions.

namespace rivulet::detail {

/// Returns the s bits of a word after the first r bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t strip_bits(std::uint32_t word, int r, int s) {
  return word << r >> (32 - s);
}
/// Returns floor(d frac(2^r U)), where U = word 2^-32.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t strip_number(std::uint32_t word, int r, std::uint32_t d) {
  return static_cast<std::uint32_t>(std::uint64_t{word << r} * d >> 32);
}

template <std::unsigned_integral T>
KOKKOS_FORCEINLINE_FUNCTION int popcount(T word) {
#if RIVULET_IN_DEVICE_CODE
  return sizeof(T) > 4 ? __popcll(word) : __popc(static_cast<unsigned>(word));
#else
  // GCC compiles std::popcount to a library call unless the target processor has a popcount
  // instruction.
  std::uint64_t bits = word;
  bits -= bits >> 1 & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<int>(bits * 0x0101010101010101U >> 56);
#endif
}

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t to_u64(int value) {
  return static_cast<std::uint64_t>(value);
}

/// Returns the number of words for `bits` bits, with `each` bits per word.
KOKKOS_FORCEINLINE_FUNCTION int words_for(int bits, int each) { return (bits + each - 1) / each; }

/// Returns a block of `length` <= 64 bits, with s bits per word. The last bit is the lowest. The
/// last word contributes its leading bits.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t bits_of_block(const std::uint32_t* word, int r, int s,
                                                        int length) {
  std::uint64_t bits = 0;
  for (; length >= s; length -= s) bits = bits << s | strip_bits(*word++, r, s);
  return length > 0 ? bits << length | strip_bits(*word, r, length) : bits;
}

/// Blocks of bits, with s bits per word. A block's last word contributes its leading bits.
struct Blocks {
  int r;
  int s;
  int length;

  KOKKOS_FUNCTION std::uint64_t words() const { return to_u64(words_for(length, s)); }
};

/// Returns the index of the last value <= `value` among the `count` ascending `values`. Requires
/// values[0] <= `value`.
KOKKOS_INLINE_FUNCTION int last_not_above(const std::uint32_t* values, int count,
                                          std::uint32_t value) {
  int first = 0;
  while (count > 1) {
    const int half = count / 2;
    if (values[first + half] <= value) first += half;
    count -= half;
  }
  return first;
}

}  // namespace rivulet::detail
